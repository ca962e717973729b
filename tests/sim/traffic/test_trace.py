"""Traffic from a trace: every packet arrives once and is timed; malformed files are refused in one line."""

import dataclasses
import random
import re
import tracemalloc
import types

import numpy
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.lanes import LaneEnd
from fatcube.noc.latency import latency_without_load
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.endpoint.source import PREPARATION
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic import trace as tracing
from fatcube.sim.traffic import traffic
from fatcube.sim.traffic.trace import TracedPacket, TraceTest, read_trace
from fatcube.sim.traffic.traffic import Fed, Traffic, run_traffic
from tests.support.cases import some
from tests.support.faults import FaultyLink

pytestmark = pytest.mark.xdist_group("trace")
MESH = RoutedNetwork(Mesh(w=3, d=2))


def test_lone_packets_take_the_latency_of_the_formula():
    """Packets so far apart that none meets another, to near and far processors and to their own."""
    packets = [TracedPacket(60 * number, number, 8 - number, 1 + number) for number in range(9)]
    result = TraceTest(MESH, packets).run()
    assert result.failures == ()
    assert list(result.latencies) == [
        latency_without_load(MESH.options, MESH.hops_between(one.source, one.destination) + 1, one.flits)
        for one in packets
    ]
    assert list(result.packets) == packets
    assert result.cycles > packets[-1].cycle


def test_a_packet_waits_for_the_one_before_it():
    """Two packets of 8 flits created in one cycle arrive 8 cycles apart, in the order of their lines."""
    first, second = TracedPacket(30, 0, 1, 8), TracedPacket(30, 0, 3, 8)
    result = TraceTest(MESH, [first, second]).run()
    assert list(result.latencies) == [9, 17]
    again = TraceTest(MESH, [second, first]).run()
    assert (list(again.packets), list(again.latencies)) == ([second, first], [9, 17])


@pytest.mark.parametrize(
    "network",
    some(
        [
            MESH,
            RoutedNetwork(FatCube(2, 2), RouterOptions(ports="d")),  # two ports of a processor
            RoutedNetwork(Hypercube(2), RouterOptions(virtual_channels=4, buffer_depth=4)),  # order is not kept
        ],
        (),
        stays="tests/sim/traffic/test_trace.py::test_a_packet_waits_for_the_one_before_it",
    ),
    ids=str,
)
def test_everything_arrives_once(network):
    """At a load far above saturation, each packet arrives exactly once, and none is faster than without load."""
    dice, last = random.Random(1), network.topology.processors - 1
    packets = [
        TracedPacket(dice.randrange(200), dice.randint(0, last), dice.randint(0, last), dice.randint(1, 20))
        for _ in range(600)
    ]
    result = TraceTest(network, packets).run()
    assert result.failures == ()
    assert sorted(result.packets) == sorted(packets)
    for packet, latency in zip(result.packets, result.latencies):
        hops = network.hops_between(packet.source, packet.destination)
        assert latency >= latency_without_load(network.options, hops + 1, packet.flits)
    assert max(result.latencies) > 200 and result.conflicts > 0


def test_a_packet_in_every_cycle():
    """Far more packets than there is room for in a source: each is there when its cycle comes, or waits for those before."""
    count = 5000
    one, other = TracedPacket(0, 0, 1, 1), TracedPacket(0, 3, 3, 1)
    packets = [packet._replace(cycle=7 + number) for number in range(count) for packet in (one, other)]
    result = TraceTest(MESH, packets).run()
    assert result.failures == () and set(result.latencies[::2]) == {2} and set(result.latencies[1::2]) == {1}
    assert result.cycles == pytest.approx(count, abs=30)
    waiting = TraceTest(MESH, [one] * count).run()
    assert waiting.failures == () and list(waiting.latencies) == list(range(2, count + 2))


