"""`fatcube gaps`: where the steps that are known exceed the lower bounds that are proved."""

from typing import Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, check_time_limit
from fatcube.cli.flags import made_from_flags, step_model_flags
from fatcube.cli.output import note, print_table, say, stop_if, write_json, write_page
from fatcube.groundwork.validation import ParameterError
from fatcube.schedules.step_model import StepModel

__all__ = ["gaps"]


SearchLimit = Annotated[
    Optional[float],
    typer.Option(
        "--time-limit",
        callback=check_time_limit,
        help="Construct the fat cubes again, and search each open cell for this many seconds.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]


@command(
    more="A cell is a network, a collective and a step model. The stored cells are small networks of every kind in every step model, and "
    "fat cubes of up to 32 processors in the default one; flags of the step model choose among them. With --time-limit, the fat "
    "cubes of up to 32 processors are constructed and searched now, in any step model.",
    epilog=examples(
        "gaps",
        "gaps --links half-duplex --json open.json",
        "gaps -o synth_reports",
        "gaps --time-limit 60 --port-use one-partner",
    ),
)
@made_from_flags(model=step_model_flags())
def gaps(
    output: options.FolderIfGiven = None,
    time_limit: SearchLimit = None,
    *,
    model: StepModel,
    page: options.Page = None,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    apart(page, json_file)
    from fatcube.studies.open_cells import tables
    from fatcube.studies.open_cells.fat_cubes import cells_of_fat_cubes
    from fatcube.studies.open_cells.record import stored_cells

    stored = [
        one
        for one in stored_cells()
        if all(getattr(one.cell.model, name) == getattr(model, name) for name in model.given)
    ]
    if time_limit is None and not stored:
        raise ParameterError(
            f"step model must be one that cells are stored for, or be given with --time-limit, not {model}"
        )
    stop_if(dry_run, f"the cells can be listed{'' if output is None else f', and written to {output}'}")
    found = stored if time_limit is None else cells_of_fat_cubes(model, time_limit=time_limit)
    print_table("cells of each collective and step model", tables.COLUMNS, tables.count_rows(found))
    print_table("open cells", tables.OPEN_COLUMNS, tables.open_rows(found))
    write_json(json_file, lambda: tables.gaps_record(found))
    write_page(page, lambda: tables.gaps_page(found))
    if output is not None:
        note("-o FOLDER writes all of these files; --page FILE.html, --page FILE.md and --json FILE write one each")
    written = "" if output is None else f" Written to {', '.join(map(str, tables.write_gaps(found, output)))}"
    say(f"{tables.summary(found)}{written}")
