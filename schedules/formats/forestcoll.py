"""ForestColl's trees: for every GPU spanning trees, and how many of its chunks each carries.

The format is what ``spanning_trees_to_xml`` of pipeline_allgather.py writes at commit 3c13aee8 of liangyuRain/ForestColl
(Zhao et al., "ForestColl", arXiv 2402.06787). The trees are an all-gather; followed towards their roots they are a
reduce-scatter, and one after the other an all-reduce in which each sum goes out as soon as it is complete.

A tree's edge has the path of nodes that it takes, of which those between are switches: they have no processors.
"""

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from fatcube.groundwork.strict.xml_text import parse_xml
from fatcube.groundwork.validation import ParameterError, check_choice, check_integer, shown
from fatcube.schedules.collective import Collective, Message
from fatcube.schedules.formats.early import MOST_PACKETS, Packet, Task
from fatcube.schedules.formats.foreign import MOST_PROCESSORS, Foreign

__all__ = ["COLLECTIVES", "read_trees"]


COLLECTIVES = Collective.AAB, Collective.AAR, Collective.ALL_REDUCE
MOST_CHUNKS = 1 << 12  # of a GPU
_MOST = {"tree": MOST_PACKETS, "send": MOST_PACKETS}
_DIGITS = 9
_LONGEST = 10_000  # characters of a path


class _Edge(NamedTuple):
    """An edge of a tree: two GPUs by number, and the names of the nodes between them."""

    parent: int
    child: int
    through: tuple[str, ...]


class _Tree(NamedTuple):
    """A tree: the number of its root, how many chunks it carries, and its edges, each after that into its parent."""

    root: int
    chunks: int
    edges: Sequence[_Edge]


def read_trees(content: bytes, collective: Collective = Collective.AAB) -> Foreign:
    """The contents of a file of trees, as one of :data:`COLLECTIVES`.

    Raises
    ------
    ParameterError
        If it is none, a tree does not reach every GPU once, or those of a GPU carry other numbers of chunks than it has.
    """
    check_choice("collective of trees", collective.word, [one.word for one in COLLECTIVES])
    root = parse_xml(content, most=_MOST, what="a file of trees")
    if root.tag != "Algo":
        raise ParameterError(f"a file of trees must be an Algo element, not {shown(root.tag)}")
    parts = _integer(root, "nchunkspernode", minimum=1, maximum=MOST_CHUNKS)
    elements = root.findall("tree")
    names = list(dict.fromkeys(_name(element, "root") for element in elements))
    check_integer("roots of trees", len(names), minimum=2, maximum=MOST_PROCESSORS)
    number = {name: index for index, name in enumerate(names)}
    trees = [_tree(element, number, parts) for element in elements]
    if sum(tree.chunks * len(tree.edges) for tree in trees) > MOST_PACKETS:
        raise ParameterError(f"chunks of all edges of trees must be at most {MOST_PACKETS:,}, not more")
    tasks: list[Task] = [Task(())]
    through: dict[int, tuple[str, ...]] = {}
    carried = [0] * len(names)
    for tree in trees:
        for part in range(carried[tree.root], carried[tree.root] + tree.chunks):
            _follow(tree, part, collective, tasks, through)
        carried[tree.root] += tree.chunks
    for name, chunks in zip(names, carried):
        if chunks != parts:
            raise ParameterError(f"trees of {shown(name)} must carry {parts} chunks in all, not {chunks}")
    return Foreign(collective, None, parts, tuple(names), tuple(tasks), through)


def _follow(
    tree: _Tree, part: int, collective: Collective, tasks: list[Task], through: dict[int, tuple[str, ...]]
) -> None:
    """Add the packets of a chunk of a tree to ``tasks``."""
    there = 0  # the task after which the root has what it sends
    if collective is not Collective.AAB:
        arrived: dict[int, list[int]] = {}
        for edge in reversed(tree.edges):
            after = tuple(arrived.pop(edge.child, ()))
            tasks.append(Task(after, Packet(edge.child, edge.parent, Message(None, tree.root, part))))
            through[len(tasks) - 1] = edge.through[::-1]
            arrived.setdefault(edge.parent, []).append(len(tasks) - 1)
        tasks.append(Task(tuple(arrived[tree.root])))
        there = len(tasks) - 1
    if collective is not Collective.AAR:
        last = {tree.root: there}
        for edge in tree.edges:
            tasks.append(Task((last[edge.parent],), Packet(edge.parent, edge.child, Message(tree.root, None, part))))
            through[len(tasks) - 1] = edge.through
            last[edge.child] = len(tasks) - 1


def _tree(element: Element, number: dict[str, int], parts: int) -> _Tree:
    root = _name(element, "root")
    try:
        chunks = _integer(element, "nchunks", minimum=1, maximum=parts)
        reached = {root}
        edges = []
        for send in element.findall("send"):
            parent, child = _name(send, "src"), _name(send, "dst")
            for name in (parent, child):
                if name not in number:
                    raise ParameterError(f"sends must be between roots of trees, not to or from {shown(name)}")
            if parent not in reached or child in reached:
                raise ParameterError(
                    f"sends must go from what the tree has reached to what it has not, not from {shown(parent)} to "
                    f"{shown(child)}"
                )
            reached.add(child)
            edges.append(_Edge(number[parent], number[child], _between(send, parent, child)))
        if len(reached) != len(number):
            raise ParameterError(f"a tree must reach all {len(number)} GPUs, not {len(reached)}")
    except ParameterError as error:
        raise ParameterError(f"tree of {shown(root)}: {error}") from None
    return _Tree(number[root], chunks, edges)


def _between(send: Element, parent: str, child: str) -> tuple[str, ...]:
    """The names between the ends of a path, which are separated by commas that are in no parentheses; none if there is no path."""
    path = send.get("path")
    if path is None:
        return ()
    if len(path) > _LONGEST:
        raise ParameterError(f"path must have at most {_LONGEST:,} characters, not {len(path):,}")
    nodes, depth, first = [], 0, 0
    for index, character in enumerate(f"{path},"):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            nodes.append(path[first:index])
            first = index + 1
    if len(nodes) < 2 or (nodes[0], nodes[-1]) != (parent, child):
        raise ParameterError(f"path must lead from {shown(parent)} to {shown(child)}, not be {shown(path)}")
    return tuple(nodes[1:-1])


def _name(element: Element, attribute: str) -> str:
    name = element.get(attribute)
    if name is None:
        raise ParameterError(f"{attribute} must be given for every {element.tag}")
    return name


def _integer(element: Element, name: str, *, minimum: int, maximum: int) -> int:
    text = element.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise ParameterError(f"{name} must be an integer, not {shown(text)}")
    return check_integer(name, int(text), minimum=minimum, maximum=maximum)
