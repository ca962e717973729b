"""Consequences of a schedule and of a bound of a cell for the other cells of its network."""

import dataclasses

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.schedules.checker import ScheduleError
from fatcube.schedules.counting import Bound
from fatcube.schedules.search import Outcome
from fatcube.studies.open_cells import searched as searched_module
from fatcube.studies.open_cells.cells import cell_of, cells_on, key, serves
from fatcube.studies.open_cells.known import Known
from fatcube.studies.open_cells.searched import Searched, known_of, read, search_open

PAIR = FatCube(1, 2, 1)


def cell(words, topology=PAIR):
    return cell_of(topology, words)


def test_words_name_a_cell():
    assert all(cell_of(PAIR, key(one)) == one for one in cells_on(PAIR))


@pytest.mark.parametrize(
    "one, other, does",
    [
        ("adjacent half-duplex 1 1 AAB", "direct full-duplex 2 * AAB", True),
        ("adjacent full-duplex 1 1 AAB", "adjacent half-duplex 1 1 AAB", False),
        ("adjacent full-duplex 1 b AAB", "adjacent full-duplex 1 * AAB", False),  # copies
        ("adjacent full-duplex 1 1 AAS", "adjacent full-duplex 1 1 OAB", True),
        ("adjacent full-duplex 2 1 AAB", "adjacent full-duplex 2 1 AAS", False),
        ("adjacent full-duplex 2 1 AAB", "adjacent full-duplex unlimited 1 AAS", True),
        ("adjacent full-duplex unlimited 1 AAB", "adjacent full-duplex 2 1 AAB", False),
    ],
)
def test_what_serves_what(one, other, does):
    assert serves(cell(one), cell(other)) == does


def test_a_schedule_is_taken_wherever_it_is_one():
    """An all-gather of 3 steps is an all-to-all in packets of any size, and in wider models; where it is not, nothing changes."""
    known = Known(PAIR)
    before = {one: known.steps(one) for one in known.cells}
    mine = cell("adjacent full-duplex 1 * AAB")
    short = known._schedules[mine]
    known._schedules = {one: long_one(schedule) for one, schedule in known._schedules.items()}
    known.take(mine, short)
    taken = {one for one in known.cells if known.steps(one) == short.steps}
    assert taken == {one for one in known.cells if one == mine or serves(mine, one)}
    assert cell("direct full-duplex unlimited * AAS") in taken and before[mine] == short.steps == 3


def long_one(schedule):
    """The schedule with its last step a hundred later."""
    moves = [dataclasses.replace(one, step=one.step + 100) for one in schedule.transfers]
    return dataclasses.replace(schedule, transfers=tuple(moves))


def test_a_bound_holds_for_all_that_serve():
    """Steps that are impossible in a wide model are impossible in a narrow one, and for a larger collective."""
    known = Known(PAIR)
    wide = cell("direct full-duplex unlimited * AAB")
    known.prove(wide, Bound(50, "proved"))
    assert {one for one in known.cells if known.bounds[one].steps == 50} == {
        one for one in known.cells if one == wide or serves(one, wide)
    }
    assert known.bounds[cell("adjacent half-duplex 2 1 AAS")].reason == f"proved ({wide})"


def test_a_stored_schedule_is_checked():
    known = Known(PAIR)
    broken = known._schedules[cell("adjacent full-duplex 1 1 AAB")]
    broken = dataclasses.replace(broken, transfers=broken.transfers[1:])
    with pytest.raises(ScheduleError):
        Known(PAIR, [broken])


def test_searches_are_read_as_they_were_written():
    """On the pair of two every open cell is closed: by proofs that there is no schedule of the bound, here all of half-duplex links."""
    searched = Searched()
    answers = [*search_open(PAIR, searched, 60)]
    assert {outcome for _, _, outcome in answers} <= {Outcome.FOUND, Outcome.IMPOSSIBLE}
    known = known_of(PAIR, searched)
    assert not any(map(known.open, known.cells)) and searched.proofs
    assert read(PAIR, searched.to_json()).to_json() == searched.to_json()


def test_schedules_that_are_found_are_stored(monkeypatch):
    """A cell whose construction is worsened is searched, and the schedule that is found stands in the results."""
    square = Hypercube(2)
    construct = searched_module.known_of

    def worse(topology, searched):
        known = construct(topology, searched)
        mine = cell("adjacent full-duplex 1 d AAB", topology)
        if mine not in searched.schedules:
            known._schedules[mine] = long_one(known._schedules[mine])
        return known

    monkeypatch.setattr(searched_module, "known_of", worse)
    monkeypatch.setattr(
        "fatcube.studies.open_cells.known.cells_on", lambda topology: [cell("adjacent full-duplex 1 d AAB", topology)]
    )
    monkeypatch.setattr(
        "fatcube.studies.open_cells.searched.cells_on",
        lambda topology: [cell("adjacent full-duplex 1 d AAB", topology)],
    )
    searched = Searched()
    assert [(steps, outcome) for _, steps, outcome in search_open(square, searched, 60)] == [(2, Outcome.FOUND)]
    again = read(square, searched.to_json())
    assert [one.steps for one in again.schedules.values()] == [2]
    assert again.schedules == searched.schedules
