"""The page of a design for a board, from the record that `fatcube board build` writes."""

from collections.abc import Mapping
import json
from typing import Any

from fatcube.noc.topologies import topology_from_json
from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series
from fatcube.reports.page import Results
from fatcube.reports.table import TitledTable

__all__ = ["board_page"]


def board_page(title: str, record: Mapping[str, Any]) -> Results:
    """The resources of a board that a design uses, its clock, and how it was made."""
    parameters, measured, how = (record[part] for part in ("parameters", "measured", "how"))
    use = measured["utilisation"]
    shares = {kind: one["used"] / one["available"] for kind, one in use.items() if one["available"]}
    figures = []
    if shares:
        fullest = max(shares, key=lambda kind: shares[kind])
        figures.append(
            Figure(
                name="use",
                title="Use of the chip by the design",
                says=f"{fullest} is the scarcest: {use[fullest]['used']:,} of {use[fullest]['available']:,} are used, {shares[fullest]:.1%}.",
                x=Axis("", "category"),
                y=Axis("% of what is available"),
                series=(
                    Series(
                        name="used",
                        mark="bars",
                        colour=COLOURS[0],
                        points=tuple(
                            Point(x=kind, y=round(100 * share, 2), text=(kind,), rows=(list(use).index(kind),))
                            for kind, share in shares.items()
                        ),
                    ),
                ),
            )
        )
    routes = measured["routes_mhz"]
    reached = f", and place and route reached {routes[-1][1]:.2f} MHz with seed {how['seed']}" if routes else ""
    facts = {
        "network": topology_from_json(parameters["topology"]).name,
        **{name: _words(value) for name, value in parameters.items() if name != "topology"},
        **_facts(measured),
        "command": how["command"],
    }
    return Results(
        title=title,
        note="Written by `fatcube board build`.",
        says=[f"The clock is {measured['clock_mhz']:.2f} MHz{reached}."],
        figures=figures,
        tables=[
            TitledTable(
                "Resources of the chip",
                "",
                ["resource", "used", "available", "share"],
                [
                    [kind, one["used"], "-" if one["available"] is None else one["available"], f"{shares[kind]:.1%}" if kind in shares else "-"]
                    for kind, one in use.items()
                ],
            ),
            TitledTable("The design", "", ["what", "value"], [[_called(name), value] for name, value in facts.items()]),
        ],
    )  # fmt: skip


def _facts(measured: Mapping[str, Any]) -> dict[str, str]:
    names = ("processors", "nodes", "oscillator_mhz", "pll", "bit_cycles", "bitstream")
    times = {f"seconds of {name}": _words(seconds) for name, seconds in measured["seconds"].items()}
    return {**{name: _words(measured[name]) for name in names}, **times}


def _called(name: str) -> str:
    """The name of a key of a record, with its unit."""
    return "PLL" if name == "pll" else name.replace("_mhz", ", MHz").replace("_", " ")


def _words(value: object) -> str:
    """A value of a record as text."""
    if value is None:
        return "-"
    return value if isinstance(value, str) else json.dumps(value).replace('"', "")
