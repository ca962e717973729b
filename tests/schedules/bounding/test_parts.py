"""Bounds of messages in parts, and of the phases of an all-reduce, by hand."""

import pytest

from fatcube.noc.topologies.generalized import DenseGHC
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Ring
from fatcube.noc.topologies.star import Star
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.problem import Problem


@pytest.mark.parametrize(
    ("topology", "collective", "parts", "steps"),
    [
        # Of 8 sums in 16 parts, each of 7 others sends and gets each: 2 x 8 x 7 x 16 over 56 links of one direction.
        (DenseGHC(8, 1), "all-reduce", 16, 32),
        # 2 x 4 x 3 x 3 over 8.
        (Ring(4), "all-reduce", 3, 9),
        # 3 messages of 3 parts enter a node over 2 links.
        (Ring(4), "AAB", 3, 5),
    ],
)
def test_bound(topology, collective, parts, steps):
    assert lower_bound(Problem(topology, "d", collective, None, parts=parts)).steps == steps


@pytest.mark.parametrize("collective", ["OAB", "AAB", "all-reduce"])
def test_without_links(collective):
    """Three processors on one node of two have ports only: each of 3 parts takes a step to each processor, or more."""
    topology = Graph(("a", "b"), (3, 0), ((0, 1),))
    assert lower_bound(Problem(topology, "1", collective, 0, parts=3)).steps >= 3


def test_phases():
    """The hub of a star sends 8 sums to each of 8 leaves with one port, and so it does in an all-reduce."""
    assert (
        lower_bound(Problem(Star(8), "1", "all-reduce", None)).steps
        == lower_bound(Problem(Star(8), "1", "AAB", None)).steps
        == 64
    )
