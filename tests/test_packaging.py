"""What is built to be installed: a wheel has all of the packages and nothing else, a source archive what the tests need."""

import os
from pathlib import Path
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest

import fatcube
from noc.topologies import named_topologies
from noc.topologies.graph import Graph
from tests.support.commands import run

ROOT = Path(__file__).parents[1]
PACKAGES = ("groundwork", "rtl", "noc", "schedules", "sim", "synth", "fatcube")
IN_SOURCE = ("docs", "tests", "typings", "synth_reports", "Makefile", "MANIFEST.in", "README.md", "LICENSE")
FILES_IN_SOURCE = ("CHANGELOG.md", "CONTRIBUTING.md", "requirements.lock", "requirements-test.lock", "pyproject.toml")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
_BUILD = "import setuptools.build_meta as build, sys; print(getattr(build, f'build_{sys.argv[1]}')(sys.argv[2]))"


def files_in(*names):
    """The files of the work tree in these folders, and these files, without what is made from them."""
    found = set()
    for name in names:
        within = (ROOT / name).rglob("*") if (ROOT / name).is_dir() else [ROOT / name]
        found |= {path.relative_to(ROOT).as_posix() for path in within if path.is_file()}
    made = (".pyc", ".html", ".sqlite", ".sqlite-wal", ".sqlite-shm")
    pages = "fatcube/reports/templates/"
    return {name for name in found if name.startswith(pages) or not name.endswith(made)}


def build(kind, sources, folder):
    """Builds an ``sdist`` or a ``wheel`` of a folder of sources; returns the file's path."""
    command = [sys.executable, "-c", _BUILD, kind, str(folder)]
    ended = subprocess.run(command, cwd=sources, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return folder / ended.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A source archive of the work tree, and the wheel that is built from it, as pip does."""
    folder = tmp_path_factory.mktemp("built")
    for name in (*PACKAGES, *IN_SOURCE, *FILES_IN_SOURCE, ".pre-commit-config.yaml"):
        if (ROOT / name).is_dir():
            skipped = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
            shutil.copytree(ROOT / name, folder / "tree" / name, symlinks=True, ignore=skipped)
        else:
            shutil.copy(ROOT / name, folder / "tree")
    source = build("sdist", folder / "tree", folder)
    with tarfile.open(source) as archive:
        # Python 3.11 has filters since 3.11.4 only.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        archive.extractall(folder)
    return source, build("wheel", folder / source.name.removesuffix(".tar.gz"), folder)


def test_a_wheel_has_all_of_the_packages_and_nothing_else(built):
    """Catches a template that is left out, and results that are installed as if they were a package."""
    with zipfile.ZipFile(built[1]) as wheel:
        names = {name for name in wheel.namelist() if not name.startswith(f"fatcube-{VERSION}.dist-info/")}
    assert names == files_in(*PACKAGES)


def test_a_source_archive_has_what_the_tests_need(built):
    with tarfile.open(built[0]) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    assert files_in(*PACKAGES, *IN_SOURCE, *FILES_IN_SOURCE) <= names
    assert not [name for name in names if name.endswith(".pyc")]


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """Runs ``fatcube`` from the wheel, in a folder of its own."""
    site, folder = (tmp_path_factory.mktemp(name) for name in ("site", "folder"))
    with zipfile.ZipFile(built[1]) as wheel:
        wheel.extractall(site)

    def command(*arguments):
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(site)},
        )

    place = command("-c", "import fatcube; print(fatcube.__file__)").stdout
    assert place.startswith(f"{site}/")
    return command


def test_what_is_installed_says_its_version(installed):
    assert installed("-m", "fatcube", "--version").stdout == f"fatcube {VERSION}\n"


def test_the_study_is_installed(installed):
    ended = installed("-m", "fatcube", "explore", "--processors", "8")
    assert ended.returncode == 0, ended.stderr
    assert "configurations are on the Pareto front" in ended.stdout


def test_the_templates_are_installed(installed):
    line = "generate network -d 1 --interface axi4-stream --with template --with testbench --with cocotb -o net.v"
    ended = installed("-m", "fatcube", *line.split())
    assert ended.returncode == 0, ended.stderr


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
