"""ForestColl's trees, of which the steps are counted by hand."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.graph import Link, make_graph
from fatcube.noc.topologies.grids import Ring
from fatcube.schedules.collective import Collective
from fatcube.schedules.formats.forestcoll import read_trees
from fatcube.schedules.step_model import StepModel


def trees(parts, *all_trees):
    """A file: trees as (root, chunks, edges), each edge a sender, a receiver and, if it has one, its path."""
    text = f'<Algo nchunkspernode="{parts}">'
    for index, (root, chunks, edges) in enumerate(all_trees):
        text += f'<tree root="{root}" index="{index}" nchunks="{chunks}" height="9">'
        for src, dst, *path in edges:
            text += f'<send src="{src}" dst="{dst}" path="{path[0] if path else f"{src},{dst}"}"/>'
        text += "</tree>"
    return text + "</Algo>"


#: Three in a row, a - b - c: from each the only tree.
ROW = trees(
    2, ("a", 2, [("a", "b"), ("b", "c")]), ("b", 2, [("b", "a"), ("b", "c")]), ("c", 2, [("c", "b"), ("b", "a")])
)


@pytest.mark.parametrize(
    ("collective", "steps", "transfers"),
    [(Collective.AAB, 4, 12), (Collective.AAR, 4, 12), (Collective.ALL_REDUCE, 7, 24)],
)
def test_a_row(collective, steps, transfers):
    """Four chunks go over each link each way, or six in an all-reduce, where b has nothing for a before step 2."""
    found = read_trees(ROW.encode(), collective).schedule(None, "d")
    assert (found.collective, found.parts, found.steps, found.size) == (collective, 2, steps, transfers)
    assert found.topology.names == ("a", "b", "c")


def test_several_trees_of_a_root():
    """On a ring of four, a tree each way round carries one of two chunks: 6 chunks into a node over 2 links are 3 steps."""
    both = []
    for root in range(4):
        for way in (1, -1):
            nodes = [(root + way * hop) % 4 for hop in range(4)]
            both.append((root, 1, list(zip(nodes, nodes[1:]))))
    found = read_trees(trees(2, *both).encode()).schedule(Ring(4), "d")
    assert found.steps == 3
    assert {one.message for one in found.transfers} == {(root, None, part) for root in range(4) for part in range(2)}


#: Two GPUs with the names of ForestColl, and a switch between them.
SWITCHED = trees(
    1,
    ("(0, 'GPU', 0)", 1, [("(0, 'GPU', 0)", "(0, 'GPU', 1)", "(0, 'GPU', 0),(-1, 'IB', 0),(0, 'GPU', 1)")]),
    ("(0, 'GPU', 1)", 1, [("(0, 'GPU', 1)", "(0, 'GPU', 0)", "(0, 'GPU', 1),(-1, 'IB', 0),(0, 'GPU', 0)")]),
)


def test_switches():
    """Without a topology GPUs are adjacent; on one with a node for the switch, direct transfers pass it, by its name."""
    found = read_trees(SWITCHED.encode())
    assert found.schedule(None, "d").transfers[0].lane == 0
    nodes = [("(0, 'GPU', 1)", 1), ("(-1, 'IB', 0)", 0), ("(0, 'GPU', 0)", 1)]
    graph = make_graph(nodes, [Link(nodes[0][0], nodes[1][0], False, 1), Link(nodes[1][0], nodes[2][0], False, 1)])
    placed = found.schedule(graph, "d", StepModel(transfers="direct"))
    assert [(one.src, one.dst, one.message.origin, one.path) for one in placed.transfers] == [
        (0, 1, 0, ((1, 0), (2, 0))),
        (1, 0, 1, ((1, 0), (0, 0))),
    ]
    with pytest.raises(ParameterError) as error:
        found.schedule(graph, "d")
    assert "are not adjacent" in str(error.value)


@pytest.mark.parametrize(
    ("collective", "tasks"),
    [
        (Collective.AAB, {1: "xy", 2: "yx"}),
        (Collective.AAR, {1: "yx", 3: "xy"}),
        (Collective.ALL_REDUCE, {1: "yx", 3: "xy", 4: "xy", 6: "yx"}),
    ],
)
def test_switches_in_their_order(collective, tasks):
    """From a to b over x and y, and back: sums go against the edges of a tree, and come together in a task after them.

    In an all-reduce tasks 1 to 3 are those of a: the packet to it, the sum, and the packet from it; 4 to 6 those of b.
    """
    found = read_trees(
        trees(1, ("a", 1, [("a", "b", "a,x,y,b")]), ("b", 1, [("b", "a", "b,y,x,a")])).encode(), collective
    )
    assert found.through == {task: tuple(names) for task, names in tasks.items()}


def replaced(old, new):
    assert old in ROW
    return ROW.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<algo/>", "a file of trees must be an Algo element, not 'algo'"),
        ("<Algo/>", "nchunkspernode must be an integer, not ''"),
        ('<Algo nchunkspernode="1"/>', "roots of trees must be an integer from 2 to 1024, not 0"),
        (replaced('node="2"', 'node="0"'), "nchunkspernode must be an integer from 1 to 4096, not 0"),
        (replaced('nchunks="2"', 'nchunks="1"'), "trees of 'a' must carry 2 chunks in all, not 1"),
        (replaced('nchunks="2"', 'nchunks="3"'), "tree of 'a': nchunks must be an integer from 1 to 2, not 3"),
        (replaced('<tree root="a"', "<tree"), "root must be given for every tree"),
        (replaced('src="b" dst="c"', 'src="b"'), "dst must be given for every send"),
        (replaced('dst="c"', 'dst="d"'), "tree of 'a': sends must be between roots of trees, not to or from 'd'"),
        (
            replaced('src="b" dst="c" path="b,c"', 'src="c" dst="b"'),
            "tree of 'a': sends must go from what the tree has reached to what it has not, not from 'c' to 'b'",
        ),
        (replaced('<send src="b" dst="c" path="b,c"/>', ""), "tree of 'a': a tree must reach all 3 GPUs, not 2"),
        (replaced('path="a,b"', 'path="a,c"'), "tree of 'a': path must lead from 'a' to 'b', not be 'a,c'"),
    ],
)
def test_refused(text, message):
    with pytest.raises(ParameterError) as error:
        read_trees(text.encode())
    assert message in str(error.value)


def test_no_other_collective():
    with pytest.raises(ParameterError) as error:
        read_trees(ROW.encode(), Collective.AAS)
    assert (
        str(error.value)
        == "collective of trees must be one of all-gather, reduce-scatter, all-reduce, not 'all-to-all'"
    )
