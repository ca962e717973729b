"""Cube-connected cycles (Kambhatla, section 2; Preparata and Vuillemin)."""

from collections.abc import Sequence
import dataclasses
from functools import cached_property

from noc.computed import Computed
from noc.topology import Topology, parameter

__all__ = ["CubeConnectedCycles"]


@dataclasses.dataclass(frozen=True)
class CubeConnectedCycles(Topology, kind="ccc", proved=True):
    """An n-dimensional hypercube with a cycle of n nodes for each of its nodes.

    Node c n + p stands in cycle c at position p. Channel 0 leads to the same position of the cycle whose number
    differs in bit p, channels 1 and 2 lead to the next and to the previous position of the same cycle.

    Parameters
    ----------
    n : :class:`int`
        Dimensions of the cube, and nodes of each cycle, 2 to 12. In a cycle of two both channels join the same two
        nodes, so that every node has three links, as the paper says. In a cycle of one they would join a node to
        itself; without them it is the hypercube of one dimension.
    m, f : :class:`int`
        As for every :class:`Topology`.
    """

    n: int = parameter("Dimensions, and nodes of each cycle.", minimum=2, maximum=12)
    m: int = 1
    f: int = 1

    @property
    def nodes(self) -> int:
        return self.n << self.n

    @property
    def degree(self) -> int:
        return 3

    def neighbour(self, node: int, channel: int) -> tuple[int, int]:
        cycle, position = divmod(node, self.n)
        if channel == 0:
            return (cycle ^ 1 << position) * self.n + position, 0
        return cycle * self.n + (position + (1, -1)[channel - 1]) % self.n, 3 - channel

    @cached_property
    def translations(self) -> Sequence[Sequence[int]]:
        """Every rotation of positions and cycle numbers together, followed by every XOR of the cycle numbers."""
        return Computed(self.nodes, lambda number: Computed(self.nodes, lambda node: self._translated(node, number)))

    def _home(self, node: int) -> Sequence[int]:
        cycle, position = divmod(node, self.n)
        turn = -position % self.n
        return self.translations[(turn << self.n) + self._rotated(cycle, turn)]

    def _translated(self, node: int, number: int) -> int:
        cycle, position = divmod(node, self.n)
        turn, offset = divmod(number, 1 << self.n)
        return (self._rotated(cycle, turn) ^ offset) * self.n + (position + turn) % self.n

    def _rotated(self, cycle: int, turn: int) -> int:
        """``cycle`` with bit p at p + ``turn``."""
        return (cycle << turn | cycle >> self.n - turn) & (1 << self.n) - 1
