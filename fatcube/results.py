"""Results of sweeps in one SQLite file: a row a point, written whole or not at all, and found by its key.

Their records can be handed on as JSON lines, the first of which says what they are and how many follow.
"""

import contextlib
import fcntl
import json
import os
from pathlib import Path
import sqlite3

from fatcube.record import write_text
from rtl.parameters import ParameterError

__all__ = ["Results", "read_records", "write_records"]


_FORMAT = "fatcube.results/1"
_APPLICATION = 0x66617463  # "fatc": what kind of SQLite file this is
_VERSION = 1
_TABLE = """create table points (
    key text primary key,      -- the hash of parameters and sources
    parameters text not null,  -- JSON
    record text,               -- JSON, as `fatcube simulate --json` writes it; null if it failed
    reason text                -- why it failed; null if it did not
) without rowid, strict"""


class Results:
    """The results file at ``path``, made if there is none; use it in a ``with`` statement.

    A point is one transaction in a write-ahead log, so whatever ends the process, the file holds all of a point
    or nothing of it. One process at a time may write; any number may read. A new file in which nothing was put is
    removed again.

    Parameters
    ----------
    path : path
    read_only : :class:`bool`
        Only to be read: it must be there, and another process may write it meanwhile.

    Raises
    ------
    ParameterError
        If there is a file that is not such a file, is of another version, is damaged or cut short, or that another
        process writes. Nothing in it is changed.
    OSError
        If it cannot be opened.
    """

    def __init__(self, path, *, read_only=False):
        self.path = Path(path)
        self._new = False
        if read_only:
            self._check_length()
            self._database = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)
            self._open = contextlib.ExitStack()
            self._open.callback(self._database.close)
            with contextlib.ExitStack() as stack:
                stack.push(self._open)
                self._prepare(read_only=True)
                stack.pop_all()
            return
        if not self.path.parent.is_dir():
            raise ParameterError(f"results file must be in a folder that exists, not {self.path.parent}")
        with contextlib.ExitStack() as stack:
            # The kernel lets go of it whatever ends the process. SQLite's own locks are for moments only.
            lock = stack.enter_context(open(f"{self.path}-lock", "w"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ParameterError(f"results file must be one that no other sweep writes, not {self.path}") from None
            stack.callback(os.unlink, lock.name)
            self._check_length()
            self._new = not self.path.exists()
            self._database = sqlite3.connect(self.path, isolation_level=None)
            stack.callback(self._database.close)
            self._prepare()
            self._open = stack.pop_all()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self._new and self._database.execute("select 1 from points limit 1").fetchone() is None:
            self._database.close()
            self.path.unlink()
        self._open.close()

    def _prepare(self, read_only=False):
        try:
            problems = [row[0] for row in self._database.execute("pragma quick_check(1)")]
            [application], [version], [tables] = (
                self._database.execute(query).fetchone() for query in
                ("pragma application_id", "pragma user_version", "select count(*) from sqlite_schema"))
        except sqlite3.DatabaseError as error:
            problems = [str(error)]
        if problems != ["ok"]:
            raise _damaged(self.path, " ".join(problems[0].split()))
        if not tables and not application and not read_only:
            # All or nothing: who is killed here leaves an empty file, which the next one takes for a new one.
            self._database.execute("pragma journal_mode = wal")
            self._database.execute("begin immediate")
            self._database.execute(_TABLE)
            self._database.execute(f"pragma application_id = {_APPLICATION}")
            self._database.execute(f"pragma user_version = {_VERSION}")
            self._database.execute("commit")
        elif application != _APPLICATION:
            raise _not_ours(self.path)
        elif version != _VERSION:
            raise _other_version(self.path, _VERSION, version)

    def _check_length(self):
        """Refuses what SQLite does not: a part of a page, and fewer pages than the file says that it has.

        While there is a log, its pages count as well, and SQLite's own check is what there is.
        """
        if not self.path.exists() or Path(f"{self.path}-wal").exists():
            return
        with open(self.path, "rb") as file:
            header = file.read(100)
            size = file.seek(0, os.SEEK_END)
        page, pages = int.from_bytes(header[16:18], "big"), int.from_bytes(header[28:32], "big")
        if size and (size < 512 or header.startswith(b"SQLite format 3") and size < page * pages):
            raise _damaged(self.path, f"it has {size} bytes")

    def find(self, key):
        """The record and the reason of the point with that key, one of them ``None``; ``None`` if it is not there."""
        row = self._database.execute("select record, reason from points where key = ?", [key]).fetchone()
        return row and (row[0] and json.loads(row[0]), row[1])

    def put(self, key, parameters, *, record=None, reason=None):
        """Writes one point; one that is there already, a failure that was tried again, is replaced."""
        self._database.execute(
            "insert or replace into points values (?, ?, ?, ?)",
            [key, json.dumps(parameters, sort_keys=True), record and json.dumps(record), reason])

    def records(self):
        """The records of all points that did not fail, in order of their keys."""
        return [json.loads(text) for [text] in self._database.execute(
            "select record from points where record is not null order by key")]


def read_records(path):
    """The records in a results file, whether it is the SQLite file of a sweep or JSON lines.

    Raises
    ------
    ParameterError
        If there is none, it is not such a file, is of another version, or is damaged or cut short. It is only read.
    OSError
        If it cannot be read.
    """
    path = Path(path)
    if not path.exists():
        raise ParameterError(f"results file must be one that `fatcube sweep` wrote, and there is none at {path}")
    content = path.read_bytes()
    if content.startswith(b"SQLite format 3"):
        with Results(path, read_only=True) as results:
            return results.records()
    try:
        head, *lines = [json.loads(line) for line in content.splitlines()]
        version = head["format"]
    except (ValueError, KeyError, TypeError) as error:
        if content.startswith(b'{"format": "fatcube.results/'):
            raise _damaged(path, " ".join(str(error).split())) from None
        raise _not_ours(path) from None
    if version != _FORMAT:
        if str(version).startswith("fatcube.results/"):
            raise _other_version(path, _FORMAT, version)
        raise _not_ours(path)
    whole = [one for one in lines if isinstance(one, dict) and "key" in one
             and all(isinstance(one.get(part), dict) for part in ("parameters", "measured", "how"))]
    if len(whole) != head.get("records"):
        raise _damaged(path, f"it has {len(whole)} of {head.get('records')} records")
    return whole


def write_records(path, records):
    """Writes records as JSON lines, all of them or nothing.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    records = list(records)
    lines = [{"format": _FORMAT, "records": len(records)}, *records]
    write_text(path, "".join(f"{json.dumps(line)}\n" for line in lines))


def _not_ours(path):
    return ParameterError(f"results file must be one that fatcube wrote, not {path}")


def _other_version(path, ours, theirs):
    return ParameterError(f"results file must be of version {ours}, but {path} is of version {theirs}; it was left as "
                          "it is")


def _damaged(path, how):
    return ParameterError(f"results file must be whole, but {path} is damaged or cut short ({how}); it was left as it "
                          "is")
