"""`fatcube gaps`: the stored cells, and with the flags of the step model the 3-cube without a search."""

import dataclasses
import json

import pytest

from fatcube.noc.topologies.cubes import FatCube
from fatcube.schedules.collective import Collective
from fatcube.schedules.step_model import StepModel
from fatcube.studies.open_cells import fat_cubes
from fatcube.studies.open_cells.cells import cubes_in
from fatcube.studies.open_cells.record import stored_cells
from tests.support.commands import run

MODELS = ("1", "b", "d", "*")


@pytest.fixture
def gaps(monkeypatch, capsys, tmp_path):
    """Runs the command on some sizes: its counts, its list of open cells, and what is in its file."""

    def run_gaps(*flags, sizes=((3, 1, 1),)):
        sizes = [FatCube(*size) for size in sizes]
        monkeypatch.setattr(fat_cubes, "cubes_in", lambda model: cubes_in(model, sizes))
        monkeypatch.setenv("COLUMNS", "250")
        file = tmp_path / "cells.json"
        status, out, _ = run(monkeypatch, capsys, "gaps", "--time-limit", "0", "--json", file, *flags)
        assert status == 0
        tables, _, listed = out.partition("\nopen cells\n")
        counts, rows = (
            [[one.strip() for one in line.split("│")[1:-1]] for line in text.splitlines() if "│" in line]
            for text in (tables, listed)
        )
        return (
            counts,
            [row for row in rows if row[0]],
            json.loads(file.read_text(encoding="utf-8"))["measured"],
            listed.splitlines()[-1],
        )

    return run_gaps


LISTED = {
    "half-duplex": (["--links", "half-duplex"], [], 32),
    "direct": (["--transfers", "direct"], [("d", "6", "5"), ("*", "6", "5")], 32),
    "per-packet": (
        ["--per-packet", "2"],
        [("1", "8", "7")],
        24,
    ),  # none of routers that copy packets, which take one message in each
    "dedicated ports": (["--dedicated-ports"], [], 8),
}


@pytest.mark.parametrize(("flags", "listed", "cells"), LISTED.values(), ids=LISTED)
def test_open_cells_are_listed(gaps, flags, listed, cells):
    """The list, the counts, the sentence and the file say the same: where the schedule has more steps than the bound."""
    counts, rows, record, last = gaps(*flags)
    assert [(row[0], row[2], row[6], row[7]) for row in rows] == [("all-reduce", *one) for one in listed]
    assert last.startswith(f"{len(listed)} of {cells} cells on 1 networks are open, 0 of them by more than")
    assert sum(int(row[4]) for row in counts) == sum(one["cells"] for one in record["counts"]) == cells
    assert sum(int(row[5]) for row in counts) == len(listed)
    names = ("ports", "steps", "lower_bound")
    assert listed == [tuple(str(one[name]) for name in names) for one in record["open"]]


def test_steps_are_those_that_were_proved_apart(monkeypatch):
    """Half duplex by search and flow elsewhere: 12 and 8 steps all-to-all, 7 and 5 all-gather; direct, FC Table 3: 7, 4 and 3."""
    monkeypatch.setattr(fat_cubes, "cubes_in", lambda model: cubes_in(model, [FatCube(3)]))

    def steps(model, *cells):
        found = {
            (one.cell.collective.value, one.cell.ports.value): one.steps
            for one in fat_cubes.cells_of_fat_cubes(model, time_limit=0)
        }
        return [found[cell] for cell in cells]

    half = StepModel(links="half-duplex")
    assert steps(half, ("AAS", "1"), ("AAS", "d"), ("AAB", "1"), ("AAB", "d")) == [12, 8, 7, 5]
    assert steps(StepModel(transfers="direct"), ("AAS", "1"), ("AAS", "d"), ("AAB", "d")) == [7, 4, 3]


def test_sizes_that_the_model_does_not_have_are_left_out():
    """Simplex links: a pair of nodes with one lane has none, and one with two has one each way."""
    found = cubes_in(StepModel(links="simplex"), [FatCube(1), FatCube(1, 1, 2)])
    assert {one.topology for one in found} == {FatCube(1, 1, 2)}


def test_a_cell_without_a_schedule_is_open(gaps, monkeypatch):
    """One for which nothing is constructed, and there is no time to search."""
    best = fat_cubes.best

    def without(problem, **how):
        found = best(problem, **how)
        lost = problem.collective is Collective.ALL_REDUCE
        return dataclasses.replace(found, schedule=None, by="not found") if lost else found

    monkeypatch.setattr(fat_cubes, "best", without)
    _, rows, record, _ = gaps("--port-use", "one-partner", sizes=[(1, 2, 1)])
    assert ("all-reduce", "none found") in {(row[0], row[6]) for row in rows}
    missing = [one for one in record["open"] if one["steps"] is None]
    assert len(missing) == sum("none found" in row for row in rows) > 0


@pytest.mark.parametrize(
    "flags, chosen",
    [
        ([], lambda model: True),
        (
            ["--links", "half-duplex", "--transfers", "direct"],
            lambda model: model.links == "half-duplex" and model.direct,
        ),
    ],
    ids=["all", "chosen"],
)
def test_stored_cells_are_listed(monkeypatch, capsys, tmp_path, flags, chosen):
    """All that are stored, or those of the step model that flags ask for; the page and the folder have the same counts."""
    file = tmp_path / "open.json"
    status, out, _ = run(monkeypatch, capsys, "gaps", *flags, "--json", file, "-o", tmp_path)
    mine = [one for one in stored_cells() if chosen(one.cell.model)]
    left = [one for one in mine if one.open]
    measured = json.loads(file.read_text(encoding="utf-8"))["measured"]
    assert status == 0 and len(measured["open"]) == len(left) > 0
    assert sum(one["cells"] for one in measured["counts"]) == len(mine)
    assert f"{len(left)} of {len(mine)} cells on " in out.splitlines()[-1]
    assert f"{len(left)} of {len(mine)} cells on " in (tmp_path / "gaps.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "gaps.json").read_text(encoding="utf-8"))["measured"] == measured


def test_step_models_without_stored_cells_are_refused(monkeypatch, capsys):
    said = "step model must be one that cells are stored for, or be given with --time-limit, not one-partner"
    for more in ([], ["--dry-run"]):
        assert run(monkeypatch, capsys, "gaps", "--port-use", "one-partner", *more) == (2, "", f"fatcube: {said}\n")
