"""`fatcube report`: tables and figures of a results file: one page for any browser, and Markdown."""

from fatcube.cli import options
from fatcube.cli.app import app, examples
from fatcube.cli.output import say
from groundwork.progress import doing

__all__ = ["report"]


@app.command(
    rich_help_panel="Measurements",
    epilog=examples("report", "report --results study.sqlite -o reports"),
)
def report(
    results: options.ResultsFile = None,
    family: options.MeasuredFamily = "ecp5",
    output: options.Folder = options.REPORTS,
) -> None:
    """Write the tables and figures of a results file: one page for any browser, and Markdown."""
    from fatcube.studies.report import write_report
    from fatcube.studies.results import read_records
    from fatcube.studies.study import Study, committed_study
    from synth.families import find_family

    study = Study(read_records(committed_study() if results is None else results), find_family(family).name)
    with doing("writing the report"):
        paths = write_report(study, output)
    say(f"{len(study.records)} records of {len(study.routers)} routers. Written: {', '.join(map(str, paths))}")
