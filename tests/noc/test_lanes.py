"""The lanes of a topology, each with both ends, and their wires."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.lanes import check_lanes, lane_wires, lanes_of, shared_lane
from fatcube.noc.network import Network
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.router_options import RouterOptions
from tests.support.networks import IRREGULAR


@pytest.mark.parametrize(
    "topology", [FatCube(2, 2, 2), Mesh(w=3, d=2), CubeConnectedCycles(2), SparseGHC(3, 2), IRREGULAR], ids=str
)
def test_every_lane_once(topology):
    """Each direction of a channel is in one lane, at the end that it leaves; of one-way links, in the first end."""
    leaving = [
        (node, channel, lane)
        for node in range(topology.nodes)
        for channel, _, _ in topology.ends(node)
        for lane in range(topology.f)
    ]
    found = list(lanes_of(topology))
    ends = [first for first, _ in found] + ([] if topology.directed else [second for _, second in found])
    assert sorted(ends) == sorted(leaving)
    for first, second in found:
        assert topology.neighbour(first.node, first.channel) == (second.node, second.channel)
        assert first.lane == second.lane


def test_wires_by_hand():
    """A cube of four nodes has four lanes: 32 bits and last, valid and ready each way; half duplex shares the 33."""
    full, half, channels = (
        Network(Hypercube(2), RouterOptions(**options))
        for options in ({}, {"links": "half-duplex"}, {"links": "half-duplex", "virtual_channels": 2})
    )
    assert lane_wires(full) == 4 * 2 * 35
    assert lane_wires(half) == 4 * (2 * 2 + 33)
    # 34 bits of payload; valid, two credits, two requests and permission each way.
    assert lane_wires(channels) == 4 * (2 * 6 + 34)
    assert lane_wires(Network(SparseGHC(3, 1))) == 3 * 35


def test_refused():
    half = shared_lane(RouterOptions(links="half-duplex"))
    with pytest.raises(
        ParameterError,
        match=r"^links must be full-duplex where they go one way, as in the sparse GHC of 3 nodes, not half-duplex$",
    ):
        Network(SparseGHC(3, 1), RouterOptions(links="half-duplex"))
    with pytest.raises(ParameterError, match="^links in single directions must be put into full-duplex lanes"):
        check_lanes(half, {(0, 0, 0): None})
    check_lanes(shared_lane(RouterOptions()), {(0, 0, 0): None})
