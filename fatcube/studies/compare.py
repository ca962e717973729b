"""Topologies side by side at about the same number of processors."""

from collections.abc import Iterable, Iterator, Sequence
import json
from pathlib import Path
from typing import Any

from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series
from fatcube.reports.markdown import markdown_table
from fatcube.reports.page import table_page
from fatcube.reports.table import TitledTable
from fatcube.studies.load import DEPTH, SATURATED, plain_network
from groundwork.files import write_text
from groundwork.progress import tracked
from groundwork.record import record
from groundwork.validation import ParameterError, check_count, check_integer
from noc.cost import price
from noc.measures import measure
from noc.network import Network
from noc.topologies.ccc import CubeConnectedCycles
from noc.topologies.cubes import FatCube, Hypercube
from noc.topologies.generalized import DenseGHC, SparseGHC
from noc.topologies.grids import Mesh, Ring, Torus
from noc.topologies.tree import Tree
from noc.topology import Topology
from rtl.port_model import PortModel
from rtl.router_options import RouterOptions
from schedules.checker import check
from schedules.collective import Collective
from schedules.construct import construct
from schedules.size import check_size
from sim.collectives.simulate import Run, fitting_machine, simulate_all
from sim.traffic.load import LoadTest
from sim.traffic.load_options import LoadOptions
from sim.traffic.saturation import curve, saturation

__all__ = ["COLLECTIVES", "candidates", "check_comparison", "check_load", "compare", "write_comparison"]


COLLECTIVES = (Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS)
PAYLOAD_FLITS = 16
MOST_NODES = 2048
MOST_PROCESSORS = 1024


def candidates(processors: int, *, tolerance: float = 0.15, most_on_a_node: int = 8) -> list[Topology]:
    """Networks of about so many processors: hypercube, fat cubes, CCC, generalized hypercubes, mesh, torus, ring, tree.

    Generalized hypercubes, meshes, tori and trees have at least two dimensions or levels here: with one, a dense one is a
    complete graph, a mesh a line, a tree a star and the others are rings. A star is left out: its router has a channel
    for every leaf. Of each kind and shape the one whose number of processors comes nearest, if it is within
    ``tolerance``. More than one processor on a node is considered for all but the hypercube.

    Parameters
    ----------
    processors : :class:`int`
        At least 4, at most 512.
    tolerance : :class:`float`
        The largest difference, as a part of ``processors``.
    most_on_a_node : :class:`int`
        The most processors on a node.

    Raises
    ------
    ParameterError
        If the number of processors is out of range.
    """
    check_integer("processors to compare at", processors, minimum=4, maximum=512)
    dimensions = range(1, processors.bit_length() + 1)
    shapes = [lambda m, d=d: FatCube(d, m) for d in dimensions]
    shapes += [lambda m, n=n: CubeConnectedCycles(n, m) for n in (3, 4, 5, 6)]
    shapes += [
        lambda m, kind=kind, w=w, d=d: kind(w, d, m)
        for kind in (DenseGHC, SparseGHC, Mesh, Torus)
        for w in range(3, 10)
        for d in dimensions
        if d > 1 and w**d <= 2 * processors
    ]
    shapes += [
        lambda m, w=w, d=d: Tree(w, d, m) for w in (2, 3, 4) for d in dimensions if d > 1 and w**d <= 2 * processors
    ]
    shapes += [lambda m: Ring(processors, m)]
    found: list[Topology] = [Hypercube(d) for d in dimensions]
    for shape in shapes:
        m = min(most_on_a_node, max(1, round(processors / shape(1).nodes)))
        if not (isinstance(shape(m), FatCube) and m == 1):
            found.append(shape(m))
    return [topology for topology in found if abs(topology.processors - processors) <= tolerance * processors]


def check_comparison(topology: Topology) -> None:
    """Refuse a topology that is too large to be compared.

    Raises
    ------
    ParameterError
        If it has more than 2,048 nodes or 1,024 processors.
    """
    check_count("nodes", topology.nodes, maximum=MOST_NODES, what=f"to compare {topology}")
    check_count("processors", topology.processors, maximum=MOST_PROCESSORS, what=f"to compare {topology}")


