"""`fatcube view`: a page that plays a schedule step by step in any browser."""

from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, beside, output_file
from fatcube.cli.output import say
from fatcube.groundwork.files import write_text
from fatcube.schedules.checker import check as check_schedule
from fatcube.schedules.schedule_file import read_schedule
from fatcube.schedules.size import check_transfers

__all__ = ["view"]


@command(epilog=examples("view schedule.json -o page.html"))
def view(
    file: Annotated[Path, typer.Argument(help="A schedule file.")],
    output: Annotated[
        Optional[Path],
        typer.Option(
            "-o",
            callback=output_file,
            help="File for the page; the schedule's name with .html if not given.",
            rich_help_panel=Panel.RESULT,
        ),
    ] = None,
) -> None:
    from fatcube.reports.view import view_page

    output = beside(file, ".html") if output is None else output
    apart(file, output)
    given = read_schedule(file)
    check_transfers(given.size, f"that is drawn, {given.collective.value} on the {given.topology.name}")
    checked = check_schedule(given)
    write_text(output, view_page(given))
    say(
        f"{output}: {given.work} on the {given.topology.name}{given.ports.suffix}"
        f"{', ' if str(given.model) else ''}{given.model}, "
        f"{checked.steps} steps, {checked.transfers} transfers"
    )
