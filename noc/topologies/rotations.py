"""Rows of nodes, one for each n-bit word, with bit p at position p: the base of cube-connected cycles and butterflies."""

from collections.abc import Sequence
from functools import cached_property

from fatcube.noc.computed import Computed
from fatcube.noc.topology import Topology

__all__ = ["Rows"]


class Rows(Topology, kind=None):
    """2^n rows of :attr:`length` nodes: node r ``length`` + p is in row r at position p.

    A link between rows changes the bit of the row number that belongs to the position. Therefore every XOR of the row
    numbers preserves all links. If rows have n nodes and are closed to rings, every rotation of positions together with row
    numbers also preserves all links.
    """

    n: int

    @property
    def length(self) -> int:
        """Number of nodes in each row."""
        return self.n

    @property
    def nodes(self) -> int:
        return self.length << self.n

    @property
    def rotates(self) -> bool:
        """``True`` if rotations preserve the links."""
        return self.length == self.n

    @cached_property
    def translations(self) -> Sequence[Sequence[int]]:
        """Every XOR of the row numbers, after every rotation of positions and row numbers if rotations preserve the links."""
        count = (self.n if self.rotates else 1) << self.n
        return Computed(count, lambda number: Computed(self.nodes, lambda node: self._translated(node, number)))

    def _home(self, node: int) -> Sequence[int]:
        row, position = divmod(node, self.length)
        turn = -position % self.n if self.rotates else 0
        return self.translations[(turn << self.n) + self._rotated(row, turn)]

    def _translated(self, node: int, number: int) -> int:
        row, position = divmod(node, self.length)
        turn, offset = divmod(number, 1 << self.n)
        return (self._rotated(row, turn) ^ offset) * self.length + (position + turn) % self.length

    def _rotated(self, row: int, turn: int) -> int:
        """The word ``row`` rotated by ``turn``: bit p moves to position p + ``turn``, modulo n."""
        return (row << turn | row >> self.n - turn) & (1 << self.n) - 1
