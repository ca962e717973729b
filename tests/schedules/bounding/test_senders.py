"""The bound by the few that send to many: beside all sets of nodes one by one, and known cases."""

from fractions import Fraction
import itertools
import math

import pytest

from fatcube.noc.topologies.butterflies import Butterfly
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounding.senders import few_senders
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import UNLIMITED, StepModel

UNEVEN = Graph(tuple("abcde"), (1, 3, 1, 2, 1), ((0, 1), (1, 2), (1, 3), (3, 4)))
ONE_WAY = Graph(tuple("abcd"), (1, 1, 1, 1), ((0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0)), one_way=True)
NETWORKS = [Mesh(w=3, d=2), Star(5), Tree(2, 2), Mesh(w=4, d=2), UNEVEN, ONE_WAY]


def by_all_sets(topology, k):
    """The highest of what each set of nodes hears, over what the nodes next to it send."""
    sizes = {node: len(topology.processors_of(node)) for node in topology.served}
    best = Fraction(0)
    for count in range(1, len(sizes) + 1):
        for some in itertools.combinations(sizes, count):
            senders = {other for node in some for other in topology.sources(node)}
            heard = sum(topology.processors - sizes[node] for node in some)
            best = max(best, Fraction(heard, k * sum(sizes[node] for node in senders)))
    return math.ceil(best)


@pytest.mark.parametrize("topology", NETWORKS, ids=str)
@pytest.mark.parametrize("ports", ["1", "d"])
def test_all_sets(topology, ports):
    model = PortModel.parse(ports)
    k = model.processor_ports(topology.degree, topology.m)
    if topology is ONE_WAY:
        k = min(k, 3)
    [bound] = few_senders(topology, model, StepModel())
    assert bound.steps == by_all_sets(topology, k)


def test_known_cases():
    """The corners and the middle of a mesh hear from 4 nodes; the 8 ends of a butterfly of 12 nodes from the 4 in its middle."""
    assert lower_bound(Problem(Mesh(w=3, d=2), "1", "AAB")).steps == 10
    assert lower_bound(Problem(Butterfly(2), "1", "AAB")).steps == 22
    assert lower_bound(Problem(Butterfly(2), "1", "AAB", model=StepModel(per_packet=2))).steps == 11


def test_where_it_says_nothing():
    """All nodes alike, transfers from anywhere, packets that are copied, or of any size."""
    one, mesh = PortModel.ONE, Mesh(w=3, d=2)
    assert not [*few_senders(Hypercube(3), one, StepModel())]
    assert not [*few_senders(mesh, one, StepModel(transfers="direct"))]
    assert not [*few_senders(mesh, PortModel.BROADCAST, StepModel())]
    assert not [*few_senders(mesh, one, StepModel(per_packet=UNLIMITED))]