GAPS = {
    "one channel": MESH,
    "virtual channels": RoutedNetwork(Mesh(w=3, d=2), RouterOptions(virtual_channels=2, buffer_depth=4)),
    "half-duplex": RoutedNetwork(
        Mesh(w=3, d=2), RouterOptions(links="half-duplex", switching="virtual-cut-through", longest_packet=9)
    ),
    "copies": RoutedNetwork(FatCube(1, 3), RouterOptions(ports="b", longest_packet=9, buffer_depth=9)),
    "circuits": RoutedNetwork(Hypercube(3), RouterOptions(switching="circuit", setup_retry=4)),
}


@pytest.mark.parametrize("kind", some([*GAPS], [0, 3, 4]))
def test_long_gaps_are_left_out(kind, monkeypatch):
    """Behind a gap of 10^13 cycles, which no simulator takes, all is as behind one of a few thousand that one has taken."""
    network, dice = GAPS[kind], random.Random(kind)
    last = network.topology.processors - 1
    ends = [(dice.randint(0, last), dice.randint(0, last), dice.choice((1, 9))) for _ in range(3 * 200)]
    period = traffic._period(network)
    found = []
    for gap, left_out in ((2500, 1 << 62), (2500 + period * 10**13, period)):
        monkeypatch.setattr(traffic, "_period", lambda network, left_out=left_out: left_out)
        packets = [TracedPacket(number // 5 + number // 200 * gap, *one) for number, one in enumerate(ends)]
        result = TraceTest(network, packets).run()
        assert result.failures == ()
        found.append((list(result.latencies), result.cycles - 2 * gap, result.conflicts))
    assert found[0] == found[1] and max(found[0][0]) > 20


def test_a_trace_that_stalls(tmp_path):
    """Sinks that take nothing: the run ends, however much of the trace is left."""
    machine = TrafficMachine(network=MESH, trace=16)
    words = numpy.array([(number * 50, 0 << 32 | 1 << 16) for number in range(400)])
    fed = Fed.write(tmp_path, words)
    ways = [[machine.way_to(0, 1)], *[[]] * 8]
    run = Traffic(rate=0, packet_flits=8, measured=1, pause=65535, timeout=300, destinations=ways, trace=fed)
    [result] = run_traffic(machine, [run])
    assert result.failures[0].startswith("the run stalled: a source could not send, and no flit moved until cycle")
    assert result.cycles < 400 * 50 and not numpy.fromfile(fed.latencies, dtype="u8").any()


@pytest.mark.parametrize("gap", [50, 10**9])
def test_a_packet_that_is_lost(gap, tmp_path):
    """Planted fault: a lane loses the third packet; all others arrive, also behind a gap, and the run says what is lost."""
    machine = TrafficMachine(network=RoutedNetwork(Hypercube(1)), trace=16)
    fed = Fed.write(tmp_path, numpy.array([(number * gap, 0 << 32 | 1 << 16) for number in range(40)]))
    run = Traffic(rate=0, packet_flits=2, measured=1, destinations=[[machine.way_to(0, 1)], []], trace=fed)
    lost = {LaneEnd(0, 0, 0): FaultyLink(machine.built.options.width, "lose", 2)}
    [result] = run_traffic(machine, [run], links=lost)
    found = numpy.fromfile(fed.latencies, dtype="u8").tolist()
    assert found == [0 if number == 2 else 3 + PREPARATION for number in range(40)]
    assert result.failures == ("endpoint 1: 1 packet lost",) and result.unknown == 0


def test_a_trace_takes_some_words_a_packet(tmp_path):
    """Of a file of 100,000 packets no more than their numbers is kept, and records are made row by row."""
    file = tmp_path / "t.csv"
    file.write_text(HEAD + "".join(f"{number},{number % 9},{number % 7},1\n" for number in range(100_000)))
    tracemalloc.start()
    trace = read_trace(file)
    peak = tracemalloc.get_traced_memory()[1]
    rows = TraceTest(MESH, trace).parameters["trace"]
    tracemalloc.stop()
    assert peak < 60 * len(trace) == 60 * len(rows) and next(iter(rows)) == [0, 0, 0, 1]
    assert trace[99_999] == TracedPacket(99_999, 0, 4, 1)


def test_a_packet_that_is_not_seen_fails_the_run(monkeypatch):
    """Planted fault: one packet is not found where it arrived, and another arrives that was never sent."""
    run_traffic = tracing.run_traffic

    def damaged(machine, runs):
        [result] = run_traffic(machine, runs)
        with open(runs[0].trace.latencies, "r+b") as file:
            file.write(bytes(8))
        return [dataclasses.replace(result, unknown=1)]

    monkeypatch.setattr(tracing, "run_traffic", damaged)
    result = TraceTest(MESH, [TracedPacket(30, 0, 1, 8), TracedPacket(30, 1, 0, 8)]).run()
    assert list(result.latencies) == [-1, 9]
    assert [row[-1] for row in result.to_json()["packets"]] == [None, 9]
    assert result.failures == (
        "packet (30, 0, 1, 8) was not seen to arrive",
        "1 packets arrived that are not those of the trace",
    )


def test_what_a_run_is_given_and_gives(monkeypatch):
    """Without a simulator: every processor's packets in order, over its two ports in turn, each on the way of its length."""
    network = RoutedNetwork(Hypercube(2), RouterOptions(ports="d"))
    packets = [(7, 0, 3, 9), (2, 0, 1, 8), (9, 0, 3, 9), (9, 2, 1, 8), (9, 0, 3, 1)]
    test = TraceTest(network, [TracedPacket(*one) for one in packets])
    runs = []

    def carried_out(machine, given):
        words = numpy.fromfile(given[0].trace.packets, dtype=numpy.uint64).reshape(-1, 2).tolist()
        runs.append(
            (machine, *given, [(cycle, ends >> 32, ends >> 16 & 0xFFFF, ends & 0xFFFF) for cycle, ends in words])
        )
        latencies = [20, 22, 33, 31, 0]
        numpy.array([latency and latency + PREPARATION for latency in latencies]).astype("u8").tofile(
            given[0].trace.latencies
        )
        return [types.SimpleNamespace(unknown=0, failures=(), cycles=50, conflicts=4)]

    monkeypatch.setattr(tracing, "run_traffic", carried_out)
    result = test.run()
    [(machine, traffic, given)] = runs
    assert machine is test.machine and (machine.ways, machine.trace) == (16, 1024)
    assert (traffic.rate, traffic.packet_flits) == (0, 9)
    # Processor 0 sends over ports 0 and 1 in turn; of processor 1 port 2 gets what comes from ports 0 and 4.
    assert [packet[:3] for packet in given] == [(2, 0, 2), (7, 1, 7), (9, 0, 6), (9, 4, 2), (9, 1, 7)]
    assert [traffic.destinations[source][way].flits for _, source, _, way in given] == [8, 9, 9, 8, 1]
    assert result.to_json() | {"packets": list(result.to_json()["packets"])} == {
        "cycles": 50,
        "conflicts": 4,
        "columns": ["cycle", "source", "destination", "flits", "latency"],
        "packets": [[2, 0, 1, 8, 20], [7, 0, 3, 9, 22], [9, 0, 3, 9, 33], [9, 2, 1, 8, 31], [9, 0, 3, 1, None]],
        "failures": ["packet (9, 0, 3, 1) was not seen to arrive"],
    }
    assert test.key != TraceTest(network, [TracedPacket(*one) for one in packets[:-1]]).key


GOOD = [TracedPacket(0, 0, 3, 8), TracedPacket(5, 1, 2, 9)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "cycle,source,destination,flits\n0,0,3,8\n5,1,2,9\n"),
        ("t.csv", '"cycle","source","destination","flits"\n"0","0","3","8"\n"5","1","2","9"\n'),
        ("t.txt", "flits, cycle,destination,source\n8,0,3,0\n\n 9,5,2,1\n"),
        ("t.jsonl", '{"cycle": 0, "source": 0, "destination": 3, "flits": 8}\n'
         '{"flits": 9, "cycle": 5, "destination": 2, "source": 1}\n'),
    ],
)  # fmt: skip
def test_files(tmp_path, name, text):
    """Also as a spreadsheet writes them: with a byte order mark and line ends of two characters."""
    (tmp_path / name).write_text(text)
    assert list(read_trace(tmp_path / name)) == GOOD
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert list(read_trace(tmp_path / name)) == GOOD


