"""`fatcube reproduce`: the fat-cube paper's tables as printed, as computed, and as measured on the RTL."""

from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, console, examples
from fatcube.cli.arguments import apart, refuse_given
from fatcube.cli.output import fail, stop_if

__all__ = ["reproduce"]


@command(epilog=examples("reproduce", "reproduce --flat"))
def reproduce(
    context: typer.Context,
    output: options.Folder = options.REPORTS,
    flat: Annotated[
        bool,
        typer.Option(
            "--flat",
            help="Run the cells of Table 6 that are stored in this folder again, on the Verilog of `fatcube generate system` as one "
            "design, with Verilator and with Icarus where it is installed; every counter and word must be the same. Writes nothing.",
            rich_help_panel=Panel.RUN,
        ),
    ] = False,
    jobs: options.Jobs = 2,
    page: options.Page = None,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    apart(page, json_file)
    if flat:
        refuse_given(context, "with --flat, which writes nothing", "page", "json_file")
        from fatcube.papers.fat_cube.flat import reproduce_flat, stored_cells

        stop_if(dry_run, f"{len(stored_cells(output))} cells of {output}/reproduce.json can be run")
        fail(reproduce_flat(output, jobs=jobs, console=console))
        return
    from fatcube.papers.fat_cube.reproduce import reproduce as run_study

    stop_if(dry_run, f"the tables can be written to {output}")
    problems = run_study(output, jobs=jobs, console=console, page=page, json_file=json_file)
    fail(problems)
