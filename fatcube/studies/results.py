"""Results of sweeps in one SQLite file: a row a point, written whole or not at all, and found by its key.

Their records can be handed on as JSON lines, the first of which names their kind and how many follow.
"""

from collections.abc import Iterable, Iterator, Mapping
import contextlib
import fcntl
import json
import os
from pathlib import Path
import sqlite3
from typing import Any, Self

from fatcube.groundwork.ending import keep, remove_at_end
from fatcube.groundwork.files import is_special, read_bytes, target_of, write_text
from fatcube.groundwork.strict.json_text import parse_json
from fatcube.groundwork.validation import ParameterError
from fatcube.studies.load_record import LoadRecord
from fatcube.studies.result_record import ResultRecord, check_record

__all__ = ["Results", "check_results_file", "read_records", "write_records"]


_FORMAT = "fatcube.results/1"
_MOST_BYTES = 1 << 27  # of records: some 35,000 of them, read in seconds and in less than 2 GB
_APPLICATION = 0x66617463  # "fatc": what kind of SQLite file this is
_VERSION = 1
_COLUMNS = ["key", "parameters", "record", "reason"]
_TABLE = """create table points (
    key text primary key,      -- the digest of what was measured: see fatcube.studies.keys
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

    def __init__(self, path: Path | str, *, read_only: bool = False) -> None:
        self.path = check_results_file(Path(path))
        self._file = target_of(path)  # SQLite's log and the lock are put beside it, and not beside a link to it.
        self._new = False
        if read_only:
            self._check_length()
            self._database = sqlite3.connect(f"{self._file.as_uri()}?mode=ro", uri=True)
            self._open = contextlib.ExitStack()
            self._open.callback(self._database.close)
            with contextlib.ExitStack() as stack:
                stack.push(self._open)
                self._prepare(read_only=True)
                stack.pop_all()
            return
        if not self._file.parent.is_dir():
            raise ParameterError(f"results file must be in a folder that exists, not {self._file.parent}")
        with contextlib.ExitStack() as stack:
            # The kernel releases it whatever ends the process. SQLite's own locks are for moments only.
            lock = stack.enter_context(open(f"{self._file}-lock", "w", opener=_as_it_is))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ParameterError(f"results file must be one that no other sweep writes, not {self.path}") from None
            stack.callback(os.unlink, lock.name)
            remove_at_end(lock.name)
            stack.callback(keep, lock.name)
            self._check_length()
            self._new = not self._file.exists()
            if self._new:
                remove_at_end(*self._files)
                stack.callback(keep, *self._files)
            self._database = sqlite3.connect(self._file, isolation_level=None)
            stack.callback(self._database.close)
            with self._writing():
                self._prepare()
            self._open = stack.pop_all()

    @property
    def _files(self) -> list[str]:
        """The database, its log and the log's index."""
        return [f"{self._file}{ending}" for ending in ("", "-wal", "-shm")]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._new and self._database.execute("select 1 from points limit 1").fetchone() is None:
            self._database.close()
            self._file.unlink()
        self._open.close()

    def _prepare(self, read_only: bool = False) -> None:
        application = version = tables = 0
        try:
            problems = [row[0] for row in self._database.execute("pragma quick_check(1)")]
            [application], [version], [tables] = (
                self._database.execute(query).fetchone()
                for query in ("pragma application_id", "pragma user_version", "select count(*) from sqlite_schema")
            )
        except (sqlite3.Error, UnicodeDecodeError) as error:
            problems = [str(error)]
        if problems != ["ok"]:
            raise _damaged(self.path, " ".join(problems[0].split()))
        if not tables and not application and not read_only:
            # All or nothing: a process killed here leaves an empty file, which the next one takes for a new one.
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
        elif (
            self._read("select type, strict from pragma_table_list('points')") != [("table", 1)]
            or [name for [name] in self._read("select name from pragma_table_info('points')")] != _COLUMNS
        ):
            raise _damaged(self.path, "its table of points is not that of a sweep")

    def _read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a query finds."""
        try:
            return self._database.execute(query, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:  # of which either is raised for text that is not UTF-8
            raise _damaged(self.path, " ".join(str(error).split())) from None

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Turn the errors of SQLite, when it cannot write, into those of the file system."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise OSError(f"{self.path} cannot be written: {error}") from None

    def _check_length(self) -> None:
        """Refuse what SQLite does not: a part of a page, and fewer pages than the file says that it has.

        While there is a log, its pages count as well, and SQLite's own check is what there is.
        """
        if not self._file.exists() or Path(f"{self._file}-wal").exists():
            return
        with open(self._file, "rb") as file:
            header = file.read(100)
            size = file.seek(0, os.SEEK_END)
        page, pages = int.from_bytes(header[16:18], "big"), int.from_bytes(header[28:32], "big")
        if size and (size < 512 or header.startswith(b"SQLite format 3") and size < page * pages):
            raise _damaged(self.path, f"it has {size} bytes")

    def find(self, key: str) -> tuple[dict[str, Any] | None, str | None] | None:
        """The record and the reason of the point with that key, one of them ``None``; ``None`` if it is not there.

        Raises
        ------
        ParameterError
            If what is there is damaged.
        """
        for record, reason in self._read("select record, reason from points where key = ?", key):
            return record and self._parse(key, record), reason
        return None

    def has(self, parameters: Mapping[str, Any]) -> bool:
        """Whether a point with these parameters is there, whatever its key; raises as :meth:`find` does."""
        text = json.dumps(parameters, sort_keys=True)
        return bool(self._read("select 1 from points where parameters = ? limit 1", text))

    def put(
        self,
        key: str,
        parameters: Mapping[str, Any],
        *,
        record: Mapping[str, Any] | None = None,
        reason: str | None = None,
    ) -> None:
        """Write one point; one that is there already, a failure that was tried again, is replaced.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        keep(*self._files)
        with self._writing():
            self._database.execute(
                "insert or replace into points values (?, ?, ?, ?)",
                [key, json.dumps(parameters, sort_keys=True), record and json.dumps(record), reason],
            )

    def take(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Write those records whose points are not there yet.

        Raises
        ------
        OSError
            If they cannot be written.
        """
        keep(*self._files)
        with self._writing():
            self._database.executemany(
                "insert or ignore into points values (?, ?, ?, null)",
                [
                    (record["key"], json.dumps(record["parameters"], sort_keys=True), json.dumps(record))
                    for record in records
                ],
            )

    def records(self) -> list[dict[str, Any]]:
        """The records of all points that did not fail, in order of their keys; raises as :meth:`find` does."""
        return [record for _, record in self.items()]

    def items(self) -> list[tuple[str, dict[str, Any]]]:
        """The records with the key of each point."""
        return [
            (key, self._parse(key, text))
            for key, text in self._read("select key, record from points where record is not null order by key")
        ]

    def _parse(self, key: str, text: object) -> dict[str, Any]:
        """The JSON object that stands in the record of a point."""
        try:
            record = _parsed(text)
            if not isinstance(record, dict):
                raise ParameterError("it must be an object")
            return record
        except ParameterError as error:
            raise _damaged(self.path, f"record {_name(key)}: {error}") from None


def check_results_file(path: Path) -> Path:
    """Return ``path`` if there is a regular file, or nothing yet.

    Raises
    ------
    ParameterError
        If there is a folder, device, FIFO or socket.
    """
    if path.is_dir() or is_special(path):
        raise ParameterError(f"results file must be a regular file, not {path}")
    return path


def read_records(path: Path | str) -> list[ResultRecord | LoadRecord]:
    """The records in a results file, whether it is the SQLite file of a sweep or JSON lines.

    Every one of them has the form of :mod:`fatcube.studies.result_record`, and each key occurs once.

    Raises
    ------
    ParameterError
        If there is none, it is not such a file, has more than 128 MiB, is of another version, or is damaged or cut
        short: the message says in which record, and what must be there. It is only read.
    OSError
        If it cannot be read.
    """
    path = Path(path)
    if not path.exists():
        raise ParameterError(f"results file must be one that `fatcube sweep` wrote, and there is none at {path}")
    if not path.is_file():
        raise ParameterError(f"results file must be a file, not the {'folder' if path.is_dir() else 'device'} {path}")
    content = read_bytes(path, most=_MOST_BYTES, what="a results file")
    if content.startswith(b"SQLite format 3"):
        with Results(path, read_only=True) as results:
            found = [(f"record {_name(key)}", key, record) for key, record in results.items()]
    else:
        found = _read_lines(path, content)
    seen = set()
    records = []
    for where, key, value in found:
        try:
            record = check_record(value)
            if record["key"] != key or key in seen:
                raise ParameterError(f"key must be that of this point and of no other, not {_name(record['key'])}")
        except ParameterError as error:
            raise _damaged(path, f"{where}: {error}") from None
        seen.add(key)
        records.append(record)
    return records


def _read_lines(path: Path, content: bytes) -> list[tuple[str, Any, Any]]:
    """The JSON value of each record of a file of JSON lines, with what to call it before it and its key."""
    ours = content.startswith(b'{"format": "fatcube.results/')
    values, where = [], ""
    try:
        for number, line in enumerate(content.splitlines(), 1):
            where = f"line {number}: "
            values.append(parse_json(line))
    except ParameterError as error:
        raise _damaged(path, f"{where}{error}") if ours else _not_ours(path) from None
    if not values or not isinstance(values[0], dict) or not isinstance(values[0].get("format"), str):
        raise _not_ours(path)
    (head, *records), version = values, values[0]["format"]
    if version != _FORMAT:
        ours = version.startswith("fatcube.results/")
        raise _other_version(path, _FORMAT, _name(version)) if ours else _not_ours(path)
    promised = head.get("records")
    if head.keys() != {"format", "records"} or isinstance(promised, bool) or len(records) != promised:
        raise _damaged(path, f"it has {len(records)} of {_name(promised)} records")
    keys = [record.get("key") if isinstance(record, dict) else None for record in records]
    return [
        (f"line {number}{f', record {_name(key)}' if isinstance(key, str) else ''}", key, record)
        for number, (key, record) in enumerate(zip(keys, records), 2)
    ]


def _as_it_is(path: str, flags: int) -> int:
    """Open a lock without following links, and without emptying the file or waiting for a reader."""
    return os.open(path, flags & ~os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)


def _parsed(text: object) -> Any:
    """The value of a JSON text, in which nothing is ambiguous.

    Raises
    ------
    ParameterError
        If it is no such text.
    """
    if not isinstance(text, str):
        raise ParameterError("it must be text")
    return parse_json(text)


def _name(value: object, most: int = 60) -> str:
    """A value from a file, for a message: one line of characters that any terminal shows."""
    text = value if isinstance(value, str) and value.isascii() and value.isprintable() else ascii(value)
    return text if len(text) <= most else f"{text[:most]}..."


def write_records(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write records as JSON lines, all of them or nothing.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    records = list(records)
    lines = [{"format": _FORMAT, "records": len(records)}, *records]
    write_text(path, "".join(f"{json.dumps(line)}\n" for line in lines))


def _not_ours(path: Path) -> ParameterError:
    return ParameterError(f"results file must be one that fatcube wrote, not {path}")


def _other_version(path: Path, ours: object, theirs: object) -> ParameterError:
    return ParameterError(
        f"results file must be of version {ours}, but {path} is of version {theirs}; it was left as it is"
    )


def _damaged(path: Path, how: str) -> ParameterError:
    return ParameterError(
        f"results file must be whole, but {path} is damaged or cut short ({how}); it was left as it is"
    )
