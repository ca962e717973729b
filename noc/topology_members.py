"""The members of a topology and their defaults, which graphs with names and networks with failures replace."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

__all__ = ["Members"]


class Members:
    """The m and f of every topology, the names of its nodes, and what of its processors and lanes works.

    A subclass makes m and f each a field, or one number for all topologies of its kind.
    """

    kind: ClassVar[str]
    m: int
    f: int

    @property
    @abstractmethod
    def parameters(self) -> Mapping[str, Any]:
        """The parameters by name, as in ``{"d": 2, "m": 2, "f": 1}``."""

    @property
    def shape(self) -> str:
        """Kind and size in people's words, without m and f, as in ``"4 × 4 mesh"``; a kind says its own where there are such words."""
        size = ", ".join(f"{name} = {value}" for name, value in self.parameters.items() if name not in ("m", "f"))
        return f"{self.kind.replace('-', ' ')} {size}"

    @property
    def name(self) -> str:
        """The name of the topology in text for people: its :attr:`shape`, and m and f where they are parameters other than 1.

        Records and keys have :func:`str` of a topology instead, which names every parameter.
        """
        many = {name: self.parameters.get(name, 1) for name in ("m", "f")}
        return ", ".join([self.shape, *(f"{name} = {value}" for name, value in many.items() if value != 1)])

    @property
    @abstractmethod
    def nodes(self) -> int:
        """Number of nodes."""

    @property
    @abstractmethod
    def processors(self) -> int:
        """Number of processors, P; they are numbered over the nodes, in order."""

    @abstractmethod
    def channels_between(self, node: int, other: int) -> tuple[int, ...]:
        """The channels of ``node`` that lead to ``other``, in order; empty if they are not adjacent."""

    def name_of(self, node: int) -> str:
        """The node as messages name it: its number, and its name if it has one."""
        return str(node)

    def node_named(self, name: str) -> int | None:
        """The node with this name; ``None`` if no node has it."""
        return None

    @cached_property
    def working(self) -> Sequence[int]:
        """The processors that can take part in collectives and in traffic, in order: all, if none has failed."""
        return range(self.processors)

    def works(self, processor: int) -> bool:
        """Whether ``processor`` is one of :attr:`working`."""
        return True

    @property
    def failures(self) -> Sequence[str]:
        """The failures, by the names of :mod:`fatcube.noc.topologies.failures`."""
        return ()

    @cached_property
    def left(self) -> Sequence[int]:
        """The nodes that have not failed."""
        return range(self.nodes)

    @property
    def one_sided(self) -> bool:
        """``True`` if a lane that goes both ways in the whole topology has failed in one of its directions only."""
        return False

    def lanes_of(self, node: int, channel: int) -> Sequence[int]:
        """The lanes that leave ``node`` by ``channel``, if a link leaves there: f of them, unless some have failed."""
        return range(self.f)

    def lanes_between(self, node: int, other: int) -> Sequence[int]:
        """The numbers of all lanes from ``node`` to ``other``, f to each channel in order; empty if they are not adjacent."""
        return range(len(self.channels_between(node, other)) * self.f)