HEAD = "cycle,source,destination,flits\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.csv", "", " must begin with a line cycle,source,destination,flits, or be JSON lines (.jsonl)"),
        ("t.csv", "0,0,3,8\n", " must begin with a line cycle,source,destination,flits, or be JSON lines (.jsonl)"),
        ("t.csv", HEAD, " must have at least one packet"),
        ("t.csv", HEAD + "0,0,3\n", ", line 2: a packet must have 4 values, not 3"),
        ("t.csv", HEAD + "0,0,3,8\n\nx,0,3,8", ", line 4: cycle must be an integer from 0 to 18446744073709551615, not 'x'"),
        ("t.csv", HEAD + "-1,0,3,8", ", line 2: cycle must be an integer from 0 to 18446744073709551615, not -1"),
        ("t.csv", HEAD + "0,0,3,0", ", line 2: flits must be an integer from 1 to 65535, not 0"),
        ("t.csv", HEAD + "0,0,3,65536", ", line 2: flits must be an integer from 1 to 65535, not 65536"),
        ("t.csv", HEAD + "0,1.5,3,8", ", line 2: source must be an integer from 0 to 65536, not '1.5'"),
        ("t.csv", HEAD + "0" * 1001, ", line 2: a packet must have at most 1,000 characters"),
        ("t.jsonl", "\n", " must have at least one packet"),
        ("t.jsonl", "[0, 0, 3, 8]", ", line 1: a packet must be an object with cycle, source, destination, flits"),
        ("t.jsonl", '{"cycle": 0}', ", line 1: a packet must have cycle, source, destination, flits, not cycle"),
        ("t.jsonl", "{", ", line 1: "),
        ("t.jsonl", '{"cycle": true, "source": 0, "destination": 3, "flits": 8}', ", line 1: cycle must be an integer"),
    ],
)  # fmt: skip
def test_no_trace(tmp_path, name, text, message):
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(ParameterError, match=re.escape(f"{file}{message}")) as caught:
        read_trace(file)
    assert "\n" not in str(caught.value)


