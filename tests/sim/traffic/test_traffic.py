# amaranth: UnusedElaboratable=no
"""Traffic on the RTL: no packet is lost without a fault, and every planted fault is found."""

import dataclasses
from pathlib import Path
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.traffic_machine import Destination, TrafficMachine
from fatcube.noc.network import Network
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.builds.build import build
from fatcube.sim.traffic.traffic import FAULTS, Fed, Traffic, run_traffic
from tests.support.faults import FaultyLink

WIDTH = 32


def machine(topology, ports="1", *, alone=False, **options):
    return TrafficMachine(network=Network(topology, RouterOptions(ports=ports, width=WIDTH, **options)), alone=alone)


PAIR = machine(FatCube(1, 2))
MORE_WAYS = dataclasses.replace(PAIR, ways=8)
# Over the lane and back, one packet at a time.
ACROSS = [
    [way for way in PAIR.destinations(endpoint) if way.destination // 2 != endpoint // 2] for endpoint in range(4)
]


@pytest.mark.parametrize(
    "traffic",
    [
        PAIR,
        pytest.param(machine(FatCube(2, 2, 2), "d", buffer_depth=1), marks=pytest.mark.long),
        pytest.param(machine(FatCube(2, 2), "d", alone=True, hops=2), marks=pytest.mark.long),
        *(
            pytest.param(one, marks=pytest.mark.long)
            for one in (
                machine(FatCube(2, 1), alone=True, hops=2, virtual_channels=3, channel_classes=3, buffer_depth=4),
                machine(FatCube(1, 3), "b"),
                machine(Hypercube(2)),
                machine(FatCube(2, 2), "*", buffer_depth=3),
                machine(CubeConnectedCycles(3), "1", pipeline=2),
                machine(FatCube(2, 2, 2), "1", alone=True),
                machine(FatCube(2, 2), "b", alone=True),
            )
        ),
    ],
    ids=lambda traffic: f"{traffic.network}-{'alone' if traffic.alone else 'network'}",
)
def test_everything_arrives(traffic):
    """Light load, heavy load, and sinks that pause; every packet once, whole, in order, where it was sent."""
    runs = [
        Traffic(rate=500, packet_flits=5, measured=3000),
        Traffic(rate=65535, packet_flits=6, warm_up=100, measured=1000, cool_down=50, timeout=200),
        Traffic(rate=3000, packet_flits=25, measured=1500, pause=30000, seed=1),
        Traffic(rate=65535, packet_flits=1, measured=1000, timeout=200),
        Traffic(rate=65535, packet_flits=2, measured=1000, pause=20000, timeout=200),
    ]
    light, heavy, *others = run_traffic(traffic, runs)
    for result in (light, heavy, *others):
        assert result.failures == () and not any(result.faults.values())
        assert result.sent == result.arrived > 0
        assert result.measured <= result.created
        assert sum(result.latencies) == result.measured
        assert result.delivered <= 1
    assert light.refused == 0 and light.measured == light.created == light.sent
    assert heavy.refused > 0 and heavy.accepted <= 1 < heavy.offered
    assert light.latency < heavy.latency


def routers_between(source, destination):
    """On the pair of nodes with two processors each."""
    return 1 + (source // 2 != destination // 2)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(
            {},
            marks=pytest.mark.long(
                stays="tests/sim/traffic/test_load.py::test_without_load_latency_is_that_of_the_formula"
            ),
        ),
        pytest.param(
            {"pipeline": 2, "link_stages": 3},
            marks=pytest.mark.long(
                stays="tests/sim/traffic/test_load.py::test_without_load_latency_is_that_of_the_formula"
            ),
        ),
        {"virtual_channels": 4, "channel_classes": 2, "buffer_depth": 5, "link_stages": 1},
        pytest.param(
            {"buffer_depth": 3, "link_stages": 1},
            marks=pytest.mark.long(
                stays="tests/sim/traffic/test_load.py::test_without_load_latency_is_that_of_the_formula"
            ),
        ),
    ],
    ids=str,
)
@pytest.mark.long(stays="tests/sim/traffic/test_load.py::test_without_load_latency_is_that_of_the_formula")
@pytest.mark.parametrize("flits", [1, 9])
def test_latency_without_load(options, flits):
    """With wormhole switching, from the first router's first flit to the last router's tail flit: H r + L - 1 cycles.

    Each register on a lane adds one, and so does an ejection buffer, which several channels of a class have by default.
    """
    traffic = machine(FatCube(1, 2), **options)
    cycles, stages = options.get("pipeline", 1), options.get("link_stages", 0)
    ejection = options.get("virtual_channels", 1) > options.get("channel_classes", 1)
    runs, hops = [], []
    for source in range(4):
        for way in traffic.destinations(source):
            destinations = [[way] if endpoint == source else [] for endpoint in range(4)]
            runs.append(Traffic(rate=20, packet_flits=flits, measured=60_000, destinations=destinations))
            hops.append(routers_between(source, way.destination))
    for result, routers in zip(run_traffic(traffic, runs), hops):
        assert result.failures == () and result.measured > 5
        assert result.latency - result.waited == pytest.approx(
            routers * cycles + (routers - 1) * stages + ejection + flits - 1
        )


