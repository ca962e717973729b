"""The record of open cells: what is stored of each cell, by the words of its network and its own."""

from collections.abc import Iterator, Sequence
import functools
from importlib import resources
import json
from typing import Any

from fatcube.studies.open_cells.cells import NETWORKS, cell_of, key
from fatcube.studies.open_cells.known import CellSteps

__all__ = ["Record", "stored", "stored_cells", "to_json"]


def to_json(found: Sequence[CellSteps]) -> dict[str, list[Any]]:
    """Steps and lower bound of each cell of a network, and the reason of the bound where the cell is open."""
    return {
        key(one.cell): [one.steps, one.lower_bound, one.reason] if one.open else [one.steps, one.lower_bound]
        for one in found
    }


Record = dict[str, dict[str, list[Any]]]
"""For each network, by its words, what :func:`to_json` gives."""


@functools.cache
def stored() -> Record:
    """The stored record."""
    return json.loads(resources.files("fatcube.studies.open_cells").joinpath("cells.json").read_text(encoding="utf-8"))


def stored_cells() -> Iterator[CellSteps]:
    """Every cell that is stored."""
    for topology in NETWORKS:
        for words, (steps, bound, *reason) in stored()[str(topology)].items():
            yield CellSteps(cell_of(topology, words), steps, bound, *(reason or [""]))
