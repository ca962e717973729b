"""Networks on boards: bitstreams, what they use, how fast they are, what they took, and where their cells are.

    python -m fatcube.studies.boards -o synth_reports

writes boards.md and .json into synth_reports, and a picture of each placement.
"""

import argparse
from collections.abc import Collection, Iterable, Mapping
import io
import json
from pathlib import Path
from typing import Any, NamedTuple

from fatcube.groundwork.files import write_bytes, write_text
from fatcube.groundwork.progress import tracked
from fatcube.groundwork.record import record
from fatcube.noc.boards import find_board
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube
from fatcube.reports.markdown import markdown_table
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.board.fit import board_machine, board_traffic_machine
from fatcube.synth.bitstream import Build, Request, build_board
from fatcube.synth.board_record import board_record
from fatcube.synth.placement import places

__all__ = ["CASES", "Case", "page", "picture", "write"]


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
    axes.set(title=f"{made.request.machine.network} on the {made.request.board.title}", xlabel="column", ylabel="row")
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


def page(results: Mapping[str, Mapping[str, Any]]) -> str:
    """The page of the records of all cases, by name, in Markdown."""
    lines = [
        "# Networks on boards",
        "",
        "Bitstreams made with tools from pip: network, processors with message memories and programs, barrier, counters and "
        "the serial link of `fatcube board run`; with traffic, sources and sinks for `fatcube load --port` in place of "
        "processors. The clock is that of the PLL; MHz reached are those of the bitstream's own "
        "place and route, at least 5 % more. Seconds are of one run on a machine of two cores with others beside it, and noisy. "
        "Written by `python -m fatcube.studies.boards`; all figures in boards.json.",
        "",
        *markdown_table(
            [
                "board",
                "network",
                "processors",
                "flit bits",
                "words of a bank",
                "clock MHz",
                "reached",
                "routes",
                "seconds to map",
                "to place and route",
            ],
            map(_row, results.values()),
        ),
        "",
        "Used resources of the chip:",
        "",
        *_use(results),
    ]
    for name, result in results.items():
        lines += ["", f"## {_title(result)}", ""]
        lines += [f"![Placement](boards-{name}.png)"]
    return "\n".join([*lines, ""])


def _title(result: Mapping[str, Any]) -> str:
    parameters = result["parameters"]
    kind = "processors" if "memory_words" in parameters else "sources and sinks of traffic"
    return f"{parameters['board']}, {result['measured']['processors']} {kind}, flits of {parameters['width']} bits"


def _row(result: Mapping[str, Any]) -> list[object]:
    parameters, measured = result["parameters"], result["measured"]
    topology = parameters["topology"]
    return [
        parameters["board"],
        f"fat cube d={topology['d']}, m={topology['m']}, model {parameters['ports']}",
        measured["processors"],
        parameters["width"],
        parameters.get("memory_words", "traffic"),
        f"{measured['clock_mhz']:.2f}",
        f"{measured['routes_mhz'][-1][1]:.2f}",
        len(measured["routes_mhz"]),
        f"{measured['seconds']['mapping']:.0f}",
        f"{measured['seconds']['placing']:.0f}",
    ]


def _use(results: Mapping[str, Mapping[str, Any]]) -> Iterable[str]:
    return [
        f"- {_title(result)}: "
        + ", ".join(
            f"{cells['used']:,} of {cells['available']:,} {kind} ({cells['used'] / cells['available']:.0%})"
            for kind, cells in result["measured"]["utilisation"].items()
            if cells["available"]
        )
        for result in results.values()
    ]


def write(folder: Path, names: Collection[str] = tuple(case.name for case in CASES)) -> None:
    """Build the cases of these names, all if not given, and write page, records and pictures into ``folder``; other records stay."""
    path = folder / "boards.json"
    results = json.loads(path.read_text())["measured"] if path.exists() else {}
    chosen = [case for case in CASES if case.name in names]
    for case in tracked(chosen, "building for boards", len(chosen)):
        made = build_board(case.request)
        results[case.name] = board_record(made)
        results = {one.name: results[one.name] for one in CASES if one.name in results}
        picture(made, folder / f"boards-{case.name}.png")
        made_of = {"cases": list(results)}
        write_text(path, json.dumps(record(made_of, results), indent=1) + "\n")
        write_text(folder / "boards.md", page(results))


def main() -> None:
    """Build for all boards, or for the named ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=Path, required=True, help="folder to write to")
    names = [case.name for case in CASES]
    parser.add_argument("--only", choices=names, action="append")
    options = parser.parse_args()
    write(options.o, options.only or names)


if __name__ == "__main__":
    main()
