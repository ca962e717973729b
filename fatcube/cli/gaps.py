"""`fatcube gaps`: the distance of schedules from their lower bounds, on all fat cubes up to a size."""

from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import app, examples
from fatcube.cli.arguments import apart
from fatcube.cli.flags import made_from_flags, step_model_flags
from fatcube.cli.output import print_table, say, stop_if, write_json
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError
from fatcube.reports.page import Results, write_results
from fatcube.reports.table import TitledTable
from fatcube.schedules.step_model import StepModel

__all__ = ["gaps"]


_TIME_LIMIT = 2.0  # seconds of search in each case


@app.command(
    rich_help_panel="Papers",
    epilog=examples(
        "gaps --time-limit 60", "gaps -o synth_reports", "gaps --links half-duplex", "gaps --open --json open.json"
    ),
)
@made_from_flags(model=step_model_flags())
def gaps(
    output: options.FolderIfGiven = None,
    time_limit: options.TimeLimit = _TIME_LIMIT,
    *,
    model: StepModel,
    all_open: Annotated[
        bool,
        typer.Option(
            "--open",
            help="Instead, list the stored open cells: small networks of all kinds in every step model, without a search.",
        ),
    ] = False,
    page: options.Page = None,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    """List the cases in which schedules do not reach the lower bound, on fat cubes with d <= 4, m <= 8, f <= 3 and P <= 32."""
    apart(page, json_file)
    if all_open:
        if output is not None or model.given or time_limit != _TIME_LIMIT:
            raise ParameterError(
                "--open must stand alone or with --page and --json, as it lists what is stored for every step model"
            )
        stop_if(dry_run, "the stored cells can be listed")
        _list_open(json_file, page)
        return
    from fatcube.papers.fat_cube.gaps import GAP_COLUMNS, gap_record, gap_rows, gaps_page, tight_rows, write_gaps
    from fatcube.papers.fat_cube.gaps import gaps as find_gaps

    stop_if(dry_run, f"the gaps can be searched{'' if output is None else f', and written to {output}'}")
    found = find_gaps(time_limit=time_limit, model=model)
    columns = ["collective", "1", "b", "d", "*"]
    print_table("cases in which the steps equal a proven lower bound", columns, tight_rows(found))
    print_table("gaps", GAP_COLUMNS, gap_rows(found))
    write_json(json_file, lambda: gap_record(found, model))
    if page is not None:
        write_results(gaps_page(found, model), page)
        say(f"Written to {page}")
    written = "" if output is None else f" Written to {', '.join(map(str, write_gaps(found, output, model)))}"
    say(f"{sum(one.gap != 0 for one in found)} of {len(found)} cases have a gap.{written}")


def _list_open(json_file: options.JsonFile, page: options.Page) -> None:
    """Print and write the open cells that are stored."""
    from fatcube.studies.open_cells import COLUMNS, open_cells, open_rows, stored, summary

    cells = stored()
    print_table("cells that are open, of all networks and router models", COLUMNS, open_rows(cells))
    write_json(json_file, lambda: record({"networks": [*cells]}, {"open": open_cells(cells)}))
    if page is not None:
        title, note = "Cells that are open", "Of all networks and router models. Written by `fatcube gaps --open`."
        table = TitledTable(title, "", COLUMNS, open_rows(cells))
        write_results(Results(title=title, note=note, says=[summary(cells)], tables=[table]), page)
        say(f"Written to {page}")
    say(summary(cells))
