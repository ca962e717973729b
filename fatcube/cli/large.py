"""`fatcube large`: collectives of large messages on many graphs: steps in parts against bounds, and cycles on the RTL."""

from pathlib import Path
from typing import Annotated

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, refuse_given
from fatcube.cli.output import fail, print_table, say, stop_if, write_json
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import check_choice, check_integer

__all__ = ["large"]


@command(
    more="Rooted collectives run twice: with processor 0 as root, and with the one farthest from it. The router "
    "model is d. Measurements of a graph are kept in the cache, so a command that was stopped resumes where it "
    "was.",
    epilog=examples(
        "large --page large.html --json large.json",
        "large --graphs mesh-4x4,dgx-1 --parts 6 --no-times",
        "large --graphs hypercube-64 --no-rtl",
        "large --cases",
    ),
)
def large(
    context: typer.Context,
    *,
    graphs: Annotated[
        str,
        typer.Option("--graphs", help="Graphs, such as ring-8,dgx-1; all if not given.", rich_help_panel=Panel.NETWORK),
    ] = "all",
    parts: Annotated[
        int,
        typer.Option(
            "--parts", help="Parts of each message, or sum, in the table of steps.", rich_help_panel=Panel.SCHEDULE
        ),
    ] = 16,
    rtl: Annotated[
        bool,
        typer.Option(
            help="Run every schedule on the RTL, and some of those whose times are shown.", rich_help_panel=Panel.RUN
        ),
    ] = True,
    known: Annotated[
        bool,
        typer.Option(
            help="Also run all-reduces by known algorithms: the ring, two rings, halving and doubling.",
            rich_help_panel=Panel.RUN,
        ),
    ] = True,
    times: Annotated[
        bool, typer.Option(help="Also show cycles against the size of messages.", rich_help_panel=Panel.RUN)
    ] = True,
    cases: Annotated[
        bool,
        typer.Option(
            "--cases",
            help="Instead, build an all-gather of whole messages on four networks of 1,024 nodes.",
            rich_help_panel=Panel.RUN,
        ),
    ] = False,
    page: options.Page = None,
    wide: options.Wide = False,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    from fatcube.studies.large_messages.cells import FEWER, Cell, cells_of
    from fatcube.studies.large_messages.graphs import GRAPHS
    from fatcube.studies.large_messages.kept import kept
    from fatcube.studies.large_messages.known import KNOWN_ON, Known, known_of
    from fatcube.studies.large_messages.large_page import large_record, summary, tables, write_large
    from fatcube.studies.large_messages.times import Time, times_of

    apart(page, json_file)
    if cases:
        refuse_given(context, "with --cases", "graphs", "parts", "rtl", "known", "times", "page")
        stop_if(dry_run, "all-gathers on networks of 1,024 nodes can be built")
        _cases(wide, json_file)
        return
    check_integer("parts", parts, minimum=1, maximum=64)
    names = (
        list(GRAPHS) if graphs == "all" else [check_choice("graph", name, list(GRAPHS)) for name in graphs.split(",")]
    )
    stop_if(dry_run, f"collectives on {', '.join(names)} can be measured")
    cells, beside, found = [], [], []
    for name in names:
        topology = GRAPHS[name]
        cells += kept(
            Cell,
            [name, parts, rtl],
            lambda: cells_of(name, topology, parts=parts, payload_flits=parts, rtl=rtl),
        )
        if name in FEWER and FEWER[name][1] != parts:
            collective, fewer = FEWER[name]
            cells += kept(
                Cell,
                [name, collective.value, fewer, rtl],
                lambda: cells_of(name, topology, parts=fewer, payload_flits=fewer, collectives=[collective], rtl=rtl),
            )
        if known and name in KNOWN_ON:
            beside += kept(Known, [name, rtl], lambda: known_of(name, topology, rtl=rtl))
        if times:
            found += kept(Time, [name, rtl], lambda: times_of(name, topology, rtl=rtl))
    for table in tables(cells, found, beside):
        print_table(table.title, table.columns, table.rows, wide=wide)
    say(summary(cells, found, beside))
    write_json(json_file, lambda: large_record(cells, found, beside))
    if page is not None:
        write_large(cells, found, page, beside)
        say(f"Written to {page}")
    fail([f"{one.graph}, {one.collective}: {failure}" for one in (*cells, *beside, *found) for failure in one.failures])


def _cases(wide: bool, json_file: Path | None) -> None:
    """Print and write the networks of 1,024 nodes."""
    from fatcube.studies.large_messages.cases import measure_cases
    from fatcube.studies.large_messages.large_page import cases_table

    found = measure_cases()
    table = cases_table(found)
    print_table(table.title, table.columns, table.rows, wide=wide)
    write_json(json_file, lambda: record({"ports": "d"}, {"cases": [one.to_json() for one in found]}))
