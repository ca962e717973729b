"""Measurements of a point by the workers of a sweep: the run of a collective, and the silicon of its router."""

import dataclasses
from typing import Any

from fatcube.noc.cost import Price
from fatcube.studies.figures import Figures
from fatcube.synth.area import Area
from fatcube.synth.measure import SynthesisResult

__all__ = ["LoadedRouter", "MeasuredRouter", "MeasuredRun"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class MeasuredRun(Figures):
    """A collective on the RTL, in lockstep and in dataflow.

    Members
    -------
    steps, lower_bound : :class:`int`
        Steps of the run in lockstep, and the fewest that are possible, as far as that is proven.
    proved : :class:`bool`
        Whether no schedule has fewer steps.
    found_by : :class:`str`
        How the schedule was found.
    cycles, dataflow_cycles : :class:`int`
        Of the run in lockstep, and in dataflow.
    predicted_cycles : :class:`int`
        The cycles in lockstep as known from the schedule alone.
    conflicts, dataflow_conflicts : :class:`int`
        Cycles, summed over the routers, in which an input waited for an output that another packet had.
    delivered : :class:`int`
        Messages that arrived in both runs.
    lane_utilisation : :class:`float` or ``None``
        Flits on lanes in lockstep, as a part of those that all lanes can carry in its cycles; ``None`` if not counted, or without lanes.
    """

    steps: int
    lower_bound: int
    proved: bool
    found_by: str
    cycles: int
    dataflow_cycles: int
    predicted_cycles: int
    conflicts: int
    dataflow_conflicts: int
    delivered: int
    lane_utilisation: float | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class MeasuredRouter:
    """The router of a network, and what the network costs with it.

    Members
    -------
    router : :class:`~fatcube.synth.measure.SynthesisResult`
    crossbar : :class:`~fatcube.synth.area.Area`
        Of the full crossbar alone.
    cost : :class:`~fatcube.noc.cost.Price`
    """

    router: SynthesisResult
    crossbar: Area
    cost: Price

    @property
    def fmax_mhz(self) -> float | None:
        """Fmax of the router; ``None`` if it was not placed."""
        return self.router.fmax_mhz

    def to_json(self) -> dict[str, Any]:
        """The router as it stands in a record."""
        area, cost = self.router.area, self.cost
        return {
            **self.router.to_json(),
            "a": cost.a,
            "b": cost.b,
            "ab": cost.ab,
            "nodes": cost.routers,
            "links": cost.links,
            "crossbar_comb_equivalents": self.crossbar.comb_equivalents,
            "network_comb_equivalents": area.comb_equivalents * cost.routers,
            "network_ff": area.ff * cost.routers,
        }


@dataclasses.dataclass(frozen=True, kw_only=True)
class LoadedRouter(Figures):
    """The router of a network under load.

    Members
    -------
    comb_equivalents, ff : :class:`int`
        As in :class:`~fatcube.synth.area.Area`.
    fmax_mhz : :class:`float` or ``None``
        The median of the seeds; ``None`` if it was not placed.
    seeds_mhz : list of pairs or ``None``
        A seed and its frequency, MHz.
    commands : list of :class:`str`
        All commands of the tools, in order.
    nand2_equivalents : :class:`float` or ``None``
        As in :class:`~fatcube.synth.area.Area`; only of standard cells.
    """

    comb_equivalents: int
    ff: int
    fmax_mhz: float | None
    seeds_mhz: list[list[float]] | None
    commands: list[str]
    nand2_equivalents: float | None = None
