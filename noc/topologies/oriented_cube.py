"""The cube with simplex links of one lane (named in section 2 of the fat-cube paper; see :mod:`fatcube.noc.orientation`)."""

from collections.abc import Sequence
import dataclasses
from functools import cached_property

from fatcube.noc.computed import Computed
from fatcube.noc.topology import Topology, parameter

__all__ = ["OrientedCube"]


@dataclasses.dataclass(frozen=True)
class OrientedCube(Topology, kind="oriented-cube"):
    """A cube of fat nodes whose links have one unidirectional lane.

    A link of dimension b leaves the node, of the two that it joins, for which the number of ones in the node number, plus b,
    is even. Therefore nodes have d/2 lanes out and d/2 lanes in for even d, and (d + 1)/2 and (d - 1)/2 or the reverse for
    odd d, depending on the parity of the node number.

    An XOR of all node numbers by a word with an even number of ones keeps the direction of every link; an XOR by a word with
    an odd number of ones reverses every link.

    Parameters
    ----------
    d : :class:`int`
        Dimensions, 2 to 16.
    m : :class:`int`
        Processors on each node; see :class:`Topology`.
    """

    d: int = parameter("Dimensions.", minimum=2, maximum=16)
    m: int = 1
    f = 1

    @property
    def shape(self) -> str:
        return f"oriented cube of {self.nodes:,} nodes"

    @property
    def nodes(self) -> int:
        return 1 << self.d

    @property
    def degree(self) -> int:
        return self.d

    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None:
        return None if (node.bit_count() + channel) % 2 else (node ^ 1 << channel, channel)

    @cached_property
    def translations(self) -> Sequence[Sequence[int]]:
        """Every XOR of the node numbers by a word with an even number of ones."""
        return Computed(self.nodes // 2, lambda number: self._by(number << 1 | number.bit_count() % 2))

    def _home(self, node: int) -> Sequence[int]:
        return self._by(node ^ node.bit_count() % 2)

    @cached_property
    def mirror(self) -> Sequence[int]:
        return self._by(1)

    def _by(self, word: int) -> Sequence[int]:
        return Computed(self.nodes, word.__xor__)
