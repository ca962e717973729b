"""Dimensions with different numbers of lanes: the graph beside the family that it was made of."""

from collections import Counter

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies import make_topology
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.widened import lanes_by_dimension, widened


@pytest.mark.parametrize(
    "topology", [Mesh(w=3, d=2), Torus(w=4, d=2), FatCube(3, 2, 2), DenseGHC(3, 2), SparseGHC(3, 2)], ids=str
)
def test_lanes_of_each_dimension(topology):
    """Links are counted one by one; their dimension is that of the coordinate that differs."""
    graph = widened(topology, {1: 3})
    assert graph.processors == topology.processors
    assert [graph.node_of(one) for one in range(graph.processors)] == [
        topology.node_of(one) for one in range(graph.processors)
    ]
    wanted = Counter()
    for node in range(topology.nodes):
        for _, other, _ in topology.ends(node):
            wanted[node, other] += 3 if topology.coordinate(node, 1) != topology.coordinate(other, 1) else topology.f
    found = {pair: len(graph.lanes_between(*pair)) for pair in wanted}
    assert found == wanted and graph.lanes == wanted.total()


def test_the_option():
    assert make_topology("mesh", w=3, d=2, lanes_of="0=1,1=3") == widened(Mesh(w=3, d=2), {1: 3})


@pytest.mark.parametrize("text", ["", "0", "0=", "=2", "0=2,0=3", "a=2", "0=2;1=3", "-1=2", "0=²"])
def test_what_is_no_such_text(text):
    with pytest.raises(
        ParameterError, match="^lanes-of must be comma-separated DIMENSION=LANES, each dimension once, not "
    ):
        lanes_by_dimension(text)


def test_what_cannot_be_widened():
    with pytest.raises(ParameterError, match="^lanes-of must be left out for the star"):
        widened(Star(4), {0: 2})
    with pytest.raises(ParameterError, match="^dimension of lanes-of must be an integer from 0 to 1, not 2$"):
        widened(Mesh(w=3, d=2), {2: 2})
    with pytest.raises(ParameterError, match="^lanes of dimension 0 must be an integer from 1 to 4,?096, not 5000$"):
        lanes_by_dimension("0=5000")
    with pytest.raises(ParameterError, match="^channels of all nodes must be an integer from 1 to"):
        widened(Mesh(w=64, d=2), {0: 4096})
