"""The names of networks in text for people, and where text has them."""

import ast
import functools

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies import make_topology, name_from, named_topologies
from fatcube.noc.topologies.butterflies import Butterfly, WrappedButterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.failures import Failure
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.switch import Switch
from fatcube.noc.topologies.tree import Tree
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from tests.support.packages import PACKAGE, ROOMS
from tests.support.torus import Torus as SquareTorus

NAMES = {
    Mesh(w=4, d=2): "4 × 4 mesh",
    Mesh(w=(4, 3), m=2): "4 × 3 mesh, m = 2",
    Mesh(w=5, d=1): "mesh of 5 nodes",
    Mesh(w=2048, d=1): "mesh of 2,048 nodes",
    Mesh(w=2, d=10): "mesh w = 2, d = 10",
    Torus(w=3, d=3, f=2): "3 × 3 × 3 torus, f = 2",
    Ring(8): "ring of 8 nodes",
    Hypercube(4): "hypercube of 16 nodes",
    FatCube(2, 4, 2): "fat cube d = 2, m = 4, f = 2",
    FatCube(2): "fat cube d = 2",
    OrientedCube(3, m=2): "oriented cube of 8 nodes, m = 2",
    CubeConnectedCycles(3): "CCC of order 3",
    CubeConnectedCycles(3, k=4): "CCC of order 3, k = 4",
    Butterfly(2): "butterfly of order 2",
    WrappedButterfly(3, f=2): "wrapped butterfly of order 3, f = 2",
    DenseGHC(w=3, d=2): "3 × 3 dense GHC",
    SparseGHC(w=(3, 4), d=2): "3 × 4 sparse GHC",
    Tree(w=2, d=3): "binary tree of depth 3",
    Tree(w=3, d=2): "3-ary tree of depth 2",
    Star(5): "star of 5 leaves",
    Switch(8): "switch of 8 processors",
    SquareTorus(3): "square torus n = 3",
    Graph(("a", "b"), (1, 1), ((0, 1),)): "graph of 2 nodes and 1 link",
    Graph(("a", "b"), (1, 2), ((0, 1),)): "graph of 2 nodes, 3 processors and 1 link",
    Graph(("a",), (2,), ()): "graph of 1 node, 2 processors and 0 links",
    Graph(("a", "b"), (1, 1), ((0, 1), (1, 0)), one_way=True): "graph of 2 nodes and 2 one-way links",
    make_topology(
        "mesh", w=3, m=2, failed="link:0-1,lane:1-2:0:out"
    ): "3 × 3 mesh, m = 2 without link:0-1, link:1-2:out",
    damaged(Mesh(w=4, d=2), [Failure.parse(f"processor:{one}") for one in range(8)]): (
        "4 × 4 mesh without processor:0, processor:1, processor:2, processor:3, processor:4, processor:5 and 2 more"
    ),
}
PORTS = {"1": "", "b": ", model b", "d": ", model d", "*": ", model *"}


@pytest.mark.parametrize(("topology", "name"), NAMES.items(), ids=map(str, range(len(NAMES))))
def test_topologies_and_networks_have_names_that_their_records_lead_to(topology, name):
    assert topology.name == topology.survivors.name == name
    assert name_from(str(topology)) == name
    for ports, suffix in PORTS.items():
        if not (ports in "d*" and topology.degree == 0):
            network = Network(topology, RouterOptions(ports=ports))
            assert network.name == name + suffix == name_from(str(network))


def test_every_kind_of_topology_has_a_name_of_its_own_here():
    assert {type(one) for one in NAMES} >= set(named_topologies().values())
    assert len(set(NAMES.values())) == len(NAMES)


def test_a_name_tells_each_parameter():
    many = [{"m": m, "f": f} for m in (1, 2) for f in (1, 3)]
    small = [make(2, **one) for make in (FatCube, Butterfly, functools.partial(Mesh, d=2)) for one in many]
    assert len({one.name for one in small}) == len(small)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("soc.toml: mesh(w=(3, 2), d=2, m=1, f=1) ports=d, 2 channels", "soc.toml: 3 × 2 mesh, model d, 2 channels"),
        ("hypercube(d=3), dimension-order, 1 channel", "hypercube of 8 nodes, dimension-order, 1 channel"),
        ("ring(n=3, m=1, f=1) without node:1 ports=1, x", "ring of 3 nodes without node:1, x"),
        ("a file (1).json", "a file (1).json"),
        ("unknown(n=3)", "unknown(n=3)"),
        ("graph(3)", "graph(3)"),
        ("ring(n=1, m=1, f=1) ports=d", "ring(n=1, m=1, f=1) ports=d"),
        ("ring(z=3)", "ring(z=3)"),
        ("HC", "HC"),
    ],
)
def test_only_what_a_record_names_is_replaced(text, shown):
    assert name_from(text) == shown


_WORDS = ("topology", "network", "whole")
_IN_RECORDS = {
    "noc/descriptions/description.py",  # the head of a Verilog file, which is ASCII
    "noc/network.py",
    "noc/topologies/damaged.py",
    "studies/comparison.py",
    "studies/open_cells/making.py",
    "studies/steps.py",
}
"""Files that make the text of a record or a key, as does every ``__str__`` of a topology or a network."""
_OTHER = {
    "noc/topologies/__init__.py",  # the name of a kind
    "schedules/formats/msccl_file.py",  # whole chunks
    "schedules/spanning/packets.py",  # a whole message
}


def shown_bare(source: str) -> list[str]:
    """The topologies and networks that the f-strings of a source show as records do."""
    return [
        ast.unparse(value.value)
        for joined in ast.walk(ast.parse(source))
        if isinstance(joined, ast.JoinedStr)
        for value in joined.values
        if isinstance(value, ast.FormattedValue)
        and value.conversion != ord("r")
        and (
            (isinstance(value.value, ast.Name) and value.value.id in _WORDS)
            or (isinstance(value.value, ast.Attribute) and value.value.attr in _WORDS)
        )
    ]


def test_text_for_people_has_names_and_not_what_records_have():
    assert shown_bare('f"on {self.topology} {network}" f"{a.whole.name}{x.topology!r}"') == [
        "self.topology",
        "network",
    ]
    files = {
        f"{folder.name}/{file.relative_to(folder)}": shown_bare(file.read_text(encoding="utf-8"))
        for folder in [*((PACKAGE / room).resolve() for room in ROOMS), PACKAGE.parent / "experiments"]
        for file in folder.rglob("*.py")
    }
    assert files.keys() > _IN_RECORDS | _OTHER
    assert {name: found for name, found in files.items() if found and name not in _IN_RECORDS | _OTHER} == {}


def test_the_suffix_of_a_model_is_empty_for_one_port():
    assert {model.value: model.suffix for model in PortModel} == PORTS
