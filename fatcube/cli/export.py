"""`fatcube export`: a schedule in the format of another program."""

from pathlib import Path
from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, check_suffix, output_file
from fatcube.cli.flags import made_from_flags
from fatcube.cli.output import say, stop_if
from fatcube.cli.schedules.which import WhichSchedule, refuse_beside_file, schedule_flags
from fatcube.schedules.formats.msccl_writer import write_msccl
from fatcube.schedules.size import check_transfers

__all__ = ["export"]


_WHICH = schedule_flags()


@command(
    more="A file is checked in its own step model, of which flags change some. Without a file, it is the schedule that "
    "`fatcube schedule` builds for the same options.",
    epilog=examples(
        "export schedule.json -o schedule.xml", "export -c all-gather --topology hypercube -d 3 -o schedule.xml"
    ),
)
@made_from_flags(refuse_beside_file(_WHICH.names), which=_WHICH)
def export(
    context: typer.Context,
    schedule_file: options.GivenSchedule = None,
    *,
    which: WhichSchedule,
    output: Annotated[
        Path,
        typer.Option("-o", callback=output_file, help="Write MSCCL's XML to this file.", rich_help_panel=Panel.RESULT),
    ],
    dry_run: options.DryRun = False,
) -> None:
    apart(schedule_file, output)
    check_suffix(output, ".xml", "a schedule of MSCCL")
    given = which.schedule(context, dry_run=dry_run)
    check_transfers(given.size, f"that is written, {given.collective.value} on the {given.topology.name}")
    checked, name = which.check(given), which.name_of(given)
    stop_if(dry_run, f"{given.work} on the {given.topology.name} can be written")
    exceeded = write_msccl(given, output)
    say(f"{output}: {name}, {checked.steps} steps, {checked.transfers} transfers")
    if exceeded:
        say(f"microsoft/msccl itself does not read it: {'; '.join(exceeded)}")
