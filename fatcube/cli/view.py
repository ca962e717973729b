"""`fatcube view`: a page that plays a schedule step by step in any browser."""

from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, beside, check_suffix, output_file
from fatcube.cli.flags import made_from_flags
from fatcube.cli.output import say, stop_if
from fatcube.cli.schedules.which import WhichSchedule, refuse_beside_file, schedule_flags
from fatcube.groundwork.files import write_text
from fatcube.groundwork.validation import ParameterError
from fatcube.schedules.size import check_transfers

__all__ = ["view"]


_WHICH = schedule_flags()


@command(
    more="A file is checked in its own step model, of which flags change some. Without a file, the page plays the schedule that "
    "`fatcube schedule` builds for the same options.",
    epilog=examples(
        "view schedule.json -o page.html",
        "view -c all-gather -d 2 -m 2 --ports d -o page.html",
        "view -c OAB --topology hypercube -d 3 --along nesbt --parts 3 --one-partner -o page.html",
    ),
)
@made_from_flags(refuse_beside_file(_WHICH.names), which=_WHICH)
def view(
    context: typer.Context,
    schedule_file: options.GivenSchedule = None,
    *,
    which: WhichSchedule,
    output: Annotated[
        Optional[Path],
        typer.Option(
            "-o",
            callback=output_file,
            help="File for the page; the schedule's name with .html if not given.",
            rich_help_panel=Panel.RESULT,
        ),
    ] = None,
    dry_run: options.DryRun = False,
) -> None:
    from fatcube.reports.view import view_page

    if output is None and schedule_file is None:
        raise ParameterError("output must be given (-o) where no schedule file is")
    output = beside(schedule_file, ".html") if output is None and schedule_file is not None else output
    assert output is not None
    apart(schedule_file, output)
    check_suffix(output, ".html", "a page")
    given = which.schedule(context, dry_run=dry_run)
    check_transfers(given.size, f"that is drawn, {given.collective.value} on the {given.topology.name}")
    checked, name = which.check(given), which.name_of(given)
    stop_if(dry_run, f"{given.work} on the {given.topology.name} can be drawn")
    write_text(output, view_page(given))
    say(f"{output}: {name}, {checked.steps} steps, {checked.transfers} transfers")
