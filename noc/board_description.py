"""What a board says of itself: the machine on it, so that whoever asks over its serial line need not know it."""

from collections.abc import Mapping
import json
from typing import Any
import zlib

from groundwork.validation import ParameterError
from noc.machine import Machine
from noc.network import Network
from noc.routed_network import RoutedNetwork
from noc.routing import make_routing
from noc.topologies import topology_from_json
from noc.traffic_machine import TrafficMachine
from rtl.router_options import RouterOptions

__all__ = ["MOST_BYTES", "describe", "machine_of", "unpack"]


MOST_BYTES = 1 << 12
_TRAFFIC, _SCHEDULES = "traffic", "schedules"
_ROUTED = ("lanes", "addressing", "message_classes")
_OF_MACHINE = {
    _TRAFFIC: (TrafficMachine, ("alone", "queue", "bins", "ways", "bursts", "trace", "log", "details")),
    _SCHEDULES: (Machine, ("memory_words", "program_entries", "reductions", "monitors", "probes")),
}


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
            f"description of a board must have at most {MOST_BYTES} bytes, not the {len(packed)} of {machine.network}"
        )
    return packed


def unpack(description: bytes) -> dict[str, Any] | None:
    """The JSON of a description that begins ``description``; ``None`` if it goes on behind it.

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
        cls, fields = _OF_MACHINE[described["kind"]]
        rest = dict(described["machine"])
        own = {name: rest.pop(name) for name in fields if name in rest}
        topology = topology_from_json(rest.pop("topology"))
        parts = {"parts": rest.pop("parts")} if "parts" in rest else {}
        routed = {name: rest.pop(name) for name in _ROUTED if name in rest}
        routing = rest.pop("routing", None)
        options = RouterOptions.from_json(rest)
        network = Network(topology, options, **parts)
        if routing is not None:
            network = RoutedNetwork(topology, options, routing=make_routing(routing, topology), **parts, **routed)
        made = cls(network=network, **own)
    except (KeyError, TypeError) as error:
        raise ParameterError(f"description of a board must be one of this fatcube, which lacks {error}") from None
    if made.to_json() != described["machine"]:
        raise ParameterError(f"description of a board must be one of this fatcube, which makes another {network}")
    return made
