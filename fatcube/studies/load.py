"""Curves of latency and throughput against offered load: rows, figures and a page, from the records of `fatcube load`."""

from collections.abc import Mapping, Sequence
import dataclasses
import itertools
from pathlib import Path
from typing import Any

from fatcube.groundwork.strict.json_text import read_json
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.descriptions.routing_description import configuration as router_configuration
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import default_routing
from fatcube.noc.topologies import name_from, topology_from_json
from fatcube.noc.topology import Topology
from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series
from fatcube.reports.page import Results
from fatcube.reports.table import Shown, TitledTable
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.limit import CAUSES
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.load_point import ACCEPTED, SLOW, LoadPoint
from fatcube.sim.traffic.saturation import LoadCurve

__all__ = [
    "CAUSES",
    "DEPTH",
    "SATURATED",
    "UNIT",
    "Curve",
    "busiest",
    "columns",
    "load_figures",
    "load_results",
    "plain_network",
    "row",
    "shown_quantile",
]


_MOST_BYTES = 1 << 27


DEPTH = 4
"""Flits in the buffers of networks that are compared under load."""

UNIT = "flits per cycle per processor port"
"""The unit of loads: a processor with several ports offers that much at each."""

SATURATED = (
    f"Saturated: latency is more than {SLOW} times that without load, or less than {int(ACCEPTED * 100)} % of the load "
    "offered by a processor is accepted"
)


@dataclasses.dataclass(frozen=True)
class Curve:
    """The measurements of a network under a pattern.

    Members
    -------
    network : :class:`str`
        The name of the network.
    configuration : :class:`str`
        Other differences from the other networks: routing, channels, switching, pattern, packets.
    measured : :class:`LoadCurve`
    limit : :class:`str`
        The reason why the network accepts no more, as a sentence; empty if that was not measured.
    cause : :class:`str`
        The limit in a word or two; "-" if that was not measured.
    machine : :class:`str`
        The width, buffers, virtual channels and switching of the routers, the routing and the traffic, in full, as a phrase.
    """

    network: str
    configuration: str
    measured: LoadCurve
    limit: str = ""
    cause: str = "-"
    machine: str = ""

    @property
    def points(self) -> tuple[LoadPoint, ...]:
        """The points that were measured."""
        return self.measured.points

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "Curve":
        """The curve of a record."""
        parameters, measured = record["parameters"], record["measured"]
        channels, depth = parameters["virtual_channels"], parameters["buffer_depth"]
        configuration = [
            f"{parameters['routing']} routing",
            *([f"{channels} virtual channels"] if channels > 1 else []),
            *([parameters["switching"]] if parameters["switching"] != "wormhole" else []),
            *([f"buffers of {depth} flits"] if depth != RouterOptions().buffer_depth else []),
            *([f"{parameters['pipeline']} cycles per router"] if parameters["pipeline"] > 1 else []),
            _word(parameters),
            *([f"bursts of {burst} packets"] if (burst := parameters.get("burst")) else []),
            f"packets of {' or '.join(map(str, parameters['packet_flits']))} flits",
            *([f"replies of {flits}"] if (flits := parameters.get("reply_flits")) else []),
        ]
        network = f"{topology_from_json(parameters['topology'])} ports={parameters['ports']}"
        curve = LoadCurve.from_json(measured)
        options = RouterOptions.from_json(
            {name: parameters[name] for name in RouterOptions.names() if name in parameters}
        )
        packet = max(*parameters["packet_flits"], parameters.get("reply_flits", 0))
        cause = curve.cause(options)
        seed = record.get("how", {}).get("seed")
        machine = [
            router_configuration(options),
            f"router model {options.ports.value}",
            f"{parameters['routing']} routing",
            f"{_word(parameters)} traffic",
            configuration[-1] if not flits else ", ".join(configuration[-2:]),
            *([] if seed is None else [f"seed {seed}"]),
        ]
        return cls(
            network,
            ", ".join(configuration),
            curve,
            curve.limit(options, packet),
            cause.value if cause else "-",
            ", ".join(machine),
        )

    @classmethod
    def read(cls, path: Path) -> "Curve":
        """The curve in a file that `fatcube load --json` wrote.

        Raises
        ------
        ParameterError
            If it is none; the message begins with the path.
        OSError
            If there is no such file, or it cannot be read.
        """
        try:
            return read_json(path, cls.of, most=_MOST_BYTES, what="a file of fatcube load")
        except (KeyError, TypeError, AttributeError):
            raise ParameterError(f"{path}: must be a JSON file of `fatcube load`") from None


def _word(parameters: Mapping[str, Any]) -> str:
    """The traffic of a record in a few words."""
    names = ("pattern", "hotspot", "traffic")
    return LoadOptions.from_json({name: parameters[name] for name in names if name in parameters}).word


