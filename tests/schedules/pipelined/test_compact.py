"""Trees as tables: an all-gather by the checker where it is small, and by counting in another way where it is large."""

from collections import Counter
import dataclasses

import numpy
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.pipelined.compact import Trees, check_trees, grown_trees
from fatcube.schedules.problem import Problem
from fatcube.schedules.rules import ScheduleError
from fatcube.schedules.schedule import Schedule
from fatcube.studies.large_messages.cases import irregular_of_degree
from tests.support.large import DUMBBELL, ONE_WAY


def counted(trees, origins):
    """The steps of some trees, followed move by move: each is sent from where it is, and comes to every node once."""
    topology, used = trees.topology, Counter()
    for origin in origins:
        held = {origin: 0}
        for move in trees.moves(origin):
            src, dst = topology.node_of(move.src), topology.node_of(move.dst)
            assert held[src] < move.step and dst not in held
            held[dst] = move.step
            used[src, dst, move.step] += 1
        assert len(held) == topology.nodes
    assert all(times <= len(topology.channels_between(src, dst)) for (src, dst, _), times in used.items())
    return max(step for _, _, step in used)


@pytest.mark.parametrize(
    "topology", [Ring(5), Mesh(w=4, d=2), DUMBBELL, ONE_WAY, SparseGHC(3, 2), CubeConnectedCycles(3)], ids=str
)
def test_small_ones_are_all_gathers(topology):
    """The tables describe a schedule that the checker takes, of as many steps."""
    trees = grown_trees(topology)
    moves = [move for origin in range(topology.nodes) for move in trees.moves(origin)]
    assert check(Schedule.from_moves(topology, "d", "AAB", None, moves)).steps == trees.steps
    check_trees(trees)
    assert counted(trees, range(topology.nodes)) == trees.steps >= lower_bound(Problem(topology, "d", "AAB")).steps


@pytest.mark.parametrize("topology", [Mesh(w=16, d=2), irregular_of_degree(4, 256)], ids=["mesh", "irregular"])
def test_near_the_bound(topology):
    """Ratio 1.10 at most, which the issue asks of 1,024 nodes; all loads of lanes are counted move by move."""
    trees = grown_trees(topology)
    assert (
        counted(trees, range(topology.nodes)) == trees.steps <= 1.1 * lower_bound(Problem(topology, "d", "AAB")).steps
    )


@pytest.mark.long(stays="tests/schedules/pipelined/test_compact.py::test_near_the_bound")
@pytest.mark.parametrize("topology", [Mesh(w=32, d=2), irregular_of_degree(4, 1024)], ids=["mesh", "irregular"])
def test_near_the_bound_on_1024_nodes(topology):
    trees = grown_trees(topology)
    check_trees(trees)
    assert (
        counted(trees, range(topology.nodes)) == trees.steps <= 1.01 * lower_bound(Problem(topology, "d", "AAB")).steps
    )


def changed(trees, table, origin, node, value):
    copy = getattr(trees, table).copy()
    copy[origin, node] = value
    return dataclasses.replace(trees, **{table: copy})


def test_trees_that_are_none_are_found():
    """A node that a message does not enter, one that it leaves too early, a channel that leads nowhere, and a channel used twice."""
    trees = grown_trees(Mesh(w=3, d=2))
    missing = changed(trees, "channels", 0, 8, -1)
    early = changed(trees, "entered", 0, 8, 1)
    nowhere = changed(trees, "channels", 4, 0, next(c for c in range(4) if trees.topology.neighbour(0, c) is None))
    for wrong, message in (
        (missing, "every message must enter every node but its own over a channel, once"),
        (early, "every message must enter a node after the one that it comes from"),
        (nowhere, "every message must enter nodes over channels that lead there"),
    ):
        with pytest.raises(ScheduleError, match=message):
            check_trees(wrong)
    ring = Ring(3)
    around = numpy.zeros((3, 3), dtype=numpy.int16)
    with pytest.raises(ScheduleError):
        check_trees(Trees(ring, around, around))
    # Two messages come to a corner in the same step, over the same channel.
    entered, channels = trees.entered.copy(), trees.channels.copy()
    entered[[7, 8], 0] = trees.entered.max() + 1
    channels[7, 0] = channels[8, 0]
    with pytest.raises(ScheduleError, match="a channel must be entered by one message in a step|after the one"):
        check_trees(Trees(trees.topology, channels, entered))


def test_what_has_no_tables():
    for topology in (Ring(5, m=2), Ring(5, f=2)):
        with pytest.raises(
            ParameterError, match="^trees as tables must be of nodes with a processor and links with a lane"
        ):
            grown_trees(topology)
    with pytest.raises(ParameterError, match="^nodes of trees as tables must be an integer from 2 to 2048, not 4096$"):
        grown_trees(Mesh(w=64, d=2))
