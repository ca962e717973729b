"""Networks whose routers have the turns of given paths."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.path_network import PathNetwork
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_options import RouterOptions

DIRECT = RouterOptions(hops=2)
ASCENDING = frozenset({(0, 1), (0, 2), (1, 0), (2, 0), (1, 2)})


def turns(network):
    router = network.router()
    return {(number, output) for number in range(router.crossbar_ports) for output in router.reach(number)}


def test_turns():
    """All that routes of two hops can take are six on a square; those of dimension order are five of them."""
    assert turns(Network(Hypercube(2), DIRECT)) == ASCENDING | {(2, 1)}
    network = PathNetwork(Hypercube(2), DIRECT, taken_turns=ASCENDING)
    assert turns(network) == ASCENDING
    assert turns(network.for_packets(20)) == ASCENDING
    assert network.router(counters=True).counters
    assert network.to_json() == {
        **Network(Hypercube(2), DIRECT).to_json(),
        "taken_turns": [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0]],
    }


def test_no_input_or_output_is_without_a_turn():
    """Nothing enters lane 1, and nothing leaves it or the processor: the first turns that routes can take stay."""
    network = PathNetwork(Hypercube(2), DIRECT, taken_turns=frozenset({(0, 2)}))
    assert turns(network) == {(0, 2), (1, 0), (2, 0), (0, 1)}


def test_no_deadlock_without_turns_from_lane_to_lane():
    assert Network(Hypercube(2), DIRECT).deadlock
    assert PathNetwork(Hypercube(2), DIRECT, taken_turns=ASCENDING).deadlock
    assert PathNetwork(Hypercube(2), DIRECT, taken_turns=ASCENDING - {(1, 2)}).deadlock == ""


def test_a_turn_that_is_not_there():
    network = PathNetwork(Hypercube(2), DIRECT, taken_turns=ASCENDING)
    network.check_turns(ASCENDING)
    message = "^schedule must take turns that the routers of its machine have, not that from channel1_lane0_in to channel0_lane0_out$"
    with pytest.raises(ParameterError, match=message):
        network.check_turns(ASCENDING | {(2, 1)})


@pytest.mark.parametrize(
    ("options", "taken", "message"),
    [
        ({"hops": 2, "turns": "all"}, ASCENDING, "turns must be used for those of given paths, not all"),
        (
            {"hops": 1},
            ASCENDING,
            "taken turns must be ones that a route can take, not that from channel0_lane0_in to channel1_lane0_out",
        ),
    ],
)
def test_refused(options, taken, message):
    with pytest.raises(ParameterError, match=f"^{message}$"):
        PathNetwork(Hypercube(2), RouterOptions(**options), taken_turns=taken)


def test_routers_with_ports_of_their_own():
    """Catches a router of a node with one-way links that has a port without a turn, or a turn of a port that is not there."""
    taken = frozenset({(0, 1), (1, 0), (1, 2), (2, 3), (3, 0)})
    network = PathNetwork(OrientedCube(3), DIRECT, taken_turns=taken)
    possible = {nodes[0]: router for router, nodes in Network(OrientedCube(3), DIRECT).routers}
    assert len(network.routers) == 2
    for router, nodes in network.routers:
        found = {(number, output) for number in router.inputs for output in router.reach(number)}
        assert {number for number, _ in found} == set(router.inputs) == set(possible[nodes[0]].inputs)
        assert {output for _, output in found} == set(router.outputs) == set(possible[nodes[0]].outputs)
        further = found - taken
        # Each further turn is there for an input or an output that has no other one.
        assert all(any(sum(turn[side] == one[side] for turn in found) == 1 for side in (0, 1)) for one in further)
        assert FatNodeRouter(router)
