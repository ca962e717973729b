"""Along a Hamiltonian cycle: as many steps as there are other processors, which is what one port needs."""

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions.hamiltonian import (
    hamiltonian_all_gather,
    hamiltonian_scatter,
    has_cycle,
)
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
