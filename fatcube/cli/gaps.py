"""`fatcube gaps`: the distance of schedules from their lower bounds, on all fat cubes up to a size."""

from fatcube.cli import options
from fatcube.cli.app import app, examples
from fatcube.cli.flags import made_from_flags, step_model_flags
from fatcube.cli.output import print_table, say, stop_if, write_json
from schedules.step_model import StepModel

__all__ = ["gaps"]


@app.command(
    rich_help_panel="Papers",
    epilog=examples("gaps --time-limit 60", "gaps -o synth_reports", "gaps --links half-duplex"),
)
@made_from_flags(model=step_model_flags())
def gaps(
    output: options.FolderIfGiven = None,
    time_limit: options.TimeLimit = 2.0,
    *,
    model: StepModel,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    """List the cases in which schedules do not reach the lower bound, on fat cubes with d <= 4, m <= 8, f <= 3 and P <= 32."""
    from fatcube.papers.fat_cube.gaps import GAP_COLUMNS, gap_record, gap_rows, tight_rows, write_gaps
    from fatcube.papers.fat_cube.gaps import gaps as find_gaps

    stop_if(dry_run, f"the gaps can be searched{'' if output is None else f', and written to {output}'}")
    found = find_gaps(time_limit=time_limit, model=model)
    columns = ["collective", "1", "b", "d", "*"]
    print_table("cases in which the steps equal a proven lower bound", columns, tight_rows(found))
    print_table("gaps", GAP_COLUMNS, gap_rows(found))
    write_json(json_file, lambda: gap_record(found, model))
    written = "" if output is None else f" Written to {', '.join(map(str, write_gaps(found, output, model)))}"
    say(f"{sum(one.gap != 0 for one in found)} of {len(found)} cases have a gap.{written}")
