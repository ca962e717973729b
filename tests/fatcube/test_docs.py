"""What the documents show is what the program reads."""

import json
from pathlib import Path
import re

from fatcube.studies.points import read_points
from schedules.checker import check
from schedules.schedule_file import schedule_from_json, schedule_to_json

DESIGN = Path(__file__).parents[2] / "docs" / "design.md"


def block(language):
    return re.search(f"```{language}\n(.*?)```", DESIGN.read_text(encoding="utf-8"), re.DOTALL)[1]


def test_the_schedule_is_valid():
    assert check(schedule_from_json(json.loads(block("json")))).steps == 3


def test_every_key_of_a_schedule_is_there():
    """A file with all of them, against the table."""
    schedule = schedule_from_json({**json.loads(block("json")), "parts": 1, "per_packet": 1, "symmetric": False})
    table = re.findall(
        r"^\| `(\w+)` \|", DESIGN.read_text(encoding="utf-8").partition("## Result records")[0], re.MULTILINE
    )
    keys = {
        *schedule_to_json(schedule),
        *schedule_to_json(schedule)["transfers"][0],
        "parts",
        "per_packet",
        "symmetric",
    }
    assert keys - {"format", "step", "src", "dst"} == set(table)


def test_the_sweep_can_be_run(tmp_path):
    (tmp_path / "s.toml").write_text(block("toml"))
    assert len(list(read_points(tmp_path / "s.toml"))) == 2 * 2 * 2 * 2 * 2
