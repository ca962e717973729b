"""The butterfly and the wrapped butterfly (named in section 1 of the fat-cube paper), with processors on all nodes."""

import dataclasses
from functools import cached_property

from fatcube.noc.topologies.rotations import Rows
from fatcube.noc.topology import parameter

__all__ = ["Butterfly", "WrappedButterfly"]


class _Butterfly(Rows, kind=None):
    """Rows whose positions are levels; adjacent levels are linked within each row and between rows that differ in one bit.

    Channels 0 and 1 lead to the next level: channel 0 in the same row, channel 1 in the row that differs in the bit of the
    current level. Channels 2 and 3 lead to the previous level: channel 2 in the same row, channel 3 in the row that differs
    in the bit of the previous level.
    """

    @property
    def shape(self) -> str:
        return f"{self.kind.replace('-', ' ')} of order {self.n}"

    @property
    def degree(self) -> int:
        return 4

    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None:
        row, level = divmod(node, self.length)
        lower = level if channel < 2 else level - 1
        if not self.rotates and not 0 <= lower < self.n:
            return None
        other = level + 1 if channel < 2 else level - 1
        return (row ^ (channel % 2) << lower % self.n) * self.length + other % self.length, channel ^ 2


@dataclasses.dataclass(frozen=True)
class Butterfly(_Butterfly, kind="butterfly", proved=True):
    """A butterfly: 2^n rows of n + 1 levels, of which the first and the last have links on one side only.

    Node r (n + 1) + l is in row r on level l. Channels 0 and 1 lead to level l + 1, in row r and in the row that differs in
    bit l; channels 2 and 3 lead to level l - 1, in row r and in the row that differs in bit l - 1. All links are
    bidirectional. The diameter is 2 n.

    Parameters
    ----------
    n : :class:`int`
        Bits of a row number, 2 to 12.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """

    n: int = parameter("Bits of a row number, with n + 1 levels.", minimum=2, maximum=12)
    m: int = 1
    f: int = 1

    @property
    def length(self) -> int:
        return self.n + 1

    @cached_property
    def channels(self) -> int:
        return 4 * self.n << self.n


@dataclasses.dataclass(frozen=True)
class WrappedButterfly(_Butterfly, kind="wrapped-butterfly", proved=True):
    """A butterfly whose last level is its first: 2^n rows of n levels, and every node has four links.

    Node r n + l is in row r on level l. The channels are numbered as in the :class:`Butterfly`, with levels modulo n. With
    n = 2 the two links within a row, one from each level to the next, join the same two nodes. The diameter is
    floor(3 n / 2).

    Parameters
    ----------
    n : :class:`int`
        Bits of a row number, and levels, 2 to 12.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """

    n: int = parameter("Bits of a row number, with n levels.", minimum=2, maximum=12)
    m: int = 1
    f: int = 1
