"""The command `fatcube view`: a page of a schedule that is right, and nothing but one line of any other."""

import json
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube
from fatcube.reports.view import view_page
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.schedule_file import schedule_to_json, write_schedule
from tests.support.children import HANG
from tests.support.commands import run


def gathering():
    return best(Problem(FatCube(2, 2, 1), "d", Collective.AAB), time_limit=HANG).schedule


def test_page_beside_the_schedule(monkeypatch, capsys, tmp_path):
    schedule = gathering()
    write_schedule(schedule, tmp_path / "s.json")
    status, out, err = run(monkeypatch, capsys, "view", tmp_path / "s.json")
    assert (status, err) == (0, "")
    assert out == f"{tmp_path / 's.html'}: AAB on the fat cube d = 2, m = 2, model d, 4 steps, 56 transfers\n"
    assert (tmp_path / "s.html").read_text(encoding="utf-8") == view_page(schedule)
    status, out, _ = run(monkeypatch, capsys, "view", tmp_path / "s.json", "-o", tmp_path / "other.html")
    assert status == 0 and (tmp_path / "other.html").exists()


@pytest.mark.parametrize(
    ("spoil", "status", "message"),
    [
        (
            lambda value: value["transfers"].pop(),
            1,
            r"after step \d: processor \d has not received message \[\d, null\]",
        ),
        (lambda value: value.pop("ports"), 2, r".*s\.json: ports must be given"),
    ],
)
def test_no_page_of_a_bad_schedule(monkeypatch, capsys, tmp_path, spoil, status, message):
    """Catches a page of a schedule that is wrong, a traceback, and a file left behind."""
    value = schedule_to_json(gathering())
    spoil(value)
    (tmp_path / "s.json").write_text(json.dumps(value))
    result = run(monkeypatch, capsys, "view", tmp_path / "s.json")
    assert result[0] == status
    assert re.fullmatch(f"fatcube: {message}\n", result[2])
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]


def test_never_over_the_schedule(monkeypatch, capsys, tmp_path):
    write_schedule(gathering(), tmp_path / "s.html")
    status, _, err = run(monkeypatch, capsys, "view", tmp_path / "s.html")
    assert status == 2
    assert err == (
        f"fatcube: output must be a different file from all others that are read or written, not {tmp_path / 's.html'}\n"
    )


def test_too_large_to_draw():
    schedule = Schedule(FatCube(9, 4, 1), "1", "OAB", 0, ())
    with pytest.raises(ParameterError, match="^processors of a network that is drawn must be at most 1024, not 2048$"):
        view_page(schedule)


def test_too_long_to_draw():
    """Catches a page of gigabytes for a file with one late step."""
    schedule = Schedule(FatCube(1, 1, 1), "1", "OAB", 0, [Transfer(100_001, 0, 1, (0, None), 0)])
    with pytest.raises(ParameterError, match="^steps of a schedule that is drawn must be at most 100000, not 100001$"):
        view_page(schedule)
