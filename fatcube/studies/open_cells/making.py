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


def _text(value: Any, levels: int) -> str:
    """A value as JSON, with a line for each member of the objects of the outer ``levels``."""
    if not levels:
        return json.dumps(value)
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {_text(one, levels - 1)}" for name, one in value.items()) + "\n}"


def make(seconds: float) -> None:
    """Write the stored cells anew, after a search of each open one for ``seconds`` for each number of steps."""
    calls = [functools.partial(_found_on, number, seconds) for number in range(len(NETWORKS))]
    results = dict(tracked(in_processes(calls, jobs=2), "networks", len(calls)))
    searched, cells = ({str(one): results[number][place] for number, one in enumerate(NETWORKS)} for place in (0, 1))
    folder = Path(__file__).parent
    write_text(folder / "searched.json", _text(searched, 3) + "\n")
    write_text(folder / "cells.json", _text(cells, 2) + "\n")
