"""The built archives: a wheel has all of the packages and nothing else, a source archive also the needs of the tests."""

from email.parser import Parser
import json
import os
import subprocess
import sys
import tarfile
import zipfile

import pytest

import fatcube
from fatcube.noc.topologies import named_topologies
from fatcube.noc.topologies.graph import Graph
from tests.support.commands import run
from tests.support.manual import MADE
from tests.support.packages import FILES_IN_SOURCE, IN_SOURCE, PACKAGE, PYTHONS, ROOMS, ROOT, VERSION, build_both

pytestmark = pytest.mark.xdist_group("packaging")  # both are built once, not by each worker


#: The package and its rooms, whose folders may be links.
SOURCES = (PACKAGE.name, *(f"{PACKAGE.name}/{room}" for room in ROOMS))


def files_in(*names):
    """The files of the work tree in these folders, and these files, without what is made from them."""
    found = set()
    for name in names:
        within = (ROOT / name).rglob("*") if (ROOT / name).is_dir() else [ROOT / name]
        found |= {path.relative_to(ROOT).as_posix() for path in within if path.is_file()}
    manual = tuple(f"docs/{folder}/" for folder in MADE)
    made = (".pyc", ".html", ".sqlite", ".sqlite-wal", ".sqlite-shm")
    pages = "fatcube/reports/templates/"
    found = {name for name in found if not name.startswith(manual)}
    return {name for name in found if name.startswith(pages) or not name.endswith(made)}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build_both(tmp_path_factory.mktemp("built"))


def test_a_wheel_has_all_of_the_packages_and_nothing_else(built):
    """Catches a template that is left out, and folders that are installed as if they were packages of the user's."""
    with zipfile.ZipFile(built[1]) as wheel:
        names = {name for name in wheel.namelist() if not name.startswith(f"fatcube-{VERSION}.dist-info/")}
    assert names == files_in(*SOURCES)


def test_a_source_archive_has_what_the_tests_need(built):
    with tarfile.open(built[0]) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    assert files_in(*SOURCES, *IN_SOURCE, *FILES_IN_SOURCE) <= names
    assert not [name for name in names if name.endswith(".pyc")]


def test_the_wheel_says_what_it_is(built):
    """The version is that of pyproject.toml, and the Pythons are those tested."""
    source, wheel = built
    assert source.name == f"fatcube-{VERSION}.tar.gz" and wheel.name == f"fatcube-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        metadata = Parser().parsestr(archive.read(f"fatcube-{VERSION}.dist-info/METADATA").decode())
    assert metadata["Version"] == VERSION and metadata["License-Expression"] == "BSD-2-Clause"
    assert {*metadata.get_all("Provides-Extra")} == {"board", "cluster", "gowin", "ice40", "report", "test"}
    prefix = "Programming Language :: Python :: 3."
    tested = [one for one in metadata.get_all("Classifier") if one.startswith(prefix)]
    assert tested == [f"Programming Language :: Python :: {version}" for version in PYTHONS]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nlicense: {metadata['License-Expression']}\n" in citation


COMMANDS = {
    "study": "explore --processors 8",
    "templates": "generate network -d 1 --interface axi4-stream --with template --with testbench --with cocotb -o net.v",
}
#: Runs the commands one after the other, as the imports of each take longer than what it does; and then says the version,
#: with all that a process of the command does, which it can do once.
ALL = """
import contextlib, io, json, sys
import fatcube
import fatcube.__main__
import fatcube.cli

ended = {}
for name, command in json.loads(sys.argv[1]).items():
    sys.argv, out = ["fatcube", *command.split()], io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            fatcube.cli.main()
            status = 0
        except SystemExit as stop:
            status = stop.code or 0
    ended[name] = status, out.getvalue()
print(json.dumps([fatcube.__file__, ended]), flush=True)
sys.argv = ["fatcube", "--version"]
fatcube.__main__.main()
"""


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """The exit status and output of each command of ``fatcube`` from the wheel, in a folder of its own; and its version."""
    site, folder = (tmp_path_factory.mktemp(name) for name in ("site", "folder"))
    with zipfile.ZipFile(built[1]) as wheel:
        wheel.extractall(site)

    process = subprocess.run(
        [sys.executable, "-c", ALL, json.dumps(COMMANDS)],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(site)},
    )
    assert process.returncode == 0, process.stderr
    found, version = process.stdout.split("\n", 1)
    place, ended = json.loads(found)
    assert place.startswith(f"{site}/")
    return {"version": version} | {name: (*one, process.stderr) for name, one in ended.items()}


def test_a_wheel_has_one_name(built, tmp_path):
    """A program that imports ``sim`` or ``rtl`` finds nothing of fatcube's there, and nothing else is at the top."""
    with zipfile.ZipFile(built[1]) as wheel:
        wheel.extractall(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"fatcube", f"fatcube-{VERSION}.dist-info"}
    found = f"import importlib.machinery as m; print([m.PathFinder.find_spec(name, [{str(tmp_path)!r}]) for name in {ROOMS}])"
    printed = subprocess.run([sys.executable, "-c", found], capture_output=True, text=True, check=True).stdout
    assert printed == f"{[None] * len(ROOMS)}\n"


def test_what_is_installed_says_its_version(installed):
    assert installed["version"] == f"fatcube {VERSION}\n"


def test_the_study_is_installed(installed):
    status, printed, errors = installed["study"]
    assert status == 0, errors
    assert "configurations are on the Pareto front" in printed


def test_the_templates_are_installed(installed):
    status, _, errors = installed["templates"]
    assert status == 0, errors


def test_every_topology_is_at_the_door():
    """Catches a topology that users of the library have to look for in our rooms."""
    topologies = {cls.__name__: cls for cls in (*named_topologies().values(), Graph)}
    assert {name: getattr(fatcube, name, None) for name in topologies} == topologies
    assert {*topologies, "read_topology"} <= set(fatcube.__all__)


def test_every_name_at_the_door_is_there():
    assert [name for name in fatcube.__all__ if getattr(fatcube, name).__name__ != name] == []


def test_the_version_stands_in_one_place(monkeypatch, capsys):
    """Catches a checkout that is installed with another version than it says."""
    assert run(monkeypatch, capsys, "--version") == (0, f"fatcube {VERSION}\n", "")
