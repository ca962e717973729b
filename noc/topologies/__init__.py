"""The topologies that have names in schedule files and on the command line: one file per family.

Never here: code for all topologies, which is in `fatcube.noc.topology`.
"""

import ast
from collections.abc import Mapping, Sequence
import dataclasses
import importlib
from pathlib import Path
import pkgutil
import re
from typing import Any

from fatcube.groundwork.options import listed
from fatcube.groundwork.validation import ParameterError, check_choice, shown
from fatcube.noc.topologies.damaged import Damaged, damaged
from fatcube.noc.topologies.failures import Failure, parse_failures, read_failures
from fatcube.noc.topologies.graph import Graph, graph_from_json, graph_shape
from fatcube.noc.topologies.graph_file import read_topology
from fatcube.noc.topologies.widened import lanes_by_dimension, widened
from fatcube.noc.topology import Topology, kinds
from fatcube.rtl.port_model import PortModel

__all__ = ["DEFAULT", "DEFAULTS", "make_topology", "name_from", "named_topologies", "topology_from_json"]


DEFAULT = "fat-cube"
"""The default kind of topology."""

DEFAULTS = {"d": 2}
"""The values that :func:`make_topology` uses for parameters that have no default in their class."""

# Importing a file registers its kinds; files are imported in the order of their names.
for _, _name, _ in sorted(pkgutil.iter_modules(__path__), key=lambda found: found.name):
    importlib.import_module(f"{__name__}.{_name}")


def named_topologies() -> dict[str, type[Topology]]:
    """The topologies of this folder by kind, without those that a user has added."""
    return {kind: cls for kind, cls in kinds().items() if cls.__module__.startswith(f"{__name__}.")}


def topology_from_json(value: object) -> Topology:
    """The topology that ``value``, read from a file, describes.

    Raises
    ------
    ParameterError
        If the type is unknown, a parameter is missing, unknown or out of range.
    """
    if not isinstance(value, dict):
        raise ParameterError(f"topology must be an object with a type, not {shown(value)}")
    kind = check_choice("topology type", value.get("type"), (*kinds(), Graph.kind, Damaged.kind))
    if kind == Damaged.kind:
        return _damaged_from_json(value)
    if kind == Graph.kind:
        return graph_from_json({name: part for name, part in value.items() if name != "type"})
    cls = kinds()[kind]
    fields = {field.name: field for field in dataclasses.fields(cls)}
    given = {name: tuple(part) if isinstance(part, list) else part for name, part in value.items() if name != "type"}
    for name in given:
        if name not in fields:
            raise ParameterError(f"topology {cls.kind} has parameters {', '.join(fields)}, not {shown(name)}")
    for name, field in fields.items():
        if name not in given and field.default is dataclasses.MISSING:
            raise ParameterError(f"topology {cls.kind} needs the parameter {name}")
    return cls(**given)


def _damaged_from_json(value: dict[str, Any]) -> Topology:
    """The network with failures that ``value`` describes, checked."""
    for name in ("whole", "failed", *value):
        if name not in value or name not in ("type", "whole", "failed"):
            raise ParameterError(f"topology {Damaged.kind} has parameters whole and failed, not {', '.join(value)}")
    failed = value["failed"]
    if not isinstance(failed, list) or not failed:
        raise ParameterError(f"failed must be a list of one failure or more, not {shown(failed)}")
    return damaged(topology_from_json(value["whole"]), map(Failure.parse, failed))


def make_topology(
    topology: str | None = None,
    *,
    topology_file: str | Path | None = None,
    graph: Graph | None = None,
    failed: str | None = None,
    failures: str | Path | None = None,
    lanes_of: str | None = None,
    **parameters: int | str | Sequence[int] | None,
) -> Topology:
    """The topology that options describe: ``topology`` is its kind, and ``None`` means that an option is not given.

    The default kind is a fat cube. The default of d, in every topology that has a d, is the number of values given for w if
    there are several, and 2 otherwise. A parameter that may have several values takes them as a sequence, or as a text with
    commas between them. With a ``topology_file``, no other option that defines the shape may be given: see
    :func:`fatcube.noc.topologies.graph_file.read_topology`; the same holds for a ``graph``. ``failed`` lists failures as text, or is ``"none"``, and
    ``failures`` is a file with further failures: see :mod:`fatcube.noc.topologies.failures`. ``lanes_of`` gives different
    numbers of lanes to some dimensions: see :mod:`fatcube.noc.topologies.widened`.

    Raises
    ------
    ParameterError
        If the options describe no topology, or failures that it cannot have.
    OSError
        If a file cannot be read.
    """
    whole = _whole(topology, topology_file, graph, parameters)
    if lanes_of is not None:
        whole = widened(whole, lanes_by_dimension(lanes_of))
    found = [] if failed in (None, "none") else parse_failures(failed)
    return damaged(whole, found + ([] if failures is None else read_failures(failures, whole)))


