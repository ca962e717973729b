"""Routings to test, all topologies of at most 64 nodes, and ways walked hop by hop."""

from functools import cache
import itertools

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routing import make_routing
from fatcube.noc.routing.routing import routings
from fatcube.noc.topologies.butterflies import Butterfly, WrappedButterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.switch import Switch
from tests.support.grids import Grid
from tests.support.networks import KITE, TREE

MOST = 64
NAMES = ("a1", "dateline", "dimension-order", "shortest-path", "up-down")

GRIDS = [
    Grid((8,)),
    Grid((3, 4)),
    Grid((2, 3, 4), m=2),
    Mesh(w=8, d=1),
    Mesh(w=3, d=2, f=2),
    Mesh(w=2, d=3),
    Grid((3,), rings=True),
    Grid((2,), rings=True),
    Ring(4),
    Ring(5, 2),
    Torus(w=4, d=2),
    Mesh(w=(2, 3)),
    Torus(w=(2, 4)),
    Torus(w=(5, 3)),
    Grid((3, 5), rings=True, f=2),
]
_BALANCED = [(w, d) for d in range(1, 7) for w in range(2, MOST + 1) if w**d <= MOST]
#: All of at most 64 nodes that have a name, and the grids.
EVERY = [
    *(Hypercube(d) for d in range(1, 7)),
    FatCube(2, 2, 2),
    FatCube(3, 3),
    *(CubeConnectedCycles(n) for n in (2, 3, 4)),
    CubeConnectedCycles(2, k=4),
    *(kind(n) for kind in (Butterfly, WrappedButterfly) for n in (2, 3)),
    *(DenseGHC(w, d) for w, d in _BALANCED),
    *(SparseGHC(w, d) for w, d in _BALANCED),
    *(kind(w, len(w)) for kind in (DenseGHC, SparseGHC) for w in ((2, 3), (3, 4, 2))),
    *GRIDS,
    TREE,
    KITE,
    Switch(4),
]
#: One large one, and those of at most 27 nodes; of the rings and complete graphs, of which one is like the next, some.
TOPOLOGIES = [
    topology
    for topology in EVERY
    if topology == CubeConnectedCycles(4)
    or topology.nodes <= 27
    and not (
        isinstance(topology, (DenseGHC, SparseGHC))
        and (topology.d == 1 and topology.w > 6 or topology.w == 2 < topology.d)
    )
]


@cache
def made(name, topology):
    """The routing of a topology by its name, or ``None`` if it is not for that; each is made once for all tests."""
    try:
        return make_routing(name, topology)
    except ParameterError:
        return None


def all_routings(topologies=TOPOLOGIES):
    """Every routing on every topology that it is for, but not the tables, of which there are any number."""
    assert set(routings()) == {*NAMES, "disjoint", "table"}
    return [
        routing
        for topology, name in itertools.product(topologies, NAMES)
        if (routing := made(name, topology)) is not None
    ]


def walk(topology, source, way):
    """The nodes that a way leads to, one after the other, the source among them."""
    nodes = [source]
    for hop in way:
        end = topology.neighbour(nodes[-1], hop.channel)
        assert end is not None
        nodes.append(end[0])
    return nodes


def hops_between(topology):
    """The fewest hops between all nodes, by Floyd and Warshall's method: no function of the routings takes part."""
    everybody = range(topology.nodes)
    far = topology.nodes
    hops = [[0 if u == v else far for v in everybody] for u in everybody]
    for node, channel in itertools.product(everybody, range(topology.degree)):
        if (end := topology.neighbour(node, channel)) is not None:
            hops[node][end[0]] = 1
    for via in everybody:
        row = hops[via]
        for u in everybody:
            if (first := hops[u][via]) < far:
                hops[u] = [min(direct, first + second) for direct, second in zip(hops[u], row)]
    return hops
