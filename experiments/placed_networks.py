"""Placed networks: networks placed and routed as one design, beside their router alone.

The page has the share of the router's clock that remains when its neighbours are around it and lanes are wires, the share of
its area when synthesis sees them together, and the gain from a second cycle per hop, in the router or on lanes.
"""

from collections.abc import Mapping, Sequence
import dataclasses
import itertools
from pathlib import Path
import re
from typing import Any

from experiments.experiment import Experiment, Record, Settings, file_name, table
from fatcube.groundwork.record import record
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topology import Topology
from fatcube.reports.page import Results
from fatcube.studies.load import DEPTH, plain_network
from fatcube.synth.critical_path import CriticalPath
from fatcube.synth.nextpnr import RIP_UP
from fatcube.synth.silicon import network_silicon, router_silicon

__all__ = ["EXPERIMENT", "page"]


_CYCLES = {
    "": {},
    " --pipeline 2": {"pipeline": 2},
    " --link-stages 1": {"link_stages": 1},
    " --pipeline 2 --link-stages 1": {"pipeline": 2, "link_stages": 1},
    " --link-stages 1 --ejection-stages 1": {"link_stages": 1, "ejection_stages": 1},
}
_CASES = {
    **{
        f"{file_name(topology)}{name}": (topology, options)
        for topology, (name, options) in itertools.product((Hypercube(2), Hypercube(3), Hypercube(4)), _CYCLES.items())
    },
    file_name(Mesh(w=4, d=2)): (Mesh(w=4, d=2), {}),
}


