"""The command that measures when direct transfers, combining and half-duplex links pay, and writes the page.

    python -m fatcube.studies.pays -o synth_reports

writes models.md, models.json and models-plane.svg into synth_reports, and for each network the tables of `fatcube models`.
It takes about half an hour on two cores; an interrupted run continues from the cache. --stored writes the page again from
the files that are there.
"""

import argparse
from collections.abc import Iterator, Sequence
import dataclasses
import itertools
import json
from pathlib import Path
from typing import Any

from fatcube.groundwork.files import write_text
from fatcube.groundwork.record import record
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topology import Topology
from fatcube.schedules.collective import Collective
from fatcube.schedules.step_model import UNLIMITED, Links
from fatcube.studies.models import Cell, Result, cells_of, measure
from fatcube.studies.models_page import models_record, write_models
from fatcube.studies.pays.figure import plane
from fatcube.studies.pays.hardware import FAMILY, Hardware, measure_hardware
from fatcube.studies.pays.network import Network
from fatcube.studies.pays.page import page
from fatcube.studies.pays.plane import plane_cases

__all__ = ["NETWORKS", "name_of", "networks_in", "write"]


NETWORKS: tuple[Topology, ...] = (Hypercube(3), FatCube(2, 2, 1), FatCube(2, 2, 2))
"""The hypercube of 8 processors, and fat cubes of as many, with one lane and with two."""

_PLANE = "models-plane.svg"


def name_of(topology: Topology) -> str:
    """The network as part of a file name."""
    return "-".join([topology.kind, *map(str, topology.parameters.values())])


def networks_in(folder: Path) -> list[Network]:
    """The networks as they stand in the files of a folder."""
    found = []
    for one in json.loads((folder / "models.json").read_text(encoding="utf-8")):
        topology = next(topology for topology in NETWORKS if topology.to_json() == one["parameters"]["topology"])
        cells = json.loads((folder / f"models-{name_of(topology)}.json").read_text(encoding="utf-8"))
        found.append(
            Network(
                topology,
                [Result.from_json(cell) for cell in cells["measured"]["cells"]],
                [Hardware.from_json(machine) for machine in one["measured"]["machines"]],
                [Result.from_json(cell) for cell in one["measured"]["pairs"]],
            )
        )
    return found


def write(networks: Sequence[Network], folder: Path) -> None:
    """Write the page and its figure into a folder."""
    write_text(folder / _PLANE, plane(list(_rows(networks))))
    write_text(folder / "models.md", page(networks, figure=_PLANE))


def _rows(networks: Sequence[Network]) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """The panels of the figure: a row for each network."""
    for network, cases in itertools.groupby(plane_cases(networks), key=lambda one: one[0]):
        yield (
            str(network.topology),
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


def _measure(topology: Topology, folder: Path, time_limit: float) -> dict[str, Any]:
    """Run every machine model of a network, write its tables, and return the record of its hardware."""
    cells = cells_of(topology)
    results = measure(cells, time_limit=time_limit)
    name = f"models-{name_of(topology)}"
    write_text(folder / f"{name}.json", json.dumps(models_record(results, topology, time_limit), indent=1) + "\n")
    write_models(results, folder / f"{name}.md", topology, time_limit)
    machines = measure_hardware(cells, time_limit=time_limit)
    pairs = measure(_in_pairs(cells), time_limit=time_limit)
    return record(
        {"topology": topology.to_json(), "family": FAMILY, "time_limit": time_limit},
        {"machines": [one.to_json() for one in machines], "pairs": [one.to_json() for one in pairs]},
        command="python -m fatcube.studies.pays",
    )


def main() -> None:
    """Measure, unless that is done, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-o", type=Path, required=True, help="folder to write to")
    parser.add_argument("--time-limit", type=float, default=15.0, help="seconds of search for a cell")
    parser.add_argument("--stored", action="store_true", help="measure nothing: take the figures in the folder")
    given = parser.parse_args()
    if not given.stored:
        records = [_measure(topology, given.o, given.time_limit) for topology in NETWORKS]
        write_text(given.o / "models.json", json.dumps(records, indent=1) + "\n")
    write(networks_in(given.o), given.o)


if __name__ == "__main__":
    main()
