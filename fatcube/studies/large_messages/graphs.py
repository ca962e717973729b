"""The thirteen graphs of ``fatcube large``."""

import random

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from fatcube.noc.topology import Topology

__all__ = ["GRAPHS", "dgx1", "irregular"]


_DOUBLE = ((0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (4, 7), (5, 6), (6, 7))
_SINGLE = ((0, 1), (0, 2), (1, 3), (2, 6), (3, 7), (4, 5), (4, 6), (5, 7))


def dgx1() -> Graph:
    """The GPUs of a DGX-1 with V100s: six NVLinks each, some pairs have two.

    A hybrid cube mesh as in SCCL (Cai et al., 2021, figure 1), of which automorphic numberings are in use.
    """
    return Graph(tuple(f"gpu{number}" for number in range(8)), (1,) * 8, (*_DOUBLE, *_DOUBLE, *_SINGLE))


def irregular(nodes: int, links: int, *, seed: int = 1) -> Graph:
    """A connected random graph with ``links`` different links: a random tree, and further links between any two nodes."""
    dice = random.Random(seed)
    found = {(dice.randrange(node), node) for node in range(1, nodes)}
    while len(found) < links:
        one, other = sorted(dice.sample(range(nodes), 2))
        found.add((one, other))
    return Graph(tuple(f"n{number}" for number in range(nodes)), (1,) * nodes, tuple(sorted(found)))


GRAPHS: dict[str, Topology] = {
    "ring-8": Ring(8),
    "mesh-4x4": Mesh(w=4, d=2),
    "mesh-8x8": Mesh(w=8, d=2),
    "torus-4x4": Torus(w=4, d=2),
    "hypercube-16": Hypercube(4),
    "hypercube-64": Hypercube(6),
    "ccc-3": CubeConnectedCycles(3),
    "tree-15": Tree(2, 3),
    "star-9": Star(8),
    "dense-ghc-9": DenseGHC(3, 2),
    "sparse-ghc-16": SparseGHC(4, 2),
    "dgx-1": dgx1(),
    "irregular-16": irregular(16, 25),
}
"""By the name on the command line."""
