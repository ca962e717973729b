"""The format of a record of a network under load, as `fatcube load --json` writes it and a sweep keeps it."""

from collections.abc import Mapping
import re
from typing import Annotated, Any, NotRequired, cast

from pydantic import Field, Strict, TypeAdapter, with_config
from typing_extensions import TypedDict

from fatcube.groundwork.schema import validated
from fatcube.groundwork.validation import ParameterError, check_choice, shown
from fatcube.noc.routing.table import Table
from fatcube.noc.routing_options import RoutingOptions
from fatcube.noc.topologies import topology_from_json
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.studies.record_fields import STRICT, Count, How, Key, Megahertz, Number, Positive, Seeds
from fatcube.synth.families import FAMILIES

__all__ = ["LoadRecord", "check_load_record", "is_load_record"]


_Load = Annotated[float, Field(gt=0, le=1)]


@with_config(STRICT)
class _Point(TypedDict):
    """The measurements at one offered load: see :class:`fatcube.sim.traffic.load_point.LoadPoint`."""

    load: _Load
    offered: Number
    accepted: Number
    latency: Number
    confidence: Number | None
    median: Count | None
    percentile_99: Count | None
    longest: Count
    histogram: list[Annotated[tuple[Count, Count], Strict(False)]]
    conflicts: Count
    saturated: bool
    failures: list[str]
    pairs: NotRequired[list[Annotated[tuple[Count, Count, Count, Number, Count], Strict(False)]]]
    least: NotRequired[Number | None]
    last_bin: NotRequired[Count]
    lanes: NotRequired[list[Annotated[tuple[Count, Count, Count, Number, Number], Strict(False)]]]
    fullest: NotRequired[Annotated[tuple[Number, Number, Number, Number, Number], Strict(False)] | None]


@with_config(STRICT)
class _Measured(TypedDict):
    """The measurements: see :class:`fatcube.sim.traffic.saturation.LoadCurve`; and the router, where there is a family."""

    latency_without_load: Number
    bound: Number
    saturation: _Load | None
    points: Annotated[list[_Point], Field(min_length=1)]
    comb_equivalents: NotRequired[Positive]
    nand2_equivalents: NotRequired[Number]
    ff: NotRequired[Count]
    fmax_mhz: NotRequired[Megahertz | None]
    seeds_mhz: NotRequired[Seeds | None]
    commands: NotRequired[list[str]]


@with_config(STRICT)
class LoadRecord(TypedDict):
    """The curve of a network under a pattern."""

    key: Key
    parameters: dict[str, Any]
    measured: _Measured
    how: How


_RECORD = TypeAdapter(LoadRecord)


def is_load_record(value: object) -> bool:
    """Whether a value is a record of a network under load, valid or not."""
    return isinstance(value, dict) and isinstance(value.get("parameters"), dict) and "pattern" in value["parameters"]


def check_load_record(value: Mapping[str, Any]) -> LoadRecord:
    """Return ``value``, the JSON value of a record, if it is one of a network under load.

    Raises
    ------
    ParameterError
        If it is not: the message names the field and its possible values.
    """
    validated(_RECORD, value, "record")
    try:
        _check_parameters(value["parameters"])
    except ParameterError as error:
        raise ParameterError(f"parameters: {str(error)[:200]}") from None
    return cast(LoadRecord, value)  # as it stands in the file


def _check_parameters(parameters: Mapping[str, Any]) -> None:
    """Refuse options that cannot be. Whether they go together is not asked: to build all networks would take long."""
    rest = {name: value for name, value in parameters.items() if name not in ("fmax", "placement_seeds")}
    if "family" in rest:
        check_choice("family", rest.pop("family"), FAMILIES)
    if rest.get("routing") == Table.name:
        # The ways of a table are not in the record, but what tells them from others.
        ways = rest.pop("routing_digest", None)
        if not isinstance(ways, str) or not re.fullmatch("[0-9a-f]+", ways):
            raise ParameterError(f"routing_digest must be hexadecimal digits with a routing table, not {shown(ways)}")
        del rest["routing"]
    for kind in (RouterOptions, RoutingOptions, LoadOptions):
        kind.from_json({name: rest.pop(name) for name in kind.names() if name in rest})
    if rest.keys() != {"topology"}:
        raise ParameterError(f"there must be a topology and options of networks and loads, not {', '.join(rest)[:80]}")
    topology_from_json(rest["topology"])
