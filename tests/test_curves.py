"""Times against packet size, measured on the smallest cube, beside values worked out by hand."""

import json

import pytest

from fatcube.curves import best_sizes, measure_curves, write_curves
from rtl.parameters import ParameterError


@pytest.fixture(scope="module")
def rows():
    return measure_curves([2])


def test_nothing_fails_and_all_is_delivered(rows):
    parts = {(row["collective"], row["ports"], row["packet"]): row["parts"] for row in rows}
    assert parts["OAB", "1", 1] == 120 and parts["AAB", "d", 24] == 1
    for row in rows:
        assert row["failures"] == []
        assert row["delivered"] == {"OAB": 4, "OAS": 3, "AAB": 16}[row["collective"]] * row["parts"]


def test_steps_take_a_header_the_payload_and_three_cycles(rows):
    """tau and t_c are fitted from other runs, yet all runs take what they say."""
    for row in rows:
        assert (row["tau"], row["t_c"]) == (pytest.approx(4), pytest.approx(1))
        assert row["cycles"] == row["startups"] * (4 + row["packet"])


def test_by_hand(rows):
    """On 4 nodes: SBT sends each packet twice in turn; nESBT sends one every step, and the last comes 2 steps later."""
    found = {(row["collective"], row["graph"], row["packet"]): row for row in rows}
    for size in (1, 4, 60):
        assert found["OAB", "SBT, one-port", size]["startups"] == 2 * 120 // size
        assert found["OAB", "nESBT, one-port", size]["startups"] == 120 // size + 2
        assert found["OAB", "SBT, n-port", size]["startups"] == 120 // size + 1
    assert found["OAS", "SBT, one-port", 8]["startups"] == found["AAB", "SBT, one-port", 8]["startups"] == 9
    row = found["OAB", "nESBT, one-port", 10]  # 14 start-ups of 4 cycles, 140 elements
    assert row["cycles"] == 14 * 4 + 140 and row["printed_cycles"] == pytest.approx(196)


def test_best_sizes(rows):
    """The best B of the formula is near sqrt(M tau / (n t_c)) = 15.5."""
    best = {cells[:2]: cells[3:] for cells in best_sizes(rows)}
    assert best["OAB", "nESBT, one-port"][0] == best["OAB", "nESBT, one-port"][2] in (12, 15, 20)
    assert best["OAB", "SBT, one-port"][0] == 120
    assert best["OAB", "nESBT, one-port"][4] == pytest.approx(0)


def test_pages(rows, tmp_path):
    paths = write_curves(rows, tmp_path)
    assert [path.name for path in paths] == ["curves.md", "curves.json", "curves.html"]
    text = paths[0].read_text()
    assert "tau = 4.00, t_c = 1.000" in text and "| 2 | 1 | 4 | 480 | 256 | 1.88 |" in text
    assert json.loads(paths[1].read_text())["measured"]["rows"] == rows
    assert "plotly" in paths[2].read_text()


@pytest.mark.parametrize("dimensions", [[1], [7], [2, 0]])
def test_refused(dimensions):
    with pytest.raises(ParameterError, match="^dimensions must be an integer from 2 to 6, not "):
        measure_curves(dimensions)
