"""Results on disk, found again by what they were made from."""

import contextlib
import hashlib
import json
import os
import pathlib
import tempfile

__all__ = ["Cache"]


class Cache:
    """A directory of JSON records. What a record is made from is its key, so none is ever out of date.

    Parameters
    ----------
    directory : path or ``None``
        Made when the first record is written; ``None`` keeps nothing.
    """

    def __init__(self, directory):
        self._directory = None if directory is None else pathlib.Path(directory)

    def look_up(self, source, make):
        """The record of ``source``, from disk if it is there, else from ``make()``, which is then kept.

        Parameters
        ----------
        source : JSON value
            Everything that the record depends on.
        make : callable
            Returns the record, a JSON value.
        """
        if self._directory is None:
            return make()
        key = hashlib.sha256(json.dumps(source, sort_keys=True).encode()).hexdigest()
        file = self._directory / f"{key}.json"
        # A record that cannot be read is no record.
        with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):
            return json.loads(file.read_text())
        record = make()
        self._write(file, record)
        return record

    def _write(self, file, record):
        """Writes all of the record or nothing, whoever reads or writes it at the same time."""
        self._directory.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self._directory, suffix=".tmp")
        try:
            with open(handle, "w") as temporary:
                json.dump(record, temporary)
            os.replace(name, file)
        except BaseException:
            os.unlink(name)
            raise
