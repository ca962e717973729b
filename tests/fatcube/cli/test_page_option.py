"""`--page` of the commands that have it: an HTML page, or Markdown if the name ends in .md."""

import json
from pathlib import Path

import pytest

from fatcube.papers.fat_cube import gaps as gaps_module
from fatcube.papers.fat_cube.gaps import Gap
from tests.support.commands import run

STORED = Path(__file__).parents[3] / "synth_reports" / "gaps.json"
GAPS = [Gap(**case) for case in json.loads(STORED.read_text(encoding="utf-8"))["measured"]["cases"]]


@pytest.mark.parametrize(
    ("command", "title", "said"),
    [
        (
            "explore --processors 8 --workload broadcast",
            "1 x OAB, 16 payload flits, 8 processors, ecp5",
            "Pareto front",
        ),
        ("gaps", "Steps against lower bounds", "In 2040 of 2112 cases the steps are the fewest, and 72 have a gap."),
        ("gaps --open", "Cells that are open", "cells on"),
        (
            "faults --topology ring -n 3 --pairs 1 --no-rtl --jobs 1",
            "Failures of ring(n=3, m=1, f=1)",
            "single failures leave",
        ),
        pytest.param(
            "board build arty-a7-35 -d 1 -m 1 --width 16 -o made",
            "on the Arty A7, Xilinx XC7A35T",
            "The clock is",
            marks=pytest.mark.long,
        ),
    ],
    ids=["explore", "gaps", "open", "faults", "board"],
)
def test_pages(monkeypatch, capsys, tmp_path, command, title, said):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gaps_module, "gaps", lambda **_: GAPS)
    for name in ("page.html", "page.md"):
        status, out, err = run(monkeypatch, capsys, *command.split(), "--page", name)
        assert (status, err) == (0, ""), err
        assert f"Written to {name}" in out
    page, text = ((tmp_path / name).read_text(encoding="utf-8") for name in ("page.html", "page.md"))
    assert page.startswith("<!doctype html>") and text.startswith("# ")
    assert title in page and title in text.partition("\n")[0] and said in page


def test_a_page_that_is_an_input_or_another_output_is_refused(monkeypatch, capsys, tmp_path):
    for command in ("explore --json same", "gaps --json same"):
        status, _, err = run(
            monkeypatch, capsys, *command.replace("same", str(tmp_path / "f")).split(), "--page", tmp_path / "f"
        )
        assert status == 2 and "fatcube: " in err and list(tmp_path.iterdir()) == []
