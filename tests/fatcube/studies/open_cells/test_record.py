"""The record of open cells: it has all cells, does not grow, and is what follows from constructions and stored searches."""

import pytest

from fatcube.noc.topologies.cubes import FatCube
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.search import program_digest
from fatcube.studies.model_cells import PER_PACKET, cells_of
from fatcube.studies.open_cells.cells import FAT_CUBES, NETWORKS, SMALL, cells_on, key
from fatcube.studies.open_cells.record import stored, stored_cells, to_json
from fatcube.studies.open_cells.searched import known_of, read, stored_searches

MOST_OPEN = 297  # open cells of the record; lower it when a better construction, bound or search closes some
MOST_FAR = 27  # of these, by more than 2 steps and 20 % of the bound
MOST_ALL_REDUCES = 36  # open ones on fat cubes in the default step model
SAMPLE = [FatCube(1, 1, 2), FatCube(1, 2, 1)]


def test_the_counts_do_not_grow():
    cells = [*stored_cells()]
    assert all(one.steps >= one.lower_bound > 0 for one in cells)
    assert sum(one.open for one in cells) <= MOST_OPEN
    assert sum(one.far for one in cells) <= MOST_FAR
    reduces = [one for one in cells if one.cell.collective is Collective.ALL_REDUCE]
    assert len(reduces) == 4 * len(FAT_CUBES)
    assert sum(one.open for one in reduces) <= MOST_ALL_REDUCES


def test_every_cell_is_there():
    """All fat cubes of up to 12 processors and two lanes, and a network of each other kind; of each, the cells of `fatcube models`
    that are not refused, but with packets of two messages where that has packets of four. And all fat cubes of up to 32."""
    fat = {(d, m, f) for d in range(1, 13) for m in range(1, 13) for f in (1, 2) if m * 2**d <= 12}
    assert {(one.d, one.m, one.f) for one in SMALL if isinstance(one, FatCube)} == fat
    kinds = {"fat-cube", "ccc", "dense-ghc", "sparse-ghc", "mesh", "torus", "ring", "tree", "star"}
    assert {one.kind for one in SMALL} == kinds
    assert all(one.processors <= 12 for one in SMALL)
    assert (
        len(FAT_CUBES) == 66
        and {one.f for one in FAT_CUBES} == {1, 2, 3}
        and set(SMALL) | set(FAT_CUBES) == set(NETWORKS)
    )
    assert list(stored()) == list(stored_searches()) == list(map(str, NETWORKS))
    for topology in NETWORKS:
        assert set(stored()[str(topology)]) == set(map(key, cells_on(topology)))
    # On the smallest fat cube: no simplex links, model b with one message per packet only, and 4 collectives that are reductions.
    assert len(stored()[str(FatCube(1, 1, 1))]) == 2 * 2 * (4 + 3 + 3) * 4 + 4 * 4
    assert PER_PACKET[::2] == (1, "unlimited") and len(cells_of(FatCube(1, 1, 1))) == 2 * 3 * 4 * 3 * 4


def assert_no_worse(topology):
    """No cell has more steps than are stored, or a lower bound."""
    known = known_of(topology, read(topology, stored_searches()[str(topology)]))
    found, before = to_json(known.found()), stored()[str(topology)]
    assert found.keys() == before.keys()
    worse = {
        words: (found[words], before[words])
        for words in found
        if found[words][0] > before[words][0] or found[words][1] < before[words][1]
    }
    assert not worse


@pytest.mark.parametrize("topology", SAMPLE, ids=str)
def test_some_cells_are_no_worse_than_stored(topology):
    """Catches a change of a construction or of a bound that makes cells worse, and a record that was never reached."""
    assert_no_worse(topology)


@pytest.mark.long(stays="tests/fatcube/studies/open_cells/test_record.py::test_some_cells_are_no_worse_than_stored")
@pytest.mark.parametrize("topology", [one for one in NETWORKS if one not in SAMPLE], ids=str)
def test_all_cells_are_no_worse_than_stored(topology):
    assert_no_worse(topology)


def results_of_searches(few):
    """The stored results of searches on all networks, or on the first three that have any."""
    found = [(read(topology, stored_searches()[str(topology)])) for topology in NETWORKS]
    found = [one for one in found if one.schedules or one.proofs]
    return found[:3] if few else found


def assert_they_hold(results):
    """Schedules do their work, and the programs of proofs are those of today's source."""
    for searched in results:
        for cell, schedule in searched.schedules.items():
            assert (schedule.topology, schedule.collective, schedule.ports) == (
                cell.topology,
                cell.collective,
                cell.ports,
            )
            assert check(schedule, cell.model).steps >= stored()[str(cell.topology)][key(cell)][0]
        for cell, (steps, digest) in searched.proofs.items():
            assert program_digest(cell.problem, steps=steps) == digest
            assert stored()[str(cell.topology)][key(cell)][1] > steps


def test_some_stored_searches_hold():
    """Catches a program that changed under its proof, and a schedule that breaks a rule."""
    results = results_of_searches(few=True)
    assert len(results) == 3
    assert_they_hold(results)


@pytest.mark.long(stays="tests/fatcube/studies/open_cells/test_record.py::test_some_stored_searches_hold")
def test_all_stored_searches_hold():
    assert_they_hold(results_of_searches(few=False))


def test_no_cell_takes_longer_than_its_own_construction():
    """Catches a narrower cell whose schedule is none of the wider one: constructed alone, each takes at most what is stored."""
    for cell in cells_on(FatCube(1, 1, 2))[::7]:
        steps, bound = stored()[str(cell.topology)][key(cell)]
        finding = construct(cell.problem)
        assert finding.bound.steps <= bound <= steps <= finding.found.steps
