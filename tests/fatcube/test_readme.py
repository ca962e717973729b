"""The README shows real results: its tables, the output of its commands, and its figure."""

import importlib.util
import json
import os
from pathlib import Path
import re
import shlex
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from fatcube.cli.router_areas import Priced
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.grids import Mesh
from fatcube.synth.nextpnr import RIP_UP
from tests.support.commands import run
from tests.support.packages import VERSION
from tests.support.pair_cover import CONFIGURATIONS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FIGURES = ROOT / "docs" / "figures"
PEERS = {
    "fatcube": ["fatcube"],
    "fatcube, `--pipeline 2`": ["fatcube"],
    "BaseJump STL mesh, one-flit packets": ["bsg_mesh_router_buffered, 32 bits"],
    "BaseJump STL crossbar, one-flit packets": ["bsg_router_crossbar_o_by_i"],
    "PULP stream_xbar, one-flit packets": ["cc_stream_xbar with spill registers"],
    "FlooNoC": ["floo_router, source routed"],
    "RaveNoC": ["router_ravenoc"],
    "ProNoC": ["ProNoC's router_top"],
    "verilog-axis": ["axis_switch S0/M2"],
    "taxi": ["taxi_axis_switch"],
    "Becker": ["Becker's whr_top, hypercube", "Becker's whr_top, flattened butterfly"],
}
"""The names of the README's routers in the record of all."""


