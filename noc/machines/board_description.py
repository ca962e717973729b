"""The description of a board: the machine on it, which a host reads over the serial line."""

from collections.abc import Iterable, Mapping
import dataclasses
import json
from typing import Any
import zlib

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.network import Network
from fatcube.noc.routing_options import RoutingOptions
from fatcube.noc.topologies import topology_from_json
from fatcube.rtl.router_options import RouterOptions

__all__ = ["MOST_BYTES", "describe", "machine_of", "unpack"]


MOST_BYTES = 1 << 12
_TRAFFIC, _SCHEDULES = "traffic", "schedules"
_MACHINES: dict[str, type[Machine] | type[TrafficMachine]] = {_TRAFFIC: TrafficMachine, _SCHEDULES: Machine}


def describe(machine: Machine | TrafficMachine, about: Mapping[str, Any]) -> bytes:
    """JSON with ``about`` and the parameters of a machine, compressed.

    Raises
    ------
    ParameterError
        If it takes more than :data:`MOST_BYTES`, as that of a large graph may.
    """
    kind = _TRAFFIC if isinstance(machine, TrafficMachine) else _SCHEDULES
    text = json.dumps({**about, "kind": kind, "machine": machine.to_json()}, separators=(",", ":"), sort_keys=True)
    packed = zlib.compress(text.encode(), 9)
    if len(packed) > MOST_BYTES:
        raise ParameterError(
            f"description of a board must have at most {MOST_BYTES} bytes, not the {len(packed)} of the {machine.network.name}"
        )
    return packed


def unpack(description: bytes) -> dict[str, Any] | None:
    """The JSON of a description that begins ``description``; ``None`` if it is incomplete.

    Raises
    ------
    ParameterError
        If it is none.
    """
    packed = zlib.decompressobj()
    try:
        text = packed.decompress(description)
        return json.loads(text) if packed.eof else None
    except (zlib.error, ValueError):
        raise ParameterError("description of a board must be compressed JSON, not something else") from None


def machine_of(described: Mapping[str, Any]) -> Machine | TrafficMachine:
    """The machine of a description.

    Raises
    ------
    ParameterError
        If it describes none that there is here: its fatcube was another, or its routing a table.
    """
    try:
        cls = _MACHINES[described["kind"]]
        rest = dict(described["machine"])

        def taken(names: Iterable[str]) -> dict[str, Any]:
            return {name: rest.pop(name) for name in names if name in rest}

        own = taken(field.name for field in dataclasses.fields(cls))
        topology, parts, routing = (
            topology_from_json(rest.pop("topology")),
            taken(["parts"]),
            taken(RoutingOptions.names()),
        )
        options = RouterOptions.from_json(rest)
        if routing:
            network = RoutingOptions.from_json(routing).network(topology, options)
        else:
            network = Network(topology, options, **parts)
        made = cls(network=network, **own)
    except (KeyError, TypeError) as error:
        raise ParameterError(f"description of a board must be one of this fatcube, which lacks {error}") from None
    if made.to_json() != described["machine"]:
        raise ParameterError(f"description of a board must be one of this fatcube, which makes another {network.name}")
    return made
