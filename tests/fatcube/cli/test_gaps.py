"""`fatcube gaps` with the flags of the step model, on the 3-cube and without a search."""

import dataclasses
import json

import pytest

from fatcube.papers.fat_cube import gaps as gaps_module
from fatcube.schedules.collective import Collective
from tests.support.commands import run

MODELS = ("1", "b", "d", "*")


@pytest.fixture
def gaps(monkeypatch, capsys, tmp_path):
    """Runs the command on some sizes: what it prints of its list, and the cases in its file."""

    def run_gaps(*flags, sizes=((3, 1, 1),)):
        monkeypatch.setattr(gaps_module, "SIZES", list(sizes))
        monkeypatch.setenv("COLUMNS", "200")
        file = tmp_path / "cases.json"
        status, out, _ = run(monkeypatch, capsys, "gaps", "--time-limit", "0", "--json", file, *flags)
        assert status == 0
        tables, _, listed = out.partition("\ngaps\n")
        rows = [[cell.strip() for cell in line.split("│")[1:-2]] for line in listed.splitlines() if "│" in line]
        rows = [row for row in rows if row[0]]  # without the rest of a reason that takes two lines
        return tables, rows, json.loads(file.read_text(encoding="utf-8")), listed.splitlines()[-1]

    return run_gaps


def steps(record, collective, ports):
    return next(
        one["steps"] for one in record["measured"]["cases"] if (one["collective"], one["ports"]) == (collective, ports)
    )


LISTED = {
    "half-duplex": (["--links", "half-duplex"], [], 32),
    "direct": (
        ["--transfers", "direct"],
        [
            ["all-reduce", "3", "1", "1", "d", "6", "5"],
            ["all-reduce", "3", "1", "1", "*", "6", "5"],
        ],
        32,
    ),
    "per-packet": (
        ["--per-packet", "2"],
        [
            ["all-reduce", "3", "1", "1", "1", "8", "7"],
        ],
        24,  # none of routers that copy packets, which take one message in each
    ),
    "dedicated ports": (["--dedicated-ports"], [], 8),
}


@pytest.mark.parametrize(("flags", "listed", "cases"), LISTED.values(), ids=LISTED)
def test_cases_with_a_gap_are_listed(gaps, flags, listed, cases):
    """The list, the count and the file say the same: where the schedule has more steps than the bound."""
    tables, rows, record, last = gaps(*flags)
    assert rows == listed
    assert last == f"{len(listed)} of {cases} cases have a gap."
    found = record["measured"]["cases"]
    assert len(found) == cases
    names = ("collective", "d", "m", "f", "ports", "steps", "lower_bound")
    assert listed == [[str(one[name]) for name in names] for one in found if one["steps"] != one["lower_bound"]]
    assert tables.count("1 of 1") == cases - len(listed) and tables.count("0 of 1") == len(listed)
    assert "of 0" not in tables


def test_half_duplex_steps_are_the_proved_ones(gaps):
    """Proved with search and maximum flow, apart from this project: 12 and 8 steps all-to-all, 7 and 5 all-gather."""
    _, _, record, _ = gaps("--links", "half-duplex")
    assert record["parameters"] == {"most_processors": 32, "links": "half-duplex"}
    assert [steps(record, *case) for case in (("AAS", "1"), ("AAS", "d"), ("AAB", "1"), ("AAB", "d"))] == [12, 8, 7, 5]


def test_direct_steps_are_those_of_table_3(gaps):
    """FC Table 3, wormhole: P - 1 with one port; P / 2 all-to-all and ceil((P - 1) / d) all-gather with d ports."""
    _, _, record, _ = gaps("--transfers", "direct")
    assert [steps(record, *case) for case in (("AAS", "1"), ("AAS", "d"), ("AAB", "d"))] == [7, 4, 3]


def test_sizes_that_the_model_does_not_have_are_left_out(gaps):
    """Simplex links: a pair of nodes with one lane has none, and one with two has one each way."""
    _, _, record, _ = gaps("--links", "simplex", sizes=[(1, 1, 1), (1, 1, 2)])
    assert {(one["d"], one["m"], one["f"]) for one in record["measured"]["cases"]} == {(1, 1, 2)}


def test_a_case_without_a_schedule_has_a_gap(gaps, monkeypatch):
    """One for which nothing is constructed, and there is no time to search."""
    best = gaps_module.best

    def without(problem, **how):
        found = best(problem, **how)
        lost = problem.collective is Collective.ALL_REDUCE
        return dataclasses.replace(found, schedule=None, by="not found") if lost else found

    monkeypatch.setattr(gaps_module, "best", without)
    _, rows, record, last = gaps("--port-use", "one-partner", sizes=[(1, 2, 1)])
    assert ["all-reduce", "1", "2", "1", "1", "none found", "6"] in rows
    missing = [one for one in record["measured"]["cases"] if one["steps"] is None]
    assert missing and all(one["gap"] is None for one in missing)
    assert len(rows) == int(last.split()[0])


def test_open_cells_are_listed_from_the_record(monkeypatch, capsys, tmp_path):
    """The number that is printed is that of the file."""
    file = tmp_path / "open.json"
    status, out, _ = run(monkeypatch, capsys, "gaps", "--open", "--json", file)
    cells = json.loads(file.read_text(encoding="utf-8"))["measured"]["open"]
    assert status == 0
    assert out.splitlines()[-1].startswith(f"{len(cells)} of ")
    assert all(one["steps"] > one["lower_bound"] for one in cells)


@pytest.mark.parametrize("flags", [["--links", "half-duplex"], ["--time-limit", "5"], ["-o", "somewhere"]], ids=str)
def test_open_cells_are_not_chosen(monkeypatch, capsys, tmp_path, flags):
    monkeypatch.chdir(tmp_path)
    status, _, err = run(monkeypatch, capsys, "gaps", "--open", *flags)
    assert status == 2
    assert "--open must stand alone or with --page and --json" in err
    assert not list(tmp_path.iterdir())
