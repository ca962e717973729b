"""`fatcube schedule`: a schedule, built and checked, and its distance from the lower bound."""

from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, output_file, require
from fatcube.cli.flags import made_from_flags
from fatcube.cli.output import print_table, write_json, write_page
from fatcube.cli.schedules.building import AUTO, schedule_of
from fatcube.cli.schedules.pages import schedule_results, title_of
from fatcube.cli.schedules.runs import in_words
from fatcube.cli.schedules.which import FLITS, WhichSchedule, schedule_flags
from fatcube.groundwork.record import record
from fatcube.noc.descriptions.paragraphs import count
from fatcube.reports.table import TitledTable
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.pipelined.build import lengths_of_parts
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.schedule_file import write_schedule
from fatcube.schedules.search import Outcome
from fatcube.schedules.wiring import network_of
from fatcube.sim.collectives.simulate import longest_packet_of

__all__ = ["schedule"]


_FULL = 100_000  # transfers up to which a schedule file has all of them, and not those of one node only


@command(
    epilog=examples(
        "schedule -c all-gather -d 2 -m 2 --ports d -o aab.json",
        "schedule -c AAS --topology hypercube -d 3 --ports one",
        "schedule -c m-to-n-scatter --from 0,3 --to 1,2,7 --topology hypercube -d 3",
        "schedule -c OAB --topology hypercube -d 4 --along nesbt --parts 16 --one-partner",
        "schedule -c AAS --topology hypercube -d 4 --along sbt --per-packet 8 --one-partner",
        "schedule -c broadcast --topology mesh -w 4 -d 2 --ports d --parts auto --payload-flits 256",
        "schedule --by a7 --topology ccc -n 3 --ports d",
    )
)
@made_from_flags(which=schedule_flags())
def schedule(
    context: typer.Context,
    *,
    which: WhichSchedule,
    output: Annotated[
        Optional[Path],
        typer.Option("-o", callback=output_file, help="Write the schedule to this file.", rich_help_panel=Panel.RESULT),
    ] = None,
    compact: Annotated[
        bool,
        typer.Option(
            "--compact",
            help=f"Write each transfer only once for all nodes of a symmetric schedule, as is always done above {_FULL:,} transfers.",
            rich_help_panel=Panel.RESULT,
        ),
    ] = False,
    page: options.Page = None,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    apart(output, page, json_file)
    if output is None:
        require(context, "a file to write (-o)", "compact")
    way = which.way
    finding = which.find(context, dry_run=dry_run)
    found = schedule_of(finding)
    checked = which.check(found)
    if output is not None:
        write_schedule(found if compact or found.size > _FULL else found.expanded(), output)
    flits = which.payload_flits or (FLITS if way.parts == AUTO else None)
    table = TitledTable(
        title_of(found, which.model),
        "",
        ["", ""],
        [
            ["steps", finding.steps],
            ["lower bound", f"{finding.bound.steps}: {finding.bound.reason}"],
            [
                "proved optimal",
                "yes" if finding.proved else f"no{'' if finding.stopped is None else f': {finding.stopped.value}'}",
            ],
            ["found by", finding.by],
            ["transfers", checked.transfers],
            *_cycles(found, flits),
            ["seconds", f"{finding.seconds:.2f}"],
        ],
    )
    print_table(table.title, table.columns, table.rows)
    write_page(page, lambda: schedule_results(found, table, "Written by `fatcube schedule`."))
    write_json(
        json_file,
        lambda: record(
            {
                "topology": found.topology.to_json(),
                "ports": found.ports.value,
                "collective": found.collective.value,
                "root": found.root,
                **found.among.to_file(),
                "along": way.graph,
                "by": way.algorithm and way.algorithm.name,
                "parts": found.parts,
                **({} if way.order is None else {"order": way.order}),
                **which.model.to_json(),
            },
            {
                "steps": finding.steps,
                "lower_bound": finding.bound.steps,
                "reason": finding.bound.reason,
                "proved": finding.proved,
                "by": finding.by,
                "stopped": finding.stopped and finding.stopped.value,
                "transfers": checked.transfers,
                "seconds": finding.seconds,
            },
            seed=which.seed,
        ),
    )
    if finding.stopped is Outcome.INTERRUPTED:
        raise typer.Exit(130)


def _cycles(schedule: Schedule, payload_flits: int | None) -> list[list[str | int]]:
    """Rows on the parts of messages of ``payload_flits`` flits, and their cycles in lockstep on routers with default options."""
    if payload_flits is None:
        return []
    flits, last = lengths_of_parts(payload_flits, schedule.parts)
    network = network_of(schedule, RouterOptions(ports=schedule.ports)).for_packets(longest_packet_of(schedule, flits))
    cycles = lockstep_cycles(schedule, network, flits, last)
    found: list[list[str | int]] = [[f"cycles in lockstep, {count(payload_flits, 'payload flit')}", cycles]]
    return [["parts", in_words(schedule.parts, flits, last)], *found] if schedule.parts > 1 else found
