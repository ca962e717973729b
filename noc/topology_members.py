"""The members of a topology and their defaults, which graphs with names and networks with failures replace."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property

__all__ = ["Members"]


class Members:
    """The m and f of every topology, the names of its nodes, and what of its processors and lanes works.

    A subclass makes m and f each a field, or one number for all topologies of its kind.
    """

    m: int
    f: int

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
