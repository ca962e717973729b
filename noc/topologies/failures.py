"""Failures of a network by name: links, lanes, nodes and processors that do not work, and the file that lists them.

As text, a failure is ``link:0-1``, all lanes between nodes 0 and 1; ``lane:2-3:0``, lane 0 of the lanes from node 2 to
node 3, numbered as in schedules; ``node:5``, a router with its processors and links; or ``processor:9``. A link or lane
with ``:out`` fails only in the direction from its first node to its second. All numbers refer to the whole network.
"""

from collections.abc import Callable
import dataclasses
import functools
from pathlib import Path
import re
from typing import Literal, TypeAlias

from fatcube.groundwork.strict.json_text import read_json
from fatcube.groundwork.validation import ParameterError, check_boolean, check_integer, shown
from fatcube.noc.topology import Topology

__all__ = ["FORMAT", "Failure", "parse_failures", "read_failures"]


FORMAT = "fatcube.failures/1"
MOST_BYTES = 1 << 22
Kind: TypeAlias = Literal["link", "lane", "node", "processor"]
MOST_FAILURES = 1 << 16

_TEXT = re.compile(
    r"\s*(?:link:(\d{1,9})-(\d{1,9})(:out)?|lane:(\d{1,9})-(\d{1,9}):(\d{1,9})(:out)?|(node|processor):(\d{1,9}))\s*"
)


@dataclasses.dataclass(frozen=True, order=True)
class Failure:
    """A failed link, lane, node or processor.

    Parameters
    ----------
    kind : :class:`str`
        ``"link"``, ``"lane"``, ``"node"`` or ``"processor"``.
    numbers : tuple of :class:`int`
        For a link, its two nodes; for a lane, its two nodes and its number at the first node; else the node or processor.
    out : :class:`bool`
        True if a link or a lane fails only in the direction from its first node to its second.
    """

    kind: Kind
    numbers: tuple[int, ...]
    out: bool = False

    @classmethod
    def parse(cls, text: object) -> "Failure":
        """The failure that a text names.

        Raises
        ------
        ParameterError
            If ``text`` names no failure.
        """
        found = _TEXT.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise ParameterError(
                "failure must be link:NODE-NODE, lane:NODE-NODE:LANE, either with :out for one direction, node:NODE or "
                f"processor:PROCESSOR, not {shown(text)}"
            )
        link, lane, one = found.group(1, 2), found.group(4, 5, 6), found.group(9)
        if link[0] is not None:
            return cls("link", tuple(map(int, link)), found[3] is not None)
        if lane[0] is not None:
            return cls("lane", tuple(map(int, lane)), found[7] is not None)
        return cls("node" if found[8] == "node" else "processor", (int(one),))

    def __str__(self) -> str:
        nodes = "-".join(map(str, self.numbers[:2]))
        lane = "".join(f":{number}" for number in self.numbers[2:])
        return f"{self.kind}:{nodes}{lane}{':out' * self.out}"


def parse_failures(text: object) -> list[Failure]:
    """The failures in a text, separated by commas, in the form of the option ``--failed``.

    Raises
    ------
    ParameterError
        If a part of the text names no failure.
    """
    if not isinstance(text, str):
        raise ParameterError(f"failed must be text such as link:0-1,node:5, not {shown(text)}")
    return [Failure.parse(part) for part in text.split(",")]


def read_failures(path: str | Path, topology: Topology) -> list[Failure]:
    """The failures in a JSON file, which may identify nodes by their names in a graph file.

    Raises
    ------
    ParameterError
        If the file lists no failures, or a name in it is not the name of a node; the message begins with the path.
    OSError
        If the file does not exist or cannot be read.
    """
    make = functools.partial(_from_json, topology=topology)
    return read_json(Path(path), make, most=MOST_BYTES, what="a file of failures")


def _from_json(value: object, topology: Topology) -> list[Failure]:
    if not isinstance(value, dict) or value.get("format") != FORMAT or set(value) != {"format", "failed"}:
        raise ParameterError(f'a file of failures must be an object with "format": "{FORMAT}" and "failed", a list')
    listed = value["failed"]
    if not isinstance(listed, list) or not listed or len(listed) > MOST_FAILURES:
        raise ParameterError(f"failed must be a list of 1 to {MOST_FAILURES} failures, not {shown(listed)}")
    node = _node_of(topology)
    return [Failure.parse(one) if isinstance(one, str) else _of_object(one, node) for one in listed]


def _node_of(topology: Topology) -> Callable[[object], int]:
    """A function that returns the number of a node from its number or its name in a file of failures."""

    def node(value: object) -> int:
        if not isinstance(value, str):
            return check_integer("node of a failure", value, minimum=0)
        number = topology.node_named(value)
        if number is None:
            raise ParameterError(
                f"node of a failure must be a number or a name of the {topology.name}, not {shown(value)}"
            )
        return number

    return node


def _of_object(value: object, node: Callable[[object], int]) -> Failure:
    """The failure described by an object such as ``{"link": ["a", "b"], "out": true}``."""
    keys = {str(key) for key in value} if isinstance(value, dict) else set()
    if isinstance(value, dict) and "link" in keys and keys <= {"link", "lane", "out"}:
        ends = value["link"]
        if not isinstance(ends, list) or len(ends) != 2:
            raise ParameterError(f"link of a failure must be [node, node], not {shown(ends)}")
        numbers, out = tuple(map(node, ends)), check_boolean("out", value.get("out", False))
        if "lane" not in keys:
            return Failure("link", numbers, out)
        return Failure("lane", (*numbers, check_integer("lane of a failure", value["lane"], minimum=0)), out)
    if isinstance(value, dict) and keys == {"node"}:
        return Failure("node", (node(value["node"]),))
    if isinstance(value, dict) and keys == {"processor"}:
        return Failure("processor", (check_integer("processor of a failure", value["processor"], minimum=0),))
    raise ParameterError(
        'a failure must be a text such as "link:0-1", or an object with "link": [node, node] and, if need be, "lane" and '
        f'"out", with "node" or with "processor", not {shown(value)}'
    )
