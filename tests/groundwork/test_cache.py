"""The content cache: a record or a folder is made once, is there as a whole or not at all, and nothing is left over."""

import contextlib
import os
from pathlib import Path
import subprocess
import sys
import tempfile

import psutil
import pytest

from fatcube.groundwork.cache import Cache, cached_folder, remove_unfinished
from fatcube.groundwork.runs import RUN
from tests.support.children import HANG, child, until


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))
    return tmp_path


def test_record_is_made_once(tmp_path):
    made = []
    for directory, expected in ((tmp_path / "new", 1), (None, 2)):
        made.clear()
        for _ in range(2):
            assert Cache(directory).look_up({"a": [1]}, lambda: made.append(1) or {"b": 2}) == {"b": 2}
        assert len(made) == expected
    assert Cache(tmp_path / "new").look_up({"a": [2]}, lambda: "other") == "other"


def test_record_is_there_as_a_whole_or_not_at_all(tmp_path):
    with pytest.raises(TypeError):
        Cache(tmp_path).look_up("source", lambda: {"half": 1, "cannot be written": object()})
    assert not list(tmp_path.iterdir())
    Cache(tmp_path).look_up("source", lambda: 1)
    [file] = tmp_path.iterdir()
    for damaged in (b'{"half": ', b"\xff"):
        file.write_bytes(damaged)
        assert Cache(tmp_path).look_up("source", lambda: 2) == 2
        assert Cache(tmp_path).look_up("source", lambda: 3) == 2


def test_folder_is_made_once(folder):
    def make(aside):
        (aside / "file").write_text("whole")

    found = cached_folder("builds", "key", make)
    assert (found / "file").read_text() == "whole"
    assert cached_folder("builds", "key", lambda aside: pytest.fail("made again")) == found
    assert [path.name for path in folder.rglob("*")] == ["builds", "key", "file"]


def test_folder_that_cannot_be_made_is_not_there(folder):
    def make(aside):
        (aside / "half").touch()
        raise ValueError

    with pytest.raises(ValueError):
        cached_folder("builds", "key", make)
    assert [path.name for path in folder.rglob("*")] == ["builds"]


_MAKER = """
import sys
from fatcube.groundwork.cache import cached_folder

def make(folder):
    print("made", flush=True)
    sys.stdin.readline()
    (folder / "file").write_text("whole")

print((cached_folder("builds", "key", make) / "file").read_text())
"""


def maker():
    """A process that makes the folder, and has it half-made until it reads a line."""
    of_their_own = {name: value for name, value in os.environ.items() if name != RUN}
    root = Path(__file__).resolve().parents[2]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return child(sys.executable, "-c", _MAKER, cwd=root, env=of_their_own, **pipes)


def waits(process, folder):
    """Whether a process has the lock open, which another one has."""
    with contextlib.suppress(psutil.Error):
        return str(folder / "builds" / ".lock-key") in (file.path for file in psutil.Process(process.pid).open_files())


def test_folder_is_made_by_one_of_several_at_a_time(folder):
    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(maker()) for _ in range(4)]
        until(lambda: all(waits(process, folder) for process in processes))
        for process in processes:
            process.stdin.write("\n")
            process.stdin.flush()
        printed = "".join(process.communicate(timeout=HANG)[0] for process in processes)
    assert sorted(printed.split()) == ["made", *["whole"] * 4]
    assert [path.name for path in folder.rglob("*")] == ["builds", "key", "file"]


def test_who_waits_for_one_that_is_killed_makes_it(folder):
    with maker() as killed:
        assert killed.stdout.readline() == "made\n"
        with maker() as waiting:
            until(lambda: waits(waiting, folder), waiting)
            killed.kill()
            assert waiting.communicate("\n", timeout=HANG)[0] == "made\nwhole\n"
    remove_unfinished("that of another")
    assert [path.name for path in folder.rglob("*")] == ["builds", "key", "file"]


def test_lock_of_one_that_was_killed_goes(folder):
    with maker() as killed:
        assert killed.stdout.readline() == "made\n"
        remove_unfinished("that of another")
        assert [path.name for path in (folder / "builds").glob(".lock-*")] == [".lock-key"]
    remove_unfinished("that of another")
    assert not list((folder / "builds").iterdir())


def test_what_is_unfinished_goes_with_its_run(folder):
    """What a killed run left goes too; what a run that still runs is writing stays."""
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True)
    names = {"mine": "1-mine", "killed": f"{ended.stdout.strip()}-1", "running": f"{os.getpid()}-1"}
    for name in names.values():
        (folder / "builds" / f".unfinished-{name}" / "part").mkdir(parents=True)
    remove_unfinished(names["mine"])
    assert [path.name for path in Path(folder / "builds").iterdir()] == [f".unfinished-{names['running']}"]


def test_another_process_of_the_run_ends_its_own_in_between(monkeypatch, tmp_path):
    """The folder of the run goes with the last that is in it; one that is about to come in makes it again."""
    made, calls = tempfile.mkdtemp, []

    def mkdtemp(**options):
        calls.append(options["dir"])
        if len(calls) == 1:
            options["dir"].rmdir()
        return made(**options)

    monkeypatch.setattr(tempfile, "mkdtemp", mkdtemp)
    cache = Cache(tmp_path / "kind")
    assert cache.look_up("source", lambda: 7) == 7 == cache.find("source")
    assert len(calls) == 2
