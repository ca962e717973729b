"""`fatcube simulate`: runs a collective on the hardware, compares every delivery and every wire, and prints what was measured."""

import dataclasses
from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import app, console
from fatcube.cli.arguments import apart, integers
from fatcube.cli.building import build, collective_of
from fatcube.cli.flags import made_from_flags, refuse_given, router_flags, topology_flags
from fatcube.cli.output import fail, print_table, stop_if, write_json
from groundwork.progress import doing
from groundwork.record import record
from groundwork.validation import check_choice, check_integer
from noc.network import Network
from noc.topology import Topology
from rtl.router_options import RouterOptions
from schedules.checker import check as check_schedule
from schedules.schedule_file import read_schedule
from schedules.size import check_transfers

__all__ = ["simulate"]


@app.command(
    rich_help_panel="Measurements",
    epilog="Examples: `fatcube simulate -c AAB -d 2 -m 2 --ports d`, "
    "`fatcube simulate --schedule mine.json --mode dataflow --payload-flits 16`",
)
@made_from_flags(topology=topology_flags(unless="schedule_file"), router=router_flags(without=("hops", "turns")))
def simulate(
    context: typer.Context,
    collective: options.CollectiveName = None,
    root: options.Root = None,
    *,
    topology: Topology,
    schedule_file: Annotated[
        Optional[Path],
        typer.Option("--schedule", help="Run this schedule file; it says network, ports and collective itself."),
    ] = None,
    payload_flits: Annotated[
        str,
        typer.Option(
            "--payload-flits", help="Payload flits of a message; several lengths, at least three, are fitted."
        ),
    ] = "4,8,16",
    mode: Annotated[str, typer.Option("--mode", help="lockstep, dataflow or both.")] = "both",
    router: RouterOptions,
    memory_words: Annotated[
        Optional[int],
        typer.Option("--memory-words", help="Words in each bank of a message memory.", rich_help_panel="Hardware"),
    ] = None,
    simulator: Annotated[str, typer.Option("--simulator", help="verilator, or icarus if installed.")] = "verilator",
    seed: Annotated[int, typer.Option("--seed", help="Of the random payloads.")] = 0,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
):
    """Runs a collective on the hardware, compares every delivery and every wire, and prints what was measured."""
    from rtl.endpoint.monitor import MOST_FLITS
    from sim.build import check_simulator
    from sim.fit import fit
    from sim.plan import most_entries
    from sim.simulate import Run, fitting_machine, simulate_all
    from sim.size import check_memory, check_simulation

    check_choice("mode", mode, ("lockstep", "dataflow", "both"))
    check_simulator(simulator)
    apart(schedule_file, json_file)
    lengths = integers("payload flits", payload_flits)
    for length in lengths:
        check_integer("payload flits", length, minimum=1, maximum=MOST_FLITS - 1)
    if memory_words is not None:
        check_integer("memory words", memory_words, minimum=1)

    def machine_for(topology, ports, collective, *, parts=1, **needs):
        check_simulation(topology)
        machine = fitting_machine(
            Network(topology, dataclasses.replace(router, ports=ports), parts=parts),
            payload_flits=max(lengths),
            memory_words=memory_words,
            reductions=collective.reduction,
            **needs,
        )
        check_memory(machine)
        return machine

    if schedule_file is not None:
        refuse_given(
            context, "with --schedule, whose file says it", "collective", "root", *topology_flags().names, "ports"
        )
        given = read_schedule(schedule_file)
    else:
        # Before a schedule is built, which can take seconds.
        machine_for(topology, router.ports, collective_of(collective, topology, root)[0])
        given = build(collective, topology, router.ports, root, dry_run=dry_run).schedule
    check_simulation(given.topology)
    check_schedule(given)
    check_transfers(given.size, f"for a run of {given.collective.value} on {given.topology}")
    if given.per_packet > 1 and mode == "both":
        mode = "lockstep"
        console.print("packets of several messages run in lockstep only")
    messages = None if given.parts == 1 else len(given.collective.messages(given.topology, given.root, given.parts))
    machine = machine_for(
        given.topology, given.ports, given.collective, parts=given.parts, messages=messages, steps=most_entries(given)
    )
    network = machine.network
    stop_if(dry_run, f"{given.collective.value} on {network} can be run")
    runs = [
        Run(schedule=given, payload_flits=length, lockstep=lockstep, seed=seed)
        for lockstep in (True, False)
        if mode in ("both", "lockstep" if lockstep else "dataflow")
        for length in lengths
    ]
    with doing(f"running {given.collective.value} on {network}"):
        results = simulate_all(machine, runs, simulator=simulator)

    print_table(
        f"{given.collective.value} on {network}: {given.steps} steps scheduled",
        ["mode", "payload flits", "steps", "cycles", "conflicts", "lane utilisation", "delivered"],
        [
            [
                "lockstep" if run.lockstep else "dataflow",
                run.payload_flits,
                result.steps if run.lockstep else "-",
                result.cycles,
                result.conflicts,
                f"{result.lane_utilisation:.1%}",
                result.delivered,
            ]
            for run, result in zip(runs, results)
        ],
    )
    fits = {}
    for lockstep in {run.lockstep: None for run in runs}:
        points = [(run.payload_flits, result.cycles) for run, result in zip(runs, results) if run.lockstep == lockstep]
        name = "lockstep" if lockstep else "dataflow"
        # Where packets may have several messages, the steps are not all of one length.
        if len({length for length, _ in points}) >= 3 and given.per_packet == 1:
            fits[name] = fit(points, given.steps)
            console.print(
                f"{name}: start-up τ = {fits[name].startup:.2f} cycles a step, "
                f"t_c = {fits[name].per_flit:.3f} cycles a flit and step",
                highlight=False,
            )
    write_json(
        json_file,
        lambda: record(
            {**machine.to_json(), "collective": given.collective.value, "root": given.root, "simulator": simulator},
            {
                "runs": [
                    {
                        "mode": "lockstep" if run.lockstep else "dataflow",
                        "payload_flits": run.payload_flits,
                        "steps": result.steps,
                        "cycles": result.cycles,
                        "conflicts": result.conflicts,
                        "flits": result.flits,
                        "lane_utilisation": result.lane_utilisation,
                        "delivered": result.delivered,
                        "failures": list(result.failures),
                    }
                    for run, result in zip(runs, results)
                ],
                "fit": {name: {"tau": one.startup, "t_c": one.per_flit} for name, one in fits.items()},
            },
            seed=seed,
        ),
    )
    fail([failure for result in results for failure in result.failures])