def plain_network(topology: Topology, ports: PortModel | str = PortModel.ONE) -> RoutedNetwork:
    """The network to compare others with: buffers of :data:`DEPTH` flits, and the fewest virtual channels that the default
    routing takes.

    Raises
    ------
    ParameterError
        If there can be none, as in model b.
    """
    routing, model = default_routing(topology), PortModel.parse(ports)
    try:
        options = RouterOptions(ports=model, buffer_depth=DEPTH, virtual_channels=routing.classes)
        return RoutedNetwork(topology, options, routing=routing)
    except ParameterError as error:
        if not model.copies:
            raise
        others = ", ".join(one.value for one in PortModel if not one.copies)
        raise ParameterError(
            f"ports must be one of {others} where the {topology.name} routes general-purpose traffic, not {model.value}: {error}"
        ) from None


def columns() -> list[str]:
    """The columns of a table of points."""
    return ["load", "offered", "accepted", "least", "latency", "± 95 %", "median", "99 %", "longest", "saturated"]


def row(point: LoadPoint) -> list[object]:
    """A row of the table of loads."""
    return [
        f"{point.load:.3f}",
        f"{point.offered:.3f}",
        f"{point.accepted:.3f}",
        "-" if point.least is None else f"{point.least:.3f}",
        f"{point.latency:.1f}",
        "-" if point.confidence is None else f"{point.confidence:.1f}",
        shown_quantile(point.median, point),
        shown_quantile(point.percentile_99, point),
        point.longest,
        "yes" if point.saturated else "",
    ]


def shown_quantile(quantile: int | None, point: LoadPoint) -> int | str:
    """A quantile of the latencies in cycles, or the least that it can be where it is in the last bin of the histogram."""
    return f"≥ {point.last_bin}" if quantile is None else quantile


def busiest(curve: LoadCurve, most: int = 8) -> tuple[str, list[str], list[list[object]]]:
    """Title, columns and rows of a table of the busiest lanes, at the highest load at which the network is not saturated.

    At the lowest one, if it is saturated at all of them.
    """
    point = next((point for point in reversed(curve.points) if not point.saturated), curve.points[0])
    lanes = sorted(point.lanes, key=lambda lane: -lane.utilisation)[:most]
    title = f"busiest lanes at a load of {point.load:.3f}; one is full from {curve.bound:.3f} on"
    rows: list[list[object]] = [
        [lane.node, lane.to, lane.lane, f"{lane.utilisation:.3f}", f"{lane.by_loads:.3f}"] for lane in lanes
    ]
    return title, ["from node", "to node", "lane", "flits per cycle", "by the routes of packets"], rows


def load_results(curves: Sequence[Curve]) -> Results:
    """The curves of several networks for a page."""
    # A table and its downloads have all of a configuration; pages show what differs.
    rows = [
        [name_from(curve.network), Shown(curve.configuration, own.configuration), *row(point)]
        for curve, own in zip(curves, _differing(curves)[0])
        for point in curve.points
    ]
    note = (
        f"Loads are in {UNIT}, including headers. "
        "Least is the load accepted from the worst-served processor. "
        "Latencies are in cycles, from the creation of a packet to the arrival of its tail flit, or of that of its reply. "
        f"{SATURATED}; latencies are then those of full queues, and the figure of latencies omits them. Written by `fatcube load`."
    )
    title = "Latency and throughput against load"
    heads = ["network", "configuration", *columns()]
    if all(not str(one[1]) for one in rows):
        heads.remove("configuration")
        rows = [[one[0], *one[2:]] for one in rows]
    table = TitledTable(title, "", heads, rows)
    figures = [*load_figures(curves, _numbered(curves)), _histogram(_differing(curves)[0])]
    says = [f"{_name(curve)}: {curve.limit}" for curve in curves if curve.limit] + _machines(curves)
    return Results(title=title, note=note, says=says, tables=[table], figures=[one for one in figures if one.series])


def _machines(curves: Sequence[Curve]) -> list[str]:
    """A paragraph on the routers, routing and traffic: of all networks what they share, and of each what is its own."""
    own, shared = _differing([dataclasses.replace(one, configuration=one.machine) for one in curves])
    others = [f"{name_from(one.network)}: {one.configuration}" for one in own if one.configuration]
    said = [*([f"Measured with {shared}."] if shared else []), *([f"{'; '.join(others)}."] if others else [])]
    return [" ".join(said)] if said else []


def load_figures(curves: Sequence[Curve], numbers: Sequence[Sequence[int]] | None = None) -> list[Figure]:
    """Latency and accepted load against offered load; ``numbers`` are the rows of the points in a table of theirs."""
    rows = [[(number,) for number in some] for some in numbers or ()] or [[()] * len(one.points) for one in curves]
    own, shared = _differing(curves)
    figures = [_latencies(own, rows), _accepted(own, rows)]
    return (
        [dataclasses.replace(one, says=f"{one.says} Configuration: {shared}.") for one in figures]
        if shared
        else figures
    )


