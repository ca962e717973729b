"""Points of one network that are run by one simulator: each has its own outcome."""

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies import measure as measuring
from fatcube.studies import sweep as sweeping
from fatcube.studies.measure import find_schedule, machines_of, measure_cycles
from fatcube.studies.point import Point

NETWORK = Network(FatCube(2, 2), RouterOptions(ports="d"))
COLLECTIVES = ("AOR", "AAB", "AAS")


def point(collective, network=NETWORK, payload_flits=4):
    return Point(network=network, collective=collective, payload_flits=payload_flits, family="gates")


def outcomes_of(points):
    [machine] = machines_of(points).values()
    return measure_cycles(points, [find_schedule(one) for one in points], machine)


@pytest.fixture
def calls(monkeypatch):
    """The number of runs of each call of the simulator."""
    made, simulate_all = [], measuring.simulate_all

    def counted(machine, runs, **options):
        made.append(len(runs))
        return simulate_all(machine, runs, **options)

    monkeypatch.setattr(measuring, "simulate_all", counted)
    return made


def test_together_as_alone(calls):
    points = [point(collective) for collective in COLLECTIVES]
    together = outcomes_of(points)
    assert calls == [6]
    [machine] = machines_of(points).values()
    assert together == [measure_cycles([one], [find_schedule(one)], machine)[0] for one in reversed(points)][::-1]
    assert calls == [6, 2, 2, 2]
    assert [run.steps for run, problems in together if problems == []] == [run.lower_bound for run, _ in together]
    assert len({run.cycles for run, _ in together}) == 3


def test_one_that_fails_is_told_from_the_others(monkeypatch, calls):
    simulate_all = measuring.simulate_all

    def failing(machine, runs, **options):
        if any(run.schedule.collective.value == "AAB" for run in runs):
            raise RuntimeError("the simulation\nfailed")
        return simulate_all(machine, runs, **options)

    monkeypatch.setattr(measuring, "simulate_all", failing)
    points = [point(collective) for collective in COLLECTIVES]
    first, failed, last = outcomes_of(points)
    assert failed == "the simulation failed"
    assert [first[0].steps, last[0].steps] == [find_schedule(points[0]).steps, find_schedule(points[2]).steps]
    assert calls == [2, 2]


def test_a_schedule_that_is_not_found_is_the_reason_of_its_point_only(monkeypatch, calls):
    best = measuring.best

    def failing(problem, **options):
        if problem.collective.value == "AAB":
            raise RuntimeError("none was found")
        return best(problem, **options)

    monkeypatch.setattr(measuring, "best", failing)
    first, failed, last = outcomes_of([point(collective) for collective in COLLECTIVES])
    assert failed == "none was found" and first[1] == last[1] == []
    assert calls == [4]


def test_eight_points_of_a_network_are_run_together():
    """By network, in their order, each run once though two families are measured with it."""
    small = Network(FatCube(1, 2))
    points = [point("OAB", network, flits) for flits in range(1, 11) for network in (NETWORK, small)]
    again = Point(network=NETWORK, collective="OAB", payload_flits=1, family="ecp5")
    together = sweeping._together([*points, again], lambda one: f"{one.network} {one.payload_flits}")
    sizes = [[len(together[f"{network} {flits}"]) for flits in range(1, 11)] for network in (NETWORK, small)]
    assert sizes == [[8] * 8 + [2] * 2] * 2
    assert list(together[f"{small} 9"].values()) == [points[17], points[19]]
    assert list(together[f"{NETWORK} 1"].values())[0] is points[0]
