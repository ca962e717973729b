"""The files of stored results, made anew."""

import functools
import json
from pathlib import Path
from typing import Any

from fatcube.groundwork.files import write_text
from fatcube.groundwork.progress import tracked
from fatcube.groundwork.workers import in_processes
from fatcube.studies.open_cells.cells import NETWORKS
from fatcube.studies.open_cells.record import to_json
from fatcube.studies.open_cells.searched import known_of, read, search_open, stored_searches

__all__ = ["make"]


def _found_on(number: int, seconds: float) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """The results of searches on a network and the record of its cells."""
    topology = NETWORKS[number]
    searched = read(topology, stored_searches()[str(topology)])
    if seconds:
        for _ in search_open(topology, searched, seconds):
            pass
    return searched.to_json(), to_json(known_of(topology, searched).found())


def _lines(values: dict[str, Any]) -> str:
    """An object of JSON with a line for each member."""
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in values.items()) + "\n}"


def make(seconds: float) -> None:
    """Write the stored cells anew, after a search of each open one for ``seconds`` for each number of steps."""
    calls = [functools.partial(_found_on, number, seconds) for number in range(len(NETWORKS))]
    results = dict(tracked(in_processes(calls, jobs=2), "networks", len(calls)))
    folder = Path(__file__).parent
    for place, name in enumerate(("searched.json", "cells.json")):
        members = []
        for number, topology in enumerate(NETWORKS):
            found = results[number][place]
            parts = {part: _lines(one) for part, one in found.items()} if name == "searched.json" else None
            text = (
                _lines(found)
                if parts is None
                else "{\n" + ",\n".join(f'"{part}": {one}' for part, one in parts.items()) + "\n}"
            )
            members.append(f'"{topology}": {text}')
        write_text(folder / name, "{\n" + ",\n".join(members) + "\n}\n")
