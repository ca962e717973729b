"""Traffic from a trace: every packet arrives once and is timed; malformed files are refused in one line."""

import random
import re
import types
from typing import NamedTuple

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.latency import latency_without_load
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.endpoint.source import PREPARATION
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic import trace as tracing
from fatcube.sim.traffic.trace import TracedPacket, TraceTest, read_trace
from tests.support.cases import some

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
    assert result.packets == tuple(packets)
    assert result.cycles > packets[-1].cycle


def test_a_packet_waits_for_the_one_before_it():
    """Two packets of 8 flits created in one cycle arrive 8 cycles apart, in the order of their lines."""
    first, second = TracedPacket(30, 0, 1, 8), TracedPacket(30, 0, 3, 8)
    result = TraceTest(MESH, [first, second]).run()
    assert result.latencies == (9, 17)
    again = TraceTest(MESH, [second, first]).run()
    assert (again.packets, again.latencies) == ((second, first), (9, 17))


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


def test_a_packet_that_is_not_seen_fails_the_run(monkeypatch):
    """Planted fault: the log of one sink lacks an entry, and has one of a packet that was never sent."""
    run_traffic = tracing.run_traffic

    def damaged(machine, runs):
        [result] = run_traffic(machine, runs)
        result.logs[1][0] = result.logs[1][0]._replace(created=7)
        return [result]

    monkeypatch.setattr(tracing, "run_traffic", damaged)
    result = TraceTest(MESH, [TracedPacket(30, 0, 1, 8), TracedPacket(30, 1, 0, 8)]).run()
    assert result.latencies == (None, 9)
    assert result.failures == (
        "packet (30, 0, 1, 8) was not seen to arrive",
        "1 packets arrived that are not those of the trace",
    )


class Logged(NamedTuple):
    """An entry of a log, as it is read back."""

    source: int
    sequence: int
    created: int
    latency: int


def test_what_a_run_is_given_and_gives(monkeypatch):
    """Without a simulator: every processor's packets in order, over its two ports in turn, and what logs say of them by hand."""
    network = RoutedNetwork(Hypercube(2), RouterOptions(ports="d"))
    packets = [(7, 0, 3, 9), (2, 0, 1, 8), (9, 0, 3, 9), (9, 2, 1, 8)]
    test = TraceTest(network, [TracedPacket(*one) for one in packets])
    runs = []

    def logged(machine, given):
        runs.append((machine, *given))
        logs = [[] for _ in machine.places]
        # Of processor 1 ports 2 and 3 get (2, 0) from port 0 and (9, 2) from port 4; of processor 3 ports 6 and 7 get its own.
        logs[2] += [Logged(0, 0, 2, 20 + PREPARATION), Logged(4, 0, 9, 31 + PREPARATION)]
        logs[7].append(Logged(1, 0, 7, 22 + PREPARATION))
        logs[6].append(Logged(0, 0, 9, 33 + PREPARATION))
        return [types.SimpleNamespace(logs=logs, failures=(), cycles=50, conflicts=4)]

    monkeypatch.setattr(tracing, "run_traffic", logged)
    result = test.run()
    [(machine, traffic)] = runs
    assert machine is test.machine and (machine.ways, machine.trace, machine.log) == (16, 16, 16)
    assert (traffic.rate, traffic.packet_flits, traffic.measured) == (0, 9, 10)
    assert [[entry.cycle for entry in some] for some in traffic.trace] == [[2, 9], [7], [], [], [9], [], [], []]
    flits = [[traffic.destinations[port][entry.way].flits for entry in some] for port, some in enumerate(traffic.trace)]
    assert flits == [[8, 9], [9], [], [], [8], [], [], []]
    assert result.to_json() == {
        "cycles": 50,
        "conflicts": 4,
        "columns": ["cycle", "source", "destination", "flits", "latency"],
        "packets": [[2, 0, 1, 8, 20], [7, 0, 3, 9, 22], [9, 0, 3, 9, 33], [9, 2, 1, 8, 31]],
        "failures": [],
    }


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
    assert read_trace(tmp_path / name) == GOOD
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert read_trace(tmp_path / name) == GOOD


HEAD = "cycle,source,destination,flits\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.csv", "", " must begin with a line cycle,source,destination,flits, or be JSON lines (.jsonl)"),
        ("t.csv", "0,0,3,8\n", " must begin with a line cycle,source,destination,flits, or be JSON lines (.jsonl)"),
        ("t.csv", HEAD, " must have at least one packet"),
        ("t.csv", HEAD + "0,0,3\n", ", line 2: a packet must have 4 values, not 3"),
        ("t.csv", HEAD + "0,0,3,8\n\nx,0,3,8", ", line 4: cycle must be an integer from 0 to 16777216, not 'x'"),
        ("t.csv", HEAD + "-1,0,3,8", ", line 2: cycle must be an integer from 0 to 16777216, not -1"),
        ("t.csv", HEAD + "0,0,3,0", ", line 2: flits must be an integer from 1 to 65535, not 0"),
        ("t.csv", HEAD + "0,0,3,65536", ", line 2: flits must be an integer from 1 to 65535, not 65536"),
        ("t.csv", HEAD + "0,1.5,3,8", ", line 2: source must be an integer from 0 to 65536, not '1.5'"),
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
        ((1 << 25, 0, 1, 8), "cycle must be an integer from 0 to 16777216, not 33554432"),
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
