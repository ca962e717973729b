"""A row of a report: what the table shows of a record, the figures draw, and the CSV file has."""

from collections.abc import Mapping
import dataclasses
from typing import Any

from fatcube.noc.cost import price
from fatcube.studies.figures import Figures
from fatcube.studies.result_record import network_of
from fatcube.synth.families import find_family

__all__ = ["ReportRow"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReportRow(Figures):
    """A record of a collective and a router, flat; what was not measured is ``None``.

    Members
    -------
    network, model : :class:`str`
        The name of the topology, and the router model.
    processors : :class:`int`
    collective : :class:`str` or ``None``
    payload_flits : :class:`int` or ``None``
        Payload flits of every packet.
    width, buffer_depth : :class:`int`
        Bits per flit, and flits per buffer.
    ports, ab, C_R, links : :class:`int`
        The price in the ab model (:class:`fatcube.noc.cost.Price`): a, a b, that of all routers, and the lanes.
    crossbar_luts : :class:`int` or ``None``
        COMB equivalents of the full crossbar alone, on an FPGA.
    router_luts, router_ff, luts : number
        Area of a router in the unit of the family, COMB equivalents on an FPGA, and its flip-flops; and the area of all.
    fmax_mhz, fmax_low, fmax_high : :class:`float` or ``None``
        The median, the least and the most of the placement seeds.
    steps, lower_bound : :class:`int` or ``None``
        Steps on the RTL, and the fewest that are possible.
    cycles, predicted_cycles, dataflow_cycles : :class:`int` or ``None``
        Cycles in lockstep, as known from the schedule alone, and in dataflow.
    microseconds : :class:`float` or ``None``
        Time in lockstep.
    seed : :class:`int` or ``None``
        Of the payloads.
    source_revision : :class:`str` or ``None``
    record : :class:`str`
        The key of the record.
    """

    network: str
    processors: int
    model: str
    collective: str | None
    payload_flits: int | None
    width: int
    buffer_depth: int
    ports: int
    ab: int
    C_R: int
    links: int
    crossbar_luts: int | None
    router_luts: float
    router_ff: int
    luts: float
    fmax_mhz: float | None
    fmax_low: float | None
    fmax_high: float | None
    steps: int | None
    lower_bound: int | None
    cycles: int | None
    predicted_cycles: int | None
    dataflow_cycles: int | None
    microseconds: float | None
    seed: int | None
    source_revision: str | None
    record: str

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "ReportRow":
        """The row of a record."""
        parameters, measured = record["parameters"], record["measured"]
        network = network_of(parameters)
        topology, cost = network.topology, price(network.topology, network.options.ports)
        family = find_family(parameters["family"])
        seeds = [mhz for _, mhz in measured.get("seeds_mhz") or ()]
        return cls(
            network=str(topology),
            processors=topology.processors,
            model=network.options.ports.value,
            collective=parameters.get("collective"),
            payload_flits=parameters.get("payload_flits"),
            width=network.options.width,
            buffer_depth=network.options.buffer_depth,
            ports=cost.a,
            ab=cost.ab,
            C_R=cost.router_cost,
            links=cost.links,
            crossbar_luts=measured.get("crossbar_comb_equivalents") if family.unit == "LUTs" else None,
            router_luts=family.measured_area(measured) or 0,
            router_ff=measured["ff"],
            luts=(family.measured_area(measured) or 0) * cost.routers,
            fmax_mhz=measured.get("fmax_mhz"),
            fmax_low=min(seeds, default=None),
            fmax_high=max(seeds, default=None),
            steps=measured.get("steps"),
            lower_bound=measured.get("lower_bound"),
            cycles=measured.get("cycles"),
            predicted_cycles=measured.get("predicted_cycles"),
            dataflow_cycles=measured.get("dataflow_cycles"),
            microseconds=measured.get("microseconds"),
            seed=record["how"]["seed"],
            source_revision=record["how"]["source_revision"],
            record=record["key"],
        )

    @property
    def order(self) -> tuple[int, str, str, str, int, int, int, str]:
        """The key by which rows are sorted."""
        return (
            self.processors,
            self.network,
            self.model,
            self.collective or "",
            self.payload_flits or 0,
            self.width,
            self.buffer_depth,
            self.record,
        )
