"""Digests of values, sources and versions: equal for what is equal, and for nothing else."""

import hashlib
from importlib import metadata

import pytest

from fatcube.groundwork import digest as module
from fatcube.groundwork.digest import digest, rooms, source_digest, versions


def test_it_is_that_of_the_json_text():
    """Computed in another way, so that a digest of less than all values, or of fewer digits, shows."""
    text = b'[{"a": 1, "b": [true, null]}, "x"]'
    assert digest({"b": [True, None], "a": 1}, "x") == hashlib.sha256(text).hexdigest()[:24]


def test_every_value_counts_and_the_order_of_keys_does_not():
    given = [(), ("x",), ("x", "y"), ("y", "x"), (["x", "y"],), ({"a": 1},), ({"a": 2},), ({"b": 1},), (1,), ("1",)]
    assert len({digest(*values) for values in given}) == len(given)
    assert digest({"a": 1, "b": {"c": 2, "d": 3}}) == digest({"b": {"d": 3, "c": 2}, "a": 1})


@pytest.fixture
def root(monkeypatch, tmp_path):
    """A tree of sources in which the module stands."""
    for name in ("ground/digest.py", "one/a.py", "one/below/b.py", "two/a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"# {name}\n")
    monkeypatch.setattr(module, "_PACKAGE", tmp_path)
    return tmp_path


def of_sources(*rooms):
    return source_digest.__wrapped__(*rooms)  # which is kept for the process


def change(file):
    file.write_text("# other\n")


@pytest.mark.parametrize(
    "changed",
    [
        lambda root: change(root / "one" / "a.py"),
        lambda root: change(root / "one" / "below" / "b.py"),
        lambda root: change(root / "two" / "a.py"),
        lambda root: (root / "two" / "a.py").unlink(),
        lambda root: (root / "two" / "new.py").touch(),
        lambda root: (root / "two" / "a.py").rename(root / "two" / "c.py"),
        lambda root: (root / "one" / "below" / "b.py").rename(root / "two" / "b.py"),
    ],
    ids=["changed", "changed below", "changed in the second", "removed", "added", "renamed", "moved"],
)
def test_any_change_of_a_source_shows(root, changed):
    before = of_sources("one", "two")
    assert of_sources("one", "two") == before
    changed(root)
    assert of_sources("one", "two") != before


def test_other_rooms_and_other_files_do_not_count(root):
    before = of_sources("one")
    change(root / "two" / "a.py")
    change(root / "ground" / "digest.py")
    (root / "one" / "notes.txt").touch()
    assert of_sources("one") == before
    assert of_sources("one") != of_sources("two") != of_sources("one", "two")


def test_without_names_every_package_counts(root):
    """Catches a package that is left out; a folder without ``__init__.py`` is none."""
    for name in ("one", "two"):
        (root / name / "__init__.py").touch()
    (root / "results").mkdir()
    (root / "results" / "a.py").touch()
    assert rooms() == {"one": root / "one", "two": root / "two"}
    assert of_sources() == of_sources("one", "two")


def test_a_link_to_a_folder_is_a_package(root, tmp_path_factory):
    """Catches a checkout, where packages are links, that has another digest than what is installed from it."""
    (root / "one" / "__init__.py").touch()
    before = of_sources("one")
    beside = tmp_path_factory.mktemp("beside") / "one"
    (root / "one").rename(beside)
    (root / "one").symlink_to(beside)
    assert rooms() == {"one": root / "one"} and of_sources() == of_sources("one") == before


def test_versions_are_those_installed():
    assert versions(["pytest", "no-such-package", "amaranth"]) == {
        name: metadata.version(name) for name in ("pytest", "amaranth")
    }
