"""`fatcube reproduce`: the papers' tables, printed beside computed and measured on real RTL."""

from pathlib import Path
from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import app, console
from fatcube.cli.output import fail, stop_if
from groundwork.validation import check_integer

__all__ = ["reproduce"]


@app.command(rich_help_panel="Papers", epilog="Example: `fatcube reproduce`")
def reproduce(
    output: Annotated[
        Path, typer.Option("-o", callback=options.output_folder, help="The folder for the tables and the page.")
    ] = Path("synth_reports"),
    jobs: Annotated[int, typer.Option("--jobs", help="Processes at a time.")] = 2,
    dry_run: options.DryRun = False,
) -> None:
    """The papers' tables, printed beside computed and measured on real RTL."""
    from fatcube.papers.fat_cube.reproduce import reproduce as run_study

    check_integer("jobs", jobs, minimum=1)
    stop_if(dry_run, f"the tables can be written to {output}")
    problems = run_study(output, jobs=jobs, console=console)
    fail(problems)