def overview():
    """The module that draws the README's figure."""
    spec = importlib.util.spec_from_file_location("overview", FIGURES / "overview.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_size():
    assert len(README.encode()) <= 8000


def test_words_of_the_field():
    assert [word for word in ("routing", "deadlock", "virtual channel") if word not in README.lower()] == []


def test_as_many_configurations_are_proved_as_are_said():
    page = (ROOT / "docs" / "ideas" / "proofs.md").read_text(encoding="utf-8")
    assert re.findall(r"(\d+)\s+configurations", README + page) == 2 * [str(len(CONFIGURATIONS))]


def test_the_status_is_that_of_the_release():
    """Version and date as in pyproject.toml and the newest release of the changelog, here, in the citation and in the wheel's name."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, date = re.findall(r"^## \[([\d.]+)\] - (\S+)$", changes, re.M)[0]
    assert version == VERSION and f"Version {version} of {date}" in README
    assert f"\nversion: {version}\ndate-released: {date}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    wheels = re.findall(r"\bfatcube-([\d.]+)-py3", (ROOT / "docs" / "start" / "install.md").read_text(encoding="utf-8"))
    assert {*wheels} == {version}


def test_the_changes_of_a_release_are_a_short_list():
    """Catches details that users do not need: the list of a release is at most two screens of lines that fit."""
    for one in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        lines = one.splitlines()
        assert len(lines) <= 75 and [line for line in lines if len(line) > 120] == [], lines[0]


def test_published_routers():
    """Every figure of the table is that of the record; a size is left out only where the record has none."""
    rows = [one["measured"] for one in json.loads((ROOT / "synth_reports" / "peers.json").read_text())]
    # In one flow: those of 5 ports have been placed with timing-driven rip-up too.
    measured = [
        row
        for row in rows
        if row["virtual_channels"] == 1 and not any(RIP_UP in one for one in row.get("commands", ()))
    ]
    table = README.partition("## Published routers")[2].partition("##")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*\|$", table, re.M)]
    assert [row[0] for row in rows[2:]] == list(PEERS)
    for name, cycles, *cells in rows[2:]:
        for ports, cell in zip((5, 8, 16), cells, strict=True):
            found = [
                f"{row['comb']:,}, {row['mhz']:.0f} MHz"
                for row in measured
                if row["name"] in PEERS[name] and row["ports"] == ports and row["cycles_per_hop"] == int(cycles)
            ]
            assert found == ([cell] if cell else []), (name, ports)


def test_a_fat_cube_beside_a_mesh():
    """Every figure of the table is that of the stored comparison."""
    stored = json.loads((ROOT / "synth_reports" / "compare-16.json").read_text())["measured"]["networks"]
    of = {json.dumps(one["topology"]): one for one in stored}
    table = README.partition("## A fat cube beside a mesh")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*\|$", table, re.M)]
    networks = {
        "4 × 4 mesh": Mesh(4, d=2),
        "fat cube d = 3, m = 2": FatCube(3, 2, 1),
        "fat cube d = 2, m = 4": FatCube(2, 4, 1),
    }
    assert [row[0] for row in rows[2:]] == list(networks)
    for name, *cells in rows[2:]:
        found = of[json.dumps(networks[name].to_json())]
        assert (found["processors"], found["machine"]["width"], found["machine"]["buffer_depth"]) == (16, 32, 4)
        steps = [str(found["collectives"][word]["steps"]) for word in ("OAB", "AAS")]
        silicon, load = f"{found['silicon']['comb']:,}", f"{found['load']['accepted']:.2f}"
        assert cells == [str(found["C_R"]), silicon, *steps, load], name


def test_the_block_diagram_is_of_the_network_that_is_made(monkeypatch, capsys, tmp_path):
    [line] = re.findall(r"^\$ fatcube (generate .*) -o mesh\.v$", README, re.M)
    assert run(monkeypatch, capsys, *line.split(), "-o", tmp_path / "mesh.v")[0] == 0
    assert (tmp_path / "mesh_blocks.svg").read_text() == (FIGURES / "mesh_blocks.svg").read_text()


def test_the_areas_have_the_columns_that_are_printed():
    """Catches a column that a table is given later, without the minutes of the command."""
    area: Any = object()
    price: Any = SimpleNamespace(ab=25)
    priced = Priced(cost=price, turns=[17], crossbar=area, used_crossbar=area, all_turns=area)
    [head] = re.findall(r"^\$ fatcube synthesize .*\n┃(.*)┃$", README, re.M)
    assert [one.strip() for one in head.split("┃")] == ["", "router", *priced.columns, "network: 16 routers"]


def test_commands_of_the_figure(monkeypatch, capsys):
    for _, flags, _ in overview().NETWORKS.values():
        for command in ("load", "synthesize"):
            assert run(monkeypatch, capsys, *command.split(), *flags.split(), "--dry-run")[0] == 0, flags


@pytest.mark.long(stays="tests/fatcube/test_readme.py::test_commands_of_the_figure")
def test_figure(tmp_path):
    """Measure every figure again."""
    module = overview()
    records = {}
    for name, (_, flags, _) in module.NETWORKS.items():
        made = []
        for command in ("load", "synthesize"):
            path = tmp_path / f"{len(records)}-{len(made)}.json"
            command = [sys.executable, "-m", "fatcube", *command.split(), *flags.split(), "--json", str(path)]
            subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
            made.append(json.loads(path.read_text()))
        records[name] = tuple(made)
    assert module.overview(records) == (FIGURES / "overview.svg").read_text()


@pytest.mark.long(stays="tests/fatcube/test_manual.py::test_every_command_is_one")
def test_every_line_shown_comes_out(tmp_path):
    """Each block with a prompt is run as it stands, and what it shows is among what it prints."""
    blocks = [block for block in README.split("```")[1::2] if block.startswith("\n$ ")]
    assert len(blocks) == 3
    folder = str(Path(sys.executable).parent)
    environment = {
        **os.environ,
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "100",
    }
    for block in blocks:
        printed, shown = "", []
        for line in block.strip().splitlines():
            if line.startswith("$ "):
                command = shlex.split(line[2:])
                done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
                assert done.returncode == 0, (line, done.stderr)
                printed += done.stdout
            else:
                shown.append(line)
        assert [line for line in shown if line not in printed.splitlines()] == []
