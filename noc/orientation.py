"""Simplex links: the direction of every lane of a cube, and the topology of one-way links that is left.

- With an even number f of lanes, lanes 0 to f/2 - 1 of a link leave the node whose bit is 0, and the others enter it.
  So f/2 lanes lead each way, as on a cube of f/2 full-duplex lanes.
- With one lane, the link of dimension b leaves the one of its two nodes for which the number of ones, plus b, is even.
  Every node has outputs and inputs in turn: d/2 each for even d, and (d + 1)/2 and (d - 1)/2 or the reverse for odd d,
  by parity. From d = 2 on every node reaches every other one.
"""

from collections.abc import Sequence
import dataclasses
from functools import cached_property
from typing import ClassVar

from groundwork.validation import ParameterError
from noc.computed import Computed
from noc.topologies.cubes import FatCube, Hypercube
from noc.topology import Topology, parameter

__all__ = ["OrientedCube", "lanes_leaving", "oriented"]


@dataclasses.dataclass(frozen=True)
class OrientedCube(Topology, kind=None):
    """A cube of fat nodes with links of one lane that go one way; not one of the topologies that users name.

    Translations by words of an even number of ones keep the direction of every link; those by others reverse all of them.

    Parameters
    ----------
    d : :class:`int`
        Dimensions, 2 to 16.
    m : :class:`int`
        As for every :class:`Topology`.
    """

    kind: ClassVar[str] = "oriented-cube"

    d: int = parameter("Dimensions.", minimum=2, maximum=16)
    m: int = 1
    f = 1

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
        """Every XOR of the node numbers by a word of an even number of ones."""
        return Computed(self.nodes // 2, lambda number: self._by(number << 1 | number.bit_count() % 2))

    def _home(self, node: int) -> Sequence[int]:
        return self._by(node ^ node.bit_count() % 2)

    @cached_property
    def mirror(self) -> Sequence[int]:
        return self._by(1)

    def _by(self, word: int) -> Sequence[int]:
        return Computed(self.nodes, word.__xor__)


def oriented(topology: Topology) -> Topology:
    """The topology of the lanes of simplex links, with the same nodes and processors.

    Raises
    ------
    ParameterError
        If the lanes of the topology have no direction.
    """
    if not isinstance(topology, (FatCube, Hypercube)):
        raise ParameterError(
            f"links must be full-duplex or half-duplex on {topology}, as only cubes have simplex links"
        )
    if topology.f % 2 == 0:
        return FatCube(topology.d, topology.m, topology.f // 2)
    if topology.f > 1:
        raise ParameterError(f"lanes of simplex links must be 1 or an even number, not {topology.f}")
    if topology.d == 1:
        raise ParameterError("simplex links of one lane must be in cubes of 2 dimensions or more, not 1")
    return OrientedCube(topology.d, topology.m)


def lanes_leaving(topology: Topology, node: int, other: int) -> range:
    """The lanes of the simplex links of a cube that lead from ``node`` to ``other``, which is adjacent.

    Raises
    ------
    ParameterError
        If the lanes of the topology have no direction.
    """
    lanes = len(oriented(topology).channels_between(node, other)) * max(1, topology.f // 2)
    return range(lanes) if node < other or topology.f == 1 else range(lanes, 2 * lanes)
