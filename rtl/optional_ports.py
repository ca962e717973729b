"""Components whose ports depend on options: a missing port is a signal outside the module, so all are wired alike."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from amaranth.hdl import Shape, Signal
from amaranth.lib import wiring

__all__ = ["OptionalPorts", "OptionalSignature", "Path"]


Path: TypeAlias = tuple[str | int, ...]
"""The path of a member in a signature, as in ``("lanes", 0, 1, "into")``, or the beginning of the paths of several."""


class OptionalPorts(wiring.Component):
    """A component of a kind of which some have ports that others lack.

    All members of the kind are given. One that has no bits is no port of the module but a signal of no bits, which may
    be read and driven like the others: a router wires every unit of a kind in the same way.

    Parameters
    ----------
    members : mapping
        The members by name, as of a :class:`wiring.Signature`.
    without : list of :data:`Path`
        Members within arrays that are no ports of this component: see :class:`PartialSignature`.
    """

    def __init__(self, members: Mapping[str, Any], *, without: Iterable[Path] = ()) -> None:
        absent = {name: member for name, member in members.items() if _has_no_bits(member)}
        present = {name: member for name, member in members.items() if name not in absent}
        left_out = tuple(without)
        super().__init__(PartialSignature(present, left_out) if left_out else present)
        for name, member in absent.items():
            setattr(self, name, Signal(member.shape, name=name))


class PartialSignature(wiring.Signature):
    """A signature of which some members are no ports of a module, though every object with it has them.

    An array has members of one signature only. So if one lane of a component has no input, the component still has the
    signals of this input, which are constant, but its module has no such port.

    Parameters
    ----------
    members : mapping
        All members.
    without : list of :data:`Path`
        The beginnings of the paths of those that are no ports.
    """

    def __init__(self, members: Mapping[str, Any], without: Iterable[Path]) -> None:
        super().__init__(members)
        self._without = frozenset(without)

    def flatten(self, obj: Any) -> Iterator[tuple[Any, Any, Any]]:
        """The path, member and value of each port."""
        # Of a flipped signature, `self` is no instance of this class.
        for path, member, value in wiring.Signature.flatten(self, obj):
            if not any(path[:length] in self._without for length in range(1, len(path) + 1)):
                yield path, member, value


class OptionalSignature(PartialSignature):
    """A signature of which members that have no bits are no ports, as in :class:`OptionalPorts`.

    Parameters
    ----------
    members : mapping
        All members.
    """

    def __init__(self, members: Mapping[str, Any]) -> None:
        super().__init__(members, [(name,) for name, member in members.items() if _has_no_bits(member)])


def _has_no_bits(member: Any) -> bool:
    return member.is_port and not member.dimensions and Shape.cast(member.shape).width == 0
