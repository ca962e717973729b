"""A user's tables: written, read, and refused in one line for every kind of error."""

import copy
import json
from pathlib import Path
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routing.dateline import Dateline
from fatcube.noc.routing.dependencies import deadlock
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.routing.routing import Hop
from fatcube.noc.routing.shortest_path import ShortestPath
from fatcube.noc.routing.table import Table
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import SparseGHC
from tests.support.grids import Grid
from tests.support.networks import TREE


@pytest.mark.parametrize(
    "routing",
    [DimensionOrder(FatCube(2, 2)), Dateline(SparseGHC(4, 1)), ShortestPath(CubeConnectedCycles(3))],
    ids=str,
)
def test_round_trip(routing):
    """Written as text and read again, all routes are those of the original routing."""
    text = json.dumps(Table.of(routing).to_json())
    table = Table.from_json(routing.topology, json.loads(text))
    assert table.classes == routing.classes and list(table.ways()) == list(routing.ways())
    assert table == Table.of(routing) and hash(table) == hash(Table.of(routing))
    assert deadlock(table) is None
    assert str(table) == f"table routing on the {routing.topology.name}"


def test_example_of_the_documentation():
    """The table in docs/reference/routing-files.md is that of a one-way ring of three with its dateline."""
    text = (Path(__file__).parents[3] / "docs" / "reference" / "routing-files.md").read_text(encoding="utf-8")
    [example] = [one for one in re.findall("```json\n(.*?)```", text, re.DOTALL) if "fatcube.routing/1" in one]
    assert json.loads(example) == Table.of(Dateline(SparseGHC(3, 1))).to_json()


def test_only_nodes_with_processors():
    """No route begins or ends at a switch without processors, so a table may have one but need not."""
    table = Table.of(ShortestPath(TREE))
    assert len(table.entries) == 12
    assert Table(TREE, 1, (*table.entries, (0, 1, (Hop(0),)))).way(0, 1) == (Hop(0),)


SQUARE = Table.of(DimensionOrder(Hypercube(2))).to_json()


def changed(**changes):
    return {**copy.deepcopy(SQUARE), **changes}


def way(src, dst, hops):
    """The table with another route from ``src`` to ``dst``; without one if ``hops`` is ``None``."""
    ways = [one for one in SQUARE["ways"] if (one["src"], one["dst"]) != (src, dst)]
    return changed(ways=[*ways, *([{"src": src, "dst": dst, "hops": hops}] if hops is not None else [])])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "routing must be a valid object, not []"),
        (changed(format="fatcube.routing/2"), "format must be 'fatcube.routing/1', not \"fatcube.routing/2\""),
        (changed(classes=0), "classes must be greater than or equal to 1, not 0"),
        (changed(classes=65), "classes must be less than or equal to 64, not 65"),
        (changed(comment="x"), "comment must be left out, as there is no such key"),
        ({name: value for name, value in SQUARE.items() if name != "ways"}, "ways must be given"),
        (changed(topology={"type": "hypercube", "d": 0}), "Hypercube d must be an integer from 1 to 16, not 0"),
        (
            changed(topology={"type": "hypercube", "d": 3}),
            "topology of the routing must be the hypercube of 4 nodes, not the hypercube of 8 nodes",
        ),
        (way(2, 1, None), "route from node 2 to 1 must be given, as for every pair of nodes"),
        (changed(ways=[]), "route from node 0 to 1 must be given, as for every pair of nodes"),
        (changed(ways=[*SQUARE["ways"], SQUARE["ways"][4]]), "route from node 1 to 2 must occur once, not twice"),
        (way(3, 3, []), "route from node 3 to 3 must be left out, as source and destination are the same"),
        (way(4, 0, [[0, 0]]), "node of the route from node 4 to 0 must be an integer from 0 to 3, not 4"),
        (way(0, 4, [[0, 0]]), "node of the route from node 0 to 4 must be an integer from 0 to 3, not 4"),
        (way(0, 3, [[0, 0], [2, 0]]), "hop 1 of the route from node 0 to 3 must take a channel of node 1, 0, 1, not 2"),
        (way(0, 3, [[0, 0]]), "route from node 0 to 3 must end at node 3, not at 1"),
        (way(0, 3, [[0, 0], [1, 0], [1, 0]]), "route from node 0 to 3 must end at node 3, not at 1"),
        (way(0, 3, []), "route from node 0 to 3 must end at node 3, not at 0"),
        (
            way(0, 3, [[0, 0], [1, 1]]),
            "class of hop 1 of the route from node 0 to 3 must be 0, not 1",
        ),
        *(
            (way(0, 3, [hop]), f"ways.11.hops.0 must be [channel, class], two integers of at least 0, not {shown}")
            for hop, shown in (
                ([0, -1], "[0, -1]"),
                ([0], "[0]"),
                ("0", '"0"'),
                ([0, 0, 0], "[0, 0, 0]"),
                ([0, "0"], '[0, "0"]'),
            )
        ),
        (way(0, 3, 1), "ways.11.hops must be a valid list, not 1"),
        (way("0", 3, [[0, 0], [1, 0]]), 'ways.12.src must be a valid integer, not "0"'),
    ],
)
def test_refusals(value, message):
    with pytest.raises(ParameterError) as caught:
        Table.from_json(Hypercube(2), value)
    assert str(caught.value) == message


def test_absent_channels():
    """The nodes at the end of a mesh lack a channel that other nodes have."""
    mesh = Grid((3,))
    entries = Table.of(DimensionOrder(mesh)).entries
    wrong = tuple((0, 2, (Hop(0), Hop(0), Hop(0))) if one[:2] == (0, 2) else one for one in entries)
    with pytest.raises(ParameterError) as caught:
        Table(mesh, 1, wrong)
    assert str(caught.value) == "hop 2 of the route from node 0 to 2 must take a channel of node 2, 1, not 0"
