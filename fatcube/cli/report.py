"""`fatcube report`: tables and figures of a results file: one page for any browser, and Markdown."""

from pathlib import Path
from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import app, console
from groundwork.progress import doing

__all__ = ["report"]


@app.command(
    rich_help_panel="Measurements",
    epilog="Examples: `fatcube report`, `fatcube report --results study.sqlite -o reports`",
)
def report(
    results: options.ResultsFile = None,
    family: Annotated[str, typer.Option("--family", help="One that the results have measured.")] = "ecp5",
    output: Annotated[
        Path, typer.Option("-o", callback=options.output_folder, help="The folder for page, Markdown and figures.")
    ] = Path("synth_reports"),
) -> None:
    """Tables and figures of a results file: one page for any browser, and Markdown."""
    from fatcube.studies.report import write_report
    from fatcube.studies.results import read_records
    from fatcube.studies.study import Study, committed_study
    from synth.families import find_family

    study = Study(read_records(committed_study() if results is None else results), find_family(family).name)
    with doing("writing the report"):
        paths = write_report(study, output)
    console.print(
        f"{len(study.records)} records of {len(study.routers)} routers. Written: {', '.join(map(str, paths))}",
        highlight=False,
        soft_wrap=True,
    )
