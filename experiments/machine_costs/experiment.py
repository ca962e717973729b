"""The experiment of machine costs: every machine model of three networks.

Beside the page stand the plane as a figure, and for each network the tables of `fatcube models`, which the page is written
from. It takes about half an hour on two cores.
"""

from collections.abc import Iterator, Mapping, Sequence
import dataclasses
import itertools
import json
from pathlib import Path
from typing import Any

from experiments.experiment import Experiment, Record, Settings, file_name
from experiments.machine_costs.figure import plane
from experiments.machine_costs.hardware import FAMILY, Hardware, measure_hardware
from experiments.machine_costs.network import Network
from experiments.machine_costs.page import page
from experiments.machine_costs.plane import plane_cases
from fatcube.groundwork.files import write_text
from fatcube.groundwork.record import record
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topology import Topology
from fatcube.schedules.collective import Collective
from fatcube.schedules.step_model import UNLIMITED, Links
from fatcube.studies.models import Cell, Result, cells_of, measure
from fatcube.studies.models_page import models_record, write_models

__all__ = ["EXPERIMENT", "NETWORKS", "networks_of"]


NETWORKS: dict[str, Topology] = {file_name(one): one for one in (Hypercube(3), FatCube(2, 2, 1), FatCube(2, 2, 2))}
"""The hypercube of 8 processors, and fat cubes of as many, with one lane and with two."""

_PLANE = "machine-costs-plane.svg"


def networks_of(records: Sequence[Mapping[str, Any]], folder: Path) -> list[Network]:
    """The networks of records, with the tables that stand in a folder."""
    found = []
    for one in records:
        cells = json.loads((folder / f"models-{one['case']}.json").read_text(encoding="utf-8"))
        found.append(
            Network(
                NETWORKS[one["case"]],
                [Result.from_json(cell) for cell in cells["measured"]["cells"]],
                [Hardware.from_json(machine) for machine in one["measured"]["machines"]],
                [Result.from_json(cell) for cell in one["measured"]["pairs"]],
            )
        )
    return found


def _rows(networks: Sequence[Network]) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """The panels of the figure: a row for each network."""
    for network, cases in itertools.groupby(plane_cases(networks), key=lambda one: one[0]):
        yield (
            network.topology.name,
            [(f"{collective.value}, model {model.value}", found) for _, model, collective, found in cases],
        )


def _in_pairs(cells: Sequence[Cell]) -> list[Cell]:
    """The cells of full-duplex links with packets of up to two messages, where messages can be combined: between single ones
    and many, as few messages in a row count in the plane just as few steps do."""
    return [
        dataclasses.replace(cell, model=cell.model.changed(per_packet=2))
        for cell in cells
        if cell.model.links is Links.FULL_DUPLEX
        and cell.model.per_packet == UNLIMITED
        and not cell.ports.copies
        and cell.collective is not Collective.OAB
    ]


def _measure(topology: Topology, settings: Settings) -> Record:
    """Run every machine model of a network, write its tables, and return the record of its hardware."""
    cells = cells_of(topology)
    results = measure(cells, time_limit=settings.time_limit)
    tables = settings.folder / f"models-{file_name(topology)}"
    stored = models_record(results, topology, settings.time_limit)
    write_text(tables.with_suffix(".json"), json.dumps(stored, indent=1) + "\n")
    write_models(results, tables.with_suffix(".md"), topology, settings.time_limit)
    machines = measure_hardware(cells, time_limit=settings.time_limit)
    pairs = measure(_in_pairs(cells), time_limit=settings.time_limit)
    return record(
        {"topology": topology.to_json(), "family": FAMILY, "time_limit": settings.time_limit},
        {"machines": [one.to_json() for one in machines], "pairs": [one.to_json() for one in pairs]},
    )


EXPERIMENT = Experiment(
    name="machine-costs",
    about="when direct transfers, combining and half-duplex links pay: every machine model of three networks",
    cases=NETWORKS,
    measure=_measure,
    page=lambda records, folder: page(networks_of(records, folder), figure=_PLANE),
    takes=("time_limit",),
    files=lambda records, folder: {_PLANE: plane(list(_rows(networks_of(records, folder))))},
)
