"""Cores that FuseSoC takes; docs/tasks/flows.md, whose commands are tested, has them simulated and placed."""

import json
import os
from pathlib import Path
import re
import subprocess
import sys

import pytest
import yaml

from fatcube.noc.descriptions.flows.files import files_beside
from fatcube.noc.descriptions.flows.fusesoc import generator_files

pytest.importorskip("fusesoc")


def fusesoc(folder, *arguments):
    environment = {**os.environ, **{f"XDG_{kind}_HOME": str(folder) for kind in ("CONFIG", "DATA", "CACHE")}}
    command = [Path(sys.executable).with_name("fusesoc"), "--cores-root", folder, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_fusesoc_reads_the_cores(flows, tmp_path):
    """And sets up the lint, for which all files have to be there."""
    about, _, files = flows
    for name in files:
        (tmp_path / name).write_text(files[name])
    (tmp_path / "net.v").touch()
    core = json.loads(files["net.core"].removeprefix("CAPI=2:\n"))
    status, printed = fusesoc(tmp_path, "run", "--setup", "--target", "lint", f"fatcube:networks:{about['top']}")
    assert status == 0, printed
    [edam] = tmp_path.glob("build/*/lint/*.eda.yml")
    found = yaml.safe_load(edam.read_text())
    assert found["toplevel"] == about["top"] and [Path(file["name"]).name for file in found["files"]] == ["net.v"]
    assert ("constraints" in core["filesets"]) == ("net.sdc" in files)
    for family in ("ecp5", "ice40", "gowin"):
        status, printed = fusesoc(tmp_path, "run", "--setup", "--target", family, f"fatcube:networks:{about['top']}")
        assert status == 0, printed
        [script] = tmp_path.glob(f"build/*/{family}/*_procs.tcl")
        text = script.read_text()
        assert f"synth_{family}" in text and "net.v" in text and f"set top {about['top']}\n" in text
    status, printed = fusesoc(tmp_path, "gen", "show", "fatcube_network")
    assert status == 0 and "The parameter `options`" in printed


def test_a_core_has_the_files_that_are_written(flows):
    about, _, _ = flows
    core = files_beside(["fusesoc"], about, verilog="net.v", title="title", mhz=100)["net.core"]
    assert {*json.loads(core.removeprefix("CAPI=2:\n"))["filesets"]} == {"rtl"}
    if about["interface"] == "axi4-stream":
        files = files_beside(["testbench", "fusesoc"], about, verilog="net.v", title="title", mhz=100)
        core = json.loads(files["net.core"].removeprefix("CAPI=2:\n"))
        assert core["filesets"]["testbench"]["files"] == ["net_tb.v"]
        assert f"module {core['targets']['sim']['toplevel']};" in files["net_tb.v"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"option": "-d 1"}, "fatcube_network: parameters must be options and testbench, not option"),
        ({"options": "-d 0"}, "fatcube: .*d must be an integer .* not 0"),
    ],
)
def test_the_generator_refuses_in_one_line(tmp_path, parameters, message):
    program, request = tmp_path / "generator.py", tmp_path / "request.yml"
    program.write_text(generator_files()["fatcube_generator.py"])
    request.write_text(json.dumps({"gapi": "1.0", "vlnv": "::a:0", "parameters": parameters}))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, program, request],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
    )
    assert done.returncode != 0 and re.fullmatch(f"{message}\n", done.stderr)
    assert {*tmp_path.iterdir()} == {program, request}
