"""The record of open cells: it has all cells, does not grow, and is what is computed."""

import pytest

from fatcube.noc.topologies.cubes import FatCube
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.studies.model_cells import PER_PACKET, cells_of
from fatcube.studies.open_cells import NETWORKS, cells_on, find, key, open_cells, open_rows, stored, summary, to_json

MOST_OPEN = 866  # open cells of the record; lower it when a better construction or bound closes some
MOST_BEYOND = 229  # of these, by more than one step and 10 % of the bound
SAMPLE = [FatCube(1, 1, 2), FatCube(1, 2, 1)]


def test_the_count_does_not_grow():
    cells = [pair for network in stored().values() for pair in network.values()]
    assert all(steps >= bound > 0 for steps, bound in cells)
    assert sum(steps > bound for steps, bound in cells) <= MOST_OPEN
    assert sum(steps > max(bound + 1, 1.1 * bound) for steps, bound in cells) <= MOST_BEYOND


def test_every_cell_is_there():
    """All fat cubes of up to 12 processors and two lanes, and a network of each other kind; of each, the cells of `fatcube models`
    that are not refused, but with packets of two messages where that has packets of four."""
    fat = {(d, m, f) for d in range(1, 13) for m in range(1, 13) for f in (1, 2) if m * 2**d <= 12}
    assert {(one.d, one.m, one.f) for one in NETWORKS if isinstance(one, FatCube)} == fat
    kinds = {"fat-cube", "ccc", "dense-ghc", "sparse-ghc", "mesh", "torus", "ring", "tree", "star"}
    assert {one.kind for one in NETWORKS} == kinds
    assert all(one.processors <= 12 for one in NETWORKS)
    assert list(stored()) == list(map(str, NETWORKS))
    for topology in NETWORKS:
        assert set(stored()[str(topology)]) == set(map(key, cells_on(topology)))
    # On the smallest fat cube: no simplex links, and model b with one message per packet only.
    assert len(stored()[str(FatCube(1, 1, 1))]) == 2 * 2 * (4 + 3 + 3) * 4
    assert PER_PACKET[::2] == (1, "unlimited") and len(cells_of(FatCube(1, 1, 1))) == 2 * 3 * 4 * 3 * 4


def assert_no_worse(topology):
    """No cell has more steps than are stored, or a lower bound."""
    found, before = to_json(find(topology)), stored()[str(topology)]
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


@pytest.mark.long(stays="tests/fatcube/studies/test_open_cells.py::test_some_cells_are_no_worse_than_stored")
@pytest.mark.parametrize("topology", [one for one in NETWORKS if one not in SAMPLE], ids=str)
def test_all_cells_are_no_worse_than_stored(topology):
    assert_no_worse(topology)


def test_no_cell_takes_longer_than_its_own_construction():
    """Catches a narrower cell whose schedule is none of the wider one: constructed alone, each takes at most what is stored."""
    for cell in list(cells_on(FatCube(1, 1, 2)))[::7]:
        steps, bound = stored()[str(cell.topology)][key(cell)]
        finding = construct(Problem(cell.topology, cell.ports, cell.collective, 0, cell.model))
        assert finding.bound.steps == bound <= steps <= finding.found.steps


def test_the_table_counts_cells():
    record = {
        "one": {
            "adjacent simplex 1 d AAB": [5, 5],
            "adjacent simplex 1 * AAB": [6, 5],
            "direct simplex 1 1 OAS": [3, 3],
        },
        "two": {
            "adjacent simplex 1 d AAB": [7, 5],
            "adjacent simplex 2 1 AAB": [22, 20],
            "adjacent simplex 2 d AAB": [23, 20],
        },
    }
    assert open_rows(record) == [
        ["AAB", "adjacent", "simplex", "1", 3, 2, 1],
        ["AAB", "adjacent", "simplex", "2", 2, 2, 1],
    ]
    assert [one["steps"] for one in open_cells(record)] == [6, 7, 22, 23]
    assert (
        summary(record) == "4 of 6 cells on 2 networks are open, 2 of them by more than one step and 10 % of the bound."
    )
