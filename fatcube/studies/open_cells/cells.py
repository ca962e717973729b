"""Open cells: where the steps that are known exceed the bound that is proved, on all small networks and in every step model.

A cell is one of :mod:`fatcube.studies.models`: a collective, a router model and a step model on a network. Its steps are those of the
schedule that :func:`fatcube.schedules.construct.construct` gives, checked, or of one of a narrower cell, which is a schedule of
the wider one too: one with fewer ports or messages in a packet, with adjacent transfers, or with half-duplex or simplex links. If
such a one meets the bound, nothing is constructed. Nothing is searched, so the steps are the same in every run and on every
machine; it takes tens of minutes, so they are stored in open_cells.json, which this command makes anew:

    python -m fatcube.studies.open_cells
"""

from collections import Counter
from collections.abc import Iterator, Sequence
import dataclasses
import functools
from importlib import resources
import itertools
import json
from pathlib import Path
from typing import Any

from fatcube.groundwork.files import write_text
from fatcube.groundwork.progress import tracked
from fatcube.groundwork.workers import in_processes
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.step_model import UNLIMITED, Links, StepModel, Transfers
from fatcube.studies.comparison import COLLECTIVES
from fatcube.studies.models import Cell, refusal

__all__ = [
    "COLUMNS",
    "NETWORKS",
    "CellSteps",
    "Record",
    "cells_on",
    "find",
    "key",
    "open_cells",
    "open_rows",
    "stored",
    "summary",
    "to_json",
]


NETWORKS: tuple[Topology, ...] = (
    *(FatCube(d, m, f) for d in range(1, 4) for m in range(1, 7) for f in (1, 2) if m << d <= 12),
    CubeConnectedCycles(2),
    DenseGHC(3, 2),
    SparseGHC(3, 2),
    Mesh(w=3, d=2),
    Torus(w=3, d=2),
    Ring(8),
    Tree(2, 2),
    Star(5),
)
"""Fat cubes with at most 12 processors and two lanes per link, and one network of each other kind."""

_PER_PACKET = (1, 2, UNLIMITED)
_LINKS = (Links.SIMPLEX, Links.HALF_DUPLEX, Links.FULL_DUPLEX)  # each includes those before it
_PORTS = (PortModel.ONE, PortModel.BROADCAST, PortModel.D_PORT, PortModel.ALL_PORT)


@dataclasses.dataclass(frozen=True)
class CellSteps:
    """The steps that are known of a cell, and those that are proved to be needed, because of ``reason``."""

    cell: Cell
    steps: int
    lower_bound: int
    reason: str


def key(cell: Cell) -> str:
    """The words of a cell in the record, in which the network is named apart."""
    values = cell.to_json()
    return " ".join(str(values[name]) for name in ("transfers", "links", "per_packet", "ports", "collective"))


def cells_on(topology: Topology) -> Iterator[Cell]:
    """The cells of a network that mean something; every one comes after those that are narrower."""
    for links, transfers, number, ports, collective in itertools.product(
        _LINKS, Transfers, _PER_PACKET, _PORTS, COLLECTIVES
    ):
        cell = Cell(topology, ports, collective, StepModel(transfers=transfers, links=links, per_packet=number))
        if refusal(cell) is None:
            yield cell


def find(topology: Topology) -> list[CellSteps]:
    """The steps of all cells of a network, each at most those of its narrower cells."""
    found: list[CellSteps] = []
    for cell in cells_on(topology):
        bound = lower_bound(cell.problem)
        narrower = [one for one in found if _narrower(one.cell, cell)]
        steps = [one.steps for one in narrower]
        # Constructions put several messages into packets of adjacent transfers only, so these cells have what is narrower.
        again = not (cell.model.direct and cell.model.combining) and not any(
            _narrower(cell, one.cell) for one in narrower
        )
        if not steps or (min(steps) > bound.steps and again):
            schedule = construct(cell.problem).found
            steps.append(check(schedule, cell.model).steps)
        found.append(CellSteps(cell, min(steps), bound.steps, bound.reason))
    return found


def _narrower(one: Cell, other: Cell) -> bool:
    """Return whether every schedule of ``one`` is one of ``other``; no packet of several messages is one that is copied."""
    topology = one.topology
    k, most = (cell.ports.processor_ports(topology.degree, topology.m) for cell in (one, other))
    copies = one.ports.copies and not other.ports.copies
    return one.collective is other.collective and k <= most and not copies and one.model <= other.model


def to_json(found: Sequence[CellSteps]) -> dict[str, list[int]]:
    """Steps and lower bound of each cell of a network."""
    return {key(one.cell): [one.steps, one.lower_bound] for one in found}


Record = dict[str, dict[str, list[int]]]
"""For each network, by its words, what :func:`to_json` gives."""


@functools.cache
def stored() -> Record:
    """What is stored."""
    return json.loads(resources.files("fatcube.studies").joinpath("open_cells.json").read_text(encoding="utf-8"))


COLUMNS = ["collective", "transfers", "links", "messages per packet", "cells", "open", "beyond 1 step and 10 %"]


def open_rows(record: Record) -> list[list[Any]]:
    """A row, with :data:`COLUMNS`, for each collective and step model that has open cells."""
    counts: dict[tuple[str, ...], Counter[str]] = {}
    for cells in record.values():
        for words, (steps, bound) in cells.items():
            transfers, links, number, _, collective = words.split()
            count = counts.setdefault((collective, transfers, links, number), Counter())
            count["cells"] += 1
            count["open"] += steps > bound
            count["beyond"] += _beyond(steps, bound)
    return [
        [*those, count["cells"], count["open"], count["beyond"]] for those, count in counts.items() if count["open"]
    ]


def open_cells(record: Record) -> list[dict[str, Any]]:
    """Every open cell in JSON values, with its steps and its lower bound."""
    return [
        {"network": network, "cell": words, "steps": steps, "lower_bound": bound}
        for network, cells in record.items()
        for words, (steps, bound) in cells.items()
        if steps > bound
    ]


def summary(record: Record) -> str:
    """How many cells are open, in a sentence."""
    cells = [pair for network in record.values() for pair in network.values()]
    left = sum(steps > bound for steps, bound in cells)
    beyond = sum(_beyond(steps, bound) for steps, bound in cells)
    return (
        f"{left} of {len(cells)} cells on {len(record)} networks are open, {beyond} of them by more than one step and 10 % of "
        f"the bound."
    )


def _beyond(steps: int, bound: int) -> bool:
    return steps > bound + 1 and 10 * steps > 11 * bound


def _found_on(number: int) -> dict[str, list[int]]:
    return to_json(find(NETWORKS[number]))


if __name__ == "__main__":
    _calls = [functools.partial(_found_on, number) for number in range(len(NETWORKS))]
    _results = dict(tracked(in_processes(_calls, jobs=2), "networks", len(_calls)))
    _lines = [
        f'"{topology}": {{\n' + ",\n".join(f'"{words}": {value}' for words, value in _results[number].items()) + "\n}"
        for number, topology in enumerate(NETWORKS)
    ]
    write_text(Path(__file__).with_name("open_cells.json"), "{\n" + ",\n".join(_lines) + "\n}\n")
