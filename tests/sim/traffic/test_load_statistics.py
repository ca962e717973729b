"""Statistics of the counts of a run, beside values worked out by hand: no simulator runs."""

from fractions import Fraction
import itertools
import math

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.endpoint.source import PREPARATION, TURNAROUND
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic import load
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import MOST_REPEATS, LoadOptions
from fatcube.sim.traffic.load_point import ACCEPTED, BINS, LAST_BIN, MEDIAN, PERCENTILE_99, SLOW, WAITING, quantile
from fatcube.sim.traffic.saturation import LoadCurve, around, curve, measure, saturation
from fatcube.sim.traffic.traffic import RATE_UNITS
from fatcube.sim.traffic.traffic_result import TrafficResult
from tests.support.loads import POINT

SOME = {**POINT, "accepted": 0.5}
SQUARE = Hypercube(2)


def load_test(topology=SQUARE, options=None, message_classes=1, **others):
    network = RoutedNetwork(topology, RouterOptions(**(options or {})), message_classes=message_classes)
    return LoadTest(network, LoadOptions(**others))


def with_replies(**others):
    options = {"ports": "d", "virtual_channels": 2, "channel_classes": 2, "buffer_depth": 4}
    return load_test(options=options, message_classes=2, **{"reply_flits": 12, **others})


def result(latency=20.0 + PREPARATION, **others):
    """The result of a run in which nothing special happened."""
    counts = dict.fromkeys(("created", "sent", "arrived", "refused", "measured", "illegal", "errors"), 0)
    given = {
        **counts,
        "cycles": 1000,
        "offered": 0.5,
        "accepted": 0.5,
        "delivered": 0.5,
        "sources": ((0, 0),) * 4,
        "waited": None,
        "longest": 40,
        "latencies": (),
        "conflicts": 0,
        "faults": {},
        "logs": (),
        "pairs": (),
        "lanes": (),
        "failures": (),
        **others,
    }
    return TrafficResult(latency=latency, **given)


def point(test, *results, monkeypatch, at=0.5):
    def run_traffic(machine, runs, observer):
        assert (machine, observer, len(runs)) == (test.machine, None, len(results))
        return list(results)

    monkeypatch.setattr(load, "run_traffic", run_traffic)
    [found] = test.points([at], repeats=len(results))
    return found


# Student's t for 95 %, two-sided, from its distribution; the table in the source is from a book.


def within(t, degrees, steps=4000):
    """The probability that Student's t is within ± t: its density integrated by Simpson's rule."""
    scale = math.gamma((degrees + 1) / 2) / (math.gamma(degrees / 2) * math.sqrt(degrees * math.pi))
    ends, width = [-t + 2 * t * step / steps for step in range(steps + 1)], 2 * t / steps
    weights = [1, *itertools.islice(itertools.cycle([4, 2]), steps - 1), 1]
    density = (scale * (1 + x * x / degrees) ** (-(degrees + 1) / 2) for x in ends)
    return sum(weight * value for weight, value in zip(weights, density)) * width / 3


@pytest.mark.parametrize("repeats", range(2, MOST_REPEATS + 1))
def test_confidence_has_one_degree_of_freedom_less_than_repeats(monkeypatch, repeats):
    """Catches the quantile of a neighbouring number of degrees, also at both ends of the table."""
    means = [100.0 + 3 * number % 7 for number in range(repeats)]
    found = point(load_test(repeats=repeats), *(result(mean + PREPARATION) for mean in means), monkeypatch=monkeypatch)
    mean = sum(means) / repeats
    deviation = math.sqrt(sum((one - mean) ** 2 for one in means) / (repeats - 1))
    assert found.latency == pytest.approx(mean)
    assert within(found.confidence * math.sqrt(repeats) / deviation, repeats - 1) == pytest.approx(0.95, abs=1e-4)


def test_one_repeat_says_nothing_of_confidence(monkeypatch):
    """Nor do two of which one has no packet; with none there is no latency."""
    test = load_test(repeats=2)
    assert point(test, result(30.0), monkeypatch=monkeypatch).confidence is None
    found = point(test, result(30.0), result(None), monkeypatch=monkeypatch)
    assert (found.latency, found.confidence, found.longest) == (30 - PREPARATION, None, 40 - PREPARATION)
    found = point(test, result(None, longest=0), monkeypatch=monkeypatch)
    assert (found.latency, found.confidence, found.longest) == (0, None, 0)


