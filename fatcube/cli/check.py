"""`fatcube check`: the check of a schedule file, whichever program wrote it."""

from pathlib import Path
from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import command, examples
from fatcube.cli.arguments import apart
from fatcube.cli.flags import made_from_flags, step_model_flags
from fatcube.cli.output import say, write_json, write_page
from fatcube.cli.schedules.pages import name_of, schedule_results, title_of
from fatcube.groundwork.record import record
from fatcube.reports.table import TitledTable
from fatcube.schedules.checker import check as check_schedule
from fatcube.schedules.schedule_file import read_schedule
from fatcube.schedules.step_model import StepModel

__all__ = ["check"]


@command(
    more="It is checked in its own step model, of which flags change some.",
    epilog=examples("check schedule.json", "check schedule.json --half-duplex --page checked.html"),
)
@made_from_flags(model=step_model_flags())
def check(
    file: Annotated[Path, typer.Argument(help="A schedule file.")],
    *,
    model: StepModel,
    page: options.Page = None,
    json_file: options.JsonFile = None,
) -> None:
    apart(file, page, json_file)
    given = read_schedule(file)
    wanted = given.model.with_given(model)
    checked = check_schedule(given, wanted)
    kept = given.model.meet(wanted)
    say(f"{file}: {name_of(given, kept)}: valid, {checked.steps} steps, {checked.transfers} transfers")
    rows = [["valid", "yes"], ["steps", checked.steps], ["transfers", checked.transfers], ["parts", given.parts]]
    table = TitledTable(title_of(given, kept), "", ["", ""], rows)
    write_page(page, lambda: schedule_results(given, table, f"`{file.name}`, checked by `fatcube check`."))
    write_json(
        json_file,
        lambda: record(
            {
                "file": file.name,
                "topology": given.topology.to_json(),
                "ports": given.ports.value,
                "collective": given.collective.value,
                "root": given.root,
                **given.among.to_file(),
                **kept.to_json(),
            },
            {"steps": checked.steps, "transfers": checked.transfers},
        ),
    )
