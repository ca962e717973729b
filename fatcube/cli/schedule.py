"""`fatcube schedule`: a schedule, built and checked, and its distance from the lower bound."""

from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.algorithms import algorithm_of
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, output_file, require
from fatcube.cli.building import AUTO, find_schedule, problem_of, schedule_of
from fatcube.cli.flags import made_from_flags, ports_flag, step_model_flags, topology_flags
from fatcube.cli.output import print_table, write_json
from fatcube.cli.runs import in_words
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import ScheduleError
from fatcube.schedules.checker import check as check_schedule
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.pipelined.build import lengths_of_parts
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.schedule_file import write_schedule
from fatcube.schedules.search import Outcome
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.wiring import empty_network, network_of
from fatcube.sim.collectives.simulate import longest_packet_of

__all__ = ["schedule"]


_FULL = 100_000  # transfers up to which a schedule file has all of them, and not those of one node only
_FLITS = 16  # payload flits of an undivided message for which parts are chosen, if none are given


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
@made_from_flags(topology=topology_flags(), ports=ports_flag(), model=step_model_flags())
def schedule(
    context: typer.Context,
    collective: options.CollectiveName = None,
    root: options.Root = None,
    sources: options.Sources = None,
    targets: options.Targets = None,
    subset: options.Subset = None,
    *,
    topology: Topology,
    ports: PortModel,
    optimal: options.Optimal = False,
    time_limit: options.TimeLimitOrBy = 20.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the search.", rich_help_panel=Panel.SCHEDULE)] = 0,
    model: StepModel,
    graph: options.Along = None,
    parts: options.Parts = "1",
    payload_flits: Annotated[
        Optional[int],
        typer.Option(
            "--payload-flits",
            help="Payload flits per undivided message, for which the cycles in lockstep are printed; 16 for --parts auto if "
            "not given.",
            rich_help_panel=Panel.SCHEDULE,
        ),
    ] = None,
    order: options.OrderAlong = None,
    by: options.By = None,
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
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    apart(output, json_file)
    if output is None:
        require(context, "a file to write (-o)", "compact")
    algorithm = algorithm_of(by, json_file)
    some = {"sources": sources, "targets": targets, "subset": subset}
    problem = problem_of(topology, ports, collective, root, model, **some, algorithm=algorithm)
    model = problem.model
    flits = payload_flits or _FLITS
    finding = find_schedule(
        context,
        problem,
        algorithm,
        graph=graph,
        parts=parts,
        order=order,
        optimal=optimal,
        time_limit=time_limit,
        network=lambda: empty_network(topology, RouterOptions(ports=ports), model).for_packets(flits + 1),
        payload_flits=flits,
        seed=seed,
        of_search=("seed",),
        of_length=("payload_flits",),
        dry_run=dry_run,
    )
    found = schedule_of(finding)
    try:
        checked = check_schedule(found, model)
    except ScheduleError as error:
        if graph is None:
            raise
        raise ParameterError(f"{found.collective.value} along {graph} must be done without {model}: {error}") from None
    if output is not None:
        write_schedule(found if compact or found.size > _FULL else found.expanded(), output)
    print_table(
        f"{found.work} ({found.collective.word}) on the {found.topology.name}{found.ports.suffix}"
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
            *_cycles(found, payload_flits or (_FLITS if parts == AUTO else None)),
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
                **found.among.to_file(),
                "along": graph,
                "by": by,
                "parts": found.parts,
                **({} if order is None else {"order": order}),
                **model.to_json(),
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
            seed=seed,
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
    return [["parts", in_words(schedule.parts, flits, last)], ["cycles in lockstep", cycles]]
