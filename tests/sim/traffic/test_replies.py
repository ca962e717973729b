"""Requests and their replies: round trips to the cycle, each answered once, and deadlock with one message class."""

import itertools

from amaranth.lib import wiring
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.latency import latency_without_load
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.machines.traffic_node import TrafficNode
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.endpoint.source import PREPARATION, TURNAROUND
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.traffic import Traffic, run_traffic

pytestmark = pytest.mark.xdist_group("replies")

CHANNELS = {"width": 40, "virtual_channels": 2, "buffer_depth": 3}


@pytest.mark.parametrize(
    "network",
    [
        pytest.param(
            RoutedNetwork(FatCube(2, 2), RouterOptions(**CHANNELS), message_classes=2), marks=pytest.mark.long
        ),
        # On a one-way ring of five, a request of one hop has a reply of four.
        RoutedNetwork(SparseGHC(5, 1), RouterOptions(**CHANNELS | {"virtual_channels": 4}), message_classes=2),
    ],
    ids=str,
)
def test_round_trips_of_every_pair(network):
    """A round trip without contention takes exactly the request's latency, the turnaround, and the reply's latency."""
    test = LoadTest(network, LoadOptions(packet_flits=(6,), reply_flits=9))
    machine, ports = test.machine, network.processor_ports
    answers = [
        [way._replace(flits=9) for way in machine.answers_of(endpoint)] if machine.answering(endpoint) else []
        for endpoint in range(machine.endpoints)
    ]
    pairs = list(itertools.product(range(network.topology.processors), repeat=2))
    runs = []
    for one, other in pairs:
        ways = list(answers)
        ways[one * ports] = [machine.way_to(one * ports, other * ports)]
        runs.append(Traffic(rate=(1 << 16) // 200, packet_flits=6, measured=2000, timeout=200, destinations=ways))
    least = []
    for (one, other), result in zip(pairs, run_traffic(machine, runs), strict=True):
        assert not result.failures and result.measured
        there, back = (network.hops_between(*pair) + 1 for pair in ((one, other), (other, one)))
        options = network.options
        least.append(latency_without_load(options, there, 6) + TURNAROUND + latency_without_load(options, back, 9))
        assert next(cycles for cycles, count in enumerate(result.latencies) if count) - PREPARATION == least[-1]
    assert test.latency_without_load == sum(least) / len(least)


@pytest.mark.long(stays="tests/sim/traffic/test_replies.py::test_round_trips_of_every_pair")
def test_figures_of_pairs():
    """Latencies by requester and responder, of replies only: under uniform traffic, every pair has some."""
    network = RoutedNetwork(Hypercube(2), RouterOptions(**CHANNELS), message_classes=2)
    test = LoadTest(network, LoadOptions(reply_flits=9, measured=8000, repeats=1, details=True))
    [point] = test.points([0.2])
    assert [(pair.source, pair.destination) for pair in point.pairs] == list(itertools.product(range(4), repeat=2))
    packets = sum(pair.packets for pair in point.pairs)
    assert packets == sum(count for _, count in point.histogram)
    mean = sum(pair.packets * pair.latency for pair in point.pairs) / packets
    assert mean == pytest.approx(point.latency) and mean >= test.latency_without_load
    for lane in point.lanes:  # half of requests and of replies cross each dimension
        assert lane.by_loads == pytest.approx(0.2 / 2 * (1 + 9 / 8))
        assert lane.utilisation == pytest.approx(lane.by_loads, rel=0.2)


@pytest.mark.long(stays="tests/sim/traffic/test_replies.py::test_round_trips_of_every_pair")
def test_all_to_one_and_slow_receivers():
    """All processors send requests to processor 0, which takes one more after it has answered one: none is lost."""
    network = RoutedNetwork(Hypercube(2), RouterOptions(**CHANNELS), message_classes=2)
    machine = TrafficMachine(network=network, ways=8, answers=2)
    ways = [
        machine.answers_of(endpoint) if machine.answering(endpoint) else [machine.way_to(endpoint, 0)]
        for endpoint in range(8)
    ]
    [result] = run_traffic(
        machine, [Traffic(rate=60000, packet_flits=6, measured=3000, pause=20000, destinations=ways)]
    )
    assert result.failures == ()
    # Its port sends a flit of replies per cycle, so requests of the same length are limited to 0.25 each.
    assert 0.12 < result.accepted < 0.25
    assert result.sent == result.arrived and result.sent % 2 == 0


@pytest.mark.parametrize(
    ("network", "stops"),
    [
        pytest.param(
            RoutedNetwork(Mesh(w=3, d=2), RouterOptions(ports="d", **CHANNELS)),
            True,
            marks=pytest.mark.long(stays="tests/sim/traffic/test_replies.py::test_round_trips_of_every_pair"),
        ),
        pytest.param(
            RoutedNetwork(Mesh(w=3, d=2), RouterOptions(**CHANNELS), message_classes=2),
            False,
            marks=pytest.mark.long(stays="tests/sim/traffic/test_replies.py::test_round_trips_of_every_pair"),
        ),
    ],
    ids=str,
)
def test_one_message_class_stops(network, stops):
    """Both networks have two channels, and ports for replies; but with one class, replies wait behind requests."""
    machine = TrafficMachine(network=network, answers=2)
    [result] = run_traffic(machine, [Traffic(rate=60000, packet_flits=8, measured=20000)])
    assert bool(result.failures) == stops
    assert any("the run stalled" in failure for failure in result.failures) == stops


def test_requests_and_replies_of_one_flit():
    """In full traffic, with room for two requests: those that come while there is none yet are answered too."""
    network = RoutedNetwork(FatCube(1, 2), RouterOptions(**CHANNELS), message_classes=2)
    runs = [Traffic(rate=65535, packet_flits=1, pause=pause, measured=2000) for pause in (0, 20_000)]
    for result in run_traffic(TrafficMachine(network=network, answers=2), runs):
        assert result.failures == () and result.sent == result.arrived > 2000


def test_refused():
    network = RoutedNetwork(Hypercube(2), RouterOptions(**CHANNELS), message_classes=1)
    with pytest.raises(ParameterError, match="message classes must be 2, or another even number, .*, not 1: "):
        LoadTest(network, LoadOptions(reply_flits=8))
    with pytest.raises(ParameterError, match="answers must be 0 .* odd number of ports, not 4"):
        TrafficMachine(network=network, answers=4)


def _crossed(node, m, endpoints):
    """The requests of each of two processors are answered by the other one."""
    for processor in range(2):
        wiring.connect(m, endpoints[2 * processor].asked, endpoints[3 - 2 * processor].request)
        m.d.comb += endpoints[2 * processor + 1].asked.ready.eq(1)


def _unheard(node, m, endpoints):
    """No requests are answered."""
    m.d.comb += [endpoint.asked.ready.eq(1) for endpoint in endpoints]


@pytest.mark.parametrize("fault", [_crossed, _unheard])
def test_a_request_that_is_not_answered_is_found(monkeypatch, fault):
    monkeypatch.setattr(TrafficNode, "_answer", fault)
    network = RoutedNetwork(FatCube(1, 2), RouterOptions(**CHANNELS), message_classes=2)
    [result] = run_traffic(TrafficMachine(network=network, answers=8), [Traffic(rate=500, packet_flits=8)])
    assert [failure for failure in result.failures if "requests of endpoint" in failure]
