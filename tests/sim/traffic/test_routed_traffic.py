"""General-purpose traffic over several hops, on the RTL: no packet is lost or stuck, and latencies are exact."""

import dataclasses
import random

import pytest

from fatcube.noc.latency import latency_without_load
from fatcube.noc.machines.traffic_machine import TrafficMachine
import fatcube.noc.routed_network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import make_routing
from fatcube.noc.routing.a1 import A1
from fatcube.noc.topologies.butterflies import Butterfly, WrappedButterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.rtl.allocators.copying_allocator import CopyingAllocator
from fatcube.rtl.endpoint.source import PREPARATION
from fatcube.rtl.router_options import RouterOptions
import fatcube.rtl.units.packet_units
from fatcube.sim.traffic.traffic import Traffic, run_traffic
from tests.support.caches import share_builds
from tests.support.cases import some
from tests.support.copied_traffic import with_copies
from tests.support.networks import IRREGULAR

SATURATED = Traffic(rate=(1 << 16) - 1, packet_flits=8, measured=2000, pause=1 << 14, source_pause=1 << 12)
TWO = {"virtual_channels": 2, "buffer_depth": 4}
NETWORKS = [
    # Networks that deadlock within 500 cycles without a routing.
    (FatCube(2, 2), {}, {}),
    (Hypercube(3), {"buffer_depth": 4}, {"addressing": "destination"}),
    (CubeConnectedCycles(3), TWO, {}),
    (SparseGHC(4, 1), TWO, {"addressing": "destination"}),
    # Several ports, lanes selected by source, two cycles per hop, registers on lanes.
    (FatCube(2, 2, 2), {"ports": "d", "pipeline": 2, "link_stages": 1}, {}),
    (FatCube(2, 2, 2), {"ports": "*"}, {"addressing": "destination"}),
    # Different nodes, one of them without processors.
    (IRREGULAR, {}, {}),
    (IRREGULAR, {}, {"addressing": "destination"}),
    (Mesh(w=3, d=2), {"switching": "circuit"}, {"addressing": "destination"}),
    (Ring(5), {**TWO, "virtual_channels": 4}, {"message_classes": 2, "addressing": "destination"}),
    (Mesh(w=3, d=2), {"switching": "store-and-forward", "longest_packet": 8, "buffer_depth": 8}, {}),
    (Torus(w=3, d=2), {**TWO, "virtual_channels": 4, "switching": "virtual-cut-through", "longest_packet": 8, "buffer_depth": 8}, {}),
    # One-way links that lead back in a dimension of two nodes; nodes with two links and with three, or with four.
    (SparseGHC((2, 3), 2), TWO, {"addressing": "destination"}),
    (DenseGHC((3, 2, 2), 3), {}, {}),
    (CubeConnectedCycles(2, k=4), TWO, {}),
    (Mesh(w=(2, 3)), {}, {"addressing": "destination"}),
    (Torus(w=(2, 4)), TWO, {}),
    (Butterfly(2), TWO, {"addressing": "destination"}),
    (WrappedButterfly(3), TWO, {}),
]  # fmt: skip


def machine(topology, options, others):
    return TrafficMachine(network=RoutedNetwork(topology, RouterOptions(**{"width": 48, **options}), **others))


@pytest.mark.parametrize(("topology", "options", "others"), some(NETWORKS, [2, 15, 16]), ids=str)
def test_everything_arrives(topology, options, others):
    """Sources always send, sinks pause at random: every packet arrives once, whole, in order, where it should."""
    [result] = run_traffic(machine(topology, options, others), [SATURATED])
    assert not result.failures
    assert result.sent == result.arrived > 100 * topology.processors // 4


@pytest.mark.parametrize(
    ("switching", "addressing"),
    some(
        [
            (switching, addressing)
            for switching in ("wormhole", "virtual-cut-through", "store-and-forward")
            for addressing in ("route", "destination")
        ],
        [1],
    ),
)
def test_ten_thousand_packets_by_a1(switching, addressing):
    """Two classes and no more, with every switching that takes several; sources hardly pause."""
    topology = CubeConnectedCycles(3)
    limits = {} if switching == "wormhole" else {"longest_packet": 8, "buffer_depth": 8}
    of = machine(
        topology, {**TWO, **limits, "switching": switching}, {"routing": A1(topology), "addressing": addressing}
    )
    [result] = run_traffic(of, [dataclasses.replace(SATURATED, measured=7000, pause=1 << 12, source_pause=1 << 10)])
    assert not result.failures
    assert result.sent == result.arrived >= 10_000


