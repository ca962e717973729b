"""`fatcube curves`: times of the spanning-graphs paper's algorithms against packet size, on the RTL and by formula."""

from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, integers
from fatcube.cli.output import fail, print_table, say, stop_if, write_json

__all__ = ["curves"]


@command(epilog=examples("curves", "curves --dimensions 2,3 --page curves.html --json curves.json"))
def curves(
    dimensions: Annotated[
        str,
        typer.Option("--dimensions", help="Dimensions of the cubes, each from 2 to 6.", rich_help_panel=Panel.NETWORK),
    ] = "2,3,4,5,6",
    jobs: options.Jobs = 2,
    output: options.FolderIfGiven = None,
    page: options.Page = None,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    from fatcube.papers.spanning_graphs.curves import check_dimensions, measure_curves
    from fatcube.papers.spanning_graphs.curves_page import (
        BEST_COLUMNS,
        best_cells,
        curves_record,
        write_curves,
        write_page,
    )

    apart(page, json_file)
    cubes = check_dimensions(integers("dimensions", dimensions))
    stop_if(dry_run, f"cubes of {', '.join(map(str, cubes))} dimensions can be measured")
    rows = measure_curves(cubes, jobs=jobs)
    print_table("best packet size", BEST_COLUMNS, best_cells(rows))
    write_json(json_file, lambda: curves_record(rows))
    if page is not None:
        write_page(rows, page)
        say(f"Written to {page}")
    if output is not None:
        say(f"Written to {', '.join(map(str, write_curves(rows, output)))}")
    fail(
        [
            f"{row['collective']} along {row['graph']}, n = {row['n']}, B = {row['packet']}: {failure}"
            for row in rows
            for failure in row["failures"]
        ]
    )