def test_same_seed_same_run():
    run = Traffic(rate=3000, packet_flits=6, measured=2000, seed=7)
    first, again, other = run_traffic(PAIR, [run, run, dataclasses.replace(run, seed=8)])
    assert first == again
    assert first != other


def test_measured_packets_are_those_created_in_time():
    """Warm-up and cool-down make no packet that counts, and cycles are those until the last flit."""
    runs = [
        Traffic(rate=2000, packet_flits=5, warm_up=warm_up, measured=1000, cool_down=cool_down)
        for warm_up, cool_down in ((0, 0), (1000, 0), (0, 1000), (500, 500))
    ]
    short, *long = run_traffic(PAIR, runs)
    assert short.created == short.sent
    for result in long:
        assert result.created < result.sent
        assert abs(result.offered - 2000 / 65536 * 5) < 0.05
        assert 1950 < result.cycles < 2050


CASES = {
    "flip": {"corrupted": 1, "lost": 1},
    "drop": {"torn": 1, "lost": 1},
    "lose": {"lost": 1},
    "double": {"doubled": 1},
    "swap": {"reordered": 1},
    "endless": {"torn": 1, "lost": 2},
}


# A lane for each fault, so that all are one build: each of three endpoints of a node has a lane of its own to the other.
LANES = machine(FatCube(1, 3, 3))
NUMBERS = {"flip": 7, "drop": 14, "lose": 2, "double": 2, "swap": 2, "endless": 2}
FAULTY = {
    "links": {
        (i // 3, 0, i % 3): FaultyLink(LANES.built.options.width, kind, NUMBERS[kind]) for i, kind in enumerate(CASES)
    },
}
faulty = pytest.mark.xdist_group("faulty lanes")


def over_lane_of(endpoint, packet_flits=6, **parameters):
    """A run in which this endpoint alone sends, to one at the other node; and that one."""
    way = next(way for way in LANES.destinations(endpoint) if way.destination // 3 != endpoint // 3)
    destinations = [[way] if other == endpoint else [] for other in range(LANES.endpoints)]
    return Traffic(rate=2000, packet_flits=packet_flits, destinations=destinations, **parameters), way.destination


@faulty
@pytest.mark.parametrize("kind", CASES)
def test_planted_fault(kind):
    """A fault in the lane is reported under its name."""
    run, sink = over_lane_of(list(CASES).index(kind), measured=2000)
    (well,) = run_traffic(LANES, [run])
    assert well.failures == () and well.sent > 20
    (result,) = run_traffic(LANES, [run], **FAULTY)
    assert {fault: count for fault, count in result.faults.items() if count} == CASES[kind]
    assert result.sent == well.sent
    plural = {1: "packet", 2: "packets"}
    assert result.failures == tuple(
        f"endpoint {sink}: {CASES[kind][fault]} {plural[CASES[kind][fault]]} {fault}"
        for fault in FAULTS
        if fault in CASES[kind]
    )


@faulty
@pytest.mark.parametrize(
    ("kind", "faults"),
    [
        ("drop", {"lost": 1}),
        ("lose", {"lost": 1}),
        ("double", {"doubled": 1}),
        ("swap", {"reordered": 1}),
        ("endless", {"torn": 1, "lost": 2}),
    ],
)
def test_planted_fault_in_packets_of_one_flit(kind, faults):
    """A header alone is found to be lost, doubled, or late by its stamp."""
    run, _ = over_lane_of(list(CASES).index(kind), packet_flits=1, measured=2000)
    [result] = run_traffic(LANES, [run], **FAULTY)
    assert {fault: count for fault, count in result.faults.items() if count} == faults and result.sent > 20


@faulty
def test_last_packets_that_are_lost():
    """The counts of the source show losses that the sink cannot detect."""
    runs = [over_lane_of(list(CASES).index("lose"), measured=measured)[0] for measured in range(50, 300, 5)]
    run = next(run for run, well in zip(runs, run_traffic(LANES, runs)) if well.sent == NUMBERS["lose"] + 1)
    [result] = run_traffic(LANES, [run], **FAULTY)
    assert result.faults == dict.fromkeys(FAULTS, 0) | {"lost": 1}


def test_wrong_route():
    """A route to another endpoint than the packet is for."""
    wrong = Destination(ACROSS[0][0].destination, ACROSS[0][1].route)
    run = Traffic(rate=2000, packet_flits=6, measured=500, destinations=[[wrong], [], [], []])
    [result] = run_traffic(PAIR, [run])
    assert result.faults["misrouted"] == result.faults["lost"] == result.sent > 0
    assert result.failures == (
        f"endpoint {ACROSS[0][0].destination}: {result.sent} packets lost",
        f"endpoint {ACROSS[0][1].destination}: {result.sent} packets misrouted",
    )


@pytest.mark.long(stays="tests/rtl/endpoint/test_traffic_endpoint.py::test_all_packets_come_back")
def test_illegal_ways():
    """Every illegal header counts as an error, and nothing of its packet arrives; packets of one flit beside do."""
    legal = PAIR.destinations(0)
    nowhere = Destination(0, 0, flits=4, unnumbered=True, illegal=True)  # back to its own processor
    alone = [way._replace(flits=1) for way in [*legal, nowhere]]
    run = Traffic(rate=3000, packet_flits=6, measured=3000, destinations=[[*legal, *alone, nowhere], [], [], []])
    [result] = run_traffic(MORE_WAYS, [run])
    assert result.failures == () and not any(result.faults.values())
    assert result.illegal == result.errors > 10
    assert result.sent == result.arrived + result.illegal
    [unsaid] = run_traffic(
        MORE_WAYS,
        [dataclasses.replace(run, destinations=[[*legal, nowhere._replace(illegal=False)], [], [], []])],
    )
    assert unsaid.failures == (f"router of node 0: {unsaid.errors} headers requested a turn that does not exist",)
    [too_many] = run_traffic(
        MORE_WAYS, [dataclasses.replace(run, destinations=[[*legal, legal[0]._replace(illegal=True)], [], [], []])]
    )
    assert too_many.failures == (
        f"routers counted 0 headers for turns that are not there, where {too_many.illegal} were sent",
    )


@pytest.mark.long(stays="tests/sim/traffic/test_traffic.py::test_everything_arrives")
@pytest.mark.parametrize("missing", [0, 1])
def test_copies(missing):
    """Each copy is checked at its sink; a missing copy is lost there, and one for no destination is misrouted."""
    alone = machine(FatCube(2, 2), "b", alone=True)
    outputs = [way.destination for way in alone.destinations(0)]
    route = sum(1 << output for output in outputs[missing:])
    way = Destination(0, route, copies=tuple(outputs))
    run = Traffic(rate=2000, packet_flits=6, measured=2000, destinations=[[way], [], [], []])
    [result] = run_traffic(alone, [run])
    assert result.arrived == result.sent * (3 - missing) > 60
    assert result.faults == dict.fromkeys(FAULTS, 0) | {"lost": missing * result.sent}
    [result] = run_traffic(
        alone, [dataclasses.replace(run, destinations=[[way._replace(copies=tuple(outputs[:-1]))], [], [], []])]
    )
    assert result.faults["misrouted"] == result.sent


def test_cuts():
    """After resets in the middle of a run, the results are those of an uninterrupted run."""
    run = Traffic(rate=20000, packet_flits=6, measured=2000, source_pause=20000, pause=3000)
    first, cut, again = run_traffic(PAIR, [run, dataclasses.replace(run, cuts=[1, 700, 1999, 5000]), run])
    assert first == cut == again and first.failures == ()


def test_stall():
    """A sink that takes no flits is reported, and packets in flight are lost."""
    run = Traffic(rate=3000, packet_flits=6, measured=500, pause=65535, timeout=300)
    [result] = run_traffic(PAIR, [run])
    assert re.fullmatch(
        "the run stalled: a source could not send, and no flit moved until cycle [0-9]+", result.failures[0]
    )
    assert result.faults["lost"] > 0


NOWHERE = Fed(Path("packets"), Path("latencies"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"packet_flits": 0}, "^packet flits must be an integer from 1 to 65535, not 0$"),
        ({"rate": 65536}, "^rate must be an integer from 0 to 65535, not 65536$"),
        ({"source_pause": -1}, "^source pause must be an integer from 0 to 65535, not -1$"),
        ({"cuts": [5, 0]}, "^cut must be an integer from 1 to 1073741824, not 0$"),
        ({"bin_cycles": 3}, r"^bin cycles must be a power of two below 2\*\*32, not 3$"),
        (
            {"trace": NOWHERE},
            "^trace must be one for a machine whose sources have room for packets of a trace, not for this one$",
        ),
        ({"trace": NOWHERE, "cuts": [5]}, "^cuts must be none with a trace, not \\[5\\]$"),
        ({"measured": 0}, "^measured must be an integer from 1 to 1073741824, not 0$"),
        (
            {"destinations": [[Destination(0, 0)] * 5] * 4},
            "^destinations of endpoint 0 must be an integer from 0 to 4, not 5$",
        ),
    ],
    ids=str,
)
def test_bad_traffic(changes, message):
    with pytest.raises(ParameterError, match=message):
        run_traffic(PAIR, [Traffic(**({"rate": 1, "packet_flits": 6} | changes))])


def test_other_simulators_are_refused():
    with pytest.raises(ParameterError, match="^simulator must be 'verilator' for traffic, not 'verilator-flat'$"):
        build(PAIR, simulator="verilator-flat")
