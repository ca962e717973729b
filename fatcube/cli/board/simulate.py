"""`fatcube board simulate`: the board without the board, with a serial port that others can open."""

from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.board.machine import machine_flags
from fatcube.cli.flags import made_from_flags
from fatcube.cli.output import say, stop_if
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.rtl.serial.uart import FEWEST_BIT_CYCLES
from fatcube.sim.board.line import BoardError
from fatcube.sim.board.virtual import virtual_board

__all__ = ["simulate"]


@command(epilog=examples("board simulate -d 2 -m 4 --ports d", "board simulate -d 2 -m 2 --traffic"))
@made_from_flags(machine=machine_flags())
def simulate(
    *,
    machine: Machine | TrafficMachine,
    bit_cycles: Annotated[
        int, typer.Option("--bit-cycles", help="Clock cycles per bit of the serial line.", rich_help_panel=Panel.RUN)
    ] = FEWEST_BIT_CYCLES,
    dry_run: options.DryRun = False,
) -> None:
    stop_if(dry_run, f"a board with the {machine.network.name} can be simulated")
    with virtual_board(machine, bit_cycles=bit_cycles) as board:
        say(f"a board with the {machine.network.name} is at {board.port}; Ctrl-C ends the simulation")
        raise BoardError(f"the simulated board must run until Ctrl-C, but ended with status {board.process.wait()}")
