"""Flows taken apart into paths."""

from fatcube.schedules.exact.flows import paths
from fatcube.schedules.symmetry import Link


def test_a_ring_is_left_out():
    """The flow goes from 0 over 1 to 3, and round 1, 2, 4 too."""
    flow = {Link(0, 1): 1, Link(1, 2): 1, Link(2, 4): 1, Link(4, 1): 1, Link(1, 3): 1}
    assert list(paths(0, {3: 1}, flow)) == [(1, 3)]


def test_ends_on_the_way():
    """Two packets leave 0 over one link; the first path ends where one is wanted."""
    flow = {Link(0, 1): 2, Link(1, 2): 1}
    assert list(paths(0, {1: 1, 2: 1}, flow)) == [(1,), (1, 2)]
