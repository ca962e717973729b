"""The steps that are stored as the fewest are so by a second derivation, which shares nothing with the searches that found them."""

import random

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Ring
from fatcube.noc.topologies.star import Star
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Message, Move
from fatcube.studies.comparison import COLLECTIVES
from fatcube.studies.open_cells.cells import cell_of, key
from fatcube.studies.open_cells.record import stored_cells
from tests.support import force
from tests.support.children import HANG
from tests.support.second_search import case_of, found, size

SEED = 67
PROCESSORS = 6
#: Variables of a case that is drawn, in tests that take seconds and in those that take minutes.
FEW, MANY = 500, 1500


def case(cell):
    """The case of the second search that is a cell."""
    words = cell.to_json()
    return case_of(
        cell.topology, words["ports"], words["collective"], words["transfers"], words["links"], words["per_packet"]
    )


def confirm(cell, steps):
    """Let the second search find a schedule of so many steps, which the checker accepts, and none of fewer."""
    mine = case(cell)
    sent = found(mine, steps, seconds=HANG)
    assert sent is not None, "the second search finds no schedule"
    broadcast = cell.collective.value in ("OAB", "AAB")
    moves = []
    for one in sent:
        origin, targets = mine.messages[one.message]
        way = one.nodes[1:] if len(one.nodes) > 2 else ()
        moves.append(Move(one.step, one.src, one.dst, Message(origin, None if broadcast else targets[0]), way))
    assert check(cell.problem.schedule(moves)).steps == steps
    assert found(mine, steps - 1, seconds=HANG) is None, "the second search finds a schedule that is shorter"


def drawn(number, most):
    """Cells of small networks whose steps are proved to be the fewest, two or more, each a lot that others do not change."""
    cells = [
        (one, random.Random(f"{SEED} {one.cell.topology} {key(one.cell)}").random())
        for one in stored_cells()
        if one.cell.topology.processors <= PROCESSORS and one.cell.collective in COLLECTIVES
        if not one.open and one.steps is not None and one.steps > 1 and size(case(one.cell), one.steps) <= most
    ]
    return [one for one, _ in sorted(cells, key=lambda pair: pair[1])[:number]]


@pytest.mark.parametrize(
    "topology, words, steps",
    [
        # everything is exchanged at once, or one direction after the other
        (Hypercube(1), "adjacent full-duplex 1 1 AAB", 1),
        (Hypercube(1), "adjacent half-duplex 1 1 AAB", 2),
        (FatCube(1, 1, 2), "adjacent half-duplex 1 1 AAB", 1),
        (FatCube(1, 1, 2), "adjacent simplex 1 1 AAB", 1),
        # a square: 1 + 1 + 2 transfers for each, one or two at a time; in each dimension two messages share a packet
        (Hypercube(2), "adjacent full-duplex 1 1 AAB", 3),
        (Hypercube(2), "adjacent full-duplex 1 d AAB", 2),
        (Hypercube(2), "adjacent full-duplex 1 1 AAS", 4),
        (Hypercube(2), "adjacent full-duplex 1 d AAS", 2),
        (Hypercube(2), "adjacent full-duplex 2 1 AAS", 2),
        # a square of one-way lanes is a ring, on which a direct transfer skips a node
        (Hypercube(2), "adjacent simplex 1 * OAB", 3),
        (Hypercube(2), "direct simplex 1 1 OAB", 2),
        # two nodes of two: 4 messages cross one lane, but of a scatter only 2
        (FatCube(1, 2), "adjacent full-duplex 1 1 AAS", 4),
        (FatCube(1, 2, 2), "adjacent full-duplex 1 1 AAS", 3),
        (FatCube(1, 2), "adjacent full-duplex 1 * OAS", 2),
        # what crosses in the last step reaches one of two only: 2 messages in 2 steps and a copy
        (FatCube(1, 2), "adjacent full-duplex 1 * AAB", 3),
        (FatCube(1, 2, 2), "adjacent full-duplex 1 * AAB", 2),
        # three receivers of which one is beyond the lane, and copies it
        (FatCube(1, 3), "adjacent full-duplex 1 b OAB", 2),
        (FatCube(1, 3, 3), "adjacent full-duplex 1 b OAB", 1),
        # copies are of one message: two receivers of different ones take two steps
        (Ring(3), "adjacent full-duplex 1 b OAS", 2),
        # a packet of several copies crosses one lane, although there are lanes enough for the third
        (FatCube(2, 1, 2), "direct full-duplex 1 b OAB", 2),
        # a ring of three is complete
        (Ring(3), "adjacent full-duplex 1 d AAS", 1),
        (Ring(3), "adjacent full-duplex 1 1 AAS", 2),
        (Ring(3), "adjacent full-duplex 1 b AAB", 2),
        # the holders on a ring of 7 lie side by side: 1, 2, 4, 6, 7
        (Ring(7), "adjacent full-duplex 1 1 OAB", 4),
        # a star: from the hub to its leaves, and around the Euler tour
        (Star(5), "adjacent full-duplex 1 1 OAS", 5),
        (Star(5), "adjacent full-duplex 1 * OAS", 1),
        (Star(3), "direct full-duplex 1 1 AAB", 3),
    ],
    ids=str,
)
def test_known_by_hand(topology, words, steps):
    confirm(cell_of(topology, words), steps)


@pytest.mark.parametrize("topology", [FatCube(1, 2), FatCube(1, 2, 2), Hypercube(2), Ring(5), Star(4)], ids=str)
def test_known_by_force(topology):
    """Broadcasts in model 1 by all sets of holders, and scatters by all places of their messages."""
    confirm(cell_of(topology, "adjacent full-duplex 1 1 OAB"), force.steps_of_broadcast(topology, 0))
    pairs = [(0, target) for target in range(1, topology.processors)]
    confirm(cell_of(topology, "adjacent full-duplex 1 1 OAS"), force.steps_of_scatter(topology, pairs))


@pytest.mark.parametrize("one", drawn(5, FEW), ids=lambda one: f"{one.cell.topology} {key(one.cell)}")
def test_stored_steps_are_the_fewest(one):
    confirm(one.cell, one.steps)


@pytest.mark.long(stays="tests/fatcube/studies/open_cells/test_second_search.py::test_stored_steps_are_the_fewest")
@pytest.mark.parametrize("one", drawn(20, MANY), ids=lambda one: f"{one.cell.topology} {key(one.cell)}")
def test_stored_steps_of_larger_cells_are_the_fewest(one):
    confirm(one.cell, one.steps)
