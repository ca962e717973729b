"""The content cache: a record or a folder is made once, is there as a whole or not at all, and nothing is left over."""

import os
from pathlib import Path
import subprocess
import sys
import tempfile

import pytest

from groundwork.cache import Cache, cached_folder, remove_unfinished
from groundwork.runs import RUN


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
import sys, time
from groundwork.cache import cached_folder

def make(folder):
    print("made", flush=True)
    time.sleep(float(sys.argv[1]))
    (folder / "file").write_text("whole")

print((cached_folder("builds", "key", make) / "file").read_text())
"""


def start(seconds):
    command = [sys.executable, "-c", _MAKER, str(seconds)]
    of_their_own = {name: value for name, value in os.environ.items() if name != RUN}
    root = Path(__file__).resolve().parents[2]
    return subprocess.Popen(command, cwd=root, env=of_their_own, stdout=subprocess.PIPE, text=True)


def test_folder_is_made_by_one_of_several_at_a_time(folder):
    processes = [start(0.5) for _ in range(4)]
    printed = "".join(process.communicate()[0] for process in processes)
    assert sorted(printed.split()) == ["made", *["whole"] * 4]
    assert [path.name for path in folder.rglob("*")] == ["builds", "key", "file"]


def test_who_waits_for_one_that_is_killed_makes_it(folder):
    killed = start(60)
    assert killed.stdout.readline() == "made\n"
    waiting = start(0)
    killed.kill()
    killed.wait()
    assert waiting.communicate()[0] == "made\nwhole\n"
    remove_unfinished("that of another")
    assert [path.name for path in folder.rglob("*")] == ["builds", "key", "file"]


def test_lock_of_one_that_was_killed_goes(folder):
    killed = start(60)
    assert killed.stdout.readline() == "made\n"
    remove_unfinished("that of another")
    assert [path.name for path in (folder / "builds").glob(".lock-*")] == [".lock-key"]
    killed.kill()
    killed.wait()
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
