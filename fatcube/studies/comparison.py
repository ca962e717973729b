"""The comparison of topologies as a value: figures of each, their tables, and the files that show them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
import dataclasses
import json
from pathlib import Path
from typing import Any

from fatcube.groundwork.files import write_text
from fatcube.groundwork.record import record
from fatcube.noc.network import Network
from fatcube.reports.figure import COLOURS, GREY, Axis, Figure, Point, Series
from fatcube.reports.markdown import markdown_table
from fatcube.reports.page import Results, write_results
from fatcube.reports.table import TitledTable
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.schedules.step_model import STANDARD, StepModel
from fatcube.studies.figures import Figures
from fatcube.studies.load import DEPTH, SATURATED
from fatcube.studies.pareto import undominated

__all__ = [
    "COLLECTIVES",
    "Compared",
    "GivenNetwork",
    "Steps",
    "UnderLoad",
    "comparison_stem",
    "tables",
    "write_comparison",
]


COLLECTIVES = (Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS)


@dataclasses.dataclass(frozen=True)
class GivenNetwork:
    """A network of a user's to compare, with its own routers.

    Members
    -------
    name : :class:`str`
        What it is called, such as the name of its file.
    network : :class:`Network`
    """

    name: str
    network: Network

    def __str__(self) -> str:
        return f"{self.name}: {self.network}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Steps(Figures):
    """A collective on a network, and its run on the RTL in lockstep, if it ran.

    Members
    -------
    steps : :class:`int`
        Those of the schedule that was constructed.
    lower_bound : :class:`int`
        The fewest that are possible, as far as that is proven.
    measured_steps, cycles, delivered : :class:`int` or ``None``
        Steps and cycles of the run, and the messages that arrived.
    failures : sequence of :class:`str` or ``None``
        What went wrong in the run.
    """

    steps: int
    lower_bound: int
    measured_steps: int | None = None
    cycles: int | None = None
    delivered: int | None = None
    failures: Sequence[str] | None = None

    def __str__(self) -> str:
        """Best known steps, the lower bound where it is below them, and what was measured."""
        text = str(self.steps) + ("" if self.steps == self.lower_bound else f" (bound {self.lower_bound})")
        return text + ("" if self.cycles is None else f", measured {self.measured_steps}, {self.cycles} cycles")


@dataclasses.dataclass(frozen=True, kw_only=True)
class UnderLoad(Figures):
    """A network under a pattern; all figures are ``None`` if the pattern is not for its topology.

    Members
    -------
    pattern : :class:`str`
    latency_without_load : :class:`float` or ``None``
        In cycles.
    saturation : :class:`float` or ``None``
        The load from which on it is saturated; ``None`` also if it is at none.
    accepted, bound : :class:`float` or ``None``
        The load that is accepted, and the one that channels and receivers can take.
    failures : sequence of :class:`str`
        What went wrong with packets.
    """

    pattern: str
    latency_without_load: float | None
    saturation: float | None
    accepted: float | None
    bound: float | None
    failures: Sequence[str]

    @property
    def cells(self) -> list[str]:
        """Latency without load, saturation and accepted load in a table."""
        figures = ((self.latency_without_load, 1), (self.saturation, 3), (self.accepted, 3))
        return ["-" if value is None else f"{value:.{digits}f}" for value, digits in figures]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Compared(Figures):
    """A network of a comparison.

    Members
    -------
    network : :class:`str`
        Its topology in words.
    topology : mapping
        Its topology as in records.
    ports : :class:`str`
        The router model.
    processors, nodes, degree, links, diameter, connectivity : :class:`int`
        As in :mod:`fatcube.noc.measures`.
    bisection, bisection_at_least : :class:`int`
        In lanes, both directions together: the bisection found, and what it is at least.
    average_distance : :class:`float`
        In hops.
    ab, router_cost : :class:`int`
        The price of a router, and of all (:class:`fatcube.noc.cost.Price`).
    collectives : mapping of :class:`str` to :class:`Steps`
        Those of :data:`COLLECTIVES` that were constructed.
    load : :class:`UnderLoad` or ``None``
        What was measured under load, if it was.
    machine : mapping or ``None``
        Of a network of a user's its topology, and the options of its routers and routing, as in records.
    steps : mapping or ``None``
        What a step allows, as far as it differs from the usual steps (:meth:`fatcube.schedules.step_model.StepModel.to_file`).
    """

    network: str
    topology: Mapping[str, Any]
    ports: str
    processors: int
    nodes: int
    degree: int
    links: int
    bisection: int
    bisection_at_least: int
    diameter: int
    average_distance: float
    connectivity: int
    ab: int
    router_cost: int
    collectives: Mapping[str, Steps]
    load: UnderLoad | None = None
    machine: Mapping[str, Any] | None = None
    steps: Mapping[str, Any] | None = None

    @property
    def failures(self) -> list[str]:
        """All that went wrong in runs and under load."""
        parts = [*self.collectives.values(), *([self.load] if self.load else [])]
        return [failure for part in parts for failure in part.failures or ()]


_GRAPHS: dict[str, Callable[[Compared], object]] = {
    "network": lambda one: one.network,
    "P": lambda one: one.processors,
    "nodes": lambda one: one.nodes,
    "degree": lambda one: one.degree,
    "links": lambda one: one.links,
    "bisection": lambda one: (
        one.bisection if one.bisection == one.bisection_at_least else f"{one.bisection_at_least} to {one.bisection}"
    ),
    "diameter": lambda one: one.diameter,
    "average distance": lambda one: f"{one.average_distance:.2f}",
    "connectivity": lambda one: one.connectivity,
    "a b": lambda one: one.ab,
    "C_R": lambda one: one.router_cost,
}
"""The columns of the table of graphs and prices."""


def tables(rows: Sequence[Compared]) -> list[tuple[list[str], list[list[object]]]]:
    """The tables as (columns, cells): the graphs and their prices, the collectives, and, if it was measured, the load."""
    graphs = list(_GRAPHS), [[cell(one) for cell in _GRAPHS.values()] for one in rows]
    steps = (
        ["network", "P", *(collective.value for collective in COLLECTIVES)],
        [
            [one.network, one.processors, *(one.collectives.get(collective.value, "-") for collective in COLLECTIVES)]
            for one in rows
        ],
    )
    loads = [(one, one.load) for one in rows if one.load is not None]
    if len(loads) < len(rows):
        return [graphs, steps]
    pattern = loads[0][1].pattern
    of_load = (
        ["network", "P", *(f"{pattern}: {what}" for what in ("latency without load", "saturated from", "accepted"))],
        [[one.network, one.processors, *load.cells] for one, load in loads],
    )
    return [graphs, steps, of_load]


def write_comparison(
    rows: Sequence[Compared],
    folder: Path,
    processors: int | None,
    ports: PortModel | str,
    steps: StepModel = STANDARD,
    files: Sequence[str] = (),
) -> list[Path]:
    """Write compare-P.md, .json and .html into ``folder``, and return the paths. ``steps`` is what a step allows.

    Of networks of ``files`` alone, where ``processors`` is ``None``, they are compare-networks.md and so on.
    """
    folder.mkdir(parents=True, exist_ok=True)
    model = PortModel.parse(ports).value
    whose = [f"of {name}" for name in files]
    if processors is not None:
        whose.append(f"of about {processors} processors, router model {model}")
    title = f"Networks {' and '.join(whose)}{', ' if str(steps) else ''}{steps}"
    note = (
        "Counted on the graph; bisection in lanes, both directions together. Steps are those of the best schedule "
        "known, with the lower bound where it is below them. Written by `fatcube compare`."
    )
    found = tables(rows)
    if len(found) > 2:
        note += (
            " Under load: in cycles, and in flits per cycle and port of a processor, of packets of 8 flits through buffers "
            f"of {DEPTH}, with as many virtual channels as the default routing takes, on the RTL; accepted at a load of 1. "
            f"{SATURATED}."
        )
        note += " Networks of files have their own routers and routing." if files else ""
    paths = [folder / f"{comparison_stem(processors)}.{ending}" for ending in ("md", "json", "html")]
    lines = [f"# {title}", "", note, ""]
    for columns, cells in found:
        lines += [*markdown_table(columns, cells), ""]
    write_text(paths[0], "\n".join(lines))
    measured = {"networks": [row.to_json() for row in rows]}
    parameters = {
        **({} if processors is None else {"processors": processors, "ports": model}),
        **({"files": [*files]} if files else {}),
        **({"steps": steps.to_file()} if steps.to_file() else {}),
    }
    write_text(paths[1], json.dumps(record(parameters, measured), indent=1) + "\n")
    columns = [*found[0][0], *(column for columns, _ in found[1:] for column in columns[2:])]
    cells = [
        [*group[0], *(cell for row in group[1:] for cell in row[2:])] for group in zip(*(rows for _, rows in found))
    ]
    table = TitledTable(title, "", columns, cells)
    write_results(Results(title=title, note=note, tables=[table], figures=[_figure(rows)]), paths[2])
    return paths


def comparison_stem(processors: int | None) -> str:
    """The name of the files of a comparison, without the ending."""
    return f"compare-{'networks' if processors is None else processors}"


def _figure(rows: Sequence[Compared]) -> Figure:
    """Steps of each collective against the price of the routers, each with its Pareto front."""
    points = {
        collective.value: [
            Point(
                x=row.router_cost,
                y=row.collectives[collective.value].steps,
                text=(f"{collective.value} on {row.network}",),
                rows=(number,),
                name=row.network,
            )
            for number, row in enumerate(rows)
            if collective.value in row.collectives
        ]
        for collective in COLLECTIVES
    }
    fronts = {name: undominated(some, lambda point: (float(point.x), point.y)) for name, some in points.items()}
    return Figure(
        name="steps",
        title="Steps against the price of the routers",
        says=_says(rows, fronts),
        x=Axis("C_R: a b of all routers", "log"),
        y=Axis("steps", "log"),
        series=(
            *(
                Series(
                    name="Pareto front of each collective",
                    points=tuple(Point(x=point.x, y=point.y, rows=point.rows) for point in front),
                    mark="front",
                    colour=GREY,
                    label=name,
                )
                for name, front in fronts.items()
            ),
            *(
                Series(name=name, points=tuple(some), colour=colour)
                for (name, some), colour in zip(points.items(), COLOURS)
            ),
        ),
    )


def _says(rows: Sequence[Compared], fronts: Mapping[str, Sequence[Point]]) -> str:
    """The networks that are on the most fronts, and the cheapest."""
    on = Counter(number for front in fronts.values() for point in front for number in point.rows)
    if not on:
        return "No schedule was constructed."
    most = max(on.values())
    named = [rows[number].network for number in sorted(on) if on[number] == most]
    cheapest = min(rows, key=lambda row: row.router_cost)
    return (
        f"{cheapest.network} has the cheapest routers, C_R = {cheapest.router_cost:,}; on the Pareto fronts of {most} of "
        f"{len(fronts)} collectives {'is' if len(named) == 1 else 'are'} {', '.join(named)}."
    )
