"""Network files, read: TOML, JSON, or the description of a network that was generated, which contains its file."""

from collections.abc import Callable, Collection, Mapping
import dataclasses
import difflib
from pathlib import Path
import re
from typing import Any

from fatcube.groundwork.files import read_bytes
from fatcube.groundwork.strict.json_text import parse_json
from fatcube.groundwork.strict.malformed import decoded, within
from fatcube.groundwork.strict.toml_text import parse_toml
from fatcube.groundwork.validation import ParameterError, check_choice, shown
from fatcube.noc.network_files.key_lines import json_line, toml_line
from fatcube.noc.network_files.keys import FILES, FORMAT, KEYS, PORT
from fatcube.noc.topologies.graph_file import FORMAT as TOPOLOGY

__all__ = ["DESCRIPTION", "INSIDE", "NetworkFile", "read_network_file"]


DESCRIPTION = "fatcube.network/1"
"""The format of the description of a generated network."""

INSIDE = "network"
"""The key of the network file in a description."""

_MOST_BYTES = 1 << 27  # of a description of thousands of processors
_ENDS = {PORT: r" table \d+:"}  # of the words that name a key, if not every word that begins so means it


@dataclasses.dataclass(frozen=True)
class NetworkFile:
    """The contents of a network file.

    Members
    -------
    path : :class:`Path`
    values : mapping of :class:`str` to object
        The values by their keys, as flags of these names have them; paths are those from the current folder on.
    line : callable
        The line of a key, or of one of its tables by its number, if that is not 0; ``None`` if it is not known.
    """

    path: Path
    values: Mapping[str, Any]
    line: Callable[[str, int], int | None]

    def place(self, key: str, error: object = "") -> str:
        """Where a key stands, as messages begin, or the one of its tables that an ``error`` begins with."""
        table = re.match(rf"{re.escape(key)} table (\d+):", str(error))
        line = self.line(key, 0 if table is None else int(table[1]))
        return f"{self.path}{'' if line is None else f', line {line}'}"

    def blamed(self, error: ParameterError, keys: Collection[str]) -> str | None:
        """The one of these keys that begins the message of an error, as a name, with spaces, or as a flag; ``None`` if none."""
        words = re.sub(r"^(?:[A-Z]\w* |--)", "", str(error)).replace("-", " ").replace("_", " ")
        found = [key for key in keys if re.match(re.escape(key.replace("_", " ")) + _ENDS.get(key, r"\b"), words)]
        return max(found, key=len, default=None)


def read_network_file(path: Path) -> NetworkFile:
    """The network file at ``path``, each of whose values one network or another can have.

    Raises
    ------
    ParameterError
        If it is no such file, or a key is unknown or has another value: the message begins with the path and the line.
    OSError
        If it cannot be read.
    """
    suffix = check_choice("ending of a network file", path.suffix.lower(), (".toml", ".json"))
    content = read_bytes(path, most=_MOST_BYTES, what="a network file")
    with within(path):
        text = decoded(content, suffix[1:].upper())
        given: Any = parse_toml(text) if suffix == ".toml" else parse_json(text)
    outer: tuple[str, ...] = ()
    if isinstance(given, dict) and given.get("format") == DESCRIPTION:
        outer, given = (INSIDE,), given.get(INSIDE)
    if isinstance(given, dict) and given.get("format") == TOPOLOGY:
        raise ParameterError(f"{path} must be given with --topology-file, as it is a topology file and no network file")
    if suffix == ".toml" and given.get("format") != FORMAT:
        raise ParameterError(f'{path} must have the line format = "{FORMAT}" at its beginning{_other(given)}')
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise ParameterError(
            f'{path} must have the format "{FORMAT}", or be a description with "{INSIDE}" in that format, which '
            f"fatcube generate network writes{_other(given)}"
        )

    def line(key: str, table: int) -> int | None:
        return toml_line(text, key, table or 1) if suffix == ".toml" else json_line(text, *outer, key, table=table)

    read = NetworkFile(path, {}, line)
    values = {name: _checked(read, name, value) for name, value in given.items() if name != "format"}
    return dataclasses.replace(read, values=values)


def _other(given: Any) -> str:
    """The format that a file has instead, in a message, if it names one."""
    return f", not {shown(given['format'])}" if isinstance(given, dict) and "format" in given else ""


def _checked(file: NetworkFile, name: str, value: Any) -> Any:
    """The value of a key, as its flag has it."""
    if name not in KEYS:
        near = difflib.get_close_matches(name, KEYS, n=1)
        meant = f" (there is {near[0]})" if near else ""
        raise ParameterError(f"{file.place(name)}: {name} must be left out, as there is no such key{meant}")
    try:
        found = KEYS[name].check(value)
    except ParameterError as error:
        raise ParameterError(f"{file.place(name, error)}: {error}") from None
    return file.path.parent / found if name in FILES else found
