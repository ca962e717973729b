"""Network files as text, TOML and JSON, and the command line that means the same."""

from collections.abc import Iterator, Mapping
import dataclasses
import json
import shlex
from typing import Any

from fatcube.noc.network_files.keys import GRAPH, PORT, ROUTES
from fatcube.noc.topologies import DEFAULT, DEFAULTS
from fatcube.noc.topology import kinds

__all__ = ["command_of", "json_text", "said_of_command", "toml_text"]


_LONGEST = 2000  # characters of a command line: a longer one is no help


def json_text(file: Mapping[str, Any]) -> str:
    """A network file as JSON."""
    return json.dumps(file, indent=1) + "\n"


def toml_text(file: Mapping[str, Any]) -> str:
    """A network file as TOML: a line for each key, and for each node, link and way, and a table for each port; above them the command, if there is one."""
    command = command_of(file)
    above = [
        f"{name} = {_value(value)}\n" for name, value in file.items() if not isinstance(value, dict) and name != PORT
    ]
    tables = [
        f"\n[{name}]\n" + "".join(f"{key} = {_value(part, lines=True)}\n" for key, part in table.items())
        for name, table in file.items()
        if isinstance(table, dict)
    ]
    ports = [
        f"\n[[{PORT}]]\n" + "".join(f"{key} = {_value(part)}\n" for key, part in port.items())
        for port in file.get(PORT, ())
    ]
    return "".join([*([] if command is None else [f"# {command}\n"]), *above, *tables, *ports])


def _value(value: Any, *, lines: bool = False) -> str:
    """A value as TOML has it; ``lines`` has each part of a list on a line of its own."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {_value(part)}' for name, part in value.items())} }}"
    if isinstance(value, list) and lines and value:
        return "[\n" + "".join(f"  {_value(part)},\n" for part in value) + "]"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    # A text of JSON is one of TOML, which has the names of true and false, too.
    return json.dumps(value, ensure_ascii=False)


def command_of(file: Mapping[str, Any] | None, command: str = "generate network") -> str | None:
    """The command line with the flags that mean a network file; ``None`` if no flags do, or too many."""
    if file is None or not {GRAPH, ROUTES, PORT}.isdisjoint(file):
        return None
    words = shlex.join(["fatcube", *command.split(), *_flags(file)])
    return words if len(words) <= _LONGEST else None


def said_of_command(file: Mapping[str, Any] | None) -> str:
    """How the Verilog of a network file is generated again, as a sentence; empty if only a program can."""
    if file is None:
        return ""
    command = command_of(file)
    if command is None:
        return (
            "Generated again by fatcube generate network FILE.json, the description that is written beside the Verilog."
        )
    return f"Generated again by {command}"


def _flags(file: Mapping[str, Any]) -> Iterator[str]:
    kind = kinds()[file["topology"]]
    letters = {field.name: field.default for field in dataclasses.fields(kind)}
    defaults = {"topology": DEFAULT, **letters, **{name: value for name, value in DEFAULTS.items() if name in letters}}
    for name, value in file.items():
        if name == "format" or name in defaults and value == defaults[name]:
            continue
        flag = f"-{name}" if name in letters else f"--{name.replace('_', '-')}"
        if value is True:
            yield flag
        else:
            yield from (flag, ",".join(map(str, value)) if isinstance(value, list) else str(value))