def test_a_point_is_of_all_its_repeats(monkeypatch):
    results = [
        result(latencies=(0,) * 10 + (3, 1), longest=11, conflicts=2, offered=0.25, accepted=0.25, failures=("one",)),
        result(latencies=(1,) * 2 + (0,) * 8 + (4, 0), longest=30, conflicts=5, offered=0.75, accepted=0.5),
        result(latencies=(0,) * 12, longest=7, offered=0.5, accepted=0.375, failures=("other", "one")),
    ]
    found = point(load_test(repeats=3), *results, monkeypatch=monkeypatch)
    assert (found.load, found.offered, found.accepted) == (0.5, 0.5, 0.375)
    assert (found.conflicts, found.longest, found.failures) == (7, 30 - PREPARATION, ("one", "other"))
    # What is below the cycles that every packet takes before its header is no negative latency.
    assert found.histogram == ((0, 1), (0, 1), (10 - PREPARATION, 7), (11 - PREPARATION, 1))
    assert (found.median, found.percentile_99) == (10 - PREPARATION, 11 - PREPARATION)


@pytest.mark.parametrize(
    ("early", "late", "median", "percentile_99"),
    [(99, 1, 3, 3), (98, 2, 3, None), (50, 50, 3, None), (49, 51, None, None), (0, 7, None, None)],
)
def test_a_quantile_in_the_last_bin_is_not_known(monkeypatch, early, late, median, percentile_99):
    """Its packets took that many cycles or more, so the bin is a lower bound."""
    latencies = [0] * BINS
    latencies[3 + PREPARATION], latencies[-1] = early, late
    found = point(load_test(), result(latencies=latencies, longest=9000), monkeypatch=monkeypatch)
    assert found.last_bin == LAST_BIN == found.histogram[-1][0] == 2048 - 1 - PREPARATION
    assert (found.median, found.percentile_99, found.longest) == (median, percentile_99, 9000 - PREPARATION)


@pytest.mark.parametrize("packets", [1, 2, 3, 50, 51, 52, 99, 100, 101, 199, 200])
def test_a_quantile_is_the_least_latency_that_so_many_have_at_most(packets):
    histogram = [(10 * number, 1) for number in range(1, packets + 1)]
    for part in (MEDIAN, PERCENTILE_99):
        found = quantile(histogram, part)
        within = [sum(latency <= most for latency, _ in histogram) for most in (found, found - 1)]
        assert within[0] >= part * packets > within[1]
    assert quantile([], MEDIAN) == 0


def test_quantiles_in_records_of_earlier_versions():
    """They have the last bin for a quantile that is in it, and do not say which that is."""
    old = {**SOME, "median": LAST_BIN - 1, "percentile_99": LAST_BIN, "histogram": [[LAST_BIN - 1, 9], [LAST_BIN, 1]]}
    record = {"latency_without_load": 8.0, "bound": 0.5, "saturation": None, "points": [old]}
    read = LoadCurve.from_json(record)
    [found] = read.points
    assert (found.median, found.percentile_99, found.last_bin) == (LAST_BIN - 1, None, LAST_BIN)
    assert LoadCurve.from_json(read.to_json()) == read


def test_runs_go_to_their_loads(monkeypatch):
    """Runs of a load follow each other; no more repeats than the options have."""
    seen = []

    def run_traffic(machine, runs, observer):
        seen.extend(runs)
        return [result(100.0 + PREPARATION + number) for number in range(len(runs))]

    monkeypatch.setattr(load, "run_traffic", run_traffic)
    test = load_test(repeats=2)
    for repeats, count in ((None, 2), (1, 1), (5, 2)):
        seen.clear()
        points = test.points([0.25, 0.5], repeats)
        assert [one.load for one in points] == [0.25, 0.5]
        assert [one.latency for one in points] == [100 + (count - 1) / 2, 100 + count + (count - 1) / 2]
        assert [run.seed for run in seen] == [*range(count)] * 2
        assert [run.rate for run in seen] == [2048] * count + [4096] * count


