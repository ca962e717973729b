"""Rows of nodes for the words of n bits, bit p at position p: the base of cube-connected cycles and butterflies."""

from collections.abc import Sequence
from functools import cached_property

from fatcube.noc.computed import Computed
from fatcube.noc.topology import Topology

__all__ = ["Rows"]


class Rows(Topology, kind=None):
    """2^n rows of :attr:`length` nodes: node r ``length`` + p stands in row r at position p.

    Links that change a row change the bit of their position. So every XOR of the row numbers keeps all links. If rows are
    n long and closed to rings, so does every rotation of positions and row numbers together.
    """

    n: int

    @property
    def length(self) -> int:
        """Nodes of each row."""
        return self.n

    @property
    def nodes(self) -> int:
        return self.length << self.n

    @property
    def rotates(self) -> bool:
        """``True`` if rotations keep the links."""
        return self.length == self.n

    @cached_property
    def translations(self) -> Sequence[Sequence[int]]:
        """Every XOR of the row numbers, after every rotation of positions and row numbers together where these keep links."""
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
        """``row`` with bit p at p + ``turn``."""
        return (row << turn | row >> self.n - turn) & (1 << self.n) - 1
