"""The comparison of topologies as a value: figures of each, their tables, and the files that show them."""

from collections.abc import Callable, Mapping, Sequence
import dataclasses
from typing import Any

from fatcube.noc.network import Network
from fatcube.noc.topologies import name_from, named_topologies
from fatcube.schedules.collective import Collective
from fatcube.studies.comparing.silicon import Silicon
from fatcube.studies.figures import Figures

__all__ = [
    "COLLECTIVES",
    "Compared",
    "GivenNetwork",
    "ON_WHAT",
    "Steps",
    "UnderLoad",
    "limits",
    "tables",
]


ON_WHAT = (
    "Area, clock, latency and load are those of the routers in the last table, which have all turns of the network's routing; ns "
    "are at the clock of the whole network where it was placed, else of the router. Steps and cycles are those of schedules in "
    "lockstep, of messages of 16 payload flits, on routers with the same options and the turns of one-hop schedules"
)
"""The machines that figures are of."""

COLLECTIVES = (Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS)


@dataclasses.dataclass(frozen=True)
class GivenNetwork:
    """A network of a user's to compare, with its own routers.

    Members
    -------
    name : :class:`str`
        Its name, such as that of its file.
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
        The steps of the constructed schedule.
    lower_bound : :class:`int`
        The fewest that are possible, as far as that is proven.
    lockstep_cycles : :class:`int` or ``None``
        Cycles in lockstep by formula, with 16 payload flits, if area and clock were requested.
    measured_steps, cycles, delivered : :class:`int` or ``None``
        Steps and cycles of the run, and the messages that arrived.
    failures : sequence of :class:`str` or ``None``
        The failures of the run.
    """

    steps: int
    lower_bound: int
    lockstep_cycles: int | None = None
    measured_steps: int | None = None
    cycles: int | None = None
    delivered: int | None = None
    failures: Sequence[str] | None = None

    def __str__(self) -> str:
        """Best known steps, the lower bound where it is below them, and what was measured."""
        text = str(self.steps) + ("" if self.steps == self.lower_bound else f" (bound {self.lower_bound})")
        if self.cycles is None:
            return text + ("" if self.lockstep_cycles is None else f", {self.lockstep_cycles} cycles")
        return f"{text}, measured {self.measured_steps} in {self.cycles} cycles"


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
        The failures of packets.
    limit, cause : :class:`str`
        The reason why it accepts no more, as a sentence and in a word or two, if it was measured.
    """

    pattern: str
    latency_without_load: float | None
    saturation: float | None
    accepted: float | None
    bound: float | None
    failures: Sequence[str]
    limit: str = ""
    cause: str = "-"

    @property
    def cells(self) -> list[str]:
        """Latency without load, saturation, accepted load and what limits that, in a table."""
        figures = ((self.latency_without_load, 1), (self.saturation, 3), (self.accepted, 3))
        return [*("-" if value is None else f"{value:.{digits}f}" for value, digits in figures), self.cause]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Compared(Figures):
    """A network of a comparison.

    Members
    -------
    network : :class:`str`
        The name of its topology.
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
        The steps of those of :data:`COLLECTIVES` that were constructed.
    load : :class:`UnderLoad` or ``None``
        The figures under load, if they were measured.
    silicon : :class:`Silicon` or ``None``
        Area and clock, if they were requested.
    machine : mapping or ``None``
        Of a network of a user's, or one of which area is measured, its topology, and the options of its routers and routing, as
        in records.
    steps : mapping or ``None``
        The rules of a step, as far as they differ from the usual ones (:meth:`fatcube.schedules.step_model.StepModel.to_file`).
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
    silicon: Silicon | None = None
    machine: Mapping[str, Any] | None = None
    steps: Mapping[str, Any] | None = None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Compared":
        """The network that stands in a record; older ones have ``router_cost`` in place of ``C_R``."""
        value = {"router_cost" if name == "C_R" else name: part for name, part in value.items()}
        kinds: dict[str, type[Figures]] = {"load": UnderLoad, "silicon": Silicon}
        of_kinds = {name: kind.from_json(value[name]) for name, kind in kinds.items() if value.get(name)}
        collectives = {name: Steps.from_json(one) for name, one in value["collectives"].items()}
        return cls(**{**value, **of_kinds, "collectives": collectives})

    def to_json(self) -> dict[str, Any]:
        """The network as it stands in a record."""
        return {"C_R" if name == "router_cost" else name: part for name, part in super().to_json().items()}

    @property
    def called(self) -> str:
        """The name of the network in text for people, behind that of its file; a short name as mesh:4x4 says no more, and is left out."""
        given, _, network = self.network.partition(": ")
        return name_from(network if given.partition(":")[0] in named_topologies() else self.network)

    @property
    def latency_ns(self) -> float | None:
        """Latency without load at the clock of the network, or else of its router."""
        if not (self.load and self.load.latency_without_load and self.silicon and self.silicon.mhz):
            return None
        return 1000 * self.load.latency_without_load / self.silicon.mhz

    @property
    def flits_per_comb(self) -> float | None:
        """Flits that all processors together get accepted per cycle, for 1,000 COMB of all routers."""
        if not (self.load and self.load.accepted and self.silicon):
            return None
        return 1000 * self.load.accepted * self.silicon.processor_ports * self.processors / self.silicon.comb

    @property
    def failures(self) -> list[str]:
        """All that went wrong in runs and under load."""
        parts = [*self.collectives.values(), *([self.load] if self.load else [])]
        return [failure for part in parts for failure in part.failures or ()]


