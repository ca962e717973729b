"""Table 6 of the fat-cube paper on simulated boards: every cell as in a simulation, steps and cycles."""

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best
from fatcube.schedules.problem import Problem
from fatcube.sim.board.board import Board
from fatcube.sim.board.fit import board_machine
from fatcube.sim.board.line import Line, opened
from fatcube.sim.board.virtual import virtual_board
from fatcube.sim.collectives.run import Run
from fatcube.sim.collectives.simulate import fitting_machine, simulate_all
from tests.support.children import HANG

pytestmark = pytest.mark.long(stays="tests/sim/board/test_board.py::test_same_as_simulated")

CELLS = (Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS)


@pytest.mark.parametrize("topology", [Hypercube(3), FatCube(2, 2)], ids=["hypercube", "fat-cube"])
@pytest.mark.parametrize("ports", list("1bd*"))
def test_table_6(topology, ports):
    """Results do not depend on the memories, which are as small as possible on a board, and not in a simulation."""
    network = Network(topology, RouterOptions(ports=PortModel.parse(ports)))
    runs = [
        Run(
            schedule=best(Problem(topology, network.options.ports, collective, 0)).schedule,
            payload_flits=16,
            lockstep=lockstep,
        )
        for collective in CELLS
        for lockstep in (True, False)
    ]
    expected = simulate_all(fitting_machine(network), runs)
    assert not any(result.failures for result in expected)
    machine = board_machine(network)
    with virtual_board(machine) as board, opened(board.port, 115200) as port:
        found = simulate_all(machine, runs, observer=Board(Line(port, timeout=HANG)).observe)
    assert found == expected
