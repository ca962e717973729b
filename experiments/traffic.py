"""Traffic: networks of 64 processors under anyone's traffic, beside what their routers cost and what step counts say of them.

The page has the latency and throughput of each network, measured on the RTL, in cycles and, with the Fmax of its router, in
nanoseconds and Gbit/s; the LUTs of all routers; and the steps of an all-to-all. In HTML it has the curves too.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
import dataclasses
from pathlib import Path
from typing import Any

from experiments.experiment import Experiment, Record, Settings, file_name, table
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies import name_from, topology_from_json
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.noc.topology import Topology
from fatcube.reports.page import Results
from fatcube.reports.table import Section
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.size import check_size
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.saturation import saturation
from fatcube.studies.load import DEPTH, Curve, load_figures, plain_network
from fatcube.synth.families import find_family
from fatcube.synth.silicon import router_silicon

__all__ = ["EXPERIMENT", "NetworkRow", "page", "rows_of"]


_NETWORKS: tuple[Topology, ...] = (
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


def _measure(topology: Topology, settings: Settings) -> Record:
    """The curve of a network under uniform traffic, and figures of its router and of all-to-all."""
    network = plain_network(topology)
    test = LoadTest(network)
    saturated = saturation(test)
    points = test.points([*(saturated * part for part in _FRACTIONS if saturated), 1.0])
    # Full queues have latencies of every length, which nobody draws.
    points = [dataclasses.replace(point, histogram=()) if point.saturated else point for point in points]
    silicon = router_silicon(network, seeds=settings.seeds, wide=False, jobs=1)
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
            "placement_seeds": list(settings.seeds),
            "aas_steps": _steps(topology),
        },
        seed=test.options.seed,
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
        """The name of the network, as people use it."""
        return name_from(self.network)


def rows_of(records: Iterable[Mapping[str, Any]]) -> list[NetworkRow]:
    """A row of figures for each record."""
    return [NetworkRow.of(record) for record in records]


def page(records: Sequence[Mapping[str, Any]], folder: Path | None = None) -> Results:
    """The page, from the records alone."""
    rows = rows_of(records)
    flow = find_family("ecp5").flow_note({"fmax_mhz": row.mhz, "commands": row.commands} for row in rows)
    limits = [f"{row.title}: {row.limit}" for row in rows if row.limit]
    return Results(
        title="Networks of 64 processors under general-purpose traffic",
        note="Uniform traffic, including the sender itself, packets of 8 flits of 32 bits including the header, router model 1, buffers "
        f"of {DEPTH} flits, and as many virtual channels as the default routing needs. Latency and load are measured on the RTL; "
        "loads are flits per cycle and processor. COMB equivalents and MHz are those of the routers on ECP5; wires between routers "
        "are not placed. Headers carry the destination where the route does not fit. Saturated: mean latency above three times that "
        "without load, or less than 95 % of the offered load accepted. Accepted: the maximum over all loads. AAS steps: of an "
        "all-to-all in the papers' step model, one message each; - where no fast construction is known. "
        f"{flow}".rstrip(),
        figures=load_figures([Curve.of(record) for record in records]),
        tables=[table("", "", _COLUMNS, rows)],
        sections=[
            Section("Step counts and throughput", _sentences(rows), []),
            *([Section("What limits the networks", limits, [])] if limits else []),
        ],
    )


_COLUMNS: dict[str, Callable[[NetworkRow], object]] = {
    "network": lambda row: row.title,
    "channels": lambda row: row.channels,
    "a = b": lambda row: row.ports,
    "COMB of all routers": lambda row: f"{row.luts:,}",
    "MHz": lambda row: f"{row.mhz:,.0f}",
    "latency without load, cycles": lambda row: f"{row.latency:,.2f}",
    "ns": lambda row: f"{row.nanoseconds:,.0f}",
    "saturated from": lambda row: "-" if row.saturation is None else f"{row.saturation:.3f}",
    "accepted": lambda row: f"{row.accepted:.3f}",
    "Gbit/s per processor": lambda row: f"{row.gigabits:,.2f}",
    "Gbit/s per 1,000 COMB": lambda row: f"{row.gigabits_per_1000:,.2f}",
    "AAS steps": lambda row: "-" if row.aas_steps is None else f"{row.aas_steps:,}",
}


def _order(rows: Sequence[NetworkRow], key: Callable[[NetworkRow], float]) -> str:
    return "; ".join(row.title for row in sorted(rows, key=key))


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


EXPERIMENT = Experiment(
    name="traffic",
    about="networks of 64 processors under uniform traffic, with the area and clock of their routers",
    cases={file_name(topology): topology for topology in _NETWORKS},
    measure=_measure,
    page=page,
    takes=("seeds",),
    jobs=2,
)
