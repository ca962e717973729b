"""`fatcube run-testbench`: a testbench in Verilog, compiled and run to its end."""

from pathlib import Path
from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.choices import choice
from fatcube.cli.output import complain, say, stop_if
from fatcube.sim.builds.standalone import SIMULATORS, check_sources
from fatcube.sim.builds.standalone import run_testbench as run_sources

__all__ = ["run_testbench"]


@command(
    more="The module that no other one instantiates is the testbench. What the files include is also searched for in the "
    "current folder and in theirs, and so is a module that none of them has, in a file of its name. The output is printed. The exit status is 0 if a line of it begins with PASS and none with FAIL, and the simulator ends with 0; else it is 1.",
    epilog=examples("run-testbench mesh_tb.v mesh.v", "run-testbench mesh_tb.v mesh.v --simulator icarus"),
)
def run_testbench(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Verilog files of the testbench and of the design that it tests."),
    ],
    *,
    simulator: Annotated[
        str,
        choice(
            "--simulator",
            SIMULATORS,
            help="Simulator: verilator needs a C++ compiler; icarus must be installed.",
            panel=Panel.RUN,
        ),
    ] = "verilator",
    dry_run: options.DryRun = False,
) -> None:
    check_sources(files, simulator=simulator)
    stop_if(dry_run, f"{', '.join(map(str, files))} can be compiled for {simulator}")
    ended = run_sources(files, simulator=simulator)
    say(ended.printed.rstrip("\n"))
    if not ended.passed:
        if not ended.reported:
            complain("no line of this output begins with PASS or FAIL, and a testbench that passes has to print PASS")
        raise typer.Exit(1)
