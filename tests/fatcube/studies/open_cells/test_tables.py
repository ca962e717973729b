"""The tables of open cells, by hand."""

from fatcube.noc.topologies.cubes import Hypercube
from fatcube.studies.open_cells.cells import cell_of
from fatcube.studies.open_cells.known import CellSteps
from fatcube.studies.open_cells.tables import count_rows, gaps_record, open_rows, summary

CUBE = Hypercube(3)
CELLS = [
    CellSteps(cell_of(CUBE, words), steps, bound, "because")
    for words, steps, bound in [
        ("adjacent simplex 1 d AAB", 5, 5),
        ("adjacent simplex 1 * AAB", 6, 5),
        ("direct simplex 1 1 OAS", 3, 3),
        ("adjacent simplex 1 1 AAB", 8, 5),
        ("adjacent simplex 2 1 AAB", 22, 20),
        ("adjacent simplex 2 d AAB", None, 20),
    ]
]


def test_the_tables_count_cells():
    assert count_rows(CELLS) == [
        ["AAB", "adjacent", "simplex", "1", 3, 2, 1],
        ["OAS", "direct", "simplex", "1", 1, 0, 0],
        ["AAB", "adjacent", "simplex", "2", 2, 2, 1],
    ]
    assert [row[6:] for row in open_rows(CELLS)] == [
        [6, 5, "because"],
        [8, 5, "because"],
        [22, 20, "because"],
        ["none found", 20, "because"],
    ]
    assert {row[1] for row in open_rows(CELLS)} == {"hypercube of 8 nodes"}
    assert {one["network"] for one in gaps_record(CELLS)["measured"]["open"]} == {"hypercube(d=3)"}
    assert [one["steps"] for one in gaps_record(CELLS)["measured"]["open"]] == [6, 8, 22, None]
    assert (
        summary(CELLS) == "4 of 6 cells on 1 networks are open, 2 of them by more than 2 steps and 20 % of the bound."
    )
