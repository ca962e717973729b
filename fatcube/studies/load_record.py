"""What a record of a network under load is, as `fatcube load --json` writes it and a sweep keeps it."""

from collections.abc import Mapping
from typing import Annotated, Any, cast

from pydantic import ConfigDict, Field, Strict, TypeAdapter, with_config
from typing_extensions import TypedDict

from groundwork.schema import validated
from groundwork.validation import ParameterError
from noc.routing_options import RoutingOptions
from noc.topologies import topology_from_json
from rtl.router_options import RouterOptions
from sim.load_options import LoadOptions

__all__ = ["LoadRecord", "check_load_record", "is_load_record"]


_STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
_MOST = 1 << 53  # what every reader of JSON reads exactly

_Count = Annotated[int, Field(ge=0, le=_MOST)]
_Number = Annotated[float, Field(ge=0, le=_MOST)]
_Load = Annotated[float, Field(gt=0, le=1)]


@with_config(_STRICT)
class _Point(TypedDict):
    """The measurements at one offered load: see :class:`sim.load.LoadPoint`."""

    load: _Load
    offered: _Number
    accepted: _Number
    latency: _Number
    confidence: _Number | None
    median: _Count
    percentile_99: _Count
    longest: _Count
    histogram: list[Annotated[tuple[_Count, _Count], Strict(False)]]
    conflicts: _Count
    saturated: bool
    failures: list[str]


@with_config(_STRICT)
class _Measured(TypedDict):
    """What was measured: see :class:`sim.saturation.LoadCurve`."""

    latency_without_load: _Number
    bound: _Number
    saturation: _Load | None
    points: Annotated[list[_Point], Field(min_length=1)]


@with_config(_STRICT)
class _How(TypedDict):
    """How it was measured, as :func:`groundwork.record.record` writes it."""

    command: str
    seed: int | None
    source_revision: str | None
    source_hash: str
    python: str
    tools: dict[str, str]


@with_config(_STRICT)
class LoadRecord(TypedDict):
    """The curve of a network under a pattern."""

    key: Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[!-~]+$")]
    parameters: dict[str, Any]
    measured: _Measured
    how: _How


_RECORD = TypeAdapter(LoadRecord)


def is_load_record(value: object) -> bool:
    """Whether a record, or what stands in the place of one, is of a network under load."""
    return isinstance(value, dict) and isinstance(value.get("parameters"), dict) and "pattern" in value["parameters"]


def check_load_record(value: Mapping[str, Any]) -> LoadRecord:
    """Return ``value``, the JSON value of a record, if it is one of a network under load.

    Raises
    ------
    ParameterError
        If it is not: the message says which field, and what it must be.
    """
    validated(_RECORD, value, "record")
    try:
        _check_parameters(value["parameters"])
    except ParameterError as error:
        raise ParameterError(f"parameters: {str(error)[:200]}") from None
    return cast(LoadRecord, value)  # as it stands in the file


def _check_parameters(parameters: Mapping[str, Any]) -> None:
    """Refuse options that cannot be. Whether they go together is not asked: to build all networks would take long."""
    rest = dict(parameters)
    for kind in (RouterOptions, RoutingOptions, LoadOptions):
        kind.from_json({name: rest.pop(name) for name in kind.names() if name in rest})
    if rest.keys() != {"topology"}:
        raise ParameterError(f"there must be a topology and options of networks and loads, not {', '.join(rest)[:80]}")
    topology_from_json(rest["topology"])
