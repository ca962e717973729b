"""Copies of model b: the graph's verdict, against a search through all states of small networks that broadcast."""

import itertools

import pytest

from fatcube.noc.routing import default_routing, make_routing
from fatcube.noc.routing.dependencies import in_words
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import SparseGHC
from tests.support.copy_dependencies import Guarantee, copies_are_safe, copy_deadlock, copy_dependencies
from tests.support.networks import TREE
from tests.support.waiting import copies_deadlock


def broadcasts(topology):
    """From every processor a packet to its peers and over all lanes, each copy as the outputs that it needs."""
    packets = []
    for processor in range(topology.processors):
        node, local = divmod(processor, topology.m)
        peers = [[("to", node, peer)] for peer in range(topology.m) if peer != local]
        lanes = [
            [("lane", node, channel, lane), ("to", topology.neighbour(node, channel)[0], local)]
            for channel, lane in itertools.product(range(topology.degree), range(topology.f))
        ]
        packets.append([*peers, *lanes])
    return packets


def one_by_one(copies):
    return [[index] for index in range(len(copies))]


def lanes_together(copies):
    lanes = [index for index, copy in enumerate(copies) if len(copy) == 2]
    return [[index] for index in range(len(copies)) if index not in lanes] + [lanes]


def all_together(copies):
    return [list(range(len(copies)))]


DESIGNS = {
    Guarantee.NOWHERE: {"room": 1, "together": one_by_one, "independent": False},
    Guarantee.BEHIND_LANES: {"room": 3, "together": lanes_together, "independent": False},
    Guarantee.BEHIND_OUTPUTS: {"room": 3, "together": all_together, "independent": False},
    Guarantee.AT_INPUT: {"room": 1, "together": one_by_one, "independent": True},
}
SAFE = (Guarantee.AT_INPUT, Guarantee.BEHIND_OUTPUTS)


@pytest.mark.parametrize("guarantee", Guarantee)
@pytest.mark.parametrize(
    ("topology", "unsafe"),
    [
        (FatCube(1), ()),  # No copies are possible.
        (FatCube(1, 2), (Guarantee.NOWHERE, Guarantee.BEHIND_LANES)),
        (FatCube(1, 1, 2), (Guarantee.NOWHERE,)),
        (FatCube(2), (Guarantee.NOWHERE,)),
        (SparseGHC(3, 1), ()),
    ],
    ids=str,
)
def test_states(topology, unsafe, guarantee):
    """A deadlocked state is reachable if and only if the graph has a cycle."""
    routing = default_routing(topology)
    state = copies_deadlock(broadcasts(topology), **DESIGNS[guarantee])
    assert copies_are_safe(routing, guarantee) == (state is None) == (guarantee not in unsafe)


def test_each_guarantee_is_needed():
    """Catches a search that finds nothing: without one part of a guarantee, the same broadcasts deadlock."""
    packets = broadcasts(FatCube(1, 2))
    assert copies_deadlock(packets, room=3, together=one_by_one, independent=False) is not None
    assert copies_deadlock(packets, room=1, together=all_together, independent=False) is not None
    assert copies_deadlock(packets, room=1, together=one_by_one, independent=True) is None


@pytest.mark.parametrize(
    "topology",
    [FatCube(2, 2), FatCube(3, 2, 2), Hypercube(4), CubeConnectedCycles(3), SparseGHC(3, 2, 2)],
    ids=str,
)
def test_larger_networks(topology):
    """Unicast along the default routing and copies: safe where the input or all outputs have room, else not."""
    routing = default_routing(topology)
    for guarantee in SAFE:
        assert copies_are_safe(routing, guarantee) and copy_deadlock(routing, guarantee) is None
    assert not copies_are_safe(routing, Guarantee.NOWHERE)
    assert copies_are_safe(routing, Guarantee.BEHIND_LANES) == (topology.m == 1)


def test_neighbours_without_processors():
    """No copy goes to a node without processors, so no processor of the tree sends two; its last leaf has one peer."""
    assert all(copies_are_safe(default_routing(TREE), guarantee) for guarantee in Guarantee)


def test_routing_that_deadlocks_by_itself():
    """No guarantee helps where unicast packets wait for each other."""
    routing = DimensionOrder(SparseGHC(4, 1))
    assert not any(copies_are_safe(routing, guarantee) for guarantee in Guarantee)


def test_cycle_is_there():
    for guarantee in Guarantee:
        for topology in (FatCube(1, 2), FatCube(2), FatCube(2, 2, 2)):
            routing = make_routing("dimension-order", topology)
            graph = copy_dependencies(routing, guarantee)
            cycle = copy_deadlock(routing, guarantee) or ()
            assert all(graph.has_edge(u, v) for u, v in itertools.pairwise((*cycle, *cycle[:1])))


def test_in_words():
    assert in_words(copy_deadlock(DimensionOrder(FatCube(1, 2)), Guarantee.BEHIND_LANES)) == (
        "channel 0 of node 0, class 0 -> output to processor 1 at node 0 -> channel 0 of node 0, class 0"
    )
