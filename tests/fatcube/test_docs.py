"""The documents show what the program reads, and commands and Python that run."""

import dataclasses
import json
from pathlib import Path
import re
import shlex
import types

import pytest

import fatcube
from fatcube import cli
from fatcube.studies.sweep_file import read_points
from groundwork.options import Option
from noc.machines.machine import Machine
from noc.routing_options import RoutingOptions
from rtl.router_options import RouterOptions
from schedules.checker import check
from schedules.schedule_file import schedule_from_json, schedule_to_json
from schedules.step_model import StepModel
from sim.traffic.load_options import LoadOptions
from tests.support.commands import run

ROOT = Path(__file__).parents[2]
DESIGN = ROOT / "docs" / "design.md"
EXAMPLES = ("README.md", "docs/guide.md")
COMMANDS = (*EXAMPLES, "docs/boards.md", "docs/regressions.md")
IN_PYTHON = (*EXAMPLES, "docs/amaranth.md")


def block(language, path=DESIGN):
    return re.search(f"```{language}\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)[1]


def test_the_schedule_is_valid():
    assert check(schedule_from_json(json.loads(block("json")))).steps == 3


def test_every_key_of_a_schedule_is_there():
    """A file with all of them, against the table."""
    schedule = schedule_from_json({**json.loads(block("json")), "parts": 1, "model": {}, "symmetric": False})
    section = DESIGN.read_text(encoding="utf-8").partition("## Schedule files")[2].partition("## Routing files")[0]
    table = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    keys = {
        *schedule_to_json(schedule),
        *schedule_to_json(schedule)["transfers"][0],
        "parts",
        "model",
        "path",
        "from",
        "to",
        "subset",
        "symmetric",
    }
    assert keys - {"format", "step", "src", "dst"} == set(table)


def test_every_field_of_a_step_model_is_there():
    rules = DESIGN.read_text(encoding="utf-8").partition("## Schedule files")[0]
    fields = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", rules, re.MULTILINE))
    assert fields.keys() == {*StepModel.names()}
    for field in dataclasses.fields(StepModel):
        assert [word for word in Option.of(field).choices if f"`{word}`" not in fields[field.name]] == []


def test_the_sweep_can_be_run(tmp_path):
    (tmp_path / "s.toml").write_text(block("toml"))
    assert len(list(read_points(tmp_path / "s.toml"))) == 2 * 2 * 2 * 2 * 2


@pytest.mark.parametrize("options", [RouterOptions, RoutingOptions, LoadOptions])
def test_every_option_is_a_key_of_sweeps(options):
    sweeps = DESIGN.read_text(encoding="utf-8").partition("## Sweep files")[2]
    assert [name for name in options.names() if f"`{name}`" not in sweeps] == []


def test_the_sweep_of_loads_can_be_run(tmp_path):
    text = DESIGN.read_text(encoding="utf-8").partition("`[[load]]` blocks")[2].partition("```toml\n")[2]
    (tmp_path / "s.toml").write_text(f'format = "fatcube.sweep/1"\n{text.partition("```")[0]}')
    assert len(list(read_points(tmp_path / "s.toml"))) == 2 * 2 * 2


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_can_be_run(monkeypatch, capsys, tmp_path, path):
    """Catches an option that has another name now: each line is run, with --dry-run if the command has one."""
    monkeypatch.chdir(tmp_path)
    blocks = (ROOT / path).read_text(encoding="utf-8").split("```")[1::2]
    lines = [line for block in blocks for line in re.findall("^(?:\\$ )?fatcube (.*)", block, re.MULTILINE)]
    assert len(lines) >= 3
    for line in lines:
        name, *arguments = shlex.split(line, comments=True)
        if name in ("board", "generate"):
            name = f"{name} {arguments.pop(0)}"
        if "--port" in arguments:  # of a board that is not here
            cli.commands()[name].make_context(name, arguments)
            continue
        made = [arguments[arguments.index("-o") + 1]] if name == "schedule" and "-o" in arguments else []
        dry = any("--dry-run" in option.opts for option in cli.commands()[name].params) and not made
        output = ["-o", tmp_path] if name == "report" else []
        status, _, err = run(monkeypatch, capsys, *name.split(), *arguments, *output, *["--dry-run"] * dry)
        assert (status, err) == (0, ""), line
        assert all(Path(file).is_file() for file in made), line


@pytest.mark.parametrize("path", IN_PYTHON)
def test_every_example_in_python_runs(monkeypatch, tmp_path, path):
    """Catches names and arguments that are no more; the simulation itself takes a minute, and others do it."""

    def simulate(machine, run):
        assert isinstance(machine, Machine) and isinstance(run, fatcube.Run)
        return types.SimpleNamespace(steps=run.schedule.steps, cycles=80, failures=())

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(fatcube, "simulate", simulate)
    exec(block("python", ROOT / path), {})
