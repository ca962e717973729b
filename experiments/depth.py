"""Depth of buffers: throughput and area of networks with buffers of several depths.

Networks are measured under uniform traffic on the RTL, and their routers synthesized without placing them, as the sweep
file `depth.toml` says; the router of one of them is synthesized for gates too, where no LUT is a memory.
"""

from collections.abc import Iterable, Mapping, Sequence
import dataclasses
import math
from pathlib import Path
from typing import Any

from experiments.experiment import Experiment, Record, Settings, file_name, table
from fatcube.groundwork.record import record
from fatcube.groundwork.tool import ToolError
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies import name_from, topology_from_json
from fatcube.noc.topologies.grids import Mesh
from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series, png
from fatcube.reports.page import Results
from fatcube.reports.table import Section
from fatcube.sim.traffic.limit import FULL
from fatcube.studies.figures import Figures
from fatcube.studies.load import SATURATED, plain_network
from fatcube.studies.measure import measure
from fatcube.studies.point import LoadedNetwork
from fatcube.studies.sweep_file import read_points
from fatcube.synth.silicon import router_silicon

__all__ = ["EXPERIMENT", "DepthRow", "figure", "gains", "kept", "rows_of"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class DepthRow(Figures):
    """A network with buffers of one depth, under uniform traffic.

    Members
    -------
    network : :class:`str`
    processors, channels, depth : :class:`int`
        Its processors, virtual channels of a lane, and flits in each buffer.
    comb, ff : :class:`int`
        COMB equivalents and flip-flops of its router.
    latency : :class:`float`
        Without load, in cycles.
    saturation : :class:`float` or ``None``
        The least load at which it is saturated.
    accepted, bound : :class:`float`
        The most flits per cycle and processor that were accepted, and those that lanes and receivers can take.
    lane : :class:`float`
        The flits per cycle of the fullest lane where most was accepted, as its node counted them.
    per_comb : :class:`float`
        Flits per cycle of all processors for 1,000 COMB equivalents of all routers.
    """

    network: str
    processors: int
    channels: int
    depth: int
    comb: int
    ff: int
    latency: float
    saturation: float | None
    accepted: float
    bound: float
    lane: float
    per_comb: float

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "DepthRow":
        """The row of a record with details."""
        parameters, measured = record["parameters"], record["measured"]
        topology = topology_from_json(parameters["topology"])
        most = max(measured["points"], key=lambda point: point["accepted"])
        area = measured["comb_equivalents"] * topology.nodes
        return cls(
            network=str(topology),
            processors=topology.processors,
            channels=parameters["virtual_channels"],
            depth=parameters["buffer_depth"],
            comb=measured["comb_equivalents"],
            ff=measured["ff"],
            latency=measured["latency_without_load"],
            saturation=measured["saturation"],
            accepted=most["accepted"],
            bound=measured["bound"],
            lane=max(utilisation for _, _, _, utilisation, _ in most["lanes"]),
            per_comb=1000 * most["accepted"] * topology.processors / area,
        )


def kept(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record as it is stored: without pairs of processors and histograms, and of the lanes the fullest."""
    measured = record["measured"]
    points = [
        {
            **{name: value for name, value in point.items() if name != "pairs"},
            "histogram": [],
            "lanes": [max(point["lanes"], key=lambda lane: lane[3])],
        }
        for point in measured["points"]
    ]
    return {**record, "measured": {**measured, "points": points}}


def rows_of(records: Iterable[Mapping[str, Any]]) -> list[DepthRow]:
    """The row of each network under load, by network, then depth."""
    loads = (one for one in records if "points" in one["measured"])
    return sorted(map(DepthRow.of, loads), key=lambda row: (row.processors, row.network, row.depth))


def _networks(rows: Sequence[DepthRow]) -> dict[str, list[DepthRow]]:
    """The rows of each network, the shallowest buffers first."""
    found: dict[str, list[DepthRow]] = {}
    for row in rows:
        found.setdefault(name_from(row.network), []).append(row)
    return found


def gains(rows: Sequence[DepthRow]) -> dict[int, tuple[float, float]]:
    """For each depth that more than one network has: accepted load and throughput per COMB as parts of those with the shallowest
    buffers, in the geometric mean over these networks."""
    parts: dict[int, list[tuple[float, float]]] = {}
    for first, *others in _networks(rows).values():
        for row in (first, *others):
            parts.setdefault(row.depth, []).append((row.accepted / first.accepted, row.per_comb / first.per_comb))
    return {
        depth: (_mean([one for one, _ in some]), _mean([one for _, one in some]))
        for depth, some in sorted(parts.items())
        if len(some) > 1
    }


def _mean(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def figure(rows: Sequence[DepthRow]) -> Figure:
    """Throughput per COMB against the depth of buffers, a line for each network."""
    networks = _networks(rows)
    best = {name: max(some, key=lambda row: row.per_comb).depth for name, some in networks.items()}
    series = [
        Series(
            name=name,
            points=tuple(Point(x=row.depth, y=row.per_comb, text=(f"accepted {row.accepted:.3f}",)) for row in some),
            mark=mark,
            colour=colour,
        )
        for (name, some), colour in zip(networks.items(), COLOURS)
        for mark in ("line", "dots")
    ]
    return Figure(
        name="depth",
        title="Throughput per area against the depth of buffers",
        says="Most throughput per COMB have "
        + ", ".join(f"{name} with {depth} flits" for name, depth in best.items())
        + ".",
        x=Axis("flits in each buffer", "log"),
        y=Axis("flits per cycle and 1,000 COMB", "log"),
        series=tuple(series),
    )


def _page(records: Sequence[Mapping[str, Any]], folder: Path) -> Results:
    rows = rows_of(records)
    gates = [one for one in records if "points" not in one["measured"]]
    shallowest = {name: some[0] for name, some in _networks(rows).items()}
    return Results(
        title="Depth of buffers",
        note="Uniform traffic, packets of 8 flits of 32 bits including the header, router model 1, wormhole switching, the default routing "
        "and as many virtual channels as it needs; with two channels a buffer has at least three flits, for the round trip of a "
        "credit. Latency and load are measured on the RTL: cycles, and flits per cycle and processor. COMB equivalents and flip-flops "
        "are those of the router with the most ports after synthesis for ECP5, not placed. Accepted: the maximum over all loads; bound: "
        "what lanes and receivers can take; fullest lane: flits per cycle that a node counted. Throughput per COMB is that of all "
        f"processors over all routers. {SATURATED}. The networks are those of [depth.toml](depth.toml).",
        figures=[figure(rows)],
        tables=[
            table(
                "",
                "",
                {
                    "network": lambda row: name_from(row.network),
                    "processors": lambda row: row.processors,
                    "channels": lambda row: row.channels,
                    "buffer depth": lambda row: row.depth,
                    "router COMB": lambda row: row.comb,
                    "router FF": lambda row: row.ff,
                    "latency without load": lambda row: f"{row.latency:.2f}",
                    "saturated from": lambda row: "-" if row.saturation is None else f"{row.saturation:.3f}",
                    "accepted": lambda row: f"{row.accepted:.3f}",
                    "bound": lambda row: f"{row.bound:.3f}",
                    "fullest lane": lambda row: f"{row.lane:.2f}",
                    "flits per cycle and 1,000 COMB": lambda row: f"{row.per_comb:.3f}",
                    "of the shallowest": lambda row: (
                        f"{row.per_comb / shallowest[name_from(row.network)].per_comb:.0%}"
                    ),
                },
                rows,
            )
        ],
        sections=[
            Section(
                "Result",
                [*_sentences(rows), *_on_gates(rows, gates)],
                [],
                [("Throughput per area against the depth of buffers", "depth.png")],
            )
        ],
    )


def _sentences(rows: Sequence[DepthRow]) -> list[str]:
    """The conclusions from the figures, a sentence each."""
    networks, means = _networks(rows), gains(rows)
    parts = [f"{depth} flits {accepted:.0%} and {area:.0%}" for depth, (accepted, area) in means.items()]
    deepest, best = max(means), max(area for _, area in means.values())
    same = all(len({row.latency for row in some}) == 1 for some in networks.values())
    lane = max(rows, key=lambda row: row.lane)
    return [
        "Accepted load and throughput per COMB, as parts of those with the shallowest buffers of a network, in the geometric mean "
        f"over the networks: {'; '.join(parts)}.",
        figure(rows).says,
        f"The default is the shallowest buffer that takes a flit in every cycle and covers the round trip of a credit. In the mean no depth "
        f"has more than {best - 1:.0%} more throughput per COMB, and `--buffer-depth {deepest}` accepts {means[deepest][0] - 1:.0%} more.",
        f"Latency without load {'is the same with all depths' if same else 'depends on the depth'}.",
        f"In the fullest lane of all, in the {name_from(lane.network)} with {lane.depth} flits, {lane.lane:.2f} flits cross per cycle, of at most 1: no "
        "lane is full, so channels do not limit what these networks accept."
        if lane.lane < FULL
        else f"The fullest lane of all, in the {name_from(lane.network)} with {lane.depth} flits, moves {lane.lane:.2f} flits per cycle, of at most 1.",
    ]


def _on_gates(rows: Sequence[DepthRow], gates: Sequence[Mapping[str, Any]]) -> list[str]:
    """The throughput per transistor of a network with two depths of buffers, which are flip-flops there."""
    if not gates:
        return []
    shallow, deep = sorted(gates, key=lambda record: record["parameters"]["buffer_depth"])
    name = str(topology_from_json(shallow["parameters"]["topology"]))
    accepted = {row.depth: row.accepted for row in rows if row.network == name}
    depths = [record["parameters"]["buffer_depth"] for record in (shallow, deep)]
    areas = [record["measured"]["transistors"] for record in (shallow, deep)]
    part = accepted[depths[1]] / accepted[depths[0]] * areas[0] / areas[1]
    return [
        f"On gates, where buffers are flip-flops and not RAM made of LUTs, the router of the {name_from(name)} has {areas[0]:,} transistors with "
        f"{depths[0]} flits and {areas[1]:,} with {depths[1]}, with which throughput per transistor is {part:.0%} of that with "
        f"{depths[0]}."
    ]


def _cases(path: Path) -> dict[str, LoadedNetwork | RoutedNetwork]:
    """The networks of a sweep file, and those whose router is synthesized for gates."""
    points = [one for one in read_points(path) if isinstance(one, LoadedNetwork)]
    gates = (plain_network(Mesh(w=4, d=2)).with_options(buffer_depth=depth) for depth in (2, 16))
    return {
        **{_name(one.network): one for one in points},
        **{f"{_name(network)}, gates": network for network in gates},
    }


def _name(network: Network) -> str:
    return f"{file_name(network.topology)}, {network.options.buffer_depth} flits"


def _measure(case: LoadedNetwork | RoutedNetwork, settings: Settings) -> Record:
    """The curve of a network and the area of its router; of one without load the area on gates."""
    if isinstance(case, LoadedNetwork):
        found, failures = measure(case)
        if failures:
            raise ToolError("; ".join(failures))
        return kept(found)
    silicon = router_silicon(case, family="gates", fmax=False)
    return record({**case.to_json(), "family": "gates"}, silicon.to_json())


EXPERIMENT = Experiment(
    name="depth",
    about="throughput and area of networks with buffers of 2 to 16 flits",
    cases=_cases,
    described=Path(__file__).parents[1] / "synth_reports" / "depth.toml",
    measure=_measure,
    page=_page,
    jobs=2,
    files=lambda records, folder: {"depth.png": png([figure(rows_of(records))])},
)
