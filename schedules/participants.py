"""The processors that a collective is among: those that have data, and those that shall have it."""

from collections.abc import Callable, Iterable, Sequence
import dataclasses
from functools import cached_property
from typing import Any, Self

from fatcube.groundwork.validation import ParameterError, check_integer, shown
from fatcube.noc.topology import Topology

__all__ = ["EVERYBODY", "Participants"]


_KEYS = {"sources": "from", "targets": "to", "homes": "homes"}
"""The key of each field in a schedule file."""


@dataclasses.dataclass(frozen=True)
class Participants:
    """The processors that a collective is among; all other processors may pass messages on.

    A broadcast to some processors is a multicast. From every processor of a set to every one of another set, an all-gather
    is an m-to-n broadcast and an all-to-all is an m-to-n scatter (fat-cube paper, section 6). A collective on a subset has
    the subset on both sides. The root of a collective that has one is not counted here: it is the only processor on its side.

    Parameters
    ----------
    sources : tuple of :class:`int` or ``None``
        The processors that have a message, or a contribution to a sum, in the beginning; ``None``: all that work.
    targets : tuple of :class:`int` or ``None``
        The processors that shall have a message for several processors, or each one of its own or a sum; ``None``: all.
    homes : tuple of :class:`int` or ``None``
        The processors at which the sums of an all-reduce become complete, to be sent on from there, each as many sums as the
        data has parts; ``None``: all targets. Trees have their roots there.

    Raises
    ------
    ParameterError
        If a side has no processor, or what is no processor.
    """

    sources: tuple[int, ...] | None = None
    targets: tuple[int, ...] | None = None
    homes: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        for name, key in _KEYS.items():
            side = getattr(self, name)
            if side is not None:
                object.__setattr__(self, name, _processors(key, side))

    @property
    def all(self) -> bool:
        """True if they are all processors on both sides, and the homes of sums, too."""
        return self.sources is self.targets is self.homes is None

    @cached_property
    def phases(self) -> "tuple[Participants, Participants]":
        """The participants of the two phases of an all-reduce: contributions go to the homes of their sums, and sums to everybody."""
        collect = Participants(self.sources, self.homes or self.targets)
        return collect, Participants(self.homes or self.sources, self.targets)

    @property
    def reversed(self) -> Self:
        """The participants of the reversed collective."""
        return dataclasses.replace(self, sources=self.targets, targets=self.sources)

    def mirrored(self, topology: Topology) -> Self:
        """The participants in the mirror image of a topology (:attr:`Topology.mirror`)."""
        return self.renumbered(topology.mirrored)

    def renumbered(self, number: Callable[[int], int]) -> Self:
        """The participants with other numbers, where each processor has the ``number`` of its own."""
        sides = {name: getattr(self, name) for name in _KEYS}
        return type(self)(**{name: None if side is None else tuple(map(number, side)) for name, side in sides.items()})

    def origins(self, topology: Topology) -> Sequence[int]:
        """The processors that have something in the beginning, in order."""
        return topology.working if self.sources is None else self.sources

    def destinations(self, topology: Topology) -> Sequence[int]:
        """The processors that shall have something in the end, in order."""
        return topology.working if self.targets is None else self.targets

    def check(self, topology: Topology) -> Self:
        """Return these participants if they are processors of a topology.

        Raises
        ------
        ParameterError
            If one is not.
        """
        for name, key in _KEYS.items():
            for processor in getattr(self, name) or ():
                check_integer(f"processor of {key}", processor, minimum=0, maximum=topology.processors - 1)
                if not topology.works(processor):
                    raise ParameterError(
                        f"processor of {key} must be one that works on the {topology.name}, not {processor}"
                    )
        return self

    def to_file(self) -> dict[str, Any]:
        """The keys of a schedule file: those of the sides that are not all processors, or one for two sides that are equal."""
        sides = {key: getattr(self, name) for name, key in _KEYS.items()}
        if self.sources is not None and self.sources == self.targets:
            sides = {"subset": self.sources, "homes": self.homes}
        return {key: list(side) for key, side in sides.items() if side is not None}

    def __str__(self) -> str:
        """A phrase for the participants, as in ``"from 0,3 to 1,2"``; empty if they are all processors."""
        words = {"subset": "among", "homes": "with sums at"}
        return " ".join(f"{words.get(key, key)} {','.join(map(str, side))}" for key, side in self.to_file().items())


EVERYBODY = Participants()


def _processors(key: str, given: object) -> tuple[int, ...]:
    """The processors of one side in order, each once."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ParameterError(f"{key} must be a list of processors, not {shown(given)}")
    numbers = [check_integer(f"processor of {key}", number, minimum=0) for number in given]
    if not numbers:
        raise ParameterError(f"{key} must have at least one processor, not none")
    if len(set(numbers)) < len(numbers):
        raise ParameterError(f"{key} must have each processor once, not {','.join(map(str, numbers))}")
    return tuple(sorted(numbers))
