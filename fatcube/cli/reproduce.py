"""`fatcube reproduce`: the fat-cube paper's tables as printed, as computed, and as measured on the RTL."""

from fatcube.cli import options
from fatcube.cli.app import app, console, examples
from fatcube.cli.output import fail, stop_if

__all__ = ["reproduce"]


@app.command(rich_help_panel="Papers", epilog=examples("reproduce"))
def reproduce(
    output: options.Folder = options.REPORTS,
    jobs: options.Jobs = 2,
    dry_run: options.DryRun = False,
) -> None:
    """Print the tables of the fat-cube paper next to computed figures and to those measured on the RTL."""
    from fatcube.papers.fat_cube.reproduce import reproduce as run_study

    stop_if(dry_run, f"the tables can be written to {output}")
    problems = run_study(output, jobs=jobs, console=console)
    fail(problems)