def test_offered_is_that_of_the_mean_length(monkeypatch):
    """Runs count packets, each as long as the longest."""
    found = point(load_test(packet_flits=(6, 18)), result(offered=0.75, accepted=0.5), monkeypatch=monkeypatch)
    assert (found.offered, found.accepted) == (0.5, 0.5)


def test_saturated_by_latency_or_by_what_is_accepted_from_a_processor(monkeypatch):
    """From just above the limit of the one, or just below that of the other, at one processor of four."""
    test = load_test(measured=8000)
    slow = SLOW * test.latency_without_load + PREPARATION
    assert (WAITING, ACCEPTED) == (8, Fraction(95, 100))
    for latency, packets, flits, saturated in (
        (slow, 500, 4000, False),
        (slow + 1e-6, 500, 4000, True),
        (slow, 500, 3800, False),
        (slow, 500, 3799, True),
        (slow, 20, 160 - 64, False),  # of so few packets, eight that wait are no sign
        (slow, 20, 160 - 65, True),
    ):
        sources = ((500, 4000), (packets, flits), (600, 4800), (600, 4800))
        found = point(test, result(latency, offered=0.5, accepted=0.5, sources=sources), monkeypatch=monkeypatch)
        assert found.saturated == saturated, (latency, packets, flits)
        assert found.least == flits / 8000


def test_processors_are_judged_over_all_their_ports_and_runs(monkeypatch):
    """Of two runs one port alone gets nothing for a while; the other port, or the other run, makes up for it, or does not."""
    test = load_test(options={"ports": "d"}, measured=1000, repeats=2)
    full, none, twice = (100, 800), (100, 0), (100, 1600)
    rest = (full, full) * 3
    for first, second, least, saturated in (
        ((none, twice), (full, full), 0.8, False),
        ((none, full), (full, twice), 0.8, False),
        ((none, full), (full, full), 0.6, True),
    ):
        results = [result(sources=(*mine, *rest)) for mine in (first, second)]
        found = point(test, *results, monkeypatch=monkeypatch)
        assert (found.least, found.saturated) == (least, saturated)


@pytest.mark.parametrize("silent", range(4))
def test_processors_that_have_nobody_to_send_to_are_not_the_least(monkeypatch, silent):
    """One that has failed accepts nothing of itself, wherever it stands; of the others the one that is held up most counts."""
    test = load_test(damaged(FatCube(1, 2), [f"processor:{silent}"]), measured=8000)
    sources = [(500, 4000), (500, 3900), (500, 3990)]
    sources.insert(silent, (0, 0))
    found = point(test, result(sources=tuple(sources)), monkeypatch=monkeypatch)
    assert (found.least, found.saturated) == (3900 / 8000, False)


def test_requests_are_judged_over_the_ports_that_ask(monkeypatch):
    """Two of four ports of each processor, whose 100 requests of 8 flits in 1000 cycles are accepted in part."""
    test = with_replies(packet_flits=8, measured=1000, repeats=1)
    rest = ((100, 800),) * 6
    for mine, least, saturated in (
        (((100, 800), (100, 800)), 0.8, False),
        (((100, 400), (100, 600)), 0.5, True),
        (((100, 1600), (100, 0)), 0.8, False),
    ):
        found = point(test, result(sources=(*rest, *mine)), monkeypatch=monkeypatch)
        assert (found.least, found.saturated) == (least, saturated)


def test_bursts_and_lengths_that_wait(monkeypatch):
    """Eight bursts of three packets of 12 flits on average may wait; one flit more may not."""
    test = load_test(packet_flits=(6, 18), burst=3, measured=1000)
    for flits, saturated in ((600 - 288, False), (600 - 289, True)):
        found = point(test, result(sources=((50, flits),) * 4), monkeypatch=monkeypatch)
        assert found.saturated == saturated


def test_what_is_said_of_saturation():
    """The saturation found, or the neighbouring loads around it, in whatever order they were measured."""

    def said(saturation, **saturated):
        points = [load.LoadPoint(**{**SOME, "load": float(at), "saturated": full}) for at, full in saturated.items()]
        return LoadCurve(latency_without_load=1, bound=1, saturation=saturation, points=tuple(points)).saturated

    assert said(0.25, **{"0.5": True}) == "saturated from a load of 0.250 on"
    assert said(None, **{"0.5": True, "0.125": False, "0.25": False}) == "saturated at a load of 0.5, but not at 0.25"
    assert said(None, **{"0.5": True, "0.75": True}) == "saturated at a load of 0.5, the lowest of these"
    assert said(None, **{"0.5": False, "0.25": False}) == "not saturated at a load of 0.5"
    assert said(None) == "no load was measured"


