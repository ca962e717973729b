"""Times against packet size, measured on the smallest cube, beside values worked out by hand."""

import json
import pickle
import sys

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.papers.spanning_graphs import curves
from fatcube.papers.spanning_graphs.curves import best_sizes, measure_curves
from fatcube.papers.spanning_graphs.curves_page import write_curves
from fatcube.papers.spanning_graphs.printed import T

pytestmark = pytest.mark.xdist_group("curves")  # They share a measurement.


def in_this_process(calls, *, jobs):
    """The work of other processes, handed over as to them, without the imports of each; the last one is done first."""
    for number, call in reversed([*enumerate(calls)]):
        yield number, pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(call))()))


@pytest.fixture(scope="module")
def rows():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curves, "in_processes", in_this_process)
        return measure_curves([2])


def test_nothing_fails_and_all_is_delivered(rows):
    for row in rows:
        messages = row["elements"] // row["message"]
        assert row["failures"] == [] and row["conflicts"] == 0
        assert row["delivered"] == messages * {"OAB": 4, "OAS": 3, "AAB": 16, "AAS": 12}[row["collective"]]


def test_every_row_of_the_tables_is_there(rows):
    assert {(row["printed_in"], row["graph"]) for row in rows} == {
        (f"Table {table}", f"{row.partition(',')[0]}, {ports}")
        for table, (graphs, ports) in {
            4: (4, "one-port"),
            5: (5, "n-port"),
            11: (11, "one-port"),
            13: (13, "n-port"),
            15: (15, "one-port"),
            17: (17, "n-port"),
        }.items()
        for row in T[graphs]
    } | {("Table 7", row) for row in T[7]}


def test_steps_take_three_cycles_the_headers_and_the_payload(rows):
    """tau and t_c are fitted from other runs, yet all runs take what they say."""
    for row in rows:
        assert (row["tau"], row["t_c"]) == (pytest.approx(4), pytest.approx(1))
        assert row["cycles"] == row["startups"] * 4 + row["transferred"] + row["headers"]


def test_by_hand(rows):
    """On 4 nodes: SBT sends each packet twice in turn; nESBT sends one every step, and the last comes 2 steps later.

    Node 0 scatters 24 elements for each: to its first child 48 in one packet of two messages, then 24 to the other,
    while the first passes on. So two start-ups, 72 elements and one more header.
    """
    found = {(row["collective"], row["graph"], row["packet"]): row for row in rows}
    for size in (1, 4, 60):
        assert found["OAB", "SBT, one-port", size]["startups"] == 2 * 120 // size
        assert found["OAB", "nESBT, one-port", size]["startups"] == 120 // size + 2
        assert found["OAB", "SBT, n-port", size]["startups"] == 120 // size + 1
    row = found["OAB", "nESBT, one-port", 10]  # 14 start-ups of 4 cycles, 140 elements
    assert row["cycles"] == 14 * 4 + 140 and row["printed_cycles"] == pytest.approx(196)
    row = found["OAS", "SBT, one-port", 48]
    assert (row["startups"], row["transferred"], row["headers"], row["cycles"]) == (2, 72, 1, 81)


def test_best_sizes(rows):
    """B_opt of nESBT is sqrt(M tau / (n t_c)) = 15.5; that of SBT is M, and its time 2 (M + tau)."""
    best = {cells[:2]: cells[3:] for cells in best_sizes(rows)}
    assert best["OAB", "nESBT, one-port"][1:3] == (15, 190)
    assert best["OAB", "nESBT, one-port"][3] == pytest.approx(240**0.5)
    assert best["OAB", "SBT, one-port"] == pytest.approx((120, 120, 248, 120, 248, 0, 0))
    assert best["OAS", "SBT, one-port"] == pytest.approx((24, 48, 81, 48, 80, 1 / 80, 0))
    assert best["OAB", "TCBT, one-port"][3:5] == (None, None)  # n = 2: the root of a negative number


def test_longest_runs_are_left_out(monkeypatch):
    """Catches a limit of steps that does nothing, or a hole in the middle of a curve."""
    monkeypatch.setattr(curves, "_MOST_STEPS", 20)
    sizes = [size for curve, _, size, *_ in curves._runs(2, "1") if (curve.table, curve.row) == (4, "SBT")]
    assert sizes == [12, 15, 20, 30, 60, 120]


def test_pages(rows, tmp_path):
    paths = write_curves(rows, tmp_path)
    assert [path.name for path in paths] == ["curves.md", "curves.json", "curves.html", "curves.png"]
    text = paths[0].read_text()
    assert "tau = 4.00, t_c = 1.000" in text and "| 2 | 1 | 4 | 480 | 256 | 1.88 |" in text
    assert json.loads(paths[1].read_text())["measured"]["rows"] == rows
    page = paths[2].read_text()
    assert page.count('<figure class="figure" id="figure-') == 8 and 'id="table-0" data-name="All runs"' in page
    assert page.split('id="table-1"')[0].count("<tr>") == len(rows) + 1
    assert "nESBT, n = 2, measured" in page and "nESBT, n = 2, by formula" in page
    assert paths[3].read_bytes().startswith(b"\x89PNG")


def test_page_without_matplotlib(rows, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not installed
    assert [path.name for path in write_curves(rows, tmp_path)] == ["curves.md", "curves.json", "curves.html"]
    assert "png" not in (tmp_path / "curves.md").read_text()


def test_no_jobs():
    with pytest.raises(ParameterError, match="^jobs must be an integer of at least 1, not 0$"):
        measure_curves([2], jobs=0)


@pytest.mark.parametrize("dimensions", [[1], [7], [2, 0]])
def test_refused(dimensions):
    with pytest.raises(ParameterError, match="^dimensions must be an integer from 2 to 6, not "):
        measure_curves(dimensions)