def test_no_text(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"\xff\xfe")
    with pytest.raises(ParameterError, match="t.csv must be text"):
        read_trace(tmp_path / "t.csv")


@pytest.mark.parametrize(
    ("packet", "message"),
    [
        ((0, 9, 0, 8), "packet (0, 9, 0, 8): source must be an integer from 0 to 8, not 9"),
        ((0, 0, 9, 8), "packet (0, 0, 9, 8): destination must be an integer from 0 to 8, not 9"),
        ((0, 0, 1, 0), "flits must be an integer from 1 to 65535, not 0"),
        ((1 << 64, 0, 1, 8), "cycle must be an integer from 0 to 18446744073709551615, not 18446744073709551616"),
    ],
)
def test_not_for_the_network(packet, message):
    with pytest.raises(ParameterError, match=re.escape(message)):
        TraceTest(MESH, [TracedPacket(*packet)])


def test_refused():
    with pytest.raises(ParameterError, match="network must be one with a routing"):
        TraceTest(Network(Hypercube(2)), GOOD)
    with pytest.raises(ParameterError, match="a trace must have at least one packet"):
        TraceTest(MESH, [])
    short = RoutedNetwork(
        Mesh(w=3, d=2), RouterOptions(switching="virtual-cut-through", longest_packet=8, buffer_depth=8)
    )
    with pytest.raises(ParameterError, match="packets must have at most 8 flits"):
        TraceTest(short, GOOD)
