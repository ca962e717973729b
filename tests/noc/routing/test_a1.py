"""A1: ways against every way that the algorithm leaves open, classes against graphs and searches, what is refused."""

import itertools

import networkx
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing.a1 import A1
from fatcube.noc.routing.dependencies import check_deadlock, deadlock
from fatcube.noc.routing.routing import Hop
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.rtl.router_options import RouterOptions
from tests.support.ways import walk

SIZES = [2, 3, 4, pytest.param(5, marks=pytest.mark.long)]


def around(n, position, other):
    return min((position - other) % n, (other - position) % n)


def permitted(n, target):
    """A graph of addresses with the moves that A1 permits on the way to ``target``, wherever a packet is."""
    moves = networkx.DiGraph()
    for cycle, position in itertools.product(range(1 << n), range(n)):
        bits = f"{cycle ^ target[0]:0{n}b}"[::-1]
        aims = [place for place, bit in enumerate(bits) if bit == "1"] or [target[1]]
        if bits[position] == "1":
            moves.add_edge((cycle, position), (cycle ^ 1 << position, position))
            continue
        left = [min(around(n, place, aim) for aim in aims) for place in range(n)]
        for beside in {(position + 1) % n, (position - 1) % n}:
            if left[beside] < left[position]:
                moves.add_edge((cycle, position), (cycle, beside))
    return moves


@pytest.mark.parametrize("n", SIZES)
def test_ways_are_the_shortest_that_a1_permits(n):
    """Every hop is one of A1's, and where it leaves a choice between two, that with fewer hops is taken."""
    routing = A1(CubeConnectedCycles(n))
    for target in range(n << n):
        moves = permitted(n, divmod(target, n))
        least = networkx.single_source_shortest_path_length(moves.reverse(), divmod(target, n))
        for source in range(n << n):
            nodes = [divmod(node, n) for node in walk(routing.topology, source, routing.way(source, target))]
            assert all(moves.has_edge(*pair) for pair in itertools.pairwise(nodes))
            assert nodes[-1] == divmod(target, n) and len(nodes) - 1 == least[nodes[0]]


@pytest.mark.parametrize(("n", "longest", "together", "possible"), [(2, 4, 16, 16), (3, 6, 74, 74), (4, 8, 296, 296), (5, 10, 960, 952)])  # fmt: skip
def test_known_lengths(n, longest, together, possible):
    """From any node: the most hops, and those to all others, of A1 and of shortest ways."""
    routing = A1(CubeConnectedCycles(n))
    assert routing.lengths.max() == longest
    assert set(routing.lengths.sum(axis=1)) == {together}
    assert sum(routing.topology.distances[0]) == possible


def test_ways_by_hand():
    """From (0, 1), where cycles differ in bits 0 and 2: both are one hop away, and then two hops apart or one."""
    routing = A1(CubeConnectedCycles(4))
    assert [hop.channel for hop in routing.way(0b0000 * 4 + 1, 0b0101 * 4 + 2)] == [2, 0, 1, 1, 0]
    assert [hop.channel for hop in routing.way(0b0000 * 4 + 1, 0b0101 * 4 + 0)] == [1, 0, 1, 1, 0]
    # Equally many hops are left at the next position and at the previous one: the next is taken.
    assert [hop.channel for hop in routing.way(0, 2)] == [1, 1]
    assert routing.way(0, 0) == ()


def test_classes_by_hand():
    """CCC(3): the nodes that are left have (rank, position) 1 0, 1 0, 0 1, 0 1, 2 2, 2 2, which fall once.

    On the way from cycle 5 to 1 they have 0 2 and 0 2, where the class does not change.
    """
    routing = A1(CubeConnectedCycles(3))
    assert routing.way(1 * 3 + 0, 6 * 3 + 0) == (Hop(0, 1), Hop(1, 1), Hop(0, 0), Hop(1, 0), Hop(0, 0), Hop(1, 0))
    assert routing.way(5 * 3 + 2, 1 * 3 + 1) == (Hop(0, 0), Hop(2, 0))


@pytest.mark.parametrize(("n", "classes"), [(2, 2), (3, 2), (4, 3), pytest.param(5, 4, marks=pytest.mark.long)])
@pytest.mark.parametrize(("m", "f"), [(1, 1), (2, 3)])
def test_classes_are_enough_and_one_fewer_is_not(n, classes, m, f):
    routing = A1(CubeConnectedCycles(n, m, f))
    assert routing.classes == classes
    check_deadlock(routing, classes)
    for few in range(1, classes):
        with pytest.raises(ParameterError, match=f"^virtual channels must be an integer of at least {classes} for a1 ") as caught:  # fmt: skip
            check_deadlock(routing, few)
        assert "or channels wait for each other: channel " in str(caught.value)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_one_class_is_not_enough(n):
    cycle = deadlock(A1(CubeConnectedCycles(n)), 1)
    assert cycle is not None and len(cycle) > 2


def test_more_than_five_dimensions():
    assert [A1(CubeConnectedCycles(n)).classes for n in (6, 7, 8)] == [5, 5, 6]
    assert deadlock(A1(CubeConnectedCycles(6))) is None


ROOM = {"longest_packet": 8, "buffer_depth": 8, "virtual_channels": 2}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"virtual_channels": 4, "buffer_depth": 4},
        {"switching": "virtual-cut-through", **ROOM},
        {"switching": "store-and-forward", **ROOM},
        {"switching": "virtual-cut-through", "links": "half-duplex", **ROOM},
    ],
)
def test_switching_that_takes_classes(options):
    topology = CubeConnectedCycles(3)
    network = RoutedNetwork(topology, RouterOptions(width=64, **options), routing=A1(topology))
    assert network.options.virtual_channels == options.get("virtual_channels", 2)
    assert network.options.channel_classes == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"switching": "circuit"}, "routing must take one virtual channel of each lane with circuit switching, not 2 as a1 "),
        ({"ports": "b"}, "routing must take one virtual channel of each lane in model b, not 2 as a1 "),
        ({"virtual_channels": 1}, "virtual channels must be an integer of at least 2 for a1 routing on the CCC of order 3, "
                                  "not 1, or channels wait for each other: channel "),
        ({"switching": "wormhole", "links": "half-duplex"}, "switching must be virtual-cut-through or store-and-forward on "
                                                            "half-duplex links with a1 routing on the CCC of order 3, "),
    ],
)  # fmt: skip
def test_switching_that_is_refused(options, message):
    topology = CubeConnectedCycles(3)
    with pytest.raises(ParameterError) as caught:
        RoutedNetwork(topology, RouterOptions(**options), routing=A1(topology))
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)
