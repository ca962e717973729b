"""Latency by pair and flits by lane, as the hardware counts them, against ways followed packet by packet."""

from collections import Counter
import dataclasses

import numpy
import pytest

from fatcube.noc.latency import latency_without_load
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing.lanes import processor_ways
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.rtl.endpoint.source import PREPARATION
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.saturation import LoadCurve
from fatcube.sim.traffic.traffic import Fed, Traffic, run_traffic
from tests.support.cases import some
from tests.support.networks import IRREGULAR

pytestmark = pytest.mark.xdist_group("details")


@pytest.mark.parametrize(
    "network",
    some(
        [
            RoutedNetwork(Mesh(w=3, d=2)),
            RoutedNetwork(Torus(w=3, d=2), RouterOptions(virtual_channels=2, buffer_depth=4)),
            RoutedNetwork(FatCube(2, 2, 2), RouterOptions(ports="d")),  # two lanes of a link, two ports of a processor
            RoutedNetwork(Hypercube(2), RouterOptions(switching="circuit")),
            RoutedNetwork(IRREGULAR),
        ],
        [4],
    ),
    ids=str,
)
def test_every_flit_is_counted_where_it_crosses(network, tmp_path):
    """From each endpoint a packet to each other, one alone after the other: pairs and lanes to the flit and the cycle."""
    endpoints, flits, far = network.endpoints, 7, 40
    ports = network.processor_ports
    pairs = [(one, other) for one in range(endpoints) for other in range(endpoints) if one % ports == other % ports]
    machine = TrafficMachine(network=network, ways=endpoints, trace=64, details=True)
    ways, entries = [[] for _ in range(endpoints)], []
    for number, (one, other) in enumerate(pairs):
        entries.append((number * far, one << 32 | other << 16 | len(ways[one])))
        ways[one].append(machine.way_to(one, other)._replace(flits=flits))
    fed = Fed.write(tmp_path, numpy.array(entries))
    whole = Traffic(rate=0, packet_flits=flits, measured=len(pairs) * far + 100, destinations=ways, trace=fed)
    half = dataclasses.replace(whole, warm_up=(len(pairs) + 1) * far, measured=1)
    result, late = run_traffic(machine, [whole, half])
    assert result.failures == late.failures == ()

    expected, topology = Counter(), network.topology
    for one, other in pairs:
        hops = network.hops_between(one // ports, other // ports)
        entry = result.pairs[other][one]
        assert (entry.packets, entry.latency) == (1, entry.longest)
        assert entry.longest == latency_without_load(network.options, hops + 1, flits) + PREPARATION
        [way] = processor_ways(network.ways, one // ports, other // ports, network.lanes)
        node = topology.node_of(one // ports)
        for hop in way:
            expected[node, hop.channel * topology.f + hop.lane] += flits
            node, _ = network.ways.ends[node][hop.channel]
    found = {(node, lane): flits for node, some in enumerate(result.lanes) for lane, flits in enumerate(some) if flits}
    assert found == expected
    assert not any(map(any, late.lanes))  # nothing crosses a lane that late, and what came before does not count


@pytest.mark.long(stays="tests/sim/builds/test_details.py::test_every_flit_is_counted_where_it_crosses")
def test_figures_of_a_load():
    """Latencies of pairs add up to those of the point; a lane has the flits of its ways, and at most one per cycle."""
    test = LoadTest(RoutedNetwork(Hypercube(3)), LoadOptions(details=True, measured=20000, repeats=2))
    point, full = test.points([0.3, 1.0])
    packets = sum(pair.packets for pair in point.pairs)
    assert len(point.pairs) == 64
    assert sum(pair.packets * pair.latency for pair in point.pairs) / packets == pytest.approx(point.latency, rel=1e-2)
    assert max(pair.longest for pair in point.pairs) == point.longest
    assert packets * 8 / 40000 / 8 == pytest.approx(point.offered, rel=1e-9)
    assert len(point.lanes) == 24
    for lane in point.lanes:
        assert lane.by_loads == pytest.approx(0.15)  # half of all packets cross each dimension
        assert lane.utilisation == pytest.approx(0.15, rel=0.15)
        assert lane.node ^ lane.to in (1, 2, 4)
    assert all(0.2 < lane.utilisation <= 1 for lane in full.lanes)
    # Also where flits wait for room: three dimensions, each crossed by half of them.
    assert sum(lane.utilisation for lane in full.lanes) == pytest.approx(full.accepted * 8 * 1.5, rel=0.02)


def test_details_change_nothing_else_and_survive_a_record():
    plain, detailed = (
        LoadTest(RoutedNetwork(Hypercube(2)), LoadOptions(details=details, measured=500, repeats=2))
        for details in (False, True)
    )
    [without], [having] = plain.points([0.3]), detailed.points([0.3])
    # Without details the flits of lanes follow from those that sources count and from routes; with them, lanes count.
    assert having.fullest.lane == max(lane.utilisation for lane in having.lanes)
    same = dataclasses.replace(having, pairs=(), lanes=())
    assert dataclasses.replace(same, fullest=same.fullest._replace(lane=without.fullest.lane)) == without
    curve = LoadCurve(latency_without_load=9.0, bound=1.0, saturation=None, points=(having,))
    assert LoadCurve.from_json(curve.to_json()) == curve
    old = curve.to_json()
    for name in ("pairs", "lanes"):
        del old["points"][0][name]
    assert LoadCurve.from_json(old).points == (same,)
