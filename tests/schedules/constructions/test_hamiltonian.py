"""Along a Hamiltonian cycle: as many steps as there are other processors, which is what one port needs."""

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.checker import check
from fatcube.schedules.constructions.hamiltonian import hamiltonian_all_gather, hamiltonian_scatter
from fatcube.schedules.step_model import STANDARD, StepModel

CUBES = [Hypercube(1), Hypercube(2), Hypercube(4), FatCube(1, 3), FatCube(2, 2), FatCube(3, 3, 2)]


@pytest.mark.parametrize("topology", CUBES, ids=str)
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


@pytest.mark.parametrize("topology", [Hypercube(2), FatCube(2, 2), FatCube(3, 3)], ids=str)
def test_half_duplex_lanes_are_enough(topology):
    model = StepModel(links="half-duplex")
    assert check(hamiltonian_all_gather(topology, PortModel.ONE, model), model).steps == topology.processors - 1
    assert check(hamiltonian_scatter(topology, PortModel.ONE, 1, model), model).steps == topology.processors - 1
