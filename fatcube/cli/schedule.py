"""`fatcube schedule`: builds a schedule, checks it, and says how far it is from the lower bound."""

import dataclasses
from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import app
from fatcube.cli.arguments import apart, check_time_limit, refuse
from fatcube.cli.building import build, build_along
from fatcube.cli.flags import made_from_flags, ports_flag, topology_flags
from fatcube.cli.output import complain, print_table, write_json
from groundwork.record import record
from groundwork.validation import ParameterError, check_integer
from noc.topology import Topology
from rtl.port_model import PortModel
from schedules.checker import ScheduleError
from schedules.checker import check as check_schedule
from schedules.schedule_file import write_schedule
from schedules.search import Outcome
from schedules.step_model import StepModel

__all__ = ["schedule"]


FULL = 100_000  # transfers that a schedule file may have, if they need not be written out


@app.command(
    rich_help_panel="Schedules",
    epilog="Examples: `fatcube schedule -c all-gather -d 2 -m 2 --ports d -o aab.json`, "
    "`fatcube schedule -c AAS --topology hypercube -d 3 --ports one`, "
    "`fatcube schedule -c OAB --topology hypercube -d 4 --along nesbt --parts 16 --one-partner`, "
    "`fatcube schedule -c AAS --topology hypercube -d 4 --along sbt --per-packet 8 --one-partner`",
)
@made_from_flags(topology=topology_flags(), ports=ports_flag())
def schedule(
    collective: options.CollectiveName = None,
    root: options.Root = None,
    *,
    topology: Topology,
    ports: PortModel,
    optimal: Annotated[
        bool,
        typer.Option("--optimal", help="Search for fewer steps, or for the proof that there are none, however large."),
    ] = False,
    time_limit: Annotated[
        Optional[float], typer.Option("--time-limit", help="Seconds for the search, 20 if not given.")
    ] = None,
    seed: Annotated[Optional[int], typer.Option("--seed", help="Of the search, 0 if not given.")] = None,
    half_duplex: options.HalfDuplex = False,
    one_partner: options.OnePartner = False,
    dedicated_ports: options.DedicatedPorts = False,
    graph: Annotated[
        Optional[str],
        typer.Option(
            "--along",
            help="Follow this spanning graph of the hypercube: brg, nrbrg, sbt, tcbt, nrsbt, nesbt, sbnt or sbntc.",
            rich_help_panel="Spanning graphs",
        ),
    ] = None,
    parts: Annotated[
        int,
        typer.Option(
            "--parts", help="Divide what is for a processor into so many messages.", rich_help_panel="Spanning graphs"
        ),
    ] = 1,
    per_packet: Annotated[
        int,
        typer.Option(
            "--per-packet",
            help="Put up to so many messages into a packet. Runs in lockstep only.",
            rich_help_panel="Spanning graphs",
        ),
    ] = 1,
    output: Annotated[
        Optional[Path], typer.Option("-o", callback=options.output_file, help="Write the schedule to this file.")
    ] = None,
    compact: Annotated[
        bool,
        typer.Option(
            "--compact", help=f"Write what is the same seen from every node once; always so beyond {FULL:,} transfers."
        ),
    ] = False,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
):
    """Builds a schedule, checks it, and says how far it is from the lower bound."""
    apart(output, json_file)
    if compact and output is None:
        raise ParameterError("--compact must be left out without a file (-o) that is written")
    model = StepModel(half_duplex=half_duplex, one_partner=one_partner, dedicated_ports=dedicated_ports)
    if graph is None:
        for name, value in (("parts", parts), ("per_packet", per_packet)):
            if value != 1:
                raise ParameterError(f"{name} must be 1 without a spanning graph (--along), not {value}")
    if graph is not None:
        if optimal:
            raise ParameterError("optimal must be left out along a spanning graph, which says what goes where")
        refuse("along a spanning graph, where nothing is searched", time_limit=time_limit, seed=seed)
        finding = build_along(graph, topology, ports, collective, root, parts, per_packet, model, dry_run)
    else:
        limit = check_time_limit(20.0 if time_limit is None else time_limit)
        seed = check_integer("seed", 0 if seed is None else seed, minimum=0, maximum=2**31 - 1)
        finding = build(
            collective,
            topology,
            ports,
            root,
            dry_run=dry_run,
            time_limit=limit,
            seed=seed,
            optimal=optimal,
            model=model,
        )
    found = finding.schedule
    if found is None:
        complain(
            f"no schedule found in {finding.seconds:.1f} s: {finding.stopped.value}; the lower bound is "
            f"{finding.bound.steps} steps ({finding.bound.reason})"
        )
        raise typer.Exit(1)
    try:
        checked = check_schedule(found, model)
    except ScheduleError as error:
        if graph is None:
            raise
        raise ParameterError(f"{found.collective.value} along {graph} must be done without {model}: {error}") from None
    if output is not None:
        write_schedule(found if compact or found.size > FULL else found.expanded(), output)
    print_table(
        f"{found.collective.value} ({found.collective.word}) on {found.topology} ports={found.ports.value}"
        f"{', ' if str(model) else ''}{model}",
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
            ["seconds", f"{finding.seconds:.2f}"],
        ],
    )
    write_json(
        json_file,
        lambda: record(
            {
                "topology": found.topology.to_json(),
                "ports": found.ports.value,
                "collective": found.collective.value,
                "root": found.root,
                "along": graph,
                "parts": found.parts,
                "per_packet": found.per_packet,
                **dataclasses.asdict(model),
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
            seed=seed or 0,
        ),
    )
    if finding.stopped is Outcome.INTERRUPTED:
        raise typer.Exit(130)
