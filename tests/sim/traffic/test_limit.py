"""The cause that limits a network: the flits of lanes and ports beside those counted by hand and by nodes, and the words for them."""

import dataclasses

import pytest

from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.limit import FULL, Cause, Fullest, cause_of, sentence_of
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.load_point import LoadPoint
from fatcube.sim.traffic.saturation import LoadCurve
from tests.support.loads import POINT


def measured(topology, options=None, loads=(1.0,), **traffic):
    """The curve of a network, its options, and its packets."""
    test = LoadTest(RoutedNetwork(topology, RouterOptions(**(options or {}))), LoadOptions(repeats=1, **traffic))
    points = tuple(test.points(loads))
    curve = LoadCurve(latency_without_load=test.latency_without_load, bound=test.bound, saturation=None, points=points)
    return curve, test.network.options, max(test.options.packet_flits)


def cause(*given, **traffic):
    curve, options, _ = measured(*given, **traffic)
    return curve.cause(options)


LINE = Mesh(w=4, d=1)


@pytest.mark.parametrize(
    ("expected", "topology", "options", "traffic"),
    [
        # Processors 0 and 1 send over the lane in the middle, to 2 and 3.
        (Cause.CHANNELS, LINE, {"buffer_depth": 16}, {"traffic": "0,2,1.0;1,3,1.0"}),
        # Processor 0 receives from two neighbours over lanes of their own.
        (Cause.RECEIVERS, Hypercube(2), {"buffer_depth": 16}, {"traffic": "1,0,1.0;2,0,1.0"}),
        # Nobody shares anything.
        (Cause.SENDERS, Hypercube(1), {}, {"pattern": "bit-complement"}),
        (Cause.HANDSHAKE, Hypercube(1), {"buffer_depth": 1}, {"pattern": "bit-complement"}),
    ],
)
def test_the_cause_of_networks_that_can_have_no_other(expected, topology, options, traffic):
    assert cause(topology, options, **traffic) is expected


def test_a_lane_that_holds_up_nobody_is_not_looked_at():
    """Processor 0 fills a lane of its own; the lanes of the two that send to processor 3 have half as much, and so have these."""
    curve, options, _ = measured(Mesh(w=6, d=1), {"buffer_depth": 16}, traffic="0,1,1.0;2,3,1.0;4,3,1.0")
    fullest = curve.points[0].fullest
    assert (fullest.lane, fullest.sender, fullest.receiver) == pytest.approx((0.5, 0.5, 1.0), abs=0.02)
    assert curve.cause(options) is Cause.RECEIVERS


@pytest.mark.long(stays="tests/sim/traffic/test_limit.py::test_the_cause_of_networks_that_can_have_no_other")
def test_what_is_said_of_blocking_is_what_other_buffers_show():
    """Where lanes are said to be blocked too, buffers that hold a packet accept a fifth more; where packets block, those that pass
    each other on virtual channels accept more."""
    topology = Mesh(w=4, d=2)
    short, whole, passing = (
        measured(topology, options)
        for options in ({"buffer_depth": 2}, {"buffer_depth": 8}, {"buffer_depth": 8, "virtual_channels": 4})
    )
    assert short[0].cause(short[1]) is whole[0].cause(whole[1]) is Cause.BLOCKING
    assert "blocks lanes, too" in short[0].limit(*short[1:]) and "blocks lanes" not in whole[0].limit(*whole[1:])
    assert whole[0].throughput > 1.15 * short[0].throughput
    assert passing[0].throughput > 1.15 * whole[0].throughput


@pytest.mark.parametrize("options", [{}, {"links": "half-duplex"}])
def test_lanes_by_the_flits_of_sources_are_those_that_nodes_count(options):
    """With details the counters of lanes are taken, without them the flits of sources and the routes: the same lane within noise."""
    by_routes, by_counters = (
        measured(FatCube(2, 2), options, loads=(0.2,), details=details, measured=20_000)[0].points[0]
        for details in (False, True)
    )
    assert by_routes.fullest.lane == pytest.approx(by_counters.fullest.lane, rel=0.1)
    assert by_routes.fullest[1:] == by_counters.fullest[1:]
    if not options:
        assert by_counters.fullest.lane == max(lane.utilisation for lane in by_counters.lanes)


