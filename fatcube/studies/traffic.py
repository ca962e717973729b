"""Networks of 64 processors under anyone's traffic, beside what their routers cost and what step counts say of them.

    python -m fatcube.studies.traffic -o synth_reports

writes traffic.md, .json and .html into synth_reports: latency and throughput of each network, measured on the RTL, in
cycles and, with the Fmax of its router, in nanoseconds and Gbit/s; LUTs of all routers; steps of an all-to-all.
"""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
import concurrent.futures
import dataclasses
import functools
import json
from pathlib import Path
from typing import Any, NamedTuple

from fatcube.groundwork.files import write_text
from fatcube.groundwork.progress import tracked
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.noc.topology import Topology
from fatcube.reports.markdown import markdown_table
from fatcube.reports.page import write_results
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.size import check_size
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.saturation import saturation
from fatcube.studies.load import DEPTH, Curve, load_results, plain_network
from fatcube.synth.families import find_family
from fatcube.synth.silicon import router_silicon

__all__ = ["NETWORKS", "NetworkRow", "measure", "page", "rows_of"]


NETWORKS: tuple[Topology, ...] = (
    Hypercube(6),
    FatCube(4, 4),
    FatCube(3, 8),
    FatCube(3, 8, 2),
    CubeConnectedCycles(4),
    DenseGHC(4, 3),
    Mesh(w=8, d=2),
    Torus(w=8, d=2),
)
_FRACTIONS = (0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 1.0)  # of the load of saturation


def measure(topology: Topology, *, seeds: Sequence[int] = (1, 2, 3), jobs: int = 2) -> dict[str, Any]:
    """The record of a network: its curve under uniform traffic, and figures of its router and of all-to-all."""
    network = plain_network(topology)
    test = LoadTest(network)
    saturated = saturation(test)
    points = test.points([*(saturated * part for part in _FRACTIONS if saturated), 1.0])
    # Full queues have latencies of every length, which nobody draws.
    points = [dataclasses.replace(point, histogram=()) if point.saturated else point for point in points]
    silicon = router_silicon(network, seeds=seeds, wide=False, jobs=jobs)
    return record(
        test.parameters,
        {
            "latency_without_load": test.latency_without_load,
            "bound": test.bound,
            "saturation": saturated,
            "points": [dataclasses.asdict(point) for point in points],
            "router_comb_equivalents": silicon.area.comb_equivalents,
            "router_ff": silicon.area.ff,
            "fmax_mhz": silicon.fmax_mhz,
            "commands": list(silicon.commands),
            "nodes": topology.nodes,
            "crossbar_ports": network.router().crossbar_ports,
            "placement_seeds": list(seeds),
            "aas_steps": _steps(topology),
        },
        seed=test.options.seed,
        command="python -m fatcube.studies.traffic",
    )


def _steps(topology: Topology) -> int | None:
    """Steps of an all-to-all in router model 1, if one that is known is built in about ten seconds."""
    try:
        if len(topology.translations) == 1:
            check_size(Problem(topology, "1", Collective.AAS))
        return construct(Problem(topology, "1", Collective.AAS)).found.steps
    except ParameterError:
        return None


@dataclasses.dataclass(frozen=True, kw_only=True)
class NetworkRow:
    """A network in the table.

    Members
    -------
    network : :class:`str`
        The name of the network.
    processors, channels, ports : :class:`int`
        Its processors, and virtual channels and inputs of a router.
    width : :class:`int`
        Bits per flit.
    luts : :class:`int`
        COMB equivalents of all routers.
    mhz : :class:`float`
        Fmax of a router.
    latency : :class:`float`
        Without load, in cycles.
    saturation : :class:`float` or ``None``
        The load from which on it is saturated; ``None`` if it is at none.
    accepted : :class:`float`
        The most flits per cycle and processor that were accepted.
    aas_steps : :class:`int` or ``None``
        Steps of an all-to-all, if they are known.
    commands : list of :class:`str`
        The commands that the Fmax is of; empty in older records.
    limit : :class:`str`
        The reason why it accepts no more, as a sentence; empty in records of earlier versions.
    """

    network: str
    processors: int
    channels: int
    ports: int
    width: int
    luts: int
    mhz: float
    latency: float
    saturation: float | None
    accepted: float
    aas_steps: int | None
    commands: Sequence[str] = ()
    limit: str = ""

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "NetworkRow":
        """The row of a record."""
        parameters, measured = record["parameters"], record["measured"]
        curve = Curve.of(record)
        return cls(
            network=curve.network,
            limit=curve.limit,
            processors=topology_from_json(parameters["topology"]).processors,
            channels=parameters["virtual_channels"],
            ports=measured["crossbar_ports"],
            width=parameters["width"],
            luts=measured["router_comb_equivalents"] * measured["nodes"],
            mhz=measured["fmax_mhz"],
            latency=measured["latency_without_load"],
            saturation=measured["saturation"],
            accepted=max(point["accepted"] for point in measured["points"]),
            aas_steps=measured["aas_steps"],
            commands=measured.get("commands", ()),
        )

    @property
    def nanoseconds(self) -> float:
        """Latency without load."""
        return self.latency * 1000 / self.mhz

    @property
    def gigabits(self) -> float:
        """Throughput of a processor in Gbit/s."""
        return self.accepted * self.width * self.mhz / 1000

    @property
    def gigabits_per_1000(self) -> float:
        """Throughput of all processors by the COMB equivalents of all routers, in Gbit/s per 1,000."""
        return self.gigabits * self.processors * 1000 / self.luts

    @property
    def title(self) -> str:
        """The network without its router model."""
        return self.network.removesuffix(" ports=1")

    def to_json(self) -> dict[str, Any]:
        """The row by the columns of the page."""
        return {column.title: column.value(self) for column in _COLUMNS}


