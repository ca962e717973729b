"""`fatcube gaps`: how far the schedules are from their lower bounds, on the fat cubes with d <= 4, m <= 8, f <= 3 and P <= 32."""

from pathlib import Path
from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import app, console
from fatcube.cli.arguments import check_time_limit
from fatcube.cli.output import print_table, stop_if

__all__ = ["gaps"]


@app.command(rich_help_panel="Papers", epilog="Example: `fatcube gaps --time-limit 60`")
def gaps(
    output: Annotated[
        Path, typer.Option("-o", callback=options.output_folder, help="The folder for the table.")
    ] = Path("synth_reports"),
    time_limit: Annotated[float, typer.Option("--time-limit", help="Seconds for the search in an open case.")] = 2.0,
    dry_run: options.DryRun = False,
):
    """How far the schedules are from their lower bounds, on the fat cubes with d <= 4, m <= 8, f <= 3 and P <= 32."""
    from fatcube.papers.fat_cube.gaps import gaps as find_gaps
    from fatcube.papers.fat_cube.gaps import write_gaps

    check_time_limit(time_limit)
    stop_if(dry_run, f"the gaps can be searched, and written to {output}")
    found = find_gaps(time_limit=time_limit)
    output.mkdir(parents=True, exist_ok=True)
    rows = write_gaps(found, output)
    print_table("cases in which the steps equal a proven lower bound", ["collective", "1", "b", "d", "*"], rows)
    console.print(
        f"{sum(one.gap > 0 for one in found)} of {len(found)} cases have a gap; they are listed in "
        f"{output / 'gaps.md'}",
        highlight=False,
        soft_wrap=True,
    )