def compare(
    topologies: Sequence[Topology], ports: PortModel | str, *, run: bool = False, load: str | None = None
) -> list[dict[str, Any]]:
    """A record for each topology: measures of its graph, its price, and the steps of the four collectives.

    A collective is left out if steps cannot do it, or building it would take long (:func:`schedules.size.check_size`).

    Parameters
    ----------
    topologies : list of :class:`Topology`
    ports : :class:`PortModel` or :class:`str`
        The router model of all of them.
    run : :class:`bool`
        Run the schedules on the RTL too, in lockstep with 16 payload flits: steps, cycles, and what went wrong.
    load : :class:`str` or ``None``
        Measure the networks on the RTL under this pattern too: latency without load, saturation, and what is accepted.

    Raises
    ------
    ParameterError
        If there is no such pattern, or the model has no networks for anyone's traffic.
    """
    model = PortModel.parse(ports)
    check_load(model, load)
    rows = []
    for topology in tracked(topologies, "comparing", len(topologies)):
        graph, cost = measure(topology), price(topology, model)
        row: dict[str, Any] = {
            "network": str(topology),
            "topology": topology.to_json(),
            "ports": model.value,
            "processors": topology.processors,
            "nodes": topology.nodes,
            "degree": topology.degree,
            "links": graph.links,
            "bisection": graph.bisection.width,
            "bisection_at_least": graph.bisection.at_least,
            "diameter": graph.diameter,
            "average_distance": float(graph.average_distance),
            "connectivity": graph.connectivity,
            "ab": cost.ab,
            "router_cost": cost.router_cost,
            "collectives": {},
        }
        findings = [construct(topology, ports, collective) for collective in _possible(topology, model)]
        schedules = [finding.found for finding in findings]
        for finding in findings:
            row["collectives"][finding.found.collective.value] = {
                "steps": check(finding.found).steps,
                "lower_bound": finding.bound.steps,
            }
        if run and schedules:
            runs = [Run(schedule=schedule, payload_flits=PAYLOAD_FLITS) for schedule in schedules]
            machine = fitting_machine(
                Network(topology, RouterOptions(ports=model)),
                payload_flits=PAYLOAD_FLITS,
                steps=max(schedule.steps for schedule in schedules),
            )
            for schedule, result in zip(schedules, simulate_all(machine, runs)):
                row["collectives"][schedule.collective.value].update(
                    measured_steps=result.steps,
                    cycles=result.cycles,
                    delivered=result.delivered,
                    failures=list(result.failures),
                )
        if load is not None:
            row["load"] = _under_load(topology, model, load)
        rows.append(row)
    return rows


def check_load(model: PortModel, pattern: str | None) -> None:
    """Refuse a pattern that there is not, and one with routers that no traffic of anyone's goes through.

    Raises
    ------
    ParameterError
        If it is refused.
    """
    if pattern is not None:
        LoadOptions(pattern=pattern)
        plain_network(Hypercube(1), model)


def _under_load(topology: Topology, model: PortModel, pattern: str) -> dict[str, Any]:
    """What is measured under a pattern, with one run a load; nothing is if the pattern is not for the topology."""
    try:
        test = LoadTest(plain_network(topology, model), LoadOptions(pattern=pattern, repeats=1))
    except ParameterError:
        found = None
    else:
        found = curve(test, [1.0], saturation(test))
    return {
        "pattern": pattern,
        "latency_without_load": found and found.latency_without_load,
        "saturation": found and found.saturation,
        "accepted": found and found.throughput,
        "bound": found and found.bound,
        "failures": found.failures if found else [],
    }


