"""Areas of targets without LUTs have their own unit wherever they are shown."""

import json
from pathlib import Path

import pytest

from fatcube.studies import results
from fatcube.studies.report import page
from fatcube.studies.study import Study
from tests.support.commands import run
from tests.support.stored import points

STORED = Path("stored.jsonl")

UNITS = {"ecp5": "LUTs", "gates": "gates", "osu018": "NAND2 equivalents"}
KEYS = {"ecp5": "luts", "gates": "gates", "osu018": "nand2_equivalents"}


def records(family):
    """A small study as if it were of another family: of each area, standard cells have three times as many NAND gates."""
    return [
        {
            **one,
            "parameters": {**one["parameters"], "family": family},
            "measured": {
                **one["measured"],
                **({"nand2_equivalents": 3 * one["measured"]["comb_equivalents"]} if family == "osu018" else {}),
            },
        }
        for one in points()
    ]


def shown_units(text):
    return [unit for unit in UNITS.values() if unit in text]


@pytest.mark.parametrize("family", UNITS)
def test_explore(monkeypatch, capsys, tmp_path, family):
    """Catches a column headed LUTs over standard cells, and an area without flip-flops."""
    stored = records(family)
    monkeypatch.setattr(results, "read_records", lambda path: stored)
    files = [tmp_path / name for name in ("a.json", "a.csv", "a.html")]
    arguments = ["--processors", 8, "--family", family, "--results", STORED, "--workload", "broadcast"]
    outputs = ["--json", files[0], "--csv", files[1], "--page", files[2]]
    status, out, err = run(monkeypatch, capsys, "explore", *arguments, *outputs)
    assert status == 0, err
    assert shown_units(out) == [UNITS[family]] == shown_units(files[1].read_text())
    drawn = json.loads(files[2].read_text().split('id="figure-data" type="application/json">')[1].split("</script>")[0])
    assert drawn[0]["x"]["title"].startswith(f"{UNITS[family]} of all routers")
    front = json.loads(files[0].read_text())["measured"]["front"]
    assert all(one[KEYS[family]] > 0 and not {*KEYS.values()} - {KEYS[family]} & one.keys() for one in front)
    status, _, err = run(monkeypatch, capsys, "explore", *arguments, "--max-luts", 1)
    assert status == 1 and f"at most 1 {UNITS[family]} together" in err


def test_the_area_of_standard_cells_is_that_of_all_cells():
    luts, cells = (Study(records(family), family).routers for family in ("ecp5", "osu018"))
    assert [one.luts for one in cells.values()] == [3 * one.luts for one in luts.values()]


@pytest.mark.parametrize("family", UNITS)
def test_report(monkeypatch, capsys, family):
    stored = records(family)
    monkeypatch.setattr(results, "read_records", lambda path: stored)
    status, out, err = run(monkeypatch, capsys, "report", "--family", family, "--results", STORED)
    assert status == 0, err
    text = page(Study(stored, family))
    assert f">{UNITS[family]} of all routers" in text and f"{UNITS[family]} of the router" in text
    if family != "ecp5":
        assert "LUTs" not in out
        body = text.partition("<main")[2]
        assert "LUTs" not in body.partition('id="figure-data"')[0]
