"""The type check that is made again only where something that it reads has changed."""

import pytest

from fatcube.groundwork.cache import Cache
from tests.support import type_check
from tests.support.packages import PACKAGE, ROOMS
from tests.support.type_check import checked, read_by

CONFIGURATION = '[tool.basedpyright]\ninclude = ["room"]\nstubPath = "typings"\n'


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "room" / "deep").mkdir(parents=True)
    (tmp_path / "typings" / "library").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION)
    (tmp_path / "room" / "deep" / "one.py").write_text("x = 1\n")
    (tmp_path / "typings" / "library" / "one.pyi").write_text("x: int\n")
    return tmp_path


def changed(tree, name, text):
    (tree / name).write_text(text)


CHANGES = {
    "a source": lambda tree: changed(tree, "room/deep/one.py", "x = 2\n"),
    "a source's name": lambda tree: (tree / "room/deep/one.py").rename(tree / "room/deep/two.py"),
    "a new source": lambda tree: changed(tree, "room/two.py", ""),
    "a stub": lambda tree: changed(tree, "typings/library/one.pyi", "x: str\n"),
    "the configuration": lambda tree: changed(tree, "pyproject.toml", f'{CONFIGURATION}pythonVersion = "3.12"\n'),
}


def status_of(tree, ending=0):
    """The exit status of a check that ends so, and how often it was made."""
    made = []
    return checked(tree, Cache(tree / "cache"), lambda: made.append(1) or ending), len(made)


@pytest.mark.parametrize("change", CHANGES)
def test_it_is_made_again_after_a_change(tree, change):
    assert status_of(tree) == (0, 1)
    assert status_of(tree) == (0, 0)
    CHANGES[change](tree)
    assert status_of(tree) == (0, 1)


def test_it_is_made_again_with_other_packages(tree, monkeypatch):
    assert status_of(tree) == (0, 1)
    monkeypatch.setattr(type_check.metadata, "distributions", list)
    assert status_of(tree) == (0, 1)


def test_a_change_of_something_else_does_not_count(tree):
    assert status_of(tree) == (0, 1)
    changed(tree, "pyproject.toml", f"{CONFIGURATION}[tool.ruff]\nline-length = 100\n")
    changed(tree, "room/notes.txt", "nothing")
    assert status_of(tree) == (0, 0)


def test_a_failure_is_not_remembered(tree):
    assert status_of(tree, ending=1) == (1, 1)
    assert status_of(tree, ending=1) == (1, 1)


def test_it_reads_the_sources_and_the_version_of_the_checker():
    configuration, _, packages, _ = read_by(type_check.ROOT)
    linked = {f"fatcube/{room}" for room in ROOMS if (PACKAGE / room).is_symlink()}
    assert set(configuration["include"]) == {
        "fatcube",
        "experiments",
        *linked,
    }  # as the checker follows no links by itself
    assert any(one.startswith("basedpyright ") for one in packages)
