"""`fatcube curves`: times of the spanning-graphs paper's algorithms against packet size, on RTL and by formula."""

from pathlib import Path
from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import app, console
from fatcube.cli.arguments import integers
from fatcube.cli.output import fail, print_table, stop_if
from groundwork.validation import check_integer

__all__ = ["curves"]


@app.command(rich_help_panel="Papers", epilog="Examples: `fatcube curves`, `fatcube curves --dimensions 2,3 -o out`")
def curves(
    dimensions: Annotated[str, typer.Option("--dimensions", help="Of the cubes, 2 to 6.")] = "2,3,4,5,6",
    jobs: Annotated[int, typer.Option("--jobs", help="Cubes that are built and run at a time.")] = 2,
    output: Annotated[
        Path, typer.Option("-o", callback=options.output_folder, help="The folder for tables and figures.")
    ] = Path("synth_reports"),
    dry_run: options.DryRun = False,
) -> None:
    """Times of the spanning-graphs paper's algorithms against packet size, measured on the RTL beside the formulas."""
    from fatcube.papers.spanning_graphs.curves import (
        BEST_COLUMNS,
        best_cells,
        check_dimensions,
        measure_curves,
        write_curves,
    )

    cubes = check_dimensions(integers("dimensions", dimensions))
    check_integer("jobs", jobs, minimum=1)
    stop_if(dry_run, f"cubes of {', '.join(map(str, cubes))} dimensions can be measured")
    rows = measure_curves(cubes, jobs=jobs)
    print_table("best packet size", BEST_COLUMNS, best_cells(rows))
    paths = write_curves(rows, output)
    console.print(f"Written to {', '.join(map(str, paths))}", highlight=False, soft_wrap=True)
    fail(
        [
            f"{row['collective']} along {row['graph']}, n = {row['n']}, B = {row['packet']}: {failure}"
            for row in rows
            for failure in row["failures"]
        ]
    )
