"""`fatcube sweep`: measurements of many configurations, which continue where they were if they are killed."""

import json
from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, beside, output_file
from fatcube.cli.output import fail, say, say_chosen, say_duration, stop_if
from fatcube.groundwork.files import is_special

__all__ = ["sweep"]


@command(
    more="Points in the JSON lines beside the sweep file, FILE.jsonl for FILE.toml, are not measured again.",
    epilog=examples("sweep study.toml", "sweep study.toml --scheduler tcp://10.0.0.1:8786"),
)
def sweep(
    file: Annotated[Path, typer.Argument(help="TOML file with lists of parameters; see Sweep files in the manual.")],
    results: Annotated[
        Optional[Path],
        typer.Option(
            "--results",
            help="Results file, continued if it exists; the sweep's name with .sqlite if not given.",
            rich_help_panel=Panel.RESULT,
        ),
    ] = None,
    jobs: options.Jobs = 2,
    scheduler: options.Scheduler = None,
    retry: Annotated[
        bool, typer.Option("--retry", help="Repeat points that failed before.", rich_help_panel=Panel.RUN)
    ] = False,
    dry_run: options.DryRun = False,
    json_file: Annotated[
        Optional[Path],
        typer.Option(
            "--json",
            callback=output_file,
            help="Also write the records of these points to this file, as JSON lines.",
            rich_help_panel=Panel.RESULT,
        ),
    ] = None,
) -> None:
    from fatcube.studies.keys import point_key
    from fatcube.studies.results import Results, check_results_file, read_records, write_records
    from fatcube.studies.sweep import sweep as run_sweep
    from fatcube.studies.sweep_file import read_points

    path = check_results_file(beside(file, ".sqlite") if results is None else results)
    known = None if is_special(file) else beside(file, ".jsonl")
    apart(file, path, json_file)
    points = read_points(file)
    chosen = {json.dumps(point.network.chosen): point.network.chosen for point in points}
    for one in chosen.values():
        say_chosen(one)
    stop_if(dry_run, f"{len(points)} points can be measured")
    earlier = read_records(known) if known is not None and known.exists() else []
    with Results(path) as store:
        if earlier:
            store.take(earlier)
        summary = run_sweep(points, store, jobs=jobs, scheduler=scheduler, retry=retry, foretell=say_duration)
        if json_file is not None:
            found = (store.find(point_key(point)) for point in points)
            write_records(json_file, [one[0] for one in found if one is not None and one[0] is not None])
    say(
        f"{len(points)} points: {summary.measured} measured now, {summary.looked_up} found in {path}, "
        f"{len(summary.failures)} failed"
    )
    fail(summary.failures)
