"""Short names of networks on the command line, such as ``mesh:4x4`` and ``fat-cube:2,4,1``: a kind of topology and its parameters."""

import dataclasses
import re
from typing import Any

from fatcube.groundwork.validation import ParameterError, check_choice, shown
from fatcube.noc.topologies import make_topology, named_topologies
from fatcube.noc.topology import Topology

__all__ = ["FORMS", "is_short_name", "topology_named"]


_NUMBER = re.compile("[0-9]{1,9}")


def is_short_name(text: str) -> bool:
    """Whether a text is meant as a short name: it has a colon, or is the name of a kind alone, and does not end as files do."""
    return (":" in text or text in named_topologies()) and not text.endswith((".json", ".toml"))


def topology_named(text: str) -> Topology:
    """The topology of a short name: a kind, a colon, and its parameters in the order of their declaration, or by name.

    A width may be one for each dimension, as in ``4x4``, and d is then their number. Parameters for processors on a node and
    lanes of a link are 1 if they are left out; all others must be there.

    Raises
    ------
    ParameterError
        If there is no such topology: the message lists the possible ones.
    """
    kind, colon, values = text.partition(":")
    cls = named_topologies()[check_choice("kind of a network", kind, named_topologies())]
    fields = {field.name: field for field in dataclasses.fields(cls)}
    given: dict[str, Any] = {}
    by_name = False
    for part in values.split(",") if colon else ():
        name, equals, value = part.rpartition("=")
        by_name |= bool(equals)
        if not by_name:
            name = next((one for one in fields if one not in given), "")
        numbers = value.split("x")
        if name not in fields or name in given or not all(map(_NUMBER.fullmatch, numbers)):
            raise _refused(text, kind)
        given[name] = int(value) if len(numbers) == 1 else tuple(map(int, numbers))
        if len(numbers) > 1:
            if not fields[name].metadata.get("several"):
                raise _refused(text, kind)
            given["d"] = len(numbers)
    if any(name not in given and field.default is dataclasses.MISSING for name, field in fields.items()):
        raise _refused(text, kind)
    return make_topology(kind, **given)


def _refused(text: str, kind: str) -> ParameterError:
    return ParameterError(f"network must be {_form(kind)}, not {shown(text)}")


def _form(kind: str) -> str:
    """The forms of the short names of a kind, as in ``mesh:WxW..[,m[,f]] or mesh:w,d[,m[,f]]``."""
    fields = dataclasses.fields(named_topologies()[kind])
    needed = [field.name for field in fields if field.default is dataclasses.MISSING]
    further = "".join(f"[,{field.name}" for field in fields if field.default is not dataclasses.MISSING)
    further += "]" * further.count("[")
    found = [f"{kind}:{','.join(needed)}{further}"]
    if any(field.metadata.get("several") for field in fields):
        found.insert(0, f"{kind}:WxW{further}")
    return " or ".join(found)


FORMS = ", ".join(map(_form, sorted(named_topologies())))
"""The forms of all short names, for help."""