class _Column(NamedTuple):
    """A column of the page: its title, its value, and the digits behind the point that are shown of it, if any."""

    title: str
    value: Callable[[NetworkRow], object]
    shown: str = ""

    def cell(self, row: NetworkRow) -> str:
        """The cell of a row."""
        value = self.value(row)
        return "-" if value is None else format(value, self.shown)


_COLUMNS = (
    _Column("network", lambda row: row.network),
    _Column("channels", lambda row: row.channels),
    _Column("a = b", lambda row: row.ports),
    _Column("COMB of all routers", lambda row: row.luts, ","),
    _Column("MHz", lambda row: row.mhz, ",.0f"),
    _Column("latency without load, cycles", lambda row: row.latency, ",.2f"),
    _Column("ns", lambda row: row.nanoseconds, ",.0f"),
    _Column("saturated from", lambda row: row.saturation, ",.3f"),
    _Column("accepted", lambda row: row.accepted, ",.3f"),
    _Column("Gbit/s per processor", lambda row: row.gigabits, ",.2f"),
    _Column("Gbit/s per 1,000 COMB", lambda row: row.gigabits_per_1000, ",.2f"),
    _Column("AAS steps", lambda row: row.aas_steps, ","),
)


def rows_of(records: Iterable[Mapping[str, Any]]) -> list[NetworkRow]:
    """A row of figures for each record."""
    return [NetworkRow.of(record) for record in records]


def page(rows: Sequence[NetworkRow]) -> str:
    """The page in Markdown, written from the figures."""
    lines = [
        "# Networks of 64 processors under general-purpose traffic",
        "",
        f"Uniform traffic, including the sender itself, packets of 8 flits of 32 bits including the header, router model 1, buffers of {DEPTH} "
        "flits, and as many virtual channels as the default routing needs. Latency and load are measured on the RTL; loads "
        "are flits per cycle and processor. COMB equivalents and MHz are those of the routers on ECP5; wires between routers are not placed. Headers carry the destination where "
        "the route does not fit. Saturated: mean latency above three times that without load, or less than 95 % of the "
        "offered load accepted. Accepted: the maximum over all loads. AAS steps: of an all-to-all in the papers' step model, one "
        "message each; - where no fast construction is known. Written by `python -m fatcube.studies.traffic`; curves in "
        "traffic.html, all figures in traffic.json."
        + f" {find_family('ecp5').flow_note({'fmax_mhz': row.mhz, 'commands': row.commands} for row in rows)}".rstrip(),
        "",
        *markdown_table(
            [column.title for column in _COLUMNS], [[column.cell(row) for column in _COLUMNS] for row in rows]
        ),
        "",
        "## Step counts and throughput",
        "",
    ]
    lines += [f"- {sentence}" for sentence in _sentences(rows)]
    if limits := [f"- {row.title}: {row.limit}" for row in rows if row.limit]:
        lines += ["", "## What limits the networks", "", *limits]
    return "\n".join([*lines, ""])


def _order(rows: Sequence[NetworkRow], key: Callable[[NetworkRow], float]) -> str:
    return ", ".join(row.title for row in sorted(rows, key=key))


def _sentences(rows: Sequence[NetworkRow]) -> list[str]:
    """The sentences that follow from the figures."""
    stepped = [(row.aas_steps, row) for row in rows if row.aas_steps]
    networks = [row for _, row in stepped]
    sentences = [
        f"Ordered by steps of an all-to-all, fewest first: {_order(networks, lambda row: row.aas_steps or 0)}.",
        f"By accepted load, highest first: {_order(networks, lambda row: -row.accepted)}.",
    ]
    pairs = [(one, other) for number, one in enumerate(stepped) for other in stepped[:number] if one[0] != other[0]]
    agree = sum((few < many) == (one.accepted > other.accepted) for (few, one), (many, other) in pairs)
    sentences += [
        f"Of {len(pairs)} pairs of networks, {agree} have the same order by steps of an all-to-all and by accepted load.",
        f"By Gbit/s per 1,000 COMB, highest first: {_order(rows, lambda row: -row.gigabits_per_1000)}.",
        f"By zero-load latency in nanoseconds, lowest first: {_order(rows, lambda row: row.nanoseconds)}.",
    ]
    return sentences


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-o", type=Path, required=True, help="folder to write to")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3], help="of the placements of each router")
    parser.add_argument("--jobs", type=int, default=2, help="networks that are measured at a time")
    given = parser.parse_args()
    measured = functools.partial(measure, seeds=given.seeds, jobs=1)
    with concurrent.futures.ProcessPoolExecutor(given.jobs) as pool:
        records = list(tracked(pool.map(measured, NETWORKS), "measuring networks", len(NETWORKS)))
    rows = rows_of(records)
    write_text(
        given.o / "traffic.json",
        json.dumps({"rows": [row.to_json() for row in rows], "records": records}, indent=1) + "\n",
    )
    write_text(given.o / "traffic.md", page(rows))
    write_results(load_results([Curve.of(one) for one in records]), given.o / "traffic.html")


if __name__ == "__main__":
    main()
