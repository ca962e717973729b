"""The format of sweep files, ``fatcube.sweep/1``: TOML that lists points to be measured.

    format = "fatcube.sweep/1"
    family = ["ecp5", "gates"]        # a value or a list of values; values up here hold for all blocks

    [[points]]                        # every combination of a block's lists is a point; any number of blocks
    d = [1, 2]
    m = 2
    ports = ["1", "d"]
    collective = ["AAB", "OAB"]
    payload_flits = [4, 16]

    [[load]]                          # the same, of networks under traffic
    topology = ["mesh", "torus"]
    w = 4
    d = 2
    virtual_channels = 2
    buffer_depth = 4
    pattern = ["uniform", "transpose"]

All keys stand in docs/reference/sweep-files.md. ``python -m fatcube.studies.sweep_file`` prints the JSON Schema, which is
docs/schemas/sweep.json.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
import dataclasses
import difflib
import functools
import itertools
import json
import math
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationInfo, WithJsonSchema, create_model

from fatcube.groundwork.digest import digest
from fatcube.groundwork.files import read_bytes
from fatcube.groundwork.options import Option, Options
from fatcube.groundwork.schema import place, validated
from fatcube.groundwork.strict.malformed import decoded, within
from fatcube.groundwork.strict.toml_text import parse_toml
from fatcube.groundwork.validation import ParameterError, shown
from fatcube.noc.network import Network
from fatcube.noc.orientation import LINKS, as_wired
from fatcube.noc.routing.table import read_table
from fatcube.noc.routing_options import RoutingOptions
from fatcube.noc.topologies import make_topology, named_topologies
from fatcube.noc.topology import Topology
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Collective
from fatcube.sim.size import check_simulation
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.studies.point import LoadedNetwork, Point
from fatcube.synth.families import FAMILIES

__all__ = ["read_points", "sweep_schema"]


_FORMAT = "fatcube.sweep/1"
_TOPOLOGY = ("d", "n", "k", "w", "m", "f")
_WIDTHS = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "examples": ["3,4,2"]}]}
_FILES = {"topology_file", "failures", "routing_file"}
_MOST_BYTES = 1 << 20  # of lists of numbers and words
_MOST_POINTS = 10_000  # of a block: months of measuring, and seconds of checking


def _listed(value: Any, info: ValidationInfo) -> Any:
    if value == []:
        raise ParameterError(f"{info.field_name} must have at least one value, not []")
    return value if isinstance(value, list) else [value]


def _key(schema: dict[str, Any], default: Any = None) -> Any:
    """A key with a value or a list of values. What each may be is checked where it is used, and published here."""
    published = WithJsonSchema({"anyOf": [schema, {"type": "array", "items": schema, "minItems": 1}]})
    return Annotated[list[Any], BeforeValidator(_listed), published], [default]


def _integer(minimum: int, maximum: int | None = None) -> dict[str, Any]:
    return {"type": "integer", "minimum": minimum} | ({} if maximum is None else {"maximum": maximum})


def _of_options(kind: type[Options], *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """The keys of options, which are ``None`` where they are not given."""
    declared = {field.name: Option.of(field) for field in dataclasses.fields(kind)}
    return {name: _key(option.schema()) for name, option in declared.items() if name not in without}


_OPTION_DEFAULTS = {
    name: value
    for kind in (RouterOptions, RoutingOptions, LoadOptions)
    for name, value in kind.from_json({}).to_json().items()
}
"""The declared defaults of options, which are published in the schema: an option that is not given can follow others."""

_Options = TypeVar("_Options", bound=Options)


def _options(kind: type[_Options], chosen: dict[str, Any]) -> _Options:
    """The options of this kind among the values that are ``chosen``, from which they are taken out."""
    given = {name: chosen.pop(name) for name in kind.names() if name in chosen}
    return kind(**{name: value for name, value in given.items() if value is not None})


_COLLECTIVES: dict[str, Any] = {"enum": [*dict.fromkeys(name for one in Collective for name in (one.value, one.word))]}

_DEFAULTS: dict[str, Any] = {field.name: field.default for field in dataclasses.fields(Point)}

_NETWORK: dict[str, Any] = {
    "topology": _key({"enum": sorted(named_topologies())}),
    "topology_file": _key({"type": "string"}),
    "failed": _key({"type": "string"}),
    "failures": _key({"type": "string"}),
    **{name: _key(_WIDTHS if name == "w" else _integer(1)) for name in _TOPOLOGY},
    **_of_options(RouterOptions),
    "links": _key({"enum": list(LINKS)}),
}


@dataclasses.dataclass(frozen=True)
class _Kind:
    """A kind of blocks.

    Members
    -------
    keys : dict
        The keys that have a value or a list of values, as fields of a Pydantic model.
    others : dict
        The keys with one value for all points of the block.
    make : callable
        Makes a point of a topology, router options, and the values of all other keys.
    """

    keys: dict[str, Any]
    others: dict[str, Any]
    make: Callable[[Topology, RouterOptions, dict[str, Any]], Point | LoadedNetwork]

    @functools.cached_property
    def block(self) -> TypeAdapter[BaseModel]:
        """The model of a block."""
        config = ConfigDict(extra="forbid", strict=True)
        return TypeAdapter(create_model("Block", __config__=config, **self.keys, **self.others))


def _point(topology: Topology, options: RouterOptions, chosen: dict[str, Any]) -> Point:
    return Point(network=Network(topology, options), **chosen)


def _load(topology: Topology, options: RouterOptions, chosen: dict[str, Any]) -> LoadedNetwork:
    ways, traffic = _options(RoutingOptions, chosen), _options(LoadOptions, chosen)
    file = chosen.pop("routing_file")
    check_simulation(topology)  # before its ways are gone through
    network = ways.network(topology, options, None if file is None else read_table(file, topology))
    return LoadedNetwork(test=LoadTest(network, traffic), **chosen)


_PLACEMENT: dict[str, Any] = {
    "seeds": (list[int], list(_DEFAULTS["seeds"])),
    "fmax": (bool | None, _DEFAULTS["fmax"]),
}

_KINDS = {
    "points": _Kind(
        {
            **_NETWORK,
            "collective": (_key(_COLLECTIVES)[0], ...),
            "root": _key(_integer(0), _DEFAULTS["root"]),
            "payload_flits": _key(_integer(1, MOST_FLITS - 1), _DEFAULTS["payload_flits"]),
            "family": _key({"enum": sorted(FAMILIES)}, _DEFAULTS["family"]),
        },
        _PLACEMENT,
        _point,
    ),
    "load": _Kind(
        {
            **_NETWORK,
            **_of_options(RoutingOptions),
            "routing_file": _key({"type": "string"}),
            **_of_options(LoadOptions, without=("loads",)),
            "family": _key({"enum": sorted(FAMILIES)}),
        },
        {**_PLACEMENT, "loads": (list[float], [])},
        _load,
    ),
}
"""The kinds of blocks, by what they begin with."""


def sweep_schema() -> dict[str, Any]:
    """The JSON Schema of sweep files, as JSON has what TOML says.

    Values above the blocks hold for all of them, so no key must be in a block.
    """
    properties, blocks = {}, {}
    for name, kind in _KINDS.items():
        block = kind.block.json_schema()
        for part in ("title", "required"):
            block.pop(part, None)
        for key, default in _OPTION_DEFAULTS.items():
            if block["properties"].get(key, {}).get("default") == [None]:
                block["properties"][key]["default"] = [default]
        properties |= block["properties"]
        blocks[name] = {"type": "array", "items": block, "minItems": 1}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"format": {"const": _FORMAT}, **blocks, **properties},
        "required": ["format"],
        "additionalProperties": False,
    }


def read_points(path: Path | str) -> list[Point | LoadedNetwork]:
    """The different points of a sweep file, in its order.

    Raises
    ------
    ParameterError
        If it is not a sweep file, or one of its points cannot be built.
    OSError
        If it cannot be read.
    """
    points = {}
    for where, kind, block in _read_blocks(Path(path)):
        for point in _combinations(where, kind, block, Path(path).parent):
            points.setdefault(digest(point.parameters), point)
    return list(points.values())


def _combinations(where: str, kind: _Kind, block: Mapping[str, Any], folder: Path) -> Iterator[Point | LoadedNetwork]:
    """The points of a block; files that it names are looked for from ``folder`` on."""
    lists = {name: block[name] for name in kind.keys}
    others = {name: block[name] for name in kind.others}
    count = math.prod(map(len, lists.values()))
    if count > _MOST_POINTS:
        raise ParameterError(f"{where}: lists must have at most {_MOST_POINTS:,} combinations, not {shown(count)}")
    for values in itertools.product(*lists.values()):
        chosen = dict(zip(lists, values))
        varied = ", ".join(f"{name}={chosen[name]}" for name in lists if len(lists[name]) > 1)
        try:
            for name in _FILES & chosen.keys():
                if not isinstance(chosen[name], str | None):
                    raise ParameterError(f"{name} must be the path of a file, not {shown(chosen[name])}")
                chosen[name] = chosen[name] and folder / chosen[name]
            topology = make_topology(
                chosen.pop("topology"),
                topology_file=chosen.pop("topology_file"),
                failed=chosen.pop("failed"),
                failures=chosen.pop("failures"),
                **{name: chosen.pop(name) for name in _TOPOLOGY},
            )
            topology, chosen["links"] = as_wired(topology, chosen["links"])
            chosen |= others
            yield kind.make(topology, _options(RouterOptions, chosen), chosen)
        except ParameterError as error:
            raise ParameterError(f"{where}{varied and f', point {varied}'}: {error}") from None


def _read_blocks(path: Path) -> Iterator[tuple[str, _Kind, dict[str, Any]]]:
    """The blocks of the file, each with its place, its kind and all keys of this kind.

    Values above the blocks hold for the blocks that have such a key.
    """
    content = read_bytes(path, most=_MOST_BYTES, what="a sweep file")
    with within(path):
        given = parse_toml(decoded(content, "TOML"))
    if given.pop("format", None) != _FORMAT:
        raise ParameterError(f'{path} must begin with format = "{_FORMAT}"')
    blocks = {name: given.pop(name) for name in _KINDS if name in given} or {"points": [{}]}
    known = {key for name in blocks for key in (*_KINDS[name].keys, *_KINDS[name].others)}
    for name, some in blocks.items():
        kind = _KINDS[name]
        if not (isinstance(some, list) and some and all(isinstance(block, dict) for block in some)):
            raise ParameterError(f"{path}: {name} must be blocks that begin with [[{name}]]")
        above = {key: value for key, value in given.items() if key in {*kind.keys, *kind.others} or key not in known}
        for number, block in enumerate(some, 1):
            where = f"{path}, {'block' if name == 'points' else f'{name} block'} {number}"
            try:
                _check_keys({**above, **block}, {*kind.keys, *kind.others})
                yield where, kind, validated(kind.block, {**above, **block}, "block").model_dump()
            except ParameterError as error:
                raise ParameterError(f"{where}: {error}") from None


def _check_keys(block: Mapping[str, Any], known: Collection[str]) -> None:
    """Refuse a key that there is not, before one that is missing, which it may stand for."""
    for key in block:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            meant = f" (there is {near[0]})" if near else ""
            raise ParameterError(f"{place(key)} must be left out, as there is no such key{meant}")


if __name__ == "__main__":
    print(json.dumps(sweep_schema(), indent=2))
