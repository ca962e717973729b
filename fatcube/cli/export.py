"""`fatcube export`: a schedule file in the format of another program."""

from pathlib import Path
from typing import Annotated

import typer

from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, output_file
from fatcube.cli.output import say
from fatcube.schedules.checker import check as check_schedule
from fatcube.schedules.formats.msccl_writer import write_msccl
from fatcube.schedules.schedule_file import read_schedule
from fatcube.schedules.size import check_transfers

__all__ = ["export"]


@command(epilog=examples("export schedule.json -o schedule.xml"))
def export(
    file: Annotated[Path, typer.Argument(help="A schedule file.")],
    *,
    output: Annotated[
        Path,
        typer.Option("-o", callback=output_file, help="Write MSCCL's XML to this file.", rich_help_panel=Panel.RESULT),
    ],
) -> None:
    apart(file, output)
    given = read_schedule(file)
    check_transfers(given.size, f"that is written, {given.collective.value} on the {given.topology.name}")
    checked = check_schedule(given)
    exceeded = write_msccl(given, output)
    say(
        f"{output}: {given.work} on the {given.topology.name}{given.ports.suffix}, {checked.steps} steps, "
        f"{checked.transfers} transfers"
    )
    if exceeded:
        say(f"microsoft/msccl itself does not read it: {'; '.join(exceeded)}")
