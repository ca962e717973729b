"""`fatcube board run`: a collective on a board; every delivery and every wire is compared."""

from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, integers
from fatcube.cli.board.port import Baud, PortName, Timeout, connected
from fatcube.cli.choices import choice
from fatcube.cli.output import fail, say
from fatcube.cli.schedules.building import build, problem_of, schedule_of
from fatcube.cli.schedules.runs import MODES, report_runs, runs_of
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.boards.board import BAUD
from fatcube.noc.machines.machine import Machine
from fatcube.schedules.checker import check as check_schedule
from fatcube.schedules.collective import Collective
from fatcube.schedules.pipelined.build import lengths_of_parts
from fatcube.schedules.schedule_file import read_schedule
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.wiring import steps_of
from fatcube.sim.board.line import TIMEOUT
from fatcube.sim.collectives.simulate import simulate_all

__all__ = ["run"]


@command(
    more="The board reports which network it contains.",
    epilog=examples(
        "board run --port /dev/ttyUSB0 -c all-to-all",
        "board run --port /dev/ttyUSB0 -c AAB --mode lockstep --json measured.json",
    ),
)
def run(
    port: PortName,
    collective: options.CollectiveName = None,
    root: options.Root = None,
    *,
    schedule_file: Annotated[
        Optional[Path],
        typer.Option(
            "--schedule", help="Run this schedule file, for the network on the board.", rich_help_panel=Panel.SCHEDULE
        ),
    ] = None,
    payload_flits: Annotated[
        str,
        typer.Option(
            "--payload-flits",
            help="Payload flits per message; τ and t_c are fitted to three or more lengths.",
            rich_help_panel=Panel.RUN,
        ),
    ] = "4,8,16",
    mode: Annotated[str, choice("--mode", MODES, help="Mode of the runs.", panel=Panel.RUN)] = "both",
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random payloads.", rich_help_panel=Panel.RUN)] = 0,
    baud: Baud = BAUD,
    timeout: Timeout = TIMEOUT,
    page: options.Page = None,
    json_file: options.JsonFile = None,
) -> None:
    apart(schedule_file, page, json_file)
    lengths = integers("payload flits", payload_flits)
    if schedule_file is not None and not (collective is root is None):
        raise ParameterError("collective and root must be left out with --schedule, where the file defines them")
    if collective is not None:
        Collective.parse(collective)
    given = None if schedule_file is None else read_schedule(schedule_file)
    with connected(port, baud, timeout) as board:
        machine = board.machine
        if not isinstance(machine, Machine):
            raise ParameterError(
                "board must have a network with processors to run a collective, not one with sources and sinks of "
                "traffic, which fatcube load measures"
            )
        network = machine.network
        say(f"{board.described.get('board', 'a board')} with the {network.name}")
        if given is None:
            model = StepModel(links=steps_of(network).links)
            given = schedule_of(build(problem_of(network.topology, network.options.ports, collective, root, model)))
        check_schedule(given)
        runs = runs_of(given, [lengths_of_parts(length, given.parts) for length in lengths], mode, seed)
        results = simulate_all(machine, runs, observer=board.observe)
    report_runs(machine, runs, results, simulator="board", json_file=json_file, page=page, command="board run")
    fail([failure for result in results for failure in result.failures])
