"""The format of a record of a results file, in this one place. Records are checked against it where they are read,
so that other code may rely on types, on required fields, and on valid networks."""

from collections.abc import Mapping
import json
from typing import Annotated, Any, NotRequired, cast

from pydantic import AfterValidator, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from fatcube.groundwork.schema import validated
from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.noc.network import Network
from fatcube.noc.topologies import topology_from_json
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Collective
from fatcube.studies.load_record import LoadRecord, check_load_record, is_load_record
from fatcube.studies.record_fields import MOST, STRICT, Count, How, Key, Megahertz, Number, Positive, Seeds
from fatcube.synth.families import FAMILIES

__all__ = ["How", "Measured", "Parameters", "ResultRecord", "check_record", "network_of"]


_MOST_PORTS = 1024  # of a router: one that is larger could not be synthesized, so it was not measured

_Family = Annotated[str, AfterValidator(lambda name: check_choice("parameters.family", name, FAMILIES))]
_COLLECTIVES = tuple(collective.value for collective in Collective)
_Collective = Annotated[str, AfterValidator(lambda name: check_choice("parameters.collective", name, _COLLECTIVES))]


@with_config(STRICT)
class Parameters(TypedDict):
    """The inputs of a measurement, besides the router options: a topology, and for a run the collective and its sizes."""

    topology: dict[str, Any]  # as fatcube.noc.topology.topology_from_json reads it
    family: _Family
    collective: NotRequired[_Collective]
    root: NotRequired[Count | None]
    payload_flits: NotRequired[Annotated[int, Field(ge=1, le=MOST_FLITS - 1)]]
    fmax: NotRequired[bool]
    placement_seeds: NotRequired[list[Count] | None]


@with_config(STRICT)
class LongestPath(TypedDict):
    """The longest path of a router on standard cells, as :class:`fatcube.synth.families.static_timing.StaticPath` has it."""

    ns: Number
    start: str
    end: str


@with_config(STRICT)
class Measured(TypedDict):
    """The measurements: the router's area always; its speed, its crossbar and a run on the network if they were measured."""

    comb_equivalents: Positive
    ff: Positive
    crossbar_comb_equivalents: NotRequired[Positive | None]
    fmax_mhz: NotRequired[Megahertz | None]
    fmax_wide_mhz: NotRequired[Megahertz | None]
    seeds_mhz: NotRequired[Seeds | None]
    seeds_wide_mhz: NotRequired[Seeds | None]

    steps: NotRequired[Positive]
    lower_bound: NotRequired[Positive]
    cycles: NotRequired[Positive]
    dataflow_cycles: NotRequired[Positive]
    predicted_cycles: NotRequired[Positive]
    microseconds: NotRequired[Annotated[float, Field(gt=0, le=MOST)] | None]
    proved: NotRequired[bool]
    found_by: NotRequired[str]
    conflicts: NotRequired[Count]
    dataflow_conflicts: NotRequired[Count]
    delivered: NotRequired[Count]
    lane_utilisation: NotRequired[Number]

    name: NotRequired[str]
    family: NotRequired[str]
    luts: NotRequired[dict[str, Count]]
    lut4: NotRequired[Count]
    ram: NotRequired[Count]
    carry: NotRequired[Count]
    distributed_ram: NotRequired[Count]
    wide_multiplexers: NotRequired[Count]
    gates: NotRequired[Count]
    transistors: NotRequired[Count | None]
    cells: NotRequired[dict[str, Count]]
    um2: NotRequired[Number]
    register_um2: NotRequired[Number]
    nand2_equivalents: NotRequired[Number]
    path: NotRequired[LongestPath]
    a: NotRequired[Count]
    b: NotRequired[Count]
    ab: NotRequired[Count]
    nodes: NotRequired[Count]
    links: NotRequired[Count]
    network_comb_equivalents: NotRequired[Count]
    network_ff: NotRequired[Count]
    tools: NotRequired[dict[str, str]]
    commands: NotRequired[list[str]]


@with_config(STRICT)
class ResultRecord(TypedDict):
    """One measurement of a sweep."""

    key: Key
    parameters: Parameters
    measured: Measured
    how: How


_RECORD = TypeAdapter(ResultRecord)
_RUN = {
    "parameters": ("collective", "payload_flits"),
    "measured": ("steps", "lower_bound", "cycles", "dataflow_cycles", "predicted_cycles"),
}


def network_of(parameters: Mapping[str, Any]) -> Network:
    """The :class:`Network` that the parameters of a record describe.

    Raises
    ------
    ParameterError
        If there can be no such network.
    """
    options, rest = _split(parameters)
    return Network(topology_from_json(rest["topology"]), RouterOptions.from_json(options))


def _split(parameters: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The router options among the parameters of a record, and the others. An option that came later has its default."""
    names = RouterOptions.names()
    return (
        {name: value for name, value in parameters.items() if name in names},
        {name: value for name, value in parameters.items() if name not in names},
    )


def check_record(value: object) -> ResultRecord | LoadRecord:
    """Return ``value``, the JSON value of a record, if it is one: of a collective and a router, or of a load.

    Raises
    ------
    ParameterError
        If it is not: the message names the field and its possible values.
    """
    if is_load_record(value):
        return check_load_record(cast(dict[str, Any], value))
    checked = validated(_RECORD, _without_options(value), "record")
    assert isinstance(value, dict)
    _check_network(value["parameters"])
    _check_run(checked)
    _check_speed(checked["measured"])
    return cast(ResultRecord, value)  # as it stands in the file, with lists where the schema makes tuples


def _without_options(value: object) -> object:
    """The record without its router options, which check themselves."""
    if isinstance(value, dict) and isinstance(value.get("parameters"), dict):
        return {**value, "parameters": _split(value["parameters"])[1]}
    return value


def _check_network(parameters: Mapping[str, Any]) -> None:
    try:
        network = network_of(parameters)
        if network.router().crossbar_ports > _MOST_PORTS:
            raise ParameterError(f"a router must have at most {_MOST_PORTS:,} ports, unlike that of the {network.name}")
        if "collective" in parameters:
            Collective.parse(parameters["collective"]).check_root(network.topology, parameters.get("root"))
    except ParameterError as error:
        raise ParameterError(f"parameters: {str(error)[:200]}") from None


def _check_run(record: Mapping[str, Any]) -> None:
    """Refuse a run that was not measured whole."""
    if not any(name in record["measured"] for name in _RUN["measured"]):
        if record["measured"].get("microseconds") is not None:
            raise ParameterError("measured.microseconds requires measured.cycles")
        return
    for part, names in _RUN.items():
        for name in names:
            if name not in record[part]:
                raise ParameterError(f"{part}.{name} must be there, as a run was measured")


def _check_speed(measured: Mapping[str, Any]) -> None:
    """Refuse an Fmax that is not the median of what the placement seeds gave, or on standard cells that of the longest path."""
    fmax, seeds = measured.get("fmax_mhz"), measured.get("seeds_mhz")
    if path := measured.get("path"):
        if fmax is None or seeds is not None or abs(fmax * path["ns"] - 1000) > 1:
            raise ParameterError(f"measured.fmax_mhz must be 1000 / measured.path.ns, not {json.dumps(fmax)}")
        return
    if fmax is None and seeds is None:
        return
    speeds = [mhz for _, mhz in seeds or ()]
    if fmax is None or not speeds or not min(speeds) <= fmax <= max(speeds):
        raise ParameterError(f"measured.fmax_mhz must be the median of seeds_mhz, not {json.dumps(fmax)}")