def tables(rows: Sequence[dict[str, Any]]) -> list[tuple[list[str], list[list[Any]]]]:
    """The tables as (columns, cells): the graphs and their prices, the collectives, and, if it was measured, the load."""
    graphs = (
        [
            "network",
            "P",
            "nodes",
            "degree",
            "links",
            "bisection",
            "diameter",
            "average distance",
            "connectivity",
            "a b",
            "C_R",
        ],
        [
            [
                row["network"],
                row["processors"],
                row["nodes"],
                row["degree"],
                row["links"],
                row["bisection"]
                if row["bisection"] == row["bisection_at_least"]
                else f"{row['bisection_at_least']} to {row['bisection']}",
                row["diameter"],
                f"{row['average_distance']:.2f}",
                row["connectivity"],
                row["ab"],
                row["router_cost"],
            ]
            for row in rows
        ],
    )
    steps = (
        ["network", "P", *(collective.value for collective in COLLECTIVES)],
        [
            [
                row["network"],
                row["processors"],
                *(_steps(row["collectives"].get(collective.value)) for collective in COLLECTIVES),
            ]
            for row in rows
        ],
    )
    if not all("load" in row for row in rows):
        return [graphs, steps]
    pattern = rows[0]["load"]["pattern"]
    of_load = (
        ["network", "P", *(f"{pattern}: {what}" for what in ("latency without load", "saturated from", "accepted"))],
        [[row["network"], row["processors"], *_of_load(row["load"])] for row in rows],
    )
    return [graphs, steps, of_load]


def _of_load(one: dict[str, Any]) -> list[str]:
    """The cells of what was measured under load."""
    digits = {"latency_without_load": 1, "saturation": 3, "accepted": 3}
    return ["-" if one[name] is None else f"{one[name]:.{number}f}" for name, number in digits.items()]


def _possible(topology: Topology, ports: PortModel) -> Iterator[Collective]:
    """The collectives that can be built on ``topology``, in about ten seconds each.

    Those that have translations can: what is built for one node holds for all.
    """
    for collective in COLLECTIVES:
        try:
            if len(topology.translations) == 1:
                check_size(topology, ports, collective)
        except ParameterError:
            continue
        yield collective


def _steps(one: dict[str, Any] | None) -> str:
    """Best known steps, the lower bound where it is below them, and what was measured."""
    if one is None:
        return "-"
    text = str(one["steps"]) + ("" if one["steps"] == one["lower_bound"] else f" (bound {one['lower_bound']})")
    return text + (f", measured {one['measured_steps']}, {one['cycles']} cycles" if "cycles" in one else "")


def write_comparison(
    rows: Sequence[dict[str, Any]], folder: Path, processors: int, ports: PortModel | str
) -> list[Path]:
    """Write compare-P.md, .json and .html into ``folder``, and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    model = PortModel.parse(ports).value
    title = f"Networks of about {processors} processors, router model {model}"
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
    paths = [folder / f"compare-{processors}.{ending}" for ending in ("md", "json", "html")]
    lines = [f"# {title}", "", note, ""]
    for columns, cells in found:
        lines += [*markdown_table(columns, cells), ""]
    write_text(paths[0], "\n".join(lines))
    write_text(
        paths[1], json.dumps(record({"processors": processors, "ports": model}, {"networks": rows}), indent=1) + "\n"
    )
    columns = [*found[0][0], *(column for columns, _ in found[1:] for column in columns[2:])]
    cells = [
        [*group[0], *(cell for row in group[1:] for cell in row[2:])] for group in zip(*(rows for _, rows in found))
    ]
    table = TitledTable(title, note, columns, cells)
    write_text(paths[2], table_page(table, figures=[_figure(rows)]))
    return paths


def _figure(rows: Iterable[dict[str, Any]]) -> Figure:
    """Steps of each collective against the price of the routers."""
    return Figure(
        name="steps",
        title="Steps against the price of the routers",
        x=Axis("C_R: a b of all routers", "log"),
        y=Axis("steps", "log"),
        series=tuple(
            Series(
                name=collective.value,
                points=tuple(
                    Point(
                        x=row["router_cost"],
                        y=row["collectives"][collective.value]["steps"],
                        text=(f"{collective.value} on {row['network']}",),
                    )
                    for row in rows
                    if collective.value in row["collectives"]
                ),
                colour=colour,
            )
            for collective, colour in zip(COLLECTIVES, COLOURS)
        ),
    )
