"""The choice for anyone's traffic: the Pareto front of area and throughput, from networks that were measured under load."""

from collections.abc import Iterable, Mapping, Sequence
import dataclasses
from typing import Any

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.topologies import topology_from_json
from fatcube.rtl.port_model import PortModel
from fatcube.studies.load_record import is_load_record
from fatcube.studies.pareto import undominated
from fatcube.synth.families import find_family

__all__ = ["LoadChoice", "choices_under_load", "front_under_load"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class LoadChoice:
    """A network that was measured under load, its cost and its throughput.

    Members
    -------
    parameters : mapping
        The parameters of its record.
    luts : :class:`float`
        Area of all its routers in the unit of the family, COMB equivalents on an FPGA.
    mhz : :class:`float`
        Fmax of its router.
    latency : :class:`float`
        Without load, in cycles.
    saturation : :class:`float` or ``None``
        The load from which on it is saturated, in flits per cycle and port of a processor, if that was looked for and
        found.
    throughput : :class:`float`
        The most flits per cycle and processor that were accepted.
    key : :class:`str`
        The key of its record.
    commands : list of :class:`str`
        The commands that its Fmax is of; empty in older records.
    """

    parameters: Mapping[str, Any]
    luts: float
    mhz: float
    latency: float
    saturation: float | None
    throughput: float
    key: str
    commands: Sequence[str] = ()

    @property
    def network(self) -> str:
        """The name of the network, with its channels."""
        channels = self.parameters["virtual_channels"]
        return (
            f"{topology_from_json(self.parameters['topology'])}, {self.parameters['routing']}, "
            f"{channels} channel{'s' if channels > 1 else ''}, {self.parameters['buffer_depth']} flits"
        )

    @property
    def nanoseconds(self) -> float:
        """Latency without load."""
        return self.latency * 1000 / self.mhz

    @property
    def gigabits(self) -> float:
        """Throughput of a processor in Gbit/s."""
        return self.throughput * self.parameters["width"] * self.mhz / 1000

    def to_json(self) -> dict[str, Any]:
        """The choice in JSON values."""
        return {
            **self.parameters,
            find_family(self.parameters["family"]).unit_key: self.luts,
            "fmax_mhz": self.mhz,
            "latency_without_load": self.latency,
            "nanoseconds": self.nanoseconds,
            "saturation": self.saturation,
            "accepted": self.throughput,
            "gigabits_per_second": self.gigabits,
            "record": self.key,
        }


def choices_under_load(
    records: Iterable[Mapping[str, Any]], *, processors: int, pattern: str, family: str
) -> list[LoadChoice]:
    """The networks with that number of processors that were measured under a pattern, and placed on a family.

    Raises
    ------
    ParameterError
        If there is none.
    """
    check_integer("processors to choose for", processors, minimum=2)
    choices = []
    for record in filter(is_load_record, records):
        parameters, measured = record["parameters"], record["measured"]
        if (parameters["pattern"], parameters.get("family")) != (pattern, family) or not measured.get("fmax_mhz"):
            continue
        area = find_family(family).measured_area(measured)
        if area is None:
            continue
        if parameters.get("reply_flits"):  # the latency of two packets, and the load of one of them
            continue
        topology = topology_from_json(parameters["topology"])
        if topology.processors != processors:
            continue
        ports = PortModel.parse(parameters["ports"]).processor_ports(topology.degree, topology.m)
        ports *= parameters.get("message_classes", 1)
        choices.append(
            LoadChoice(
                parameters=parameters,
                luts=area * topology.nodes,
                mhz=measured["fmax_mhz"],
                latency=measured["latency_without_load"],
                saturation=measured["saturation"],
                throughput=max(point["accepted"] for point in measured["points"]) * ports,
                key=record["key"],
                commands=measured.get("commands", ()),
            )
        )
    if not choices:
        raise ParameterError(
            f"results must have networks of {processors} processors under {pattern} traffic, placed on {family}, and these "
            "have none: `fatcube sweep` measures them, from [[load]] blocks with a family"
        )
    return choices


def front_under_load(choices: Iterable[LoadChoice], *, max_luts: int | None = None) -> list[LoadChoice]:
    """The Pareto front of area and throughput in Gbit/s, by area; of several that are equal in both, all are there."""
    allowed = (choice for choice in choices if max_luts is None or choice.luts <= max_luts)
    return undominated(allowed, lambda one: (one.luts, -one.gigabits))
