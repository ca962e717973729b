"""The bound of an all-reduce in parts, by hand."""

import pytest

from noc.topologies.generalized import DenseGHC
from noc.topologies.grids import Ring
from schedules.exchange.bound import bound_of
from schedules.schedule import Schedule


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
    assert bound_of(Schedule(topology, "d", collective, None, (), parts=parts)).steps == steps
