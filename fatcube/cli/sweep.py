"""`fatcube sweep`: measures many configurations: schedule, RTL, cycles, area, Fmax. Killed, it goes on where it was."""

from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import app, console
from fatcube.cli.arguments import apart, beside
from fatcube.cli.output import fail, stop_if
from groundwork.validation import check_integer

__all__ = ["sweep"]


@app.command(
    rich_help_panel="Measurements",
    epilog="Examples: `fatcube sweep study.toml`, `fatcube sweep study.toml --scheduler tcp://10.0.0.1:8786`",
)
def sweep(
    file: Annotated[Path, typer.Argument(help="A TOML file of lists of parameters: see docs/design.md.")],
    results: Annotated[
        Optional[Path],
        typer.Option(
            "--results", help="The results file, gone on with if it is there; the sweep's name with .sqlite without it."
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes at a time on this machine.")] = 2,
    scheduler: Annotated[
        Optional[str], typer.Option("--scheduler", help="The address of a running Dask scheduler, instead.")
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Try again what failed before.")] = False,
    dry_run: options.DryRun = False,
    json_file: Annotated[
        Optional[Path],
        typer.Option(
            "--json",
            callback=options.output_file,
            help="Also write the records of these points to this file, as JSON lines.",
        ),
    ] = None,
):
    """Measures many configurations: schedule, RTL, cycles, area, Fmax. Killed, it goes on where it was."""
    from fatcube.studies.points import read_points
    from fatcube.studies.results import Results, write_records
    from fatcube.studies.sweep import sweep as run_sweep

    path = beside(file, ".sqlite") if results is None else results
    apart(file, path, json_file)
    points = read_points(file)
    check_integer("jobs", jobs, minimum=1)
    stop_if(dry_run, f"{len(points)} points can be measured")
    with Results(path) as store:
        summary = run_sweep(points, store, jobs=jobs, scheduler=scheduler, retry=retry)
        if json_file is not None:
            found = [store.find(point.key) for point in points]
            write_records(json_file, [measured for measured, _ in found if measured])
    console.print(
        f"{len(points)} points: {summary.measured} measured now, {summary.looked_up} found in {path}, "
        f"{len(summary.failures)} failed",
        highlight=False,
        soft_wrap=True,
    )
    fail(summary.failures)
