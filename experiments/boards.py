"""Boards: bitstreams of networks, what they use, how fast they are, what they took, and where their cells are.

Beside the page stands a picture of each placement.
"""

from collections.abc import Mapping, Sequence
import io
from pathlib import Path
from typing import Any, NamedTuple

from experiments.experiment import Experiment, Record, Settings, table
from fatcube.groundwork.files import write_bytes
from fatcube.noc.boards import find_board
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube
from fatcube.reports.page import Results
from fatcube.reports.table import Section
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.board.fit import board_machine, board_traffic_machine
from fatcube.studies.result_record import network_of
from fatcube.synth.bitstream import Build, Request, build_board
from fatcube.synth.board_record import board_record
from fatcube.synth.placement import places

__all__ = ["CASES", "EXPERIMENT", "Case", "picture"]


class Case(NamedTuple):
    """A machine on a board."""

    name: str
    board: str
    machine: Machine | TrafficMachine

    @property
    def request(self) -> Request:
        """The design to build."""
        return Request(find_board(self.board), self.machine, placement=True)


def _processors(network: Network, payload_flits: int) -> Machine:
    """Processors that do not add, and no traces, so that as large a network as possible fits."""
    return board_machine(network, payload_flits=payload_flits, reductions=False, monitors="none")


CASES = (
    Case("icebreaker-4", "icebreaker", _processors(Network(FatCube(2, 1), RouterOptions(width=8)), 4)),
    Case(
        "ulx3s-8",
        "ulx3s-85f",
        _processors(Network(FatCube(2, 2), RouterOptions(ports=PortModel.D_PORT, width=16)), 16),
    ),
    Case("ulx3s-16", "ulx3s-85f", _processors(Network(FatCube(2, 4), RouterOptions(width=16)), 8)),
    Case("ulx3s-16-wide", "ulx3s-85f", _processors(Network(FatCube(2, 4), RouterOptions(width=32)), 8)),
    Case("ulx3s-traffic", "ulx3s-85f", board_traffic_machine(RoutedNetwork(FatCube(1, 2), RouterOptions(width=16)))),
)
"""The networks, the quickest first, and one with sources and sinks of traffic."""

_COLOURS = {"routers": "#d1495b", "processors": "#3b7dd8", "serial link": "#edae49", "the rest": "#8d96a3"}


def picture(made: Build, path: Path) -> None:
    """Write the placement of a design as PNG: a pixel for each place of the chip, in the colour of the part that has most
    cells there."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import colors, patches, pyplot

    assert made.routed is not None
    found = places(made.routed.placed)
    columns, rows = (max(place[axis] for place in found) + 1 for axis in (0, 1))
    image = [[(1.0, 1.0, 1.0)] * columns for _ in range(rows)]
    for (column, row), cells in found.items():
        [(part, _)] = cells.most_common(1)
        image[row][column] = colors.to_rgb(_COLOURS[part])
    figure, axes = pyplot.subplots(figsize=(7, 6), dpi=110)
    axes.imshow(image, interpolation="nearest", origin="lower", aspect="auto")
    axes.set(
        title=f"{made.request.machine.network.name} on the {made.request.board.title}", xlabel="column", ylabel="row"
    )
    axes.legend(
        handles=[patches.Patch(color=colour, label=part) for part, colour in _COLOURS.items()],
        loc="upper center",
        bbox_to_anchor=(0.5, -0.1),
        ncols=len(_COLOURS),
        frameon=False,
    )
    figure.tight_layout()
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", metadata={"Software": None})
    pyplot.close(figure)
    write_bytes(path, drawn.getvalue())


def _page(records: Sequence[Mapping[str, Any]], folder: Path) -> Results:
    return Results(
        title="Networks on boards",
        note="Bitstreams made with tools from pip: network, processors with message memories and programs, barrier, counters and "
        "the serial link of `fatcube board run`; with traffic, sources and sinks for `fatcube load --port` in place of "
        "processors. The clock is that of the PLL; MHz reached are those of the bitstream's own "
        "place and route, at least 5 % more. Seconds are of one run on a machine of two cores with others beside it, and noisy.",
        tables=[table("", "", _COLUMNS, records)],
        sections=[
            Section(_title(one), [f"{_use(one)}."], [], [("Placement", _picture(one["case"]))]) for one in records
        ],
    )


_COLUMNS = {
    "board": lambda one: one["parameters"]["board"],
    "network": lambda one: network_of(one["parameters"]).name,
    "processors": lambda one: one["measured"]["processors"],
    "flit bits": lambda one: one["parameters"]["width"],
    "words of a bank": lambda one: one["parameters"].get("memory_words", "traffic"),
    "clock MHz": lambda one: f"{one['measured']['clock_mhz']:.2f}",
    "reached": lambda one: f"{one['measured']['routes_mhz'][-1][1]:.2f}",
    "routes": lambda one: len(one["measured"]["routes_mhz"]),
    "seconds to map": lambda one: f"{one['measured']['seconds']['mapping']:.0f}",
    "to place and route": lambda one: f"{one['measured']['seconds']['placing']:.0f}",
}


def _title(record: Mapping[str, Any]) -> str:
    parameters = record["parameters"]
    kind = "processors" if "memory_words" in parameters else "sources and sinks of traffic"
    return f"{parameters['board']}, {record['measured']['processors']} {kind}, flits of {parameters['width']} bits"


def _use(record: Mapping[str, Any]) -> str:
    """The resources of the chip that a design uses."""
    return "Used: " + ", ".join(
        f"{cells['used']:,} of {cells['available']:,} {kind} ({cells['used'] / cells['available']:.0%})"
        for kind, cells in record["measured"]["utilisation"].items()
        if cells["available"]
    )


def _picture(name: str) -> str:
    """The file with the placement of a case."""
    return f"boards-{name}.png"


def _measure(case: Case, settings: Settings) -> Record:
    """The record of the bitstream of a case, whose placement is drawn."""
    made = build_board(case.request)
    picture(made, settings.folder / _picture(case.name))
    return board_record(made)


EXPERIMENT = Experiment(
    name="boards",
    about="bitstreams of networks for boards: area, clock, times and placement",
    cases={case.name: case for case in CASES},
    measure=_measure,
    page=_page,
)