OPTIONS = RouterOptions(buffer_depth=8)
NONE = Fullest(0.5, 0.3, 0.4, 0.0, 0.25)


@pytest.mark.parametrize(
    ("expected", "fullest", "options"),
    [
        (Cause.BLOCKING, NONE, OPTIONS),
        (Cause.BLOCKING, NONE, OPTIONS.changed(buffer_depth=7)),
        (Cause.HANDSHAKE, NONE, OPTIONS.changed(buffer_depth=1)),
        (Cause.CIRCUITS, NONE, RouterOptions(switching="circuit")),
        (Cause.CHANNELS, NONE._replace(lane=FULL), OPTIONS),
        (Cause.BLOCKING, NONE._replace(lane=FULL - 0.01), OPTIONS),
        (Cause.RECEIVERS, NONE._replace(lane=0.9, receiver=0.91), OPTIONS),
        (Cause.CHANNELS, NONE._replace(lane=0.91, receiver=0.9), OPTIONS),
        (Cause.ANSWERS, NONE._replace(answering=0.9), OPTIONS),
        (Cause.CHANNELS, NONE._replace(lane=0.9), RouterOptions(switching="circuit")),
        (Cause.SENDERS, NONE._replace(sender=0.9, lane=1.0), OPTIONS),
    ],
)
def test_the_fullest_part_is_the_cause(expected, fullest, options):
    """Each sentence names its cause and the figures that it follows from, and no other cause."""
    assert cause_of(fullest, options, saturated=True) is expected
    sentence = sentence_of(fullest, options, 8, load=0.5, saturated=True)
    assert ("blocks lanes" in sentence) is (expected is Cause.BLOCKING and options.buffer_depth < 8)
    assert sentence.startswith(f"Limited by {'the ' * (expected is Cause.HANDSHAKE)}{expected.value}")
    figure = {Cause.SENDERS: fullest.sender, Cause.RECEIVERS: fullest.receiver, Cause.ANSWERS: fullest.answering}.get(
        expected, fullest.lane
    )
    assert f"{figure:.2f} flits per cycle" in sentence or f"moves {figure:.2f}" in sentence


def test_a_network_that_is_not_saturated_is_limited_by_what_was_sent():
    assert cause_of(NONE, OPTIONS, saturated=False) is Cause.SENDERS
    assert "up to a load of 0.500" in sentence_of(NONE, OPTIONS, 8, load=0.5, saturated=False)
    assert sentence_of(NONE, OPTIONS, 8, load=1, saturated=False).startswith("Limited by senders: ")


def curve(*points):
    return LoadCurve(latency_without_load=9.0, bound=1.0, saturation=None, points=points)


def test_the_point_that_shows_it_is_the_saturated_one_that_accepts_most():
    """Above saturation some networks accept less, and below it nothing is full."""
    below, most, above = (
        LoadPoint(**{**POINT, "load": load, "accepted": accepted, "saturated": saturated, "fullest": NONE})
        for load, accepted, saturated in ((0.3, 0.6, False), (0.5, 0.5, True), (1.0, 0.4, True))
    )
    assert curve(below, above, most).limiting == most
    assert curve(below).limiting == below
    unknown = dataclasses.replace(most, fullest=None)
    assert curve(unknown, above).limiting == above
    assert (curve(unknown).cause(OPTIONS), curve(unknown).limit(OPTIONS, 8)) == (None, "")


def test_a_record_keeps_it():
    point = LoadPoint(**{**POINT, "accepted": 0.5, "fullest": NONE, "histogram": (), "failures": ()})
    assert LoadCurve.from_json(curve(point).to_json()).points == (point,)