def _whole(
    topology: str | None,
    topology_file: str | Path | None,
    graph: Graph | None,
    parameters: Mapping[str, int | str | Sequence[int] | None],
) -> Topology:
    """The topology that these options describe, without failures."""
    if topology_file is not None or graph is not None:
        return _drawn(topology, topology_file, graph, parameters)
    if topology is None:
        topology = DEFAULT
    cls = kinds()[check_choice("topology", topology, kinds())]
    names = [field.name for field in dataclasses.fields(cls)]
    several = {
        field.name for kind in kinds().values() for field in dataclasses.fields(kind) if field.metadata.get("several")
    }
    given = {name: value for name, value in parameters.items() if value is not None}
    given = {name: _number(name, value) if name in several else value for name, value in given.items()}
    defaults = {name: value for name, value in DEFAULTS.items() if name in names}
    if "d" in names and isinstance(widths := given.get("w"), tuple):
        defaults |= {"d": len(widths)}
    given = defaults | given
    for name in [name for name in given if name not in names]:
        # A parameter that is fixed for all topologies of a kind may be given, but only with that value.
        value, fixed = given.pop(name), getattr(cls, name, None)
        if not isinstance(fixed, int):
            raise ParameterError(f"topology {topology} has parameters {', '.join(names)}, not {name} (-{name})")
        if value != fixed:
            raise ParameterError(f"{cls.__name__} {name} must be {fixed}, not {value}")
    for field in dataclasses.fields(cls):
        if field.name not in given and field.default is dataclasses.MISSING:
            raise ParameterError(f"topology {topology} needs the parameter {field.name} (-{field.name})")
    return cls(**given)


def _drawn(
    topology: str | None,
    topology_file: str | Path | None,
    graph: Graph | None,
    parameters: Mapping[str, int | str | Sequence[int] | None],
) -> Graph:
    """The graph that is given, or that is in a file, beside which nothing may say the shape."""
    shape = "a topology file" if graph is None else "a graph"
    others = {"topology": topology, **parameters, **({} if graph is None else {"topology file": topology_file})}
    for name, value in others.items():
        if value is not None:
            raise ParameterError(f"{name} must be left out with {shape}, which defines it, not {shown(value)}")
    if graph is not None:
        return graph
    assert topology_file is not None
    return read_topology(topology_file)


def name_from(text: str) -> str:
    """A text of a record, with the names for people in place of topologies and networks as :func:`str` writes them.

    A topology of an unknown kind, or with parameters that its kind does not take, is left as it is.
    """

    def named(found: re.Match[str]) -> str:
        name = _name_of(found["kind"], found["parameters"])
        if name is None:
            return found[0]
        return f"{name}{found['failed'] or ''}{PortModel(found['ports'] or '1').suffix}"

    return _IN_RECORD.sub(named, text)


_FAILURE = r"[a-z]+:[\d:-]+(?:out)?"
_IN_RECORD = re.compile(
    r"(?<![\w-])(?P<kind>[\w-]+)\((?P<parameters>(?:[^()]|\([\d, ]*\))*)\)"
    rf"(?P<failed> without {_FAILURE}(?:, {_FAILURE})*(?: and \d+ more)?)?(?: ports=(?P<ports>[1bd*]))?"
)


def _name_of(kind: str, text: str) -> str | None:
    """The name of the topology of a kind with parameters as :func:`str` writes them; ``None`` if there is no such one."""
    written = {name: ast.literal_eval(value) for name, value in re.findall(r"(\w+)=(\([\d, ]*\)|\d+)", text)}
    if kind == Graph.kind:
        if not {"nodes", "processors", "links"} <= written.keys():
            return None
        return graph_shape(written["nodes"], written["processors"], written["links"], one_way="one way" in text)
    try:
        return None if kind not in kinds() else kinds()[kind](**written).name
    except (ParameterError, TypeError):
        return None


def _number(name: str, value: object) -> object:
    """The value of a parameter as one number or a tuple of several; any other value is returned for the topology to refuse."""
    if not isinstance(value, str | list | tuple):
        return value
    numbers = listed(name, value, int)
    return numbers[0] if len(numbers) == 1 else numbers