COPIES = {"ports": "b", "switching": "virtual-cut-through", "longest_packet": 8, "buffer_depth": 8}
HASTE = {"measured": 8000, "pause": 1 << 12, "source_pause": 1 << 11, "timeout": 3000}


@pytest.mark.parametrize(
    "network",
    some(
        [
            RoutedNetwork(FatCube(2, 2), RouterOptions(width=48, **COPIES)),
            RoutedNetwork(FatCube(1, 2, 2), RouterOptions(width=48, **COPIES, pipeline=2, buffer_memory="registers")),
            RoutedNetwork(IRREGULAR, RouterOptions(width=48, **COPIES)),
        ],
        [0],
    ),
    ids=str,
)
def test_copies_beside_packets_that_go_further(network):
    of = TrafficMachine(network=network, queue=16, bins=2, ways=64)
    run = dataclasses.replace(SATURATED, destinations=with_copies(of, random.Random(1)), **HASTE)
    [result] = run_traffic(of, [run])
    assert not result.failures
    # Half of the packets that are sent have several copies.
    assert result.arrived > 1.2 * result.sent > 600


@pytest.mark.parametrize("left_out", some([{"roomy": ()}, {"patience": 0}], [1]), ids=str)
def test_copies_stop_without_room_or_with_endless_patience(monkeypatch, tmp_path, left_out):
    """As `tests/support/copy_dependencies.py` proves: outputs must have room when granted, and none may be reserved forever."""
    share_builds(tmp_path)
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))
    monkeypatch.setattr(
        fatcube.rtl.units.packet_units,
        "CopyingAllocator",
        lambda *given, **named: CopyingAllocator(*given, **named | left_out),
    )
    network = RoutedNetwork(FatCube(1, 2), RouterOptions(width=48, **COPIES))
    of = TrafficMachine(network=network, queue=16, bins=2, ways=64)
    [result] = run_traffic(
        of, [dataclasses.replace(SATURATED, destinations=with_copies(of, random.Random(1)), **HASTE)]
    )
    assert any("stalled" in failure for failure in result.failures)


@pytest.mark.parametrize("addressing", some(["route", "destination"], [0]))
def test_without_the_check_it_hangs(monkeypatch, addressing):
    """A ring in one class, as it would be without a dateline, deadlocks."""
    monkeypatch.setattr(fatcube.noc.routed_network, "check_deadlock", lambda *_, **__: None)
    monkeypatch.setattr(fatcube.noc.routed_network, "check_tables", lambda *_: None)
    ring = Ring(5)
    of = machine(ring, {}, {"routing": make_routing("dimension-order", ring), "addressing": addressing})
    two_on = [[of.way_to(node, (node + 2) % 5)] for node in range(5)]
    [result] = run_traffic(of, [dataclasses.replace(SATURATED, destinations=two_on)])
    assert any("stalled" in failure for failure in result.failures)


@pytest.mark.parametrize(
    ("topology", "options", "addressing"),
    some(
        [
            (topology, options, addressing)
            for topology, options in [
                (Hypercube(3), {}),
                (
                    Mesh(w=3, d=2),
                    {"pipeline": 2, "switching": "store-and-forward", "longest_packet": 9, "buffer_depth": 9},
                ),
                (Ring(5), {**TWO, "buffer_depth": 8, "link_stages": 2}),
                (Hypercube(3), {"switching": "circuit", "link_stages": 1}),
                (
                    Mesh(w=3, d=2),
                    {"virtual_channels": 2, "ejection_channels": 2, "injection_channels": 2, "buffer_depth": 4},
                ),
            ]
            for addressing in ("route", "destination")
        ],
        [1],
    ),
    ids=str,
)
def test_latency_without_load_of_every_pair(topology, options, addressing):
    of = machine(topology, options, {"addressing": addressing})
    flits = 9
    pairs = [(source, other) for source in range(of.endpoints) for other in range(of.endpoints)]
    runs = [
        Traffic(
            rate=(1 << 16) // 150,
            packet_flits=flits,
            measured=2000,
            timeout=100,
            destinations=[[of.way_to(source, other)] if each == source else [] for each in range(of.endpoints)],
        )
        for source, other in pairs
    ]
    for (source, other), result in zip(pairs, run_traffic(of, runs)):
        assert not result.failures
        assert result.measured  # No pair is left out.
        hops = len(of.network.ways.way(topology.node_of(source), topology.node_of(other)))
        shortest = next(cycles for cycles, count in enumerate(result.latencies) if count)
        assert shortest - PREPARATION == latency_without_load(of.network.options, hops + 1, flits)
