"""The content cache: results and builds on disk, found again by what they were made from, so none is out of date.

Unfinished entries are in a folder of their run, which goes when the run ends; it is renamed once it is whole. So
machines may share a cache: of those that make the same at the same time one is the first to rename it. Locks only save
the others the work, where the file system has any.
"""

from collections.abc import Callable, Iterator
import contextlib
import contextvars
import errno
import fcntl
import json
import os
from pathlib import Path
import shutil
import tempfile
from typing import Any, TextIO

from fatcube.groundwork.digest import digest
from fatcube.groundwork.runs import run_name, stale

__all__ = ["Cache", "NotCached", "cache_folder", "cached_folder", "nothing_made", "remove_unfinished"]


_UNFINISHED = ".unfinished-"
_LOCK = ".lock-"
_making = contextvars.ContextVar("_making", default=True)


class NotCached(Exception):
    """An entry that would have to be made is not in the cache."""


@contextlib.contextmanager
def nothing_made() -> Iterator[None]:
    """Within it, :func:`cached_folder` raises :class:`NotCached` instead of making a folder that is not there."""
    token = _making.set(False)
    try:
        yield
    finally:
        _making.reset(token)


def cache_folder() -> Path:
    """The folder where builds and results are kept: ``$FATCUBE_CACHE``, or ``.fatcube`` in the current folder."""
    return Path(os.environ.get("FATCUBE_CACHE", ".fatcube")).absolute()


def cached_folder(kind: str, key: str, make: Callable[[Path], None]) -> Path:
    """The folder with this kind and key in the cache, made by ``make(folder)`` if it is not there yet.

    A folder that is found is complete, also if the process that made it was killed. Of several processes that need
    it at the same time one makes it, and the others wait; where files cannot be locked, each makes it and one is kept.

    Raises
    ------
    OSError
        If it cannot be written, and whatever ``make`` raises.
    NotCached
        If it is not there yet, within :func:`nothing_made`.
    """
    folder = cache_folder() / kind / key
    if not folder.exists():
        if not _making.get():
            raise NotCached(folder)
        with _alone(folder.parent / f"{_LOCK}{key}"):
            if not folder.exists():
                with _unfinished(folder.parent) as aside:
                    make(aside)
                    try:
                        aside.rename(folder)
                    except OSError as error:
                        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                            raise  # Otherwise another machine was faster, and has made the same.
    return folder


class Cache:
    """A directory of JSON records. What a record is made from is its key, so none is ever out of date.

    Parameters
    ----------
    directory : path or ``None``
        A folder in the cache, made when the first record is written; ``None`` keeps nothing.
    """

    def __init__(self, directory: Path | str | None) -> None:
        self._directory = None if directory is None else Path(directory)

    def find(self, source: Any) -> Any:
        """The record of ``source``; ``None`` if there is none, or none that can be read."""
        if self._directory is not None:
            try:
                return json.loads(self._file(source).read_text())
            except ValueError:
                return None
            except OSError as error:
                # A file of a network file system is stale when another machine has replaced it meanwhile.
                if error.errno not in (errno.ENOENT, errno.ESTALE):
                    raise
        return None

    def look_up(self, source: Any, make: Callable[[], Any]) -> Any:
        """The record of ``source``, from disk if it is there, else from ``make()``, which is then kept.

        Parameters
        ----------
        source : JSON value
            Everything that the record depends on.
        make : callable
            Returns the record, a JSON value.
        """
        record = self.find(source)
        if record is None:
            record = make()
            if self._directory is not None:
                text, file = json.dumps(record), self._file(source)
                with _unfinished(self._directory) as aside:
                    (aside / file.name).write_text(text)
                    os.replace(aside / file.name, file)
        return record

    def _file(self, source: Any) -> Path:
        assert self._directory is not None
        return self._directory / f"{digest(source)}.json"


def remove_unfinished(run: str) -> None:
    """Remove the entries in the cache that the run with this name has not finished, and those of runs that were killed."""
    for found in cache_folder().glob(f"*/{_UNFINISHED}*"):
        name = found.name.removeprefix(_UNFINISHED)
        if name == run or stale(name):
            shutil.rmtree(found, ignore_errors=True)
    for lock in cache_folder().glob(f"*/{_LOCK}*"):
        with contextlib.suppress(OSError), open(lock) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # which fails if it is held
            lock.unlink()


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Within it, no other process is within it with the same ``lock``, a file that is there as long as one waits.

    Where the file system has no locks, several are within it.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with open(lock, "w") as file:
            with contextlib.suppress(OSError):  # of a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)  # which the system takes back from a process that is killed
            # The one before may have removed the file since we opened it; then others lock a new one.
            if _is_there(file):
                try:
                    yield
                finally:
                    lock.unlink(missing_ok=True)
                return


def _is_there(file: TextIO) -> bool:
    """Whether an open file still has a name. Removed by another machine, it is stale on a network file system."""
    try:
        return os.fstat(file.fileno()).st_nlink > 0
    except OSError as error:
        if error.errno != errno.ESTALE:
            raise
        return False


@contextlib.contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """A new folder within ``folder``, which is made, for what is not whole yet."""
    run = folder / f"{_UNFINISHED}{run_name()}"
    while True:
        run.mkdir(parents=True, exist_ok=True)
        # Another process of this run may have ended its own in between, and found this one's parent empty.
        with contextlib.suppress(FileNotFoundError):
            aside = Path(tempfile.mkdtemp(dir=run))
            break
    try:
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        with contextlib.suppress(OSError):
            run.rmdir()  # unless another process of this run has something there
