"""Traffic patterns against their definitions, worked by hand."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import default_routing
from fatcube.noc.routing.loads import Shares
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from fatcube.noc.topologies.widened import widened
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.patterns import PATTERNS, destinations_of
from tests.support.networks import KITE, TREE


def targets(pattern, topology):
    return [target for [target] in destinations_of(pattern, topology)]


def test_by_hand():
    cube = FatCube(2, 4)  # 16 processors, four bits
    assert destinations_of("uniform", cube) == [range(16)] * 16
    assert targets("bit-complement", cube) == list(range(15, -1, -1))
    assert [targets("transpose", cube)[number] for number in (0b0001, 0b0110, 0b1011)] == [0b0100, 0b1001, 0b1110]
    assert [targets("shuffle", cube)[number] for number in (0b0001, 0b1001, 0b0110)] == [0b0010, 0b0011, 0b1100]
    assert targets("tornado", cube) == [(number + 7) % 16 for number in range(16)]
    assert targets("neighbour", cube) == [*range(1, 16), 0]


def test_along_coordinates():
    """In a 5 x 5 torus with two processors on a node: two further in both coordinates, with the same local number."""
    torus = Torus(w=5, d=2, m=2)
    assert targets("tornado", torus)[2 * (3 + 5 * 4) + 1] == 2 * (0 + 5 * 1) + 1
    assert targets("neighbour", torus)[2 * (3 + 5 * 4) + 1] == 2 * (4 + 5 * 0) + 1


WRAPPED = [Torus(w=5, d=2), Torus(w=4, d=2, m=2), Mesh(w=3, d=2), Hypercube(4), FatCube(2, 4)]


@pytest.mark.parametrize("topology", WRAPPED, ids=str)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_failures_change_no_destination(pattern, topology):
    """Only those that have failed are missing, and what they send."""
    try:
        whole = destinations_of(pattern, topology)
    except ParameterError:
        with pytest.raises(ParameterError, match="^processors must be a power of"):
            destinations_of(pattern, damaged(topology, ["link:0-1"]))
        return
    assert destinations_of(pattern, damaged(topology, ["link:0-1"])) == whole
    dead = set(topology.processors_of(2))
    assert destinations_of(pattern, damaged(topology, ["node:2"])) == [
        () if processor in dead else tuple(target for target in targets if target not in dead)
        for processor, targets in enumerate(whole)
    ]


@pytest.mark.parametrize("pattern", ["neighbour", "tornado"])
def test_a_failure_makes_no_packet_faster(pattern):
    """Its packets take the coordinates in another order, which is as short; the mean latency was 9.3 cycles with a failure."""
    torus = Torus(w=5, d=2)
    whole, without = (
        LoadTest(
            RoutedNetwork(topology, RouterOptions(virtual_channels=routing.classes, buffer_depth=4), routing=routing),
            LoadOptions(pattern=pattern),
        ).latency_without_load
        for topology in (torus, damaged(torus, ["link:0-1"]))
        for routing in [default_routing(topology)]
    )
    assert whole == without == {"neighbour": 10, "tornado": 12}[pattern]


@pytest.mark.parametrize("pattern", ["neighbour", "tornado"])
@pytest.mark.parametrize(
    "topology", [CubeConnectedCycles(3), Star(3), Tree(2, 3), TREE, KITE, widened(Mesh(w=3, d=2), {0: 2})], ids=str
)
def test_nodes_without_coordinates_have_no_neighbour_in_them(pattern, topology):
    with pytest.raises(
        ParameterError, match=rf"^topology must be one whose nodes have coordinates for {pattern}, not "
    ):
        destinations_of(pattern, topology)


def test_hot_spot():
    """A tenth of all packets goes to processor 0 beside its share of the others."""
    shares = Shares.even(destinations_of("hot-spot", Hypercube(5)))
    assert shares.whole == 36
    assert (shares.parts.sum(axis=1) == 36).all()
    assert (shares.parts[:, 1:] == 1).all() and (shares.parts[:, 0] == 1 + 4).all()


@pytest.mark.parametrize("pattern", PATTERNS)
def test_permutations_are_permutations(pattern):
    found = destinations_of(pattern, Hypercube(4))
    if all(len(some) == 1 for some in found):
        assert sorted(target for [target] in found) == list(range(16))
    else:
        assert pattern in ("uniform", "hot-spot")


@pytest.mark.parametrize(
    ("pattern", "topology", "message"),
    [
        ("transpose", Mesh(w=5, d=2), "processors must be a power of two for transpose, not 25"),
        ("transpose", Hypercube(3), "processors must be a power of four for transpose, not 8"),
        ("bit-complement", FatCube(2, 6), "processors must be a power of two for bit-complement, not 24"),
        ("shuffle", FatCube(2, 6), "processors must be a power of two for shuffle, not 24"),
        ("random", Hypercube(3), "pattern must be one of uniform, .*, not 'random'"),
    ],
)
def test_refused(pattern, topology, message):
    with pytest.raises(ParameterError, match=message):
        destinations_of(pattern, topology)
