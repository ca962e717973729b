"""Boards: bitstreams of networks, what they use, how fast they are, what they took, and where their cells are.

Beside the page stands a picture of each placement.
"""

from collections.abc import Iterator, Mapping, Sequence
import html
import itertools
from pathlib import Path
from typing import Any, NamedTuple

from experiments.experiment import Experiment, Record, Settings, table
from fatcube.groundwork.files import write_text
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

__all__ = ["CASES", "EXPERIMENT", "Case", "picture", "placement"]


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

_LOOKS = {
    "routers": ("#b91c1c", "#ff8f87"),
    "processors": ("#1f5fbf", "#7db0ff"),
    "serial link": ("#d08a10", "#e8b04a"),
    "the rest": ("#8d96a3", "#6a7788"),
}
"""The colours of the parts, light and dark."""

_LEFT, _TOP, _WIDE, _HIGH = 48, 34, 496, 400  # of the chip in its picture, in pixels
_EVERY = 10  # columns and rows have a number


def picture(made: Build, path: Path) -> None:
    """Write the placement of a design as SVG: a place of the chip has the colour of the part that has most cells there."""
    assert made.routed is not None
    found = {place: cells.most_common(1)[0][0] for place, cells in places(made.routed.placed).items()}
    title = f"{made.request.machine.network.name} on the {made.request.board.title}"
    write_text(path, placement(found, title))


def placement(parts: Mapping[tuple[int, int], str], title: str) -> str:
    """The picture of a chip: the part at each place, which is a column and a row."""
    columns, rows = (max(place[axis] for place in parts) + 1 for axis in (0, 1))
    across, down = _WIDE / columns, _HIGH / rows
    bottom, width = _TOP + _HIGH, _LEFT + _WIDE + 16
    light, dark = ("".join(f" .p{n} {{ fill: {look[i]}; }}" for n, look in enumerate(_LOOKS.values())) for i in (0, 1))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom + 66}" width="{width}" height="{bottom + 66}" '
        'role="img" fill="currentColor" font-family="system-ui, sans-serif" font-size="13">',
        f"<title>{html.escape(title)}</title>",
        f"<style>svg {{ color: #17202c; }} .page {{ fill: #ffffff; }}{light} @media screen and (prefers-color-scheme: dark) "
        f"{{ svg {{ color: #e6ecf4; }} .page {{ fill: #0f141b; }}{dark} }}</style>",
        f'<rect class="page" width="{width}" height="{bottom + 66}"/>',
        f'<text x="{_LEFT}" y="20" font-weight="600">{html.escape(title)}</text>',
    ]
    for number, part in enumerate(_LOOKS):
        runs = "".join(
            f"M{_LEFT + across * first:.1f} {bottom - down * (row + 1):.1f}h{across * long:.1f}v{down:.1f}h{-across * long:.1f}z"
            for row in range(rows)
            for first, long in _runs([column for column in range(columns) if parts.get((column, row)) == part])
        )
        lines.append(f'<path class="p{number}" shape-rendering="crispEdges" d="{runs}"/>')
        lines.append(f'<rect class="p{number}" x="{_LEFT + 125 * number}" y="{bottom + 44}" width="14" height="12"/>')
        lines.append(f'<text x="{_LEFT + 20 + 125 * number}" y="{bottom + 55}">{part}</text>')
    for column in range(0, columns, _EVERY):
        lines.append(
            f'<text x="{_LEFT + across * (column + 0.5):.1f}" y="{bottom + 17}" text-anchor="middle">{column}</text>'
        )
    for row in range(0, rows, _EVERY):
        lines.append(
            f'<text x="{_LEFT - 6}" y="{bottom - down * (row + 0.5) + 4.5:.1f}" text-anchor="end">{row}</text>'
        )
    lines += [
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_WIDE}" height="{_HIGH}" fill="none" stroke="currentColor"/>',
        f'<text x="{_LEFT + _WIDE}" y="{bottom + 33}" text-anchor="end">column</text>',
        f'<text x="14" y="{_TOP + 22}" text-anchor="end" transform="rotate(-90 14 {_TOP + 22}) translate(22 0)">row</text>',
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def _runs(columns: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first of each run of numbers that follow one another, and how many these are."""
    for _, run in itertools.groupby(enumerate(columns), lambda one: one[1] - one[0]):
        found = [column for _, column in run]
        yield found[0], len(found)


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
    return f"boards-{name}.svg"


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
