"""The last part of a message: its flits, the steps in which nothing longer moves, and the cycles that they take."""

import itertools

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.pipelined.best import best_in_parts, best_number_of_parts, cycles_of_bound
from fatcube.schedules.pipelined.build import lengths_of_parts, numbers_of_parts
from fatcube.schedules.pipelined.last import with_short_steps
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.wiring import network_of

LINE = Graph(tuple("abc"), (1, 1, 1), ((0, 1), (1, 2)))


def test_lengths():
    """The parts of a message have its flits, unless fewer parts of as many flits do: then the last one has one."""
    assert [lengths_of_parts(256, parts) for parts in (1, 2, 6, 26)] == [(256, 256), (128, 128), (43, 41), (10, 6)]
    assert [lengths_of_parts(10, parts) for parts in (3, 7, 10, 12)] == [(4, 2), (2, 1), (1, 1), (1, 1)]
    for flits, parts in itertools.product(range(1, 40), range(1, 45)):
        long, last = lengths_of_parts(flits, parts)
        assert 1 <= last <= long and long * parts >= flits
        if parts in numbers_of_parts(flits):
            assert (parts - 1) * long + last == flits


def test_cycles_by_hand():
    """Parts of 3, 3 and 1 flits along a line of two links: steps of 7, 7, 7 and 5 cycles; a step with several parts is a long one."""
    schedule = best_in_parts(Problem(LINE, "d", "OAB", 0, parts=3)).schedule
    network = network_of(schedule, RouterOptions(ports="d"))
    assert [lockstep_cycles(schedule, network, *lengths_of_parts(flits, 3)) for flits in (7, 9)] == [26, 28]
    assert (
        cycles_of_bound(
            Problem(LINE, "d", Collective.OAB, 0, parts=3),
            Network(LINE, RouterOptions(ports="d")),
            7,
        )
        == 26
    )


def short(schedule):
    """The steps in which nothing but last parts moves."""
    steps = {}
    for one in schedule.expanded().transfers:
        steps.setdefault(one.step, set()).add(one.message.part)
    return sum(parts == {schedule.parts - 1} for parts in steps.values())


@pytest.mark.parametrize("topology", [LINE, FatCube(1, 2, 1), Torus(w=3, d=2), Mesh(w=3, d=2)], ids=str)
@pytest.mark.parametrize("collective", ["OAB", "AAB", "AAR", "all-reduce", "AAS"])
def test_other_numbers_for_parts(topology, collective):
    """Catches numbers that differ between what is stored and its images, and between a sum and what carries it on."""
    for model in (
        (StepModel(), StepModel(per_packet=2)) if topology.m > 1 and collective != "all-reduce" else (StepModel(),)
    ):
        schedule = best_in_parts(Problem(topology, "d", collective, 0, parts=3, model=model)).schedule
        again = with_short_steps(schedule)
        assert check(schedule, model).steps == check(again, model).steps == schedule.steps
        assert short(again) == short(schedule) >= (topology == LINE and collective == "OAB")


def test_the_most_short_steps():
    """Of a line of two nodes every part has a step, and any part may be the last one."""
    pair = Graph(("a", "b"), (1, 1), ((0, 1),))
    assert short(best_in_parts(Problem(pair, "d", "OAB", 0, parts=4)).schedule) == 1


@pytest.mark.parametrize("flits", [1, 7, 10, 37])
def test_auto_takes_the_fewest_cycles_of_all_numbers(flits):
    """Catches a bound that is above what a schedule with a shorter last part takes, for which its number would be left out."""
    network = Network(LINE, RouterOptions(ports="d"))

    def cycles(schedule):
        return lockstep_cycles(
            schedule, network_of(schedule, network.options), *lengths_of_parts(flits, schedule.parts)
        )

    found = best_number_of_parts(Problem(LINE, network.options.ports, Collective.OAB, 0), network, flits).schedule
    every = [best_in_parts(Problem(LINE, "d", "OAB", 0, parts=parts)).schedule for parts in range(1, flits + 1)]
    assert cycles(found) == min(map(cycles, every))
    for one in every:
        assert cycles_of_bound(
            Problem(LINE, network.options.ports, Collective.OAB, 0, parts=one.parts), network, flits
        ) <= cycles(one)


def test_what_no_last_part_is():
    schedule = best_in_parts(Problem(LINE, "d", "OAB", 0, parts=3)).schedule
    network = network_of(schedule, RouterOptions(ports="d"))
    for last in (0, 5):
        with pytest.raises(ParameterError, match="^payload flits of the last part must be an integer from 1 to 4, not"):
            lockstep_cycles(schedule, network, 4, last)
    whole = best_in_parts(Problem(LINE, "d", "OAB", 0, parts=1)).schedule
    with pytest.raises(ParameterError, match="^payload flits of the last part must be 4 for one part, not 3$"):
        lockstep_cycles(whole, network, 4, 3)
