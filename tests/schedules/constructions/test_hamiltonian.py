"""Along a Hamiltonian cycle: as many steps as there are other processors, which is what one port needs."""

import networkx
import pytest

from fatcube.noc.topologies.butterflies import Butterfly, WrappedButterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.star import Star
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions import rings
from fatcube.schedules.constructions.hamiltonian import (
    cycle,
    hamiltonian_all_gather,
    hamiltonian_scatter,
    has_cycle,
)
from fatcube.schedules.constructions.rings import along_ring
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import STANDARD, StepModel

CUBES = [Hypercube(1), Hypercube(2), Hypercube(4), FatCube(1, 3), FatCube(2, 2), FatCube(3, 3, 2)]
# An even number of rows, of columns, of both; lines of two nodes; three dimensions; two processors on a node.
WIDTHS = [(4, 3), (3, 4), (4, 6), (2, 2), (2, 5), (5, 2), (3, 3, 2), (2, 3, 3), (3, 2, 5)]
MESHES = [*(Mesh(w=widths) for widths in WIDTHS), Mesh(w=(3, 4), m=2, f=2)]


@pytest.mark.parametrize("topology", [*CUBES, *MESHES], ids=str)
def test_p_minus_1_steps(topology):
    """Fat-cube paper, equations 7 and 12 for one port; from every root."""
    others = topology.processors - 1
    assert check(hamiltonian_all_gather(topology, PortModel.ONE, STANDARD)).steps == others
    for root in range(topology.processors):
        scattered = hamiltonian_scatter(topology, PortModel.ONE, root, STANDARD)
        assert check(scattered).steps == others
        # The farthest first: the root's messages leave in the order of their ways, the longest first, one a step.
        hops = [sum(one.message == first.message for one in scattered.transfers) for first in _leaving(scattered, root)]
        assert hops == list(range(others, 0, -1))


def _leaving(schedule, root):
    return [transfer for transfer in schedule.transfers if transfer.src == root]


@pytest.mark.parametrize("collective", ["AAB", "AAR"])
@pytest.mark.parametrize("ports", ["1", "b"])
@pytest.mark.parametrize("topology", MESHES[:2], ids=str)
def test_meshes_have_it(topology, ports, collective):
    """On 10 x 20 nodes it is 199 steps, where the greedy schedule has 261."""
    finding = construct(Problem(topology, ports, collective))
    assert (finding.steps, finding.proved, finding.by) == (topology.processors - 1, True, "constructed")


def test_meshes_that_have_none():
    """A line, and where neighbours differ in colour and there is one more of one colour."""
    assert [has_cycle(Mesh(w=widths)) for widths in ((4,), (3, 3), (3, 5, 3), (3, 5, 4))] == [False, False, False, True]
    finding = construct(Problem(Mesh(w=3, d=2), "1", "AAB"))
    assert finding.steps is not None and finding.steps > 8


@pytest.mark.parametrize(
    "topology", [Hypercube(2), FatCube(2, 2), FatCube(3, 3), Mesh(w=(3, 4)), Mesh(w=(3, 3, 2))], ids=str
)
def test_half_duplex_lanes_are_enough(topology):
    model = StepModel(links="half-duplex")
    assert check(hamiltonian_all_gather(topology, PortModel.ONE, model), model).steps == topology.processors - 1
    assert check(hamiltonian_scatter(topology, PortModel.ONE, 1, model), model).steps == topology.processors - 1


@pytest.mark.parametrize(
    ("topology", "half", "in_turn"),
    [
        (CubeConnectedCycles(3), 23, 46),
        (Mesh(w=4, d=2), 15, 30),
        (Torus(w=4, d=2), 15, 30),
        (Torus(w=3, d=2), 8, 18),
        (Ring(7), 6, 14),
        (Ring(5, m=2), 9, 18),
        (DenseGHC(w=3, d=2), 8, 18),
        (Hypercube(3), 7, 14),
    ],
    ids=str,
)
def test_fewest_with_half_duplex_links_and_with_processors_that_send_or_receive(topology, half, in_turn):
    """P - 1 steps, and 2 (P - 1); of an odd number of processors one rests in each step, so it is 2 P. See issue 67."""
    P = topology.processors
    assert (half, in_turn) == (P - 1, -(-P * (P - 1) // (P // 2)))
    for collective in ("AAB", "AAR"):
        for options, steps in (
            ({"links": "half-duplex"}, half),
            ({"port_use": "send-or-receive"}, in_turn),
            ({"links": "half-duplex", "port_use": "send-or-receive"}, in_turn),
        ):
            model = StepModel(**options)
            around = along_ring(Problem(topology, "1", "AAB", None, model), cycle(topology))
            assert check(around, model).steps == steps
            finding = construct(Problem(topology, "1", collective, model=model))
            assert check(finding.found, model).steps == steps and finding.proved


@pytest.mark.parametrize(
    "topology",
    [Ring(9), Torus(w=(5, 6)), Torus(w=3, d=3, m=2), CubeConnectedCycles(4), WrappedButterfly(4), DenseGHC(w=4, d=2)],
    ids=str,
)
def test_cycles_that_are_searched_for(topology):
    """All processors, each on the node of the one before or on an adjacent one."""
    found = cycle(topology).processors
    assert sorted(found) == list(range(topology.processors))
    nodes = [topology.node_of(processor) for processor in found]
    assert all(
        one == other or topology.channels_between(one, other) for one, other in zip(nodes, [*nodes[1:], nodes[0]])
    )
    assert sum(one != other for one, other in zip(nodes, [*nodes[1:], nodes[0]])) == topology.nodes


@pytest.mark.parametrize(
    "topology", [Mesh(w=3, d=2), Mesh(w=4, d=1), Star(3), Butterfly(2), SparseGHC(w=3, d=2)], ids=str
)
def test_no_cycle(topology):
    """One color more than of the other, ends of a line, a center, and links that go one way."""
    assert cycle(topology) is None


def test_the_petersen_graph_has_none_and_the_search_ends():
    """It has a Hamiltonian path from each node, and neither end of any is adjacent to the other."""
    assert cycle(as_graph_of(networkx.petersen_graph())) is None


def as_graph_of(links):
    names = tuple(map(str, links))
    return Graph(names, (1,) * len(names), tuple(links.edges))


def test_a_planted_send_too_early_is_refused(monkeypatch):
    """Each processor sends a step before the one before it in the ring has sent: neighbours then send at once, or it has nothing."""
    monkeypatch.setattr(
        rings, "_sending", lambda problem, place, messages: [*range(1 + place % 2, 2 * messages + 1, 2)][::-1]
    )
    finding = construct(Problem(Torus(w=4, d=2), "1", "AAB", model=StepModel(port_use="send-or-receive")))
    assert finding.steps == 31