_GRAPHS: dict[str, Callable[[Compared], object]] = {
    "network": lambda one: one.called,
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

_SILICON: dict[str, Callable[[Compared, Silicon], float | int | None]] = {
    "router COMB": lambda one, found: found.router_comb,
    "router FF": lambda one, found: found.router_ff,
    "router MHz": lambda one, found: found.router_mhz,
    "COMB": lambda one, found: found.comb,
    "FF": lambda one, found: found.ff,
    "COMB/P": lambda one, found: found.comb / one.processors,
    "whole COMB": lambda one, found: found.whole_comb,
    "whole FF": lambda one, found: found.whole_ff,
    "whole MHz": lambda one, found: found.whole_mhz,
    "latency ns": lambda one, found: one.latency_ns,
    "flits per cycle and 1000 COMB": lambda one, found: one.flits_per_comb,
    "thousand flits per second and COMB": lambda one, found: (
        None if one.flits_per_comb is None or found.mhz is None else one.flits_per_comb * found.mhz
    ),
}
"""The columns of the table of area and clock; those that nothing was measured for are left out."""

_MACHINE = ("ports", "width", "buffer_depth", "virtual_channels", "routing", "turns")
"""The options in the table of machines."""


def _silicon_tables(rows: Sequence[Compared]) -> list[tuple[list[str], list[list[object]]]]:
    """The tables of area and clock, and of the machines that these and loads were measured on; none if any network has no area."""
    found = [(one, one.silicon) for one in rows if one.silicon is not None]
    if not found or len(found) < len(rows):
        return []
    cells = {name: [make(*one) for one in found] for name, make in _SILICON.items()}
    kept = {name: column for name, column in cells.items() if any(value is not None for value in column)}
    areas = [
        [one.called, one.processors, *(_rounded(column[number]) for column in kept.values())]
        for number, one in enumerate(rows)
    ]
    machines = [
        [one.called, one.processors, *((one.machine or {}).get(name, "-") for name in _MACHINE)] for one in rows
    ]
    return [
        (["network", "P", *kept], areas),
        (["network", "P", *(name.replace("_", " ") for name in _MACHINE)], machines),
    ]


def _rounded(value: float | int | None) -> object:
    return "-" if value is None else f"{value:.{1 if value >= 10 else 2}f}" if isinstance(value, float) else value


def tables(rows: Sequence[Compared]) -> list[tuple[list[str], list[list[object]]]]:
    """The tables as (columns, cells): the graphs and their prices, the collectives, and, if they were measured, load, area, machines."""
    graphs = list(_GRAPHS), [[cell(one) for cell in _GRAPHS.values()] for one in rows]
    steps = (
        ["network", "P", *(collective.value for collective in COLLECTIVES)],
        [
            [
                one.called,
                one.processors,
                *(one.collectives.get(collective.value, "-") for collective in COLLECTIVES),
            ]
            for one in rows
        ],
    )
    loads = [(one, one.load) for one in rows if one.load is not None]
    if len(loads) < len(rows):
        return [graphs, steps, *_silicon_tables(rows)]
    pattern = loads[0][1].pattern
    figures = ["latency without load", "saturated from", "accepted", *(["limited by"] if limits(rows) else [])]
    of_load = (
        ["network", "P", *(f"{pattern}: {what}" for what in figures)],
        [[one.called, one.processors, *load.cells[: len(figures)]] for one, load in loads],
    )
    return [graphs, steps, of_load, *_silicon_tables(rows)]


def limits(rows: Sequence[Compared]) -> list[str]:
    """A sentence for each network that was measured under load: the cause that limits it."""
    return [f"{one.called}: {one.load.limit}" for one in rows if one.load is not None and one.load.limit]
