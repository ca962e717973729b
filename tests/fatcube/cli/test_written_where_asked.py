"""Commands print their results, and write files only into the folder of ``-o``; results that come out again stay."""

import json
from pathlib import Path
import shutil

import pytest
from rich.console import Console

from fatcube.papers.fat_cube import reproduce as reproduce_module
from fatcube.papers.spanning_graphs import curves as curves_module
from tests.support.commands import run

ROOT = Path(__file__).parents[3]
REPORTS = ROOT / "synth_reports"
ROUTERS = ROOT / "tests" / "data" / "routers.jsonl"
CURVES = json.loads((REPORTS / "curves.json").read_text(encoding="utf-8"))["measured"]["rows"][::8]


@pytest.mark.parametrize(
    ("command", "shown", "written"),
    [
        ("gaps", " are open, ", {"gaps.md", "gaps.json"}),
        ("curves", "best packet size", {"curves.md", "curves.json", "curves.html", "curves.png"}),
        ("compare --processors 4", "steps", {"compare-4.md", "compare-4.json", "compare-4.html"}),
        (f"report --results {ROUTERS}", "## What it says", {"report.md", "report.html", "report-area.png"}),
    ],
    ids=["gaps", "curves", "compare", "report"],
)
def test_files_are_written_where_asked_only(monkeypatch, capsys, tmp_path, command, shown, written):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(curves_module, "measure_curves", lambda *_, **__: CURVES)
    status, out, _ = run(monkeypatch, capsys, *command.split())
    assert status == 0 and shown in out
    assert list(tmp_path.iterdir()) == []
    assert run(monkeypatch, capsys, *command.split(), "-o", "here")[0] == 0
    assert written <= {path.name for path in (tmp_path / "here").iterdir()}
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


@pytest.fixture
def measured(monkeypatch):
    """The committed cells and routers in place of a measurement."""
    results = json.loads((REPORTS / "reproduce.json").read_text(encoding="utf-8"))
    cells, routers = ([one["measured"] for one in results[table]] for table in ("table_6", "table_1"))
    monkeypatch.setattr(reproduce_module, "_measure", lambda networks, jobs: (cells, routers))
    return cells, routers


def reproduce(folder):
    reproduce_module.reproduce(folder, jobs=1, console=Console(quiet=True))
    return [(folder / f"reproduce.{ending}").read_bytes() for ending in ("md", "json")]


def test_the_same_results_are_not_written_again(measured, tmp_path):
    """As in a checkout of another revision, or with other tools: it stays clean."""
    for ending in ("md", "json"):
        shutil.copy(REPORTS / f"reproduce.{ending}", tmp_path)
    before = [(tmp_path / f"reproduce.{ending}").read_bytes() for ending in ("md", "json")]
    assert reproduce(tmp_path) == before


def test_other_results_are_written(measured, tmp_path):
    before = reproduce(tmp_path)
    cells, routers = measured
    cells[0]["cycles"] += 1
    after = reproduce(tmp_path)
    assert before[0] != after[0] and before[1] != after[1]
    cells[0]["problems"] = ["of the record alone"]
    assert reproduce(tmp_path)[1] != after[1]


@pytest.mark.parametrize("damage", ["", "[]", '{"table_6": 1}'])
def test_damaged_results_are_written_again(measured, tmp_path, damage):
    whole = reproduce(tmp_path)
    (tmp_path / "reproduce.json").write_text(damage)
    assert reproduce(tmp_path) == whole
