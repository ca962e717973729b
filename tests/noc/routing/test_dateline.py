"""Datelines: classes along routes by hand, and the number of classes against all routes."""

import pytest

from fatcube.noc.routing.dateline import Dateline
from fatcube.noc.routing.dependencies import deadlock
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from tests.support.grids import Grid


def classes(routing, source, target):
    return [hop.channel_class for hop in routing.way(source, target)]


def test_one_way_rings():
    """From (2, 3) to (1, 1) on rings of four: 2 3 0 1 along the first coordinate, 3 0 1 along the second."""
    routing = Dateline(SparseGHC(4, 2))
    assert classes(routing, 2 + 4 * 3, 1 + 4 * 1) == [0, 0, 1, 0, 1]
    assert [hop.channel for hop in routing.way(2 + 4 * 3, 1 + 4 * 1)] == [0, 0, 0, 1, 1]


def test_two_way_rings():
    """Both directions have a dateline between 4 and 0."""
    routing = Dateline(Grid((5,), rings=True))
    assert [classes(routing, *ends) for ends in ((3, 0), (4, 1), (1, 4), (0, 3), (1, 3))] == [
        [0, 0],
        [0, 1],
        [0, 0],
        [0, 1],
        [0, 0],
    ]


@pytest.mark.parametrize(
    ("topology", "needed"),
    [
        (Hypercube(3), 1),
        (DenseGHC(4, 2), 1),
        (SparseGHC(2, 3), 1),
        (SparseGHC(3, 1), 2),
        (SparseGHC(5, 2), 2),
        (Grid((4, 4)), 1),
        (Grid((2, 2), rings=True), 1),
        (Grid((3, 3), rings=True), 1),
        (Grid((3, 4), rings=True), 2),
        (Grid((4, 3), rings=True), 2),
        (Grid((5,), rings=True), 2),
    ],
    ids=str,
)
def test_classes_that_are_needed(topology, needed):
    """With one class fewer the routing would deadlock; the routes use exactly as many."""
    routing = Dateline(topology)
    assert routing.classes == needed
    assert 1 + max(hop.channel_class for _, _, way in routing.ways() for hop in way) == needed
    assert (deadlock(DimensionOrder(topology)) is not None) == (needed == 2)
    assert deadlock(routing) is None