def _differing(curves: Sequence[Curve]) -> tuple[list[Curve], str]:
    """The curves with only those parts of their configurations that differ, and the others, which all of them have."""
    parts = [curve.configuration.split(", ") for curve in curves]
    shared = [part for part in parts[0] if all(part in some for some in parts)] if parts else []
    own = [", ".join(part for part in some if part not in shared) for some in parts]
    return [dataclasses.replace(curve, configuration=some) for curve, some in zip(curves, own)], ", ".join(shared)


def _name(curve: Curve) -> str:
    return ", ".join(filter(None, (name_from(curve.network), curve.configuration)))


def _series(curves: Sequence[Curve], points: Sequence[Sequence[Point]]) -> tuple[Series, ...]:
    """A line and dots for each curve, with the name of its network at their end."""
    found = []
    for curve, some, colour in zip(curves, points, itertools.cycle(COLOURS)):
        line = Series(name=_name(curve), points=tuple(some), mark="line", colour=colour)
        found += [line, dataclasses.replace(line, mark="dots", label=name_from(curve.network))]
    return tuple(found)


def _numbered(curves: Sequence[Curve]) -> list[list[int]]:
    """The row in the table of each point of each curve."""
    rows = itertools.count()
    return [[next(rows) for _ in curve.points] for curve in curves]


def _grows(curves: Sequence[Curve], points: Sequence[Sequence[Point]]) -> str:
    """Which network's latency grows least up to saturation."""
    ends = [(some[-1], curve) for curve, some in zip(curves, points) if some]
    if not ends:
        return "Every network is saturated at every load that was measured."
    last, curve = max(ends, key=lambda end: float(end[0].x))
    return (
        f"The highest load below saturation that was measured is {float(last.x):.3f}, at which packets take {last.y:.1f} cycles on "
        f"average ({_name(curve)}); without load they take {curve.measured.latency_without_load:.1f} there."
    )


def _most(curves: Sequence[Curve]) -> str:
    best = max(curves, key=lambda curve: curve.measured.throughput)
    return (
        f"{_name(best)} accepts most, {best.measured.throughput:.3f} {UNIT}, which is "
        f"{best.measured.throughput / best.measured.bound:.0%} of what its channels and receivers can take."
    )


def _usual(curves: Sequence[Curve]) -> str:
    below = [(point, curve) for curve in curves for point in curve.points if not point.saturated and point.histogram]
    if not below:
        return "No latency was measured below saturation."
    point, curve = max(below, key=lambda one: one[0].load)
    return (
        f"At a load of {point.load:.3f}, the median of latencies is {shown_quantile(point.median, point)} cycles, the 99th "
        f"percentile {shown_quantile(point.percentile_99, point)}, and the slowest packet takes {point.longest} ({_name(curve)})."
    )


_Rows = Sequence[Sequence[tuple[int, ...]]]


def _latencies(curves: Sequence[Curve], rows: _Rows) -> Figure:
    """Latency against offered load, up to saturation."""
    points = [
        [
            Point(
                x=point.load,
                y=round(point.latency, 2),
                low=None if point.confidence is None else point.latency - point.confidence,
                high=None if point.confidence is None else point.latency + point.confidence,
                text=(_name(curve), f"99th percentile: {shown_quantile(point.percentile_99, point)} cycles"),
                rows=numbers,
            )
            for point, numbers in zip(curve.points, some)
            if not point.saturated
        ]
        for curve, some in zip(curves, rows)
    ]
    return Figure(
        name="latency",
        title="Latency against offered load",
        says=_grows(curves, points),
        x=Axis(f"offered load, {UNIT}"),
        y=Axis("latency, cycles", "log"),
        series=_series(curves, points),
    )


def _accepted(curves: Sequence[Curve], rows: _Rows) -> Figure:
    """Accepted against offered load."""
    points = [
        [
            Point(x=point.load, y=round(point.accepted, 4), text=(_name(curve),), rows=numbers)
            for point, numbers in zip(curve.points, some)
        ]
        for curve, some in zip(curves, rows)
    ]
    return Figure(
        name="accepted",
        title="Accepted against offered load",
        says=_most(curves),
        x=Axis(f"offered load, {UNIT}"),
        y=Axis(f"accepted load, {UNIT}"),
        series=_series(curves, points),
    )


def _histogram(curves: Sequence[Curve]) -> Figure:
    """The latencies of single packets at the highest load below saturation."""
    series = []
    for curve, colour in zip(curves, itertools.cycle(COLOURS)):
        below = [point for point in curve.points if not point.saturated and point.histogram]
        if below:
            total = sum(count for _, count in below[-1].histogram)
            points = tuple(Point(x=value, y=count / total) for value, count in below[-1].histogram)
            name = f"{_name(curve)}, load {below[-1].load:.3f}"
            series.append(Series(name=name, points=points, mark="line", colour=colour))
    return Figure(
        name="histogram",
        title="Latencies of packets at the highest load below saturation",
        says=_usual(curves),
        x=Axis("latency, cycles", "log"),
        y=Axis("part of all packets"),
        series=tuple(series),
    )
