"""The pages about formats have every key and every example that the program reads; README's commands and Python run.

What is run of the manual is in ``test_manual.py``.
"""

import dataclasses
import json
from pathlib import Path
import re
import shlex

from amaranth.sim import Simulator
import pytest

from fatcube.groundwork.options import Option
from fatcube.noc.routing_options import RoutingOptions
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.schedule_file import schedule_from_json, schedule_to_json
from fatcube.schedules.step_model import StepModel
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.studies.sweep_file import read_points
from tests.support.commands import run

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SCHEDULES, SWEEPS = DOCS / "reference" / "schedule-files.md", DOCS / "reference" / "sweep-files.md"
README = ROOT / "README.md"


def block(language, path):
    return re.search(f"```{language}\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)[1]


def test_the_schedule_is_valid():
    assert check(schedule_from_json(json.loads(block("json", SCHEDULES)))).steps == 3


def test_every_key_of_a_schedule_is_there():
    """A file with all of them, against the table."""
    schedule = schedule_from_json({**json.loads(block("json", SCHEDULES)), "parts": 1, "model": {}, "symmetric": False})
    table = re.findall(r"^\| `(\w+)` \|", SCHEDULES.read_text(encoding="utf-8"), re.MULTILINE)
    keys = {
        *schedule_to_json(schedule),
        *schedule_to_json(schedule)["transfers"][0],
        "parts",
        "model",
        "path",
        "from",
        "to",
        "subset",
        "homes",
        "symmetric",
    }
    assert keys - {"format", "step", "src", "dst"} == set(table)


def test_every_field_of_a_step_model_is_there():
    rules = (DOCS / "ideas" / "steps.md").read_text(encoding="utf-8")
    fields = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", rules, re.MULTILINE))
    assert fields.keys() == {*StepModel.names()}
    for field in dataclasses.fields(StepModel):
        assert [word for word in Option.of(field).choices if f"`{word}`" not in fields[field.name]] == []


def test_the_sweep_can_be_run(tmp_path):
    (tmp_path / "s.toml").write_text(block("toml", SWEEPS))
    assert len(list(read_points(tmp_path / "s.toml"))) == 2 * 2 * 2 * 2 * 2


@pytest.mark.parametrize("options", [RouterOptions, RoutingOptions, LoadOptions])
def test_every_option_is_a_key_of_sweeps(options):
    """In the schema, of which the manual has a table."""
    schema = json.loads((DOCS / "schemas" / "sweep.json").read_text())
    assert [name for name in options.names() if name not in schema["properties"]] == []


def test_the_sweep_of_loads_can_be_run(tmp_path):
    [text] = [
        one
        for one in re.findall("```toml\n(.*?)```", SWEEPS.read_text(encoding="utf-8"), re.DOTALL)
        if "[[load]]" in one
    ]
    (tmp_path / "s.toml").write_text(text)
    assert len(list(read_points(tmp_path / "s.toml"))) == 2 * 2 * 2


def test_every_command_of_the_readme_can_be_run(monkeypatch, capsys, tmp_path):
    """Catches an option that has another name now: each line is run with --dry-run."""
    monkeypatch.chdir(tmp_path)
    lines = [
        line
        for block in README.read_text(encoding="utf-8").split("```")[1::2]
        for line in re.findall(r"^\$ fatcube (.*)", block, re.MULTILINE)
    ]
    assert len(lines) >= 3
    for name in ("mesh.v", "mesh_tb.v"):
        (tmp_path / name).touch()
    for line in lines:
        assert run(monkeypatch, capsys, *shlex.split(line, comments=True), "--dry-run")[::2] == (0, ""), line


def test_the_python_of_the_readme_runs(monkeypatch, tmp_path):
    """In Amaranth's simulator: the word that these lines send arrives at the other end."""
    lines = block("python", README)
    assert len(lines.splitlines()) == 8
    made, arrived = {}, []
    exec(lines, made)
    receive = made["receive"]

    async def arrival(sim):
        word = receive.payload
        *_, data, source, last = await sim.tick().sample(word.data, word.source, word.last).until(receive.valid)
        arrived.append((data, source, last))

    sim = Simulator(made["m"])
    sim.add_clock(1e-6)
    sim.add_testbench(arrival)
    sim.run_until(40e-6)
    assert arrived == [(42, 0, 1)]
