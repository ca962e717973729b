"""Cubes as graphs: counts on the graph against the paper's definitions."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topologies.cubes import FatCube, Hypercube


@pytest.mark.parametrize("d", [1, 2, 3, 4])
@pytest.mark.parametrize(("m", "f"), [(1, 1), (3, 2)])
def test_graph(d, m, f):
    """Catches a missing or doubled link, a wrong attribute, and a distance that is not Hamming's."""
    cube = FatCube(d, m, f)
    graph = cube.graph
    assert graph.number_of_nodes() == 2**d and cube.processors == m * 2**d
    assert graph.number_of_edges() == f * d * 2 ** (d - 1)
    assert {degree for _, degree in graph.degree()} == {d * f}
    for u, v, attributes in graph.edges(data=True):
        assert u ^ v == 1 << attributes["dimension"] and attributes["lane"] in range(f)
    assert len({(u, v, tuple(a.items())) for u, v, a in graph.edges(data=True)}) == graph.number_of_edges()
    for u in range(2**d):
        assert cube.distances[u] == [(u ^ v).bit_count() for v in range(2**d)]


@pytest.mark.parametrize("topology", [FatCube(2, 3, 2), Hypercube(4)])
def test_json_round_trip(topology):
    assert topology_from_json(topology.to_json()) == topology


def test_unknown_type():
    # Other tests may have added topologies of their own, so the end of the list is open.
    with pytest.raises(
        ParameterError,
        match=r"^topology type must be one of butterfly, wrapped-butterfly, ccc, fat-cube, hypercube, dense-ghc, "
        r"sparse-ghc, mesh, torus, ring, oriented-cube, star, switch, tree\b.*, graph, damaged, not 'bush'$",
    ):
        topology_from_json({"type": "bush"})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"type": "fat-cube"}, "topology fat-cube needs the parameter d"),
        ({"type": "hypercube", "d": 3, "m": 2}, "topology hypercube has parameters d, not 'm'"),
        ({"type": "fat-cube", "d": True}, "FatCube d must be an integer from 1 to 16, not True"),
        ([], "topology must be an object with a type, not []"),
    ],
)
def test_refusals(value, message):
    with pytest.raises(ParameterError) as caught:
        topology_from_json(value)
    assert str(caught.value) == message
