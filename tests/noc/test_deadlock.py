"""Networks in which general-purpose traffic deadlocks, on the RTL, against Network.deadlock."""

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.rtl.router_options import RouterOptions
from tests.support.flat import FlatFabric
from tests.support.streams import Sink, Source, cycles, simulate


def run(network, *phases):
    """Send lists of packets, by processor, from ports 0, and run for a number of cycles, in each phase.

    Returns what has arrived at each processor, over all its ports, at the end of each phase, or of the only one.
    """
    flat = FlatFabric(network)
    sources = [Source(ports[0]) for ports in flat.send]
    sinks = [[Sink(stream) for stream in ports] for ports in flat.receive]
    arrived = []

    async def testbench(ctx):
        for packets, duration in phases:
            for processor, some in packets.items():
                for packet in some:
                    sources[processor].add(packet)
            await cycles(ctx, duration)
            arrived.append([sum((sink.packets for sink in ports), []) for ports in sinks])

    simulate(flat, testbench, *sources, *(sink for ports in sinks for sink in ports))
    return arrived if len(phases) > 1 else arrived[0]


def route(network, nodes):
    """The outputs on the route along adjacent ``nodes`` to port 0 of the last one's first processor."""
    router, topology = network.router(), network.topology
    lanes = [router.lane_port(topology.channels_between(node, other)[0], 0) for node, other in zip(nodes, nodes[1:])]
    return [*lanes, router.processor_port(0, 0)]


def round_a_ring(network, ring, length=8):
    """A packet from each node of a ring to the one after the next, by sending processor."""
    ways = [[ring[(start + step) % len(ring)] for step in range(3)] for start in range(len(ring))]
    return {
        way[0] * network.topology.m: [[network.router().header.pack(route(network, way), 0), *range(length)]]
        for way in ways
    }


def broadcasts(network, count):
    """From every processor, packets to all others, each router copying its own."""
    router, m = network.router(), network.topology.m
    found = {}
    for processor in range(network.topology.processors):
        reach = router.reach(processor % m)
        copies = [(output,) if output < router.processor_ports else (output, 0) for output in reach]
        found[processor] = [[router.header.pack(copies, 0), *range(8)]] * count
    return found


@pytest.mark.parametrize(
    ("network", "ring"),
    [
        (Network(FatCube(2), RouterOptions(hops=2)), [0, 1, 3, 2]),
        (Network(FatCube(2), RouterOptions(hops=2, ports="d", pipeline=2)), [0, 1, 3, 2]),
        (Network(SparseGHC(w=3, d=1), RouterOptions(hops=2)), [0, 1, 2]),
        (Network(FatCube(2), RouterOptions(hops=2, switching="circuit")), [0, 1, 3, 2]),
    ],
    ids=str,
)
def test_packets_around_a_ring_deadlock(network, ring):
    """The reason why several hops are refused: each packet alone arrives, but together they deadlock."""
    packets = round_a_ring(network, ring)
    alone = [({processor: some}, 60) for processor, some in packets.items()]
    arrived = [sum(map(len, some)) for some in run(network, *alone, (packets, 1000))]
    assert arrived == [*range(1, len(ring) + 1), len(ring)]
    assert "lane to lane" in network.deadlock


def test_retried_set_ups_arrive():
    """If blocked set-ups release what they hold, the same packets all arrive, and the network is not refused."""
    network = Network(FatCube(2), RouterOptions(hops=2, switching="circuit", setup_retry=4))
    packets = round_a_ring(network, [0, 1, 3, 2])
    assert sum(map(len, run(network, (packets, 1000)))) == 4
    assert network.deadlock == ""


def test_packets_in_opposite_directions_arrive():
    """The two packets of half a ring do not wait for each other, so the cause of the deadlock is the ring."""
    network = Network(FatCube(2), RouterOptions(hops=2))
    packets = round_a_ring(network, [0, 1, 3, 2])
    assert sum(map(len, run(network, ({processor: packets[processor] for processor in (0, 3)}, 200)))) == 2


@pytest.mark.parametrize("topology", [FatCube(1, 2), FatCube(1, 1, 2), FatCube(2)], ids=str)
def test_copies_deadlock(topology):
    """The reason why model b is refused: all processors broadcast, and not all copies arrive."""
    network = Network(topology, RouterOptions(ports="b"))
    packets = broadcasts(network, 3)
    whole = sum(len(network.router().reach(processor % topology.m)) * 3 for processor in packets)
    assert sum(map(len, run(network, (packets, 1000)))) < whole
    assert "copied" in network.deadlock


def test_one_that_copies_alone_is_through():
    network = Network(FatCube(2), RouterOptions(ports="b"))
    assert [len(some) for some in run(network, ({0: broadcasts(network, 3)[0]}, 200))] == [0, 3, 3, 0]


@pytest.mark.parametrize(
    "network",
    [
        *(Network(FatCube(2, 2), RouterOptions(ports=ports)) for ports in "1d*"),
        Network(FatCube(2, 2, 2), RouterOptions(turns="all")),  # Turns between lanes, but no routes of two links.
        Network(FatCube(1, 2), RouterOptions(hops=2)),  # Routes of two links, but no turns between lanes.
        Network(FatCube(1), RouterOptions(ports="b")),  # No copies are possible.
    ],
    ids=str,
)
def test_nothing_is_said_of_what_cannot(network):
    assert network.deadlock == ""


@pytest.mark.parametrize(
    "network",
    [
        Network(CubeConnectedCycles(n=3), RouterOptions(hops=2)),
        Network(Hypercube(2), RouterOptions(hops=2, ports="d")),
        Network(FatCube(1, 1, 2), RouterOptions(hops=2, turns="forward")),  # From one lane back by the other.
        Network(FatCube(1, 2), RouterOptions(ports="b")),
    ],
    ids=str,
)
def test_it_is_said_of_what_can(network):
    assert network.deadlock


def test_unused_hops_cause_no_deadlock():
    """One dimension has no turn from lane to lane, whatever the hops of a header, so all packets arrive."""
    network = Network(FatCube(1, 2), RouterOptions(hops=2))
    router = network.router()
    lane = router.lane_port(0, 0)
    packets = {
        processor: [[router.header.pack([lane, index % 2], index), *range(8)] for index in range(6)]
        for processor in range(4)
    }
    assert [len(some) for some in run(network, (packets, 600))] == [6] * 4
