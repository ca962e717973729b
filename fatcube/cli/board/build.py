"""`fatcube board build`: the bitstream of a network for a board, or the project of which a vendor's tool makes one."""

import json
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, output_folder
from fatcube.cli.board.machine import machine_flags
from fatcube.cli.choices import completing
from fatcube.cli.flags import made_from_flags
from fatcube.cli.output import print_table, say, say_chosen, stop_if, write_json, write_page
from fatcube.groundwork.files import write_folder
from fatcube.noc.boards import BOARDS, find_board
from fatcube.noc.boards.board import BAUD
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine

__all__ = ["build"]


@command(
    more="The folder has all files of the project, and board.json, which describes the design and how it was made.",
    epilog=examples(
        "board build ulx3s-85f -d 2 -m 4 --width 16 --payload-flits 8 --no-reductions --monitors none",
        "board build ulx3s-85f -d 2 -m 2 --width 16 -o eight --json eight.json",
        "board build icebreaker -d 1 --width 8 --monitors none --clock 20",
        "board build arty-a7-35 -d 2 -m 2 --clock 50 --baud 115200",
    ),
)
@made_from_flags(machine=machine_flags())
def build(
    name: Annotated[
        str,
        typer.Argument(
            help="Name of a board, as listed by fatcube board list.", metavar="NAME", autocompletion=completing(BOARDS)
        ),
    ],
    *,
    machine: Machine | TrafficMachine,
    clock: Annotated[
        Optional[float],
        typer.Option(
            "--clock",
            help="Clock in MHz; if not given, as fast as place and route allows, and with a vendor's tool that of the board's oscillator.",
            rich_help_panel=Panel.RESULT,
        ),
    ] = None,
    margin: Annotated[
        float,
        typer.Option(
            "--margin",
            help="Margin of Fmax over the clock, as a fraction of the clock, if the clock is not given.",
            rich_help_panel=Panel.RUN,
        ),
    ] = 0.05,
    baud: Annotated[
        int, typer.Option("--baud", help="Bits per second on the serial port.", rich_help_panel=Panel.RUN)
    ] = BAUD,
    seed: Annotated[int, typer.Option("--seed", help="Seed of place and route.", rich_help_panel=Panel.RUN)] = 1,
    output: Annotated[
        Optional[Path],
        typer.Option("-o", help="Folder for all output files; NAME if not given.", rich_help_panel=Panel.RESULT),
    ] = None,
    page: options.Page = None,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    from fatcube.studies.board_page import board_page
    from fatcube.synth.bitstream import Request, build_board
    from fatcube.synth.board_record import board_record

    board = find_board(name)
    folder = output_folder(Path(name) if output is None else output)
    apart(json_file, page, folder / "board.json")
    request = Request(board, machine, clock_mhz=clock, margin=margin, baud=baud, seed=seed)
    say_chosen(machine.network.chosen)
    stop_if(dry_run, f"the {machine.network.name} can be built for the {board.title}")
    made = build_board(request)
    about = board_record(made)
    write_folder(folder, {**made.files, "board.json": (json.dumps(about, indent=1) + "\n").encode()})
    used = [
        [kind, f"{use.used:g}", "-" if use.available is None else use.available]
        for kind, use in made.utilisation.items()
    ]
    print_table(f"{machine.network.name} on the {board.title}", ["", "used", "available"], used)
    say(_clock(made))
    say(f"serial port with {baud} baud, {made.bit_cycles} cycles per bit")
    if board.note:
        say(board.note)
    if made.bitstream is None:
        say(f"Project for {board.vendor} written to {folder}: build_top.sh makes the bitstream")
    else:
        say(f"Bitstream written to {folder / made.bitstream}")
    write_json(json_file, lambda: about)
    write_page(page, lambda: board_page(f"{machine.network.name} on the {board.title}", about))


def _clock(made: Any) -> str:
    """The clock, and how place and route came to it, as a sentence."""
    if not made.routes:
        return f"clock {made.setting.mhz:.2f} MHz, which {made.request.board.vendor} has to reach"
    _, reached = made.routes[-1]
    return (
        f"clock {made.setting.mhz:.2f} MHz; place and route reached {reached:.2f} MHz with seed {made.request.seed}, "
        f"{reached / made.setting.mhz - 1:.1%} more"
    )
