"""The netlist of a board after synthesis, simulated behind the same serial line."""

import pytest

from fatcube.noc.machines.board_system import BoardSystem
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.serial.uart import FEWEST_BIT_CYCLES
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best
from fatcube.schedules.problem import Problem
from fatcube.sim.board.board import Board
from fatcube.sim.board.line import Line, opened
from fatcube.sim.board.virtual import virtual_board
from fatcube.sim.collectives.run import Run
from fatcube.sim.collectives.simulate import simulate_all
from tests.support.children import HANG
from tests.support.gate_level import FAMILIES, gate_netlist

pytestmark = [
    pytest.mark.long(stays="tests/sim/board/test_board.py::test_same_as_simulated"),
    pytest.mark.xdist_group("gates"),
]

MACHINES = {
    "two-routers": Machine(
        network=Network(FatCube(d=1, m=2), RouterOptions(width=16)),
        memory_words=128,
        program_entries=16,
        reductions=True,
    ),
    "eight-processors": Machine(
        network=Network(FatCube(d=2, m=2), RouterOptions(width=16)),
        memory_words=256,
        program_entries=32,
        reductions=True,
        monitors="lanes",
    ),
}


@pytest.mark.parametrize("machine", list(MACHINES))
@pytest.mark.parametrize("family", list(FAMILIES))
def test_gate_level(family, machine):
    """All collectives on the cells, in both modes: steps, cycles, counters, traces and words of the source they are made of."""
    machine = MACHINES[machine]
    network = machine.network
    verilog = to_verilog(BoardSystem(machine, bit_cycles=FEWEST_BIT_CYCLES, about={"board": "cells"}).shared())
    schedules = [
        best(Problem(network.topology, network.options.ports, collective, 0)).schedule for collective in Collective
    ]
    runs = [
        Run(schedule=schedule, payload_flits=4, lockstep=lockstep)
        for schedule in schedules
        for lockstep in (True, False)
    ]
    expected = simulate_all(machine, runs)
    with virtual_board(machine, verilog=gate_netlist(verilog, top="board", family=family)) as board:
        with opened(board.port, 115200) as port:
            answering = Board(Line(port, timeout=HANG))
            assert answering.described["board"] == "cells"
            assert simulate_all(machine, runs, observer=answering.observe) == expected
    assert not any(result.failures for result in expected)
