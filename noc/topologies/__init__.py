"""The topologies that schedule files and the command line know by name: one file per family.

Never here: what holds for all of them, which is `noc.topology`.
"""

import dataclasses
import importlib
import pkgutil

from groundwork.validation import ParameterError, check_choice, shown
from noc.topology import Topology, kinds

__all__ = ["make_topology", "named_topologies", "topology_from_json"]


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
    cls = kinds()[check_choice("topology type", value.get("type"), kinds())]
    fields = {field.name: field for field in dataclasses.fields(cls)}
    given = {name: number for name, number in value.items() if name != "type"}
    for name in given:
        if name not in fields:
            raise ParameterError(f"topology {cls.kind} has parameters {', '.join(fields)}, not {shown(name)}")
    for name, field in fields.items():
        if name not in given and field.default is dataclasses.MISSING:
            raise ParameterError(f"topology {cls.kind} needs the parameter {name}")
    return cls(**given)


def make_topology(topology: str | None, **parameters: int | None) -> Topology:
    """The topology that options describe: ``topology`` is its kind, ``None`` stands for an option that is not given.

    A topology that has a d has 2 dimensions by default.

    Raises
    ------
    ParameterError
        If they describe none.
    """
    cls = kinds()[check_choice("topology", topology, kinds())]
    names = [field.name for field in dataclasses.fields(cls)]
    given = {name: value for name, value in parameters.items() if value is not None}
    if "d" in names:
        given.setdefault("d", 2)
    for name in [name for name in given if name not in names]:
        # A parameter that is the same in all topologies of a kind may be given, but not changed.
        value, fixed = given.pop(name), getattr(cls, name, None)
        if not isinstance(fixed, int):
            raise ParameterError(f"topology {topology} has parameters {', '.join(names)}, not {name} (-{name})")
        if value != fixed:
            raise ParameterError(f"{cls.__name__} {name} must be {fixed}, not {value}")
    for field in dataclasses.fields(cls):
        if field.name not in given and field.default is dataclasses.MISSING:
            raise ParameterError(f"topology {topology} needs the parameter {field.name} (-{field.name})")
    return cls(**given)
