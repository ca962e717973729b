"""The content cache: a record or a folder is made once, is there as a whole or not at all, and nothing is left over."""

import contextlib
import errno
import os
from pathlib import Path
import socket
import subprocess
import sys
import tempfile

import psutil
import pytest

from fatcube.groundwork import cache as cache_module
from fatcube.groundwork.cache import Cache, cached_folder, remove_unfinished
from fatcube.groundwork.runs import RUN, run_name, stale
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
import errno, fcntl, os, sys
from fatcube.groundwork.cache import cached_folder

def make(folder):
    print("made", flush=True)
    sys.stdin.readline()
    (folder / "file").write_text("whole")

def without_locks(file, what):
    raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

if sys.argv[1:]:
    fcntl.flock = without_locks
print((cached_folder("builds", "key", make) / "file").read_text())
"""
_WRITER = """
import pathlib, sys
from fatcube.groundwork import cache as cache_module
from fatcube.groundwork.cache import Cache, cache_folder

def write_text(path, text):
    with open(path, "w") as file:
        file.write(text[:len(text) // 2])
        file.flush()
        print("half", flush=True)
        sys.stdin.readline()
        file.write(text[len(text) // 2:])

pathlib.Path.write_text = write_text
print(Cache(cache_folder() / "kind").look_up("source", lambda: 77) == 77)
"""


def of_its_own(program, *arguments):
    """A process that is a run of its own."""
    of_their_own = {name: value for name, value in os.environ.items() if name != RUN}
    root = Path(__file__).resolve().parents[2]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return child(sys.executable, "-c", program, *arguments, cwd=root, env=of_their_own, **pipes)


def maker(*without_locks):
    """A process that makes the folder, and has it half-made until it reads a line."""
    return of_its_own(_MAKER, *without_locks)


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


def test_folder_is_whole_where_files_cannot_be_locked(folder):
    """As on some network file systems: each of two makes it, and what the first has made is kept, though one is killed."""
    with maker("without locks") as killed, maker("without locks") as first, maker("without locks") as second:
        assert [process.stdout.readline() for process in (killed, first, second)] == ["made\n"] * 3
        killed.kill()
        kept = set()
        for process in (first, second):
            assert process.communicate("\n", timeout=HANG)[0] == "whole\n"
            kept.add(os.stat(folder / "builds" / "key").st_ino)
        assert len(kept) == 1
    remove_unfinished("that of another")
    assert [path.name for path in folder.rglob("*")] == ["builds", "key", "file"]


def test_record_that_several_write_is_whole(folder):
    """Catches a reader of what is half-written, a number here too, and one of two whole ones that is taken for an error."""
    cache = Cache(folder / "kind")
    with of_its_own(_WRITER) as killed, of_its_own(_WRITER) as first, of_its_own(_WRITER) as second:
        assert [process.stdout.readline() for process in (killed, first, second)] == ["half\n"] * 3
        assert cache.find("source") is None
        killed.kill()
        for process in (first, second):
            assert process.communicate("\n", timeout=HANG)[0] == "True\n"
            assert cache.find("source") == 77
    remove_unfinished("that of another")
    [file] = (folder / "kind").iterdir()
    assert not file.name.startswith(".")


def test_record_that_another_machine_has_replaced_is_made_again(monkeypatch, tmp_path):
    cache, read_text = Cache(tmp_path), Path.read_text
    cache.look_up("source", lambda: 1)
    for number, found in ((errno.ESTALE, 2), (errno.EACCES, None)):

        def stale(path, number=number):
            raise OSError(number, os.strerror(number), path)

        monkeypatch.setattr(Path, "read_text", stale)
        with contextlib.nullcontext() if found else pytest.raises(PermissionError):
            assert cache.look_up("source", lambda: 2) == found
    monkeypatch.setattr(Path, "read_text", read_text)
    assert cache.find("source") == 2


def test_lock_that_another_machine_has_removed_is_made_again(monkeypatch, folder):
    """Its file is stale then on a network file system, and not one without a name."""
    fstat, asked = os.fstat, []

    def stale(number):
        asked.append(number)
        if len(asked) == 1:
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
        return fstat(number)

    monkeypatch.setattr(cache_module.os, "fstat", stale)
    assert cached_folder("builds", "key", lambda aside: None).is_dir()
    assert len(asked) == 2


def test_lock_of_one_that_was_killed_goes(folder):
    with maker() as killed:
        assert killed.stdout.readline() == "made\n"
        remove_unfinished("that of another")
        assert [path.name for path in (folder / "builds").glob(".lock-*")] == [".lock-key"]
    remove_unfinished("that of another")
    assert not list((folder / "builds").iterdir())


def test_what_is_unfinished_goes_with_its_run(folder):
    """Remains of a killed run go too; files that a running run, or another machine, is writing stay."""
    here = socket.gethostname()
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True)
    gone = ended.stdout.strip()
    names = {
        "mine": "1-mine",
        "killed": f"{gone}-1-{here}",
        "running": f"{os.getpid()}-1-{here}",
        "elsewhere": f"{gone}-1-other-{here}",
        "nameless": gone,
    }
    for name in names.values():
        (folder / "builds" / f".unfinished-{name}" / "part").mkdir(parents=True)
    remove_unfinished(names["mine"])
    left = {path.name.removeprefix(".unfinished-") for path in Path(folder / "builds").iterdir()}
    assert left == {names["running"], names["elsewhere"], names["nameless"]}
    assert run_name().endswith(f"-{here}") and not stale(run_name())


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
