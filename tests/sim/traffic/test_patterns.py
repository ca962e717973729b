"""Traffic patterns against their definitions, worked by hand."""

import pytest

from groundwork.validation import ParameterError
from noc.routing.loads import Shares
from noc.topologies.cubes import FatCube, Hypercube
from noc.topologies.grids import Mesh, Torus
from sim.traffic.patterns import PATTERNS, destinations_of


def targets(pattern, topology):
    return [target for [target] in destinations_of(pattern, topology)]


def test_by_hand():
    cube = FatCube(2, 4)  # 16 processors, four bits
    assert destinations_of("uniform", cube) == [range(16)] * 16
    assert targets("bit-complement", cube) == list(range(15, -1, -1))
    assert [targets("transpose", cube)[number] for number in (0b0001, 0b0110, 0b1011)] == [0b0100, 0b1001, 0b1110]
    assert [targets("shuffle", cube)[number] for number in (0b0001, 0b1001, 0b0110)] == [0b0010, 0b0011, 0b1100]
    assert targets("tornado", cube) == [(number + 7) % 16 for number in range(16)]
    assert targets("neighbour", cube) == [*range(1, 16), 0]


def test_along_coordinates():
    """In a 5 x 5 torus with two processors on a node: two further in both coordinates, with the same local number."""
    torus = Torus(5, 2, 2)
    assert targets("tornado", torus)[2 * (3 + 5 * 4) + 1] == 2 * (0 + 5 * 1) + 1
    assert targets("neighbour", torus)[2 * (3 + 5 * 4) + 1] == 2 * (4 + 5 * 0) + 1


def test_hot_spot():
    """A tenth of all packets goes to processor 0 beside its share of the others."""
    shares = Shares.even(destinations_of("hot-spot", Hypercube(5)))
    assert shares.whole == 36
    assert (shares.parts.sum(axis=1) == 36).all()
    assert (shares.parts[:, 1:] == 1).all() and (shares.parts[:, 0] == 1 + 4).all()


@pytest.mark.parametrize("pattern", PATTERNS)
def test_permutations_are_permutations(pattern):
    found = destinations_of(pattern, Hypercube(4))
    if all(len(some) == 1 for some in found):
        assert sorted(target for [target] in found) == list(range(16))
    else:
        assert pattern in ("uniform", "hot-spot")


@pytest.mark.parametrize(
    ("pattern", "topology", "message"),
    [
        ("transpose", Mesh(5, 2), "processors must be a power of two for transpose, not 25"),
        ("transpose", Hypercube(3), "processors must be a power of four for transpose, not 8"),
        ("bit-complement", FatCube(2, 6), "processors must be a power of two for bit-complement, not 24"),
        ("shuffle", FatCube(2, 6), "processors must be a power of two for shuffle, not 24"),
        ("random", Hypercube(3), "pattern must be one of uniform, .*, not 'random'"),
    ],
)
def test_refused(pattern, topology, message):
    with pytest.raises(ParameterError, match=message):
        destinations_of(pattern, topology)