def _measure(case: tuple[Topology, Mapping[str, int]], settings: Settings) -> Record:
    """The area and Fmax of the router of a network alone, and of the whole, with the longest path."""
    topology, options = case
    plain = plain_network(topology)
    network = RoutedNetwork(topology, dataclasses.replace(plain.options, **options), routing=plain.routing)
    router, whole = (
        silicon(network, seeds=settings.seeds, wide=False, jobs=2) for silicon in (router_silicon, network_silicon)
    )
    timing = whole.timing
    assert timing is not None
    middle = min(settings.seeds, key=lambda seed: abs(timing.seeds_mhz[seed] - timing.fmax_mhz))
    return record(
        {**network.to_json(), "family": "ecp5"},
        {
            "nodes": topology.nodes,
            "router": router.to_json(),
            "whole": whole.to_json(),
            "path": dataclasses.asdict(CriticalPath.of(timing.logs[middle])),
        },
        seed=list(settings.seeds),
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Whole:
    """A network beside its router.

    Members
    -------
    topology : :class:`Topology`
    alone, together : :class:`int`
        COMB equivalents of all routers, each synthesized alone, and of the whole.
    ff_alone, ff_together : :class:`int`
        Flip-flops.
    mhz_alone, mhz_together : :class:`float`
        Fmax of the router, and of the whole.
    pipeline, link_stages, ejection_stages : :class:`int`
        The cycles of a hop in the router, on registers of the lane, and in those at the ports on which processors receive.
    ripped_up : :class:`bool`
        Whether it was placed with timing-driven rip-up.
    path : mapping
        The :class:`CriticalPath` of the whole.
    """

    topology: Topology
    alone: int
    together: int
    ff_alone: int
    ff_together: int
    mhz_alone: float
    mhz_together: float
    pipeline: int
    link_stages: int
    ejection_stages: int
    ripped_up: bool
    path: Mapping[str, Any]

    @classmethod
    def of(cls, one: Mapping[str, Any]) -> "_Whole":
        """The network of a record."""
        nodes, router, whole = (one["measured"][name] for name in ("nodes", "router", "whole"))
        return cls(
            topology=topology_from_json(one["parameters"]["topology"]),
            alone=router["comb_equivalents"] * nodes,
            together=whole["comb_equivalents"],
            ff_alone=router["ff"] * nodes,
            ff_together=whole["ff"],
            mhz_alone=router["fmax_mhz"],
            mhz_together=whole["fmax_mhz"],
            pipeline=one["parameters"]["pipeline"],
            link_stages=one["parameters"]["link_stages"],
            ejection_stages=one["parameters"].get("ejection_stages", 0),
            ripped_up=any(RIP_UP in command for command in whole.get("commands", ())),
            path=one["measured"]["path"],
        )

    @property
    def area(self) -> float:
        """The area together, relative to the area alone."""
        return self.together / self.alone

    @property
    def clock(self) -> float:
        """The clock together, relative to the clock alone."""
        return self.mhz_together / self.mhz_alone

    @property
    def cycles(self) -> int:
        """The cycles of a hop."""
        return self.pipeline + self.link_stages

    @property
    def plain(self) -> bool:
        """Whether it has one cycle per hop and no registers at ports."""
        return self.cycles + self.ejection_stages == 1

    @property
    def flow(self) -> str:
        """Whether it was placed with timing-driven rip-up, as a cell."""
        return "yes" if self.ripped_up else "no"


def _register(pin: str) -> str:
    """The name of the register of a pin."""
    return re.sub(r"^device\.|_TRELLIS_FF_Q.*|\$\d+", "", pin)


def page(records: Sequence[Mapping[str, Any]], folder: Path | None = None) -> Results:
    """The page, from the records alone."""
    every = [_Whole.of(one) for one in records]
    networks = [one for one in every if one.plain]
    firsts = {(str(one.topology), one.ripped_up): one for one in networks}
    clocks, areas = [one.clock for one in networks], [one.area for one in networks]
    parameters = records[0]["parameters"]

    def of_first(one: _Whole) -> str:
        first = firsts.get((str(one.topology), one.ripped_up))
        return f"{one.mhz_together / first.mhz_together:.2f}" if first else "-"

    return Results(
        title="Whole networks, placed and routed",
        note=f"Networks of routers of model {parameters['ports']} with flits of {parameters['width']} bits and buffers of {DEPTH} "
        "flits, on ECP5 of speed grade 6: the router alone between registers, as many times as there are nodes, and all "
        "routers as one flat design, with the wires of their lanes between them. MHz: the median of "
        f"{len(records[0]['how']['seed'])} placements, with timing-driven rip-up (nextpnr's {RIP_UP}) or, in older rows, without.",
        says=[
            f"Together they run at {min(clocks):.0%} to {max(clocks):.0%} of the clock of the router alone, and take "
            f"{min(areas):.0%} to {max(areas):.0%} of its LUTs."
        ],
        tables=[
            table(
                "",
                "",
                {
                    "network": lambda one: one.topology.name,
                    "nodes": lambda one: one.topology.nodes,
                    "rip-up": lambda one: one.flow,
                    "COMB of all routers": lambda one: f"{one.alone:,}",
                    "COMB together": lambda one: f"{one.together:,}",
                    "COMB, of it": lambda one: f"{one.area:.0%}",
                    "FF of all routers": lambda one: f"{one.ff_alone:,}",
                    "FF together": lambda one: f"{one.ff_together:,}",
                    "MHz of the router": lambda one: f"{one.mhz_alone:.1f}",
                    "MHz together": lambda one: f"{one.mhz_together:.1f}",
                    "MHz, of it": lambda one: f"{one.clock:.0%}",
                },
                networks,
            ),
            table(
                "More cycles per hop",
                "A second cycle is in the router (`--pipeline 2`) or on the lane (`--link-stages 1`); one more, once on the way of a "
                "packet, is at the port on which a processor receives (`--ejection-stages 1`). A lane carries a flit per cycle, "
                "so as many million flits per second as the clock has MHz. Of the longest path: the time in registers and "
                "LUTs, that on wires, and the registers that it begins and ends at. Synthesis names these after the nets that "
                "they drive: the register on a lane can have the name of the router behind it.",
                {
                    "network": lambda one: one.topology.name,
                    "cycles in the router": lambda one: one.pipeline,
                    "on the lane": lambda one: one.link_stages,
                    "at a port": lambda one: one.ejection_stages,
                    "rip-up": lambda one: one.flow,
                    "COMB": lambda one: f"{one.together:,}",
                    "FF": lambda one: f"{one.ff_together:,}",
                    "MHz": lambda one: f"{one.mhz_together:.1f}",
                    "of the router": lambda one: f"{one.clock:.0%}",
                    "flits/s, of those with one cycle": of_first,
                    "ns per hop": lambda one: f"{1000 * one.cycles / one.mhz_together:.1f}",
                    "longest path, ns": lambda one: f"{one.path['logic_ns']:.1f} + {one.path['routing_ns']:.1f}",
                    "from": lambda one: f"`{_register(one.path['pins'][0])}`",
                    "to": lambda one: f"`{_register(one.path['pins'][-1])}`",
                },
                every,
            ),
        ],
    )


EXPERIMENT = Experiment(
    name="placed-networks",
    about="networks placed and routed as one design, beside their router alone",
    cases=_CASES,
    measure=_measure,
    page=page,
    takes=("seeds",),
    stays=lambda record: not _Whole.of(record).ripped_up,
)
