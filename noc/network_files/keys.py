"""The keys of network files, ``fatcube.network-file/1``: each made from the declaration that its flag and its records come from.

``python -m fatcube.noc.network_files.keys`` prints the JSON Schema, which is docs/schemas/network.json.
"""

from collections.abc import Callable, Mapping
import dataclasses
import json
from typing import Any

from fatcube.groundwork.options import Option, Options, option
from fatcube.groundwork.validation import ParameterError, check_choice, check_integer, shown
from fatcube.noc.network_files.ports import SCHEMA, port_tables
from fatcube.noc.orientation import LINKS
from fatcube.noc.routing_options import RoutingOptions
from fatcube.noc.shared import check_identifier
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies import named_topologies
from fatcube.noc.topologies.graph import graph_from_json, graph_schema
from fatcube.noc.topology import kinds
from fatcube.rtl.protocols import PROTOCOLS
from fatcube.rtl.protocols.flits import FLITS
from fatcube.rtl.router_options import RouterOptions

__all__ = [
    "FILES",
    "FORMAT",
    "GRAPH",
    "KEYS",
    "NO_ROUTING",
    "PORT",
    "ROUTES",
    "Key",
    "PortOptions",
    "network_file_schema",
]


FORMAT = "fatcube.network-file/1"

NO_ROUTING = "none"
"""In place of a routing: the senders of packets say all of their ways."""

GRAPH, ROUTES, PORT = "graph", "routes", "port"
"""The keys of what only a file can say in place: a topology of any shape, the way of each pair of nodes, and single ports."""

FILES = ("topology_file", "failures", "routing_file")
"""The keys that name further files, which are looked for from the folder of the network file on."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PortOptions(Options):
    """The interfaces at the ports of a network, and their purpose.

    Parameters
    ----------
    interface : :class:`str`
        The protocol of the ports of processors, by its name.
    port_clocks : :class:`bool`
        Each of them has a clock of its own.
    for_schedules_only : :class:`bool`
        Traffic other than schedules may deadlock.
    """

    interface: str = option(
        FLITS.name,
        "Ports of processors: AXI4-Stream with the destination in TDEST (the network gets a routing), or bare flits.",
        choices=tuple(PROTOCOLS),
    )
    port_clocks: bool = option(False, "Give each AXI4-Stream port its own clock.")
    for_schedules_only: bool = option(
        False,
        "Write a network in which traffic other than schedules can deadlock: one of model b, or with more than one hop.",
    )


@dataclasses.dataclass(frozen=True)
class Key:
    """A key of network files.

    Members
    -------
    schema : dict
        The JSON Schema of its value.
    check : callable
        Refuses a value that it cannot have, whatever other keys have, and returns the value as the flag of this name has it.
    """

    schema: Mapping[str, Any]
    check: Callable[[Any], Any]


def _of_option(name: str, declared: Option) -> Key:
    def check(value: Any) -> Any:
        if declared.several is not None:
            value = tuple(value) if isinstance(value, list) else (value,)
        declared.value(name, value)
        return value

    return Key(declared.schema(), check)


def _of_options(kind: type[Options]) -> dict[str, Key]:
    return {field.name: _of_option(field.name, Option.of(field)) for field in dataclasses.fields(kind)}


def _chosen(name: str, words: tuple[str, ...]) -> Key:
    return Key({"enum": list(words)}, lambda value: check_choice(name, value, words))


def _text(name: str, what: str, **examples: Any) -> Key:
    def check(value: Any) -> str:
        if isinstance(value, str) and value:
            return value
        raise ParameterError(f"{name} must be {what}, not {shown(value)}")

    return Key({"type": "string", "minLength": 1, **examples}, check)


def _object(name: str, schema: Mapping[str, Any], make: Callable[[dict[str, Any]], Any] | None = None) -> Key:
    def check(value: Any) -> Any:
        if not isinstance(value, dict):
            raise ParameterError(f"{name} must be an object, not {shown(value)}")
        return value if make is None else make(value)

    return Key(schema, check)


def _letter(name: str, *, several: bool) -> Key:
    """The key of a parameter of topologies, whose range is that of the topology."""
    one = {"type": "integer", "minimum": 1}

    def check(value: Any) -> Any:
        if value == [] or isinstance(value, str):
            raise ParameterError(f"{name} must be an integer{' or a list of integers' * several}, not {shown(value)}")
        listed: list[Any] = value if several and isinstance(value, list) and value else [value]
        numbers = tuple(check_integer(name, number, minimum=1) for number in listed)
        return numbers if len(numbers) != 1 else numbers[0]

    return Key({"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]} if several else one, check)


def _letters() -> dict[str, Key]:
    fields = [field for kind in kinds().values() for field in dataclasses.fields(kind)]
    several = {field.name for field in fields if field.metadata.get("several")}
    return {name: _letter(name, several=name in several) for name in dict.fromkeys(field.name for field in fields)}


def _failed(value: Any) -> str:
    """The failures as their flag has them."""
    listed: list[Any] = value if isinstance(value, list) and value else [value]
    for one in listed:
        if not isinstance(one, str):
            raise ParameterError(f"failed must be a list of texts such as link:0-1, not {shown(one)}")
    return ",".join(listed)


_FAILURE = {"type": "string", "examples": ["link:0-1", "lane:2-3:0", "node:5", "processor:9"]}
_WAYS = {
    "type": "object",
    "properties": {
        "classes": {"type": "integer", "minimum": 1},
        "ways": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["classes", "ways"],
    "additionalProperties": False,
}
_OF_ROUTING = _of_options(RoutingOptions)

KEYS: Mapping[str, Key] = {
    "topology": _chosen("topology", tuple(kinds())),
    **_letters(),
    "lanes_of": _text("lanes_of", "text such as 0=4,1=2", examples=["0=4,1=2"]),
    GRAPH: _object(GRAPH, {"$ref": "#/$defs/GraphRecord"}, graph_from_json),
    "topology_file": _text("topology_file", "the path of a file"),
    "failed": Key({"anyOf": [_FAILURE, {"type": "array", "items": _FAILURE, "minItems": 1}]}, _failed),
    "failures": _text("failures", "the path of a file"),
    **_of_options(RouterOptions),
    "links": _chosen("links", LINKS),
    **_OF_ROUTING,
    "routing": _chosen("routing", (NO_ROUTING, *_OF_ROUTING["routing"].schema["enum"])),
    ROUTES: _object(ROUTES, _WAYS),
    "routing_file": _text("routing_file", "the path of a file"),
    **_of_options(PortOptions),
    **_of_options(StreamOptions),
    "name": Key({"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}, check_identifier),
    PORT: Key(SCHEMA, port_tables),
}
"""All keys but ``format``, in the order in which files are written."""


def network_file_schema() -> dict[str, Any]:
    """The JSON Schema of network files, as JSON has what TOML says."""
    graph = graph_schema()
    records = {**graph.pop("$defs"), "GraphRecord": graph}
    published = {name: dict(key.schema) for name, key in KEYS.items()}
    # Topologies that a user has added are in no file that is published.
    published["topology"] = {"enum": sorted(named_topologies())}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"format": {"const": FORMAT}, **published},
        "required": ["format"],
        "additionalProperties": False,
        "$defs": records,
    }


if __name__ == "__main__":
    print(json.dumps(network_file_schema(), indent=2))