# Seeds


def test_no_seed_shares_a_run_with_another():
    """Catches neighbouring seeds whose runs overlap: then their results are not independent."""
    for repeats in (1, 5, MOST_REPEATS):
        seeds = [[run.seed for run in load_test(seed=seed, repeats=repeats).runs(0.5)] for seed in range(5)]
        assert len(set(itertools.chain(*seeds))) == 5 * repeats
        assert all(len(one) == repeats for one in seeds)
    # And more repeats are these and further ones.
    few, many = ([run.seed for run in load_test(seed=3, repeats=n).runs(0.5)] for n in (2, 4))
    assert many[:2] == few


def test_a_run_is_what_the_options_say():
    test = load_test(packet_flits=(6, 10), warm_up=70, measured=500, repeats=1)
    [run] = test.runs(0.25)
    assert (run.warm_up, run.measured, run.cool_down, run.packet_flits) == (70, 500, 70, 10)
    assert (run.rate, run.burst_begin, run.burst_end) == (RATE_UNITS // 32, 0, 0)
    # The ways of each processor: to every one, itself among them, in packets of either length.
    assert [len(ways) for ways in run.destinations] == [8] * 4
    for ways in run.destinations:
        assert [(way.destination, way.flits) for way in ways] == list(itertools.product(range(4), (6, 10)))
    rates = [load_test(packet_flits=8).runs(at)[0].rate for at in (1e-9, 1.0)]
    assert rates == [1, RATE_UNITS // 8]


def test_parameters_are_those_of_network_and_load():
    test = load_test(burst=2)
    assert test.parameters == {**test.network.to_json(), **test.options.to_json()}
    assert (test.parameters["burst"], test.parameters["routing"]) == (2, "dimension-order")


def test_a_burst_offers_all_that_a_port_takes():
    [run] = load_test(packet_flits=8, burst=4, repeats=1).runs(0.5)
    assert run.rate == RATE_UNITS // 8
    # As long in bursts of 32 cycles as between them.
    assert (run.burst_end, run.burst_begin) == (RATE_UNITS // 32, 1 << 27)


def test_only_requests_are_created():
    """Over the lower two of four ports; the upper ones have the ways of replies, to every endpoint that asks."""
    [run] = with_replies(packet_flits=8, repeats=1).runs(0.5)
    for endpoint, ways in enumerate(run.destinations):
        if endpoint % 4 < 2:
            assert [way.destination for way in ways] == [endpoint % 4 + other for other in (0, 4, 8, 12)]
        assert {way.flits for way in ways} == ({8} if endpoint % 4 < 2 else {12})


# The machine


def test_machine_has_room_for_every_pattern_and_two_lengths():
    machine = load_test(Mesh(w=5, d=1), packet_flits=(6, 6, 6, 10)).machine
    assert (machine.ways, machine.queue, machine.bins) == (32, load.QUEUE, BINS)  # 5 targets, 4 times
    assert load_test(Mesh(w=5, d=1)).machine.ways == 16  # 2 x 5
    assert with_replies().machine.ways == 16  # endpoints that may ask
    assert not (machine.bursts or machine.details or machine.answers)
    assert load_test(burst=1).machine.bursts and load_test(details=True).machine.details
    assert with_replies().machine.answers == load.QUEUE


class AnyBench:
    def __init__(self, machine):
        self.machine = machine


def on_bench(bench, test):
    return LoadTest(test.network, test.options, AnyBench(bench.machine))


def test_on_a_bench_runs_go_there(monkeypatch):
    test = on_bench(load_test(), load_test())
    test.bench.observe = object()
    monkeypatch.setattr(
        load, "run_traffic", lambda machine, runs, observer: [result()] if observer is test.bench.observe else None
    )
    assert test.machine is test.bench.machine
    assert len(test.points([0.5], repeats=1)) == 1


@pytest.mark.parametrize(
    ("bench", "wanted", "message"),
    [
        (load_test(), load_test(Mesh(w=3, d=1)), "bench must be one with "),
        (load_test(), load_test(burst=2), "burst must be 0 on a bench that was made without bursts, not 2"),
        (load_test(burst=2), load_test(), "burst must be given on a bench that was made for bursts, not 0"),
        (
            with_replies(reply_flits=0),
            with_replies(),
            "reply flits must be 0 on a bench that was made without replies, not 12",
        ),
        (
            with_replies(),
            with_replies(reply_flits=0),
            "reply flits must be given on a bench that was made with replies, not 0",
        ),
        (load_test(), load_test(details=True), "details require a bench that was made with details"),
    ],
)
def test_another_bench_is_refused(bench, wanted, message):
    with pytest.raises(ParameterError, match=f"^{message}"):
        on_bench(bench, wanted)


def test_a_bench_may_have_details_that_nobody_asks_for():
    for bench, wanted in (
        (load_test(details=True), load_test()),
        (load_test(details=True), load_test(details=True)),
        (load_test(burst=3), load_test(burst=2)),
    ):
        assert on_bench(bench, wanted).machine is bench.machine


# Without load, and the bound


def test_latency_without_load_of_requests_and_replies():
    """There, the turn-round, and back: in a square, two routers on average each way."""
    assert with_replies(packet_flits=8).latency_without_load == (2 + 7) + TURNAROUND + (2 + 11)


def test_bound_by_hand():
    """On a line of four, uniform: half of the packets of two processors, 2 x 2 / 4, cross the middle lane."""
    assert load_test(Mesh(w=4, d=1)).bound == 1.0
    assert load_test(Mesh(w=8, d=1)).bound == 0.5
    # A tornado on a line of five: two lanes of the middle carry those of two.
    assert load_test(Mesh(w=5, d=1), pattern="tornado").bound == 0.5
    # Half of what two ports of a processor send crosses a lane of a square, and replies, which are half as long again.
    assert with_replies(packet_flits=8).bound == pytest.approx(1 / (1 + 1.5))


# Lanes and pairs


class Entry:
    def __init__(self, packets, latency, longest):
        self.packets, self.latency, self.longest = packets, latency, longest


def test_lane_utilisation_is_per_cycle_of_all_repeats(monkeypatch):
    """A lane that had 30 flits, then 50, in 100 cycles each, had 0.4 per cycle."""
    lanes = [[[30, 1], [2, 3], [4, 5], [6, 7]], [[50, 1], [2, 3], [4, 5], [6, 7]]]
    test = load_test(measured=100, repeats=2, details=True)
    found = point(test, *(result(lanes=one) for one in lanes), monkeypatch=monkeypatch)
    # Half of what a processor sends crosses each of its two lanes.
    assert [(one.node, one.to, one.lane, one.utilisation, one.by_loads) for one in found.lanes] == [
        *((0, 1, 0, 0.4, 0.25), (0, 2, 0, 0.01, 0.25), (1, 0, 0, 0.02, 0.25), (1, 3, 0, 0.03, 0.25)),
        *((2, 3, 0, 0.04, 0.25), (2, 0, 0, 0.05, 0.25), (3, 2, 0, 0.06, 0.25), (3, 1, 0, 0.07, 0.25)),
    ]


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (load_test(options={"ports": "d"}, details=True), 2 * 0.25),  # two ports that each send as the one above
        (with_replies(packet_flits=8, details=True), 2 * 0.25 * (1 + 1.5)),  # and replies, half as long again
        (load_test(FatCube(1, 2, 2), details=True), 2 * 0.25 / 2),  # two processors of a node, over two lanes
        # One port for each lane and processor; packets of two failed processors go nowhere, and all cross one lane.
        (load_test(damaged(FatCube(1, 2, 2), ["lane:0-1:0"]), details=True), 2 * 0.25),
        (load_test(damaged(FatCube(1, 2), ["processor:0", "processor:3"]), details=True), 0.25),
    ],
    ids=["two ports", "replies", "two lanes", "one lane is left", "one processor is left on a node"],
)
def test_expected_load_of_lanes(monkeypatch, test, expected):
    """At a load of 0.5, by hand: half of what a processor sends crosses each dimension, where nothing has failed."""
    topology = test.network.topology
    lanes = [[topology.nodes * 9] * topology.degree * topology.f] * topology.nodes
    sources = ((0, 0),) * topology.processors * test._ports
    found = point(test, result(lanes=lanes, sources=sources), monkeypatch=monkeypatch)
    assert {one.by_loads for one in found.lanes} == {expected}
    assert len(found.lanes) == sum(
        len(topology.lanes_of(node, channel)) for node in range(topology.nodes) for channel, *_ in topology.ends(node)
    )


def test_the_lane_that_is_left_has_its_own_count(monkeypatch):
    test = load_test(damaged(FatCube(1, 2, 2), ["lane:0-1:0"]), measured=10, details=True)
    found = point(test, result(lanes=[[9, 2], [9, 4]]), monkeypatch=monkeypatch)
    assert [(one.node, one.to, one.lane, one.utilisation) for one in found.lanes] == [(0, 1, 1, 0.2), (1, 0, 1, 0.4)]


def test_lanes_of_a_link_are_told_apart(monkeypatch):
    test = load_test(FatCube(1, 2, 2), measured=10, details=True)
    found = point(test, result(lanes=[[1, 2], [3, 4]]), monkeypatch=monkeypatch)
    assert [(one.node, one.lane, one.utilisation) for one in found.lanes] == [
        *((0, 0, 0.1), (0, 1, 0.2), (1, 0, 0.3), (1, 1, 0.4))
    ]


def test_pairs_are_of_all_repeats_and_of_packets(monkeypatch):
    nothing = Entry(0, 0, 0)

    def table(**entries):
        return [[entries.get(f"to{sink}_from{source}", nothing) for source in range(4)] for sink in range(4)]

    first = table(to1_from0=Entry(2, 40, 25), to0_from2=Entry(1, 10, 10))
    second = table(to1_from0=Entry(1, 20, 20), to3_from3=Entry(1, 11, 11))
    test = load_test(repeats=2, details=True)
    lanes = [[0, 0]] * 4
    found = point(test, *(result(pairs=one, lanes=lanes) for one in (first, second)), monkeypatch=monkeypatch)
    assert [tuple(one) for one in found.pairs] == [
        (0, 1, 3, 20 - PREPARATION, 25 - PREPARATION),
        (2, 0, 1, 10 - PREPARATION, 10 - PREPARATION),
        (3, 3, 1, 11 - PREPARATION, 11 - PREPARATION),
    ]


def test_pairs_are_of_all_ports(monkeypatch):
    """Of two ports of each processor, each sends to the one of the same number."""
    entries = [[Entry(0, 0, 0)] * 8 for _ in range(8)]
    entries[4] = [Entry(0, 0, 0)] * 2 + [Entry(2, 60, 33)] + [Entry(0, 0, 0)] * 5  # processor 1 to processor 2
    entries[5] = [Entry(0, 0, 0)] * 3 + [Entry(1, 15, 15)] + [Entry(0, 0, 0)] * 4  # over the other port
    test = load_test(options={"ports": "d"}, details=True)
    found = point(test, result(pairs=entries, lanes=[[0, 0]] * 4, sources=((0, 0),) * 8), monkeypatch=monkeypatch)
    assert [tuple(one) for one in found.pairs] == [(1, 2, 3, 25 - PREPARATION, 33 - PREPARATION)]


def test_a_pair_with_replies_begins_where_the_request_did(monkeypatch):
    """Of four ports the upper two take replies: what arrives there was asked for by the processor that it arrives at."""
    entries = [[Entry(0, 0, 0)] * 16 for _ in range(16)]
    entries[2] = [Entry(0, 0, 0)] * 14 + [Entry(2, 60, 33), Entry(0, 0, 0)]  # a reply of processor 3 to processor 0
    entries[12] = [Entry(5, 99, 99)] * 16  # requests
    some = result(pairs=entries, lanes=[[0, 0]] * 4, sources=((0, 0),) * 8)
    found = point(with_replies(details=True), some, monkeypatch=monkeypatch)
    assert [tuple(one) for one in found.pairs] == [(0, 3, 2, 30 - PREPARATION, 33 - PREPARATION)]


def test_no_details_without_asking(monkeypatch):
    found = point(load_test(), result(lanes=[[1, 2]] * 4, pairs=[[Entry(1, 9, 9)]]), monkeypatch=monkeypatch)
    assert (found.pairs, found.lanes) == ((), ())


# Saturation


class Threshold:
    """A network that is saturated from a load on; what it was measured at."""

    latency_without_load, bound = 9.0, 0.75

    def __init__(self, threshold, loads=()):
        self.threshold, self.options, self.asked = threshold, LoadOptions(loads=loads), []
        self.loads = self.options.loads

    def points(self, loads, repeats=None):
        loads = list(loads)
        self.asked.append((loads, repeats))
        return [self._point(at) for at in loads]

    def _point(self, at):
        some = dict.fromkeys(("median", "percentile_99", "longest", "conflicts"), 0)
        return load.LoadPoint(
            load=at,
            offered=at,
            accepted=min(at, self.threshold),
            latency=1.0,
            confidence=None,
            **{**some, "histogram": (), "saturated": at >= self.threshold, "failures": ("x",) if at == 1 else ()},
        )


@pytest.mark.parametrize("number", [*range(1, 20), 63, 64, 65, 120, 121, 127, 128])
def test_saturation_is_the_least_load_that_is_saturated(number):
    """In steps of 1/128: neither one load too high nor one too low, wherever it is among the coarse ones."""
    assert saturation(Threshold(number / 128)) == number / 128
    # Between two steps it is the upper one.
    assert saturation(Threshold((number - 0.5) / 128)) == number / 128


def test_saturation_is_looked_for_in_two_rounds_of_one_run():
    test = Threshold(0.5)
    saturation(test)
    assert test.asked[1:] == [([7 / 16 + number / 128 for number in range(1, 8)], 1)]


def test_what_nothing_saturates():
    test = Threshold(1.01)
    assert saturation(test) is None
    assert test.asked == [([number / 16 for number in range(1, 17)], 1)]


def test_loads_around_saturation():
    """Ten up to it, and two above, the last of which is 1; all twelve up to 1 if there is none."""
    assert around(0.5) == [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.75, 1.0]
    assert around(None) == [round(number / 12, 4) for number in range(1, 13)]
    assert around(0.25, 6) == [0.0625, 0.125, 0.1875, 0.25, 0.625, 1.0]


def test_the_curve_is_measured_at_the_loads_given_or_around_saturation():
    given = Threshold(0.5, loads=(0.25, 0.75))
    found = measure(given)
    assert given.asked == [([0.25, 0.75], None)]
    assert (found.saturation, [one.load for one in found.points]) == (None, [0.25, 0.75])
    sought = Threshold(0.5)
    found = measure(sought)
    assert (found.saturation, [one.load for one in found.points]) == (0.5, around(0.5))
    assert sought.asked[-1] == (around(0.5), None)
    assert (found.latency_without_load, found.bound) == (9.0, 0.75)
    assert found.throughput == 0.5 and found.failures == ["load 1: x"]
    assert LoadCurve.from_json(found.to_json()) == found
    assert LoadCurve(latency_without_load=1, bound=1, saturation=None, points=()).throughput == 0
    assert curve(sought, [0.125], 0.5).points == tuple(sought.points([0.125]))


@pytest.mark.parametrize(
    ("offered", "cycles", "begins", "ends"),
    [
        (1, 4, (1 << 32) - 1, 0),  # always on
        (0.5, 4, 1 << 30, RATE_UNITS // 4),
        (0.2, 4, 1 << 28, RATE_UNITS // 4),
        (0.5, 1, (1 << 32) - 1, RATE_UNITS - 1),  # as often as the hardware can
        (0.9, 4, (1 << 32) - 1, round(RATE_UNITS / 9)),  # longer bursts, as no time is left between those of 4 cycles
    ],
)
def test_probabilities_of_bursts(offered, cycles, begins, ends):
    """By hand: a burst ends with 1 / cycles, and the parts of the time on and off are as the load is to the rest."""
    begin, end = load._bursts(offered, cycles)
    assert end == ends
    assert begin == pytest.approx(begins, abs=1 << 12) and begin < 1 << 32
    assert offered < 1 or begin == begins
