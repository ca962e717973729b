"""The format of sweep files, ``fatcube.sweep/1``: TOML that asks for points to be measured.

    format = "fatcube.sweep/1"
    family = ["ecp5", "gates"]        # a value or a list of values; what stands here holds for all blocks

    [[points]]                        # every combination of a block's lists is a point; any number of blocks
    d = [1, 2]
    m = 2
    ports = ["1", "d"]
    collective = ["AAB", "OAB"]
    payload_flits = [4, 16]

All keys stand in docs/design.md. ``python -m fatcube.studies.sweep_file`` prints the JSON Schema, which is
docs/schemas/sweep.json.
"""

from collections.abc import Iterator, Mapping
import dataclasses
import itertools
import json
import math
from pathlib import Path
import tomllib
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationInfo, WithJsonSchema, create_model

from fatcube.studies.point import Point
from groundwork.digest import digest
from groundwork.options import Option
from groundwork.schema import validated
from groundwork.validation import ParameterError, shown
from noc.network import Network
from noc.topologies import make_topology, named_topologies
from rtl.endpoint.monitor import MOST_FLITS
from rtl.router_options import RouterOptions
from schedules.collective import Collective
from synth.families import FAMILIES

__all__ = ["read_points", "sweep_schema"]


_FORMAT = "fatcube.sweep/1"
_TOPOLOGY = ("d", "n", "w", "m", "f")
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


def _of_option(option: Option) -> dict[str, Any]:
    if option.minimum is not None:
        return _integer(option.minimum, option.maximum)
    if option.parse is not None:  # which may take more than it lists
        return {"type": "string", "examples": list(option.choices)}
    return {"enum": list(option.choices)} if option.choices else {"type": "boolean"}


_OPTIONS = {field.name: _of_option(Option.of(field)) for field in dataclasses.fields(RouterOptions)}
_COLLECTIVES: dict[str, Any] = {"enum": [*dict.fromkeys(name for one in Collective for name in (one.value, one.word))]}

_DEFAULTS: dict[str, Any] = {field.name: field.default for field in dataclasses.fields(Point)}

_KEYS: dict[str, Any] = {
    "topology": _key({"enum": sorted(named_topologies())}),
    "topology_file": _key({"type": "string"}),
    **dict.fromkeys(_TOPOLOGY, _key(_integer(1))),
    **{name: _key(_OPTIONS[name], default) for name, default in RouterOptions().to_json().items()},
    "collective": (_key(_COLLECTIVES)[0], ...),
    "root": _key(_integer(0), _DEFAULTS["root"]),
    "payload_flits": _key(_integer(1, MOST_FLITS - 1), _DEFAULTS["payload_flits"]),
    "family": _key({"enum": sorted(FAMILIES)}, _DEFAULTS["family"]),
}

_BLOCK: TypeAdapter[BaseModel] = TypeAdapter(
    create_model(
        "Points",
        __config__=ConfigDict(extra="forbid", strict=True),
        **_KEYS,
        seeds=(list[int], list(_DEFAULTS["seeds"])),
        fmax=(bool | None, _DEFAULTS["fmax"]),
    )
)


def sweep_schema() -> dict[str, Any]:
    """The JSON Schema of sweep files, as JSON has what TOML says.

    What stands above the blocks holds for all of them, so no key must be in a block.
    """
    block = _BLOCK.json_schema()
    for name in ("title", "required"):
        del block[name]
    points = {"type": "array", "items": block, "minItems": 1}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"format": {"const": _FORMAT}, "points": points, **block["properties"]},
        "required": ["format"],
        "additionalProperties": False,
    }


def read_points(path: Path | str) -> list[Point]:
    """The different points that a sweep file asks for, in its order.

    Raises
    ------
    ParameterError
        If it is not a sweep file, or one of its points cannot be built.
    OSError
        If it cannot be read.
    """
    points = {}
    for number, block in enumerate(_read_blocks(Path(path)), 1):
        for point in _block(f"{path}, block {number}", block, Path(path).parent):
            points.setdefault(digest(point.parameters), point)
    return list(points.values())


def _block(where: str, block: Mapping[str, Any], folder: Path) -> Iterator[Point]:
    """The points of a block; topology files are looked for from ``folder`` on."""
    lists = {name: block[name] for name in _KEYS}
    count = math.prod(map(len, lists.values()))
    if count > _MOST_POINTS:
        raise ParameterError(f"{where}: lists must have at most {_MOST_POINTS:,} combinations, not {shown(count)}")
    for values in itertools.product(*lists.values()):
        chosen = dict(zip(lists, values))
        varied = ", ".join(f"{name}={chosen[name]}" for name in lists if len(lists[name]) > 1)
        try:
            file = chosen.pop("topology_file")
            if not isinstance(file, str | None):
                raise ParameterError(f"topology_file must be the path of a file, not {shown(file)}")
            topology = make_topology(
                chosen.pop("topology"),
                topology_file=None if file is None else folder / file,
                **{name: chosen.pop(name) for name in _TOPOLOGY},
            )
            network = Network(topology, RouterOptions(**{name: chosen.pop(name) for name in RouterOptions.names()}))
            yield Point(network=network, **chosen, seeds=block["seeds"], fmax=block["fmax"])
        except ParameterError as error:
            raise ParameterError(f"{where}{varied and f', point {varied}'}: {error}") from None


def _read_blocks(path: Path) -> list[dict[str, Any]]:
    """The blocks of the file, each with all keys; those of :data:`_KEYS` are lists."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # of a number with thousands of digits, or lists as deep as that
        raise ParameterError(f"{path} must be a TOML file: {error}") from None
    if given.pop("format", None) != _FORMAT:
        raise ParameterError(f'{path} must begin with format = "{_FORMAT}"')
    blocks = given.pop("points", [{}])
    if not (isinstance(blocks, list) and blocks and all(isinstance(block, dict) for block in blocks)):
        raise ParameterError(f"{path}: points must be blocks that begin with [[points]]")
    found = []
    for number, block in enumerate(blocks, 1):
        try:
            found.append(validated(_BLOCK, {**given, **block}, "block").model_dump())
        except ParameterError as error:
            raise ParameterError(f"{path}, block {number}: {error}") from None
    return found


if __name__ == "__main__":
    print(json.dumps(sweep_schema(), indent=2))
