"""Simplex links: the direction of every lane of a cube, and the topology of one-way links that is left.

- With an even number f of lanes, lanes 0 to f/2 - 1 of a link leave the node whose bit is 0, and the others enter it.
  So f/2 lanes lead each way, as on a cube of f/2 full-duplex lanes.
- With one lane, they are those of an :class:`~fatcube.noc.topologies.oriented_cube.OrientedCube`. From d = 2 on every node
  reaches every other one.
"""

from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.noc.topology import Topology
from fatcube.rtl.lanes import LANES

__all__ = ["LINKS", "SIMPLEX", "as_wired", "lanes_leaving", "oriented"]


SIMPLEX = "simplex"
"""The links whose lanes have one fixed direction, as flags and files name them."""

LINKS = (*LANES, SIMPLEX)
"""The kinds of links that a network may be asked for."""


def as_wired(topology: Topology, links: str | None) -> tuple[Topology, str | None]:
    """The topology and the kind of its lanes, one of :data:`fatcube.rtl.lanes.LANES`, of a network with ``links`` between its nodes.

    A simplex lane is the wires of one direction of a full-duplex one. So a network with simplex links is one of full-duplex
    lanes on the topology that :func:`oriented` gives. Other links are themselves, and so is ``None``, for links not given.

    Raises
    ------
    ParameterError
        If links are of no kind, or simplex where lanes have no direction.
    """
    if links is not None and check_choice("links", links, LINKS) == SIMPLEX:
        return oriented(topology), "full-duplex"
    return topology, links


def oriented(topology: Topology) -> Topology:
    """The topology of the lanes of simplex links, with the same nodes and processors.

    Raises
    ------
    ParameterError
        If the lanes of the topology have no direction.
    """
    if not isinstance(topology, (FatCube, Hypercube)):
        raise ParameterError(
            f"links must be full-duplex or half-duplex on the {topology.name}, as only cubes have simplex links"
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
