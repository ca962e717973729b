"""Traffic on networks with failures: who sends to whom, and packets on the RTL, none of which is lost."""

import pytest

from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import make_routing
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.patterns import PATTERNS, destinations_of
from fatcube.sim.traffic.traffic import run_traffic


def test_destinations_work():
    """Nobody sends from or to a processor that has failed, under any pattern; all others send as before."""
    whole = Hypercube(4)
    topology = damaged(whole, ["node:3", "processor:9"])
    for pattern in PATTERNS:
        before = destinations_of(pattern, whole)
        after = destinations_of(pattern, topology)
        for processor in range(16):
            left = [other for other in before[processor] if other not in (3, 9)] if processor not in (3, 9) else []
            assert list(after[processor]) == left


@pytest.mark.long(stays="tests/sim/traffic/test_routed_traffic.py::test_everything_arrives")
@pytest.mark.parametrize("routing", ["shortest-path", "disjoint"])
def test_nothing_is_lost(routing):
    """Ten thousand packets with lanes, a link in one direction and processors failed: all arrive, and no other than sent."""
    topology = damaged(FatCube(2, 2, 2), ["lane:0-1:1", "link:2-3:out", "processor:5"])
    network = RoutedNetwork(topology, RouterOptions(width=64), routing=make_routing(routing, topology))
    test = LoadTest(network, LoadOptions(packet_flits=(4,), measured=10_000, repeats=1))
    [result] = run_traffic(test.machine, test.runs(0.25))
    assert result.failures == () and result.sent == result.arrived > 5_000
    [point] = test.points([0.1])
    assert point.least > 0.05 and abs(point.offered - 0.1) < 0.02
