"""What a record says of the sources that measured it."""

import subprocess

from groundwork.record import _revision


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
    assert _revision(tmp_path) is None
    for name in ("rtl/router.py", "synth_reports/report.md"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("1\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    commit = git(tmp_path, "rev-parse", "HEAD")[:12]
    assert _revision(tmp_path) == commit
    (tmp_path / "synth_reports/report.md").write_text("2\n")
    assert _revision(tmp_path) == commit
    (tmp_path / "rtl/new.py").write_text("2\n")
    assert _revision(tmp_path) == f"{commit}-dirty"
    (tmp_path / "rtl/new.py").unlink()
    (tmp_path / "rtl/router.py").write_text("2\n")
    assert _revision(tmp_path) == f"{commit}-dirty"
