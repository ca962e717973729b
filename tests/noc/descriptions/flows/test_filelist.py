"""Lists of files: each simulator that they are for reads them, whatever their folder is called."""

import shutil
import subprocess

import pytest

from tests.support.commands import run
from tests.support.linting import linted

ICARUS = None not in (shutil.which("iverilog"), shutil.which("vvp"))


@pytest.mark.parametrize("name", ["net", "a.b", "a+b-c", "n\u00e9tz"])
def test_simulators_read_them(monkeypatch, capsys, tmp_path, name):
    folder = tmp_path / "two words, #1 $HOME"
    folder.mkdir()
    arguments = "generate network -d 1 --interface axi4-stream --with filelist --with testbench".split()
    assert run(monkeypatch, capsys, *arguments, "-o", folder / f"{name}.v")[0] == 0
    assert linted(folder, "-f", f"{name}.f", "--top-module", "axi_network") == ""
    if ICARUS:
        subprocess.run(["iverilog", "-g2005", "-o", "tests", "-f", f"{name}_tb.f"], cwd=folder, check=True)
        assert "PASS" in subprocess.run(["vvp", "tests"], cwd=folder, capture_output=True, text=True).stdout


@pytest.mark.parametrize("name", ["two words.v", "-net.v", "n$HOME.v", 'n".v'])
def test_names_that_they_do_not_read_are_refused(monkeypatch, capsys, tmp_path, name):
    """Icarus takes the quotes of a name with a blank as parts of it, and Verilator puts in variables."""
    status, _, err = run(
        monkeypatch, capsys, "generate", "network", "-d", 1, "--with", "filelist", "-o", tmp_path / name
    )
    assert status == 2 and err.startswith("fatcube: output must be named with letters, digits, _, ., + and - in a list")
    assert err.count("\n") == 1 and list(tmp_path.iterdir()) == []
