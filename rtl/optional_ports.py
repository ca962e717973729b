"""Components whose ports depend on options: a port of no bits stands beside the module, so that all are wired alike."""

from collections.abc import Mapping
from typing import Any

from amaranth.hdl import Shape, Signal
from amaranth.lib import wiring

__all__ = ["OptionalPorts"]


class OptionalPorts(wiring.Component):
    """A component of a kind of which some have ports that others lack.

    All members of the kind are given. One that has no bits is no port of the module but a signal of no bits, which may
    be read and driven like the others: a router wires every unit of a kind in the same way.

    Parameters
    ----------
    members : mapping
        The members by name, as of a :class:`wiring.Signature`.
    """

    def __init__(self, members: Mapping[str, Any]) -> None:
        absent = {name: member for name, member in members.items() if _has_no_bits(member)}
        super().__init__({name: member for name, member in members.items() if name not in absent})
        for name, member in absent.items():
            setattr(self, name, Signal(member.shape, name=name))


def _has_no_bits(member: Any) -> bool:
    return member.is_port and not member.dimensions and Shape.cast(member.shape).width == 0
