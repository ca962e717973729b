"""Dimension order: routes by hand, and topologies with wrong coordinates."""

import dataclasses

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.routing.routing import Hop
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from tests.support.grids import Grid


def test_ways_by_hand():
    assert DimensionOrder(FatCube(3, 2)).way(0b001, 0b110) == (Hop(0), Hop(1), Hop(2))
    # From (1, 2) to (0, 0): coordinate 0 is 2 higher modulo 3, channel 1; coordinate 1 is 1 higher, channel 2.
    assert DimensionOrder(DenseGHC(3, 2)).way(7, 0) == (Hop(1), Hop(2))
    # From (1, 0) to (0, 1), always upwards.
    assert DimensionOrder(SparseGHC(3, 2)).way(1, 3) == (Hop(0), Hop(0), Hop(1))
    # From (2, 0) to (0, 3), left, left, then up, up, up.
    assert DimensionOrder(Grid((3, 4))).way(2, 9) == (Hop(1), Hop(1), Hop(2), Hop(2), Hop(2))


@pytest.mark.parametrize("topology", [Hypercube(4), DenseGHC(4, 2), Grid((3, 4, 2)), Grid((3, 3), rings=True)], ids=str)
def test_dimensions_rise(topology):
    """A route never returns to an earlier dimension."""
    channels = topology.degree // topology.dimensions
    for _, _, way in DimensionOrder(topology).ways():
        taken = [hop.channel // channels for hop in way]
        assert taken == sorted(taken)


@dataclasses.dataclass(frozen=True)
class Lost(Grid, kind=None, proved=True):
    """A mesh that corrects its coordinates wrongly."""

    endless: bool = False
    kind = "lost"

    def correction(self, node, target, dimension):
        found = super().correction(node, target, dimension)
        if self.endless:
            return 1 if node % self.sides[0] else 0
        return found if dimension == 0 else None


@pytest.mark.parametrize(
    ("endless", "message"),
    [
        (False, r"corrections of the lost sides = .* must lead from node 0 to 8, not to 2"),
        (True, r"corrections of dimension 0 of the lost sides = .* must come to an end"),
    ],
)
def test_wrong_coordinates(endless, message):
    with pytest.raises(ParameterError, match=f"^{message}$"):
        DimensionOrder(Lost((3, 3), endless=endless)).way(0, 8)


def test_all_ways_are_found_at_once(monkeypatch):
    """Not way by way: with as many hops as coordinates differ."""
    monkeypatch.setattr(DimensionOrder, "_way", None)
    topology = DenseGHC(3, 2)
    [trees] = DimensionOrder(topology).trees()
    nodes = [divmod(node, 3) for node in range(9)]
    assert trees.hops.tolist() == [[(a != c) + (b != d) for c, d in nodes] for a, b in nodes]
