"""Schedules on networks with failures: checked on the whole network, bounds against it, and what may not take part."""

import itertools
import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best, construct
from fatcube.schedules.participants import EVERYBODY, Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.schedule_file import schedule_from_json, schedule_to_json
from fatcube.schedules.search import Outcome, search
from fatcube.schedules.step_model import StepModel
from tests.support.children import HANG

CASES = [
    (Hypercube(3), "link:0-1"),
    (Hypercube(3), "link:6-7:out"),
    (Hypercube(3), "node:0"),
    (FatCube(2, 2, 2), "lane:0-1:0,processor:2,lane:3-1:1:out"),
    (FatCube(2, 2, 2), "link:0-2,processor:0"),
    (Mesh(w=3, d=2), "node:4,link:0-1:out"),
    (Torus(w=3, d=2), "link:0-1,node:8"),
]


def _on_the_whole(schedule):
    """The transfers as a schedule on the whole network among the processors that work."""
    topology = schedule.topology
    working = Participants(*[tuple(topology.working)] * 2) if len(topology.working) < topology.processors else EVERYBODY
    among = schedule.collective.among(None, None, working.sources) if working.sources else EVERYBODY
    return Schedule(
        topology.whole,
        schedule.ports,
        schedule.collective,
        schedule.root,
        schedule.transfers,
        model=schedule.model,
        among=among,
    )


def _wires(schedule):
    """The node, channel and lane of every hop."""
    whole = schedule.topology.whole
    for transfer in schedule.transfers:
        for node, other, lane in transfer.hops(schedule.topology):
            yield node, whole.channels_between(node, other)[lane // whole.f], lane % whole.f


@pytest.mark.parametrize(
    ("model", "collectives"),
    [
        (StepModel(), [("d", one) for one in (Collective.AOR, Collective.AAS, Collective.ALL_REDUCE)]),
        pytest.param(StepModel(), [*itertools.product("1db*", Collective)], marks=pytest.mark.long),
        pytest.param(StepModel(transfers="direct"), [*itertools.product("1d", Collective)], marks=pytest.mark.long),
    ],
    ids=["few", "adjacent", "direct"],
)
@pytest.mark.parametrize(("whole", "failed"), CASES, ids=lambda value: str(value))
def test_schedules(whole, failed, model, collectives):
    """Every collective and router model: valid on the whole network, too, with its numbers, and over nothing that failed."""
    topology = damaged(whole, failed.split(","))
    for ports, collective in collectives:
        root = topology.working[-1] if collective.rooted else None
        found = construct(Problem(topology, ports, collective, root, model))
        schedule = found.found
        assert schedule.topology == topology and check(schedule).steps == schedule.steps >= found.bound.steps
        whole_bound = lower_bound(Problem(whole, ports, collective, root, model, among=_on_the_whole(schedule).among))
        assert schedule.steps >= whole_bound.steps
        check(_on_the_whole(schedule))
        used = {(node, channel) for node, channel, _ in _wires(schedule)}
        assert all(lane in topology.lanes_of(node, channel) for node, channel, lane in _wires(schedule))
        assert all(topology.neighbour(node, channel) for node, channel in used)
        busy = {end for transfer in schedule.transfers for end in (transfer.src, transfer.dst)}
        assert busy <= set(topology.working)
        assert schedule_from_json(schedule_to_json(schedule)) == schedule


def test_bounds_are_proved_by_search():
    """No schedule is shorter than the bound of the damaged 2-cube and mesh: the search finds none, or the bound met."""
    for whole, failed, collective in (
        (Hypercube(3), "node:7", Collective.AAB),
        (Hypercube(2), "link:2-3", Collective.AAS),
        (Hypercube(2), "link:3-2:out", Collective.AAR),
        (Mesh(w=3, d=2), "link:4-5", Collective.OAB),
    ):
        topology = damaged(whole, [failed])
        root = 8 if collective.rooted else None
        found = best(Problem(topology, "d", collective, root), optimal=True, time_limit=HANG)
        assert found.proved
        steps = found.bound.steps
        if steps > 1:
            assert search(
                Problem(topology.survivors, "d", collective, root), steps=steps - 1, time_limit=HANG
            ).outcome is (Outcome.IMPOSSIBLE)


def test_a_bound_looks_at_every_processor():
    """Wherever the link has failed, the node that it takes a link from bounds the all-gather of a 3-cube."""
    bounds = {
        lower_bound(Problem(damaged(Hypercube(3), [f"link:{node}-{node ^ 1 << b}"]), "d", "AAB", None)).steps
        for node in range(8)
        for b in range(3)
    }
    assert bounds == {4}


def test_reasons_have_the_numbers_of_the_network():
    """Catches a reason that names processors by their places among those that are left."""
    bound = lower_bound(Problem(damaged(Hypercube(3), ["node:0"]), "1", "OAS", 6))
    assert "processor 6" in bound.reason


def test_who_may_take_part():
    """A failed root or participant is refused, and so are transfers from, to and over what has failed."""
    topology = damaged(FatCube(2, 2, 2), ["node:3", "processor:1", "lane:0-1:0"])
    for root in (1, 6):
        with pytest.raises(ParameterError, match=f"root of OAB must be a processor that works .*, not {root}"):
            construct(Problem(topology, "1", "OAB", root))
    with pytest.raises(ParameterError, match="processor of to must be one that works .*, not 7"):
        construct(Problem(topology, "1", "OAB", 0, among=Participants(targets=(2, 7))))
    assert construct(Problem(topology, "1", "OAS", 0, among=Participants(targets=(2, 5)))).found.among.targets == (2, 5)
    schedule = construct(Problem(topology, "1", "OAB", 0)).found
    for transfer, message in (
        (Transfer(1, 0, 1, (0, None)), "processor 1 of the transfer of message .* does not work"),
        (Transfer(1, 0, 2, (0, None), 0), "over lane 0, the lane must be one of 1, which work"),
        (Transfer(1, 0, 6, (0, None), 0), "processor 6 .* does not work"),
    ):
        with pytest.raises(ScheduleError, match=message):
            check(Schedule(topology, "1", "OAB", 0, (transfer, *schedule.transfers)))
    with pytest.raises(ParameterError, match="half-duplex lanes must fail in both directions"):
        construct(Problem(damaged(Hypercube(2), ["link:0-1:out"]), "1", "OAB", 0, StepModel(links="half-duplex")))


@pytest.mark.long(stays="tests/schedules/test_damaged.py::test_schedules")
def test_random_failures():
    """Two hundred random double failures of a torus and a fat cube with every collective."""
    for whole, seed in ((Torus(w=4, d=2), 1), (FatCube(2, 4, 2), 2)):
        dice = random.Random(seed)
        links = [f"link:{node}-{other}" for node, other, _ in whole._links()]
        nodes = [f"node:{node}" for node in range(whole.nodes)]
        left = 0
        while left < 100:
            try:
                topology = damaged(whole, dice.sample(links + nodes, 2))
            except ParameterError:  # some pairs cut the fat cube
                continue
            left += 1
            for collective in (Collective.AAB, Collective.ALL_REDUCE):
                schedule = construct(Problem(topology, "d", collective, None)).found
                check(_on_the_whole(schedule))
