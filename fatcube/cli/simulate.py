"""`fatcube simulate`: a collective on the RTL, cycle by cycle; every delivery and every wire is compared."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, integers, output_file, refuse_given, require, was_given
from fatcube.cli.choices import choice
from fatcube.cli.flags import made_from_flags, router_flags
from fatcube.cli.output import fail, say_chosen, say_duration, stop_if
from fatcube.cli.schedules.building import parts_along, rule_of, schedule_of
from fatcube.cli.schedules.runs import MODES, in_words, report_runs, runs_of
from fatcube.cli.schedules.which import WhichSchedule, refuse_beside_file, schedule_flags
from fatcube.groundwork.progress import doing
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.machines.machine import MONITORS, Machine
from fatcube.noc.network import Network
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Collective
from fatcube.schedules.pipelined.build import lengths_of_parts
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.size import check_transfers
from fatcube.schedules.wiring import empty_network, network_of
from fatcube.sim.builds.build import SIMULATORS, check_simulator
from fatcube.sim.collectives.distributed import check_computed
from fatcube.sim.collectives.plan import most_entries
from fatcube.sim.collectives.simulate import fitting_machine, longest_packet_of, simulate_all
from fatcube.sim.duration import schedule_seconds
from fatcube.sim.size import check_memory, check_simulation

__all__ = ["simulate"]


_WHICH = schedule_flags(running=True)


@command(
    epilog=examples(
        "simulate -c AAB -d 2 -m 2 --ports d",
        "simulate -c AAS -d 3 --links half-duplex --turn-round 2",
        "simulate -c multicast --root 0 --to 1,2,7 --topology hypercube -d 3",
        "simulate -c AAS -d 3 --ports d --transfers direct --switching circuit",
        "simulate -c OAB --topology hypercube -d 3 --ports d --along nesbt --parts 6 --distributed",
        "simulate -c all-reduce --topology mesh -w 4 -d 2 --ports d --parts 8 --payload-flits 256 --mode lockstep",
        "simulate --by a7 --topology ccc -n 3 --ports d --mode lockstep",
        "simulate --schedule mine.json --mode dataflow --payload-flits 16",
    )
)
@made_from_flags(
    refuse_beside_file((*_WHICH.names, "distributed")),
    which=_WHICH,
    router=router_flags(without=("hops", "turns", "links")),
)
def simulate(
    context: typer.Context,
    *,
    which: WhichSchedule,
    distributed: options.Distributed = False,
    schedule_file: Annotated[
        Optional[Path],
        typer.Option(
            "--schedule",
            help="Run this schedule file, which defines topology, ports and collective.",
            rich_help_panel=Panel.SCHEDULE,
        ),
    ] = None,
    payload_flits: Annotated[
        str,
        typer.Option(
            "--payload-flits",
            help="Payload flits per undivided message; τ and t_c are fitted to three or more lengths.",
            rich_help_panel=Panel.RUN,
        ),
    ] = "4,8,16",
    mode: Annotated[str, choice("--mode", MODES, help="Mode of the runs.", panel=Panel.RUN)] = "both",
    router: RouterOptions,
    memory_words: Annotated[
        Optional[int],
        typer.Option(
            "--memory-words",
            help="Words in each bank of a message memory; as many as needed if not given.",
            rich_help_panel=Panel.RUN,
        ),
    ] = None,
    monitors: Annotated[
        str,
        choice(
            "--monitors",
            MONITORS,
            help="Wires on which every packet is traced and compared with the schedule; a run with fewer is faster.",
            panel=Panel.RUN,
        ),
    ] = "all",
    simulator: Annotated[
        str,
        choice(
            "--simulator",
            SIMULATORS,
            help="Simulator: verilator compiles a node once, verilator-flat the whole system; icarus must be installed.",
            panel=Panel.RUN,
        ),
    ] = "verilator",
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random payloads.", rich_help_panel=Panel.RUN)] = 0,
    waves: Annotated[
        Optional[Path],
        typer.Option(
            "--waves",
            help="VCD file for the signals of all nodes in all runs, one after the other, for GTKWave or Surfer.",
            rich_help_panel=Panel.RESULT,
        ),
    ] = None,
    waves_nodes: Annotated[
        Optional[str],
        typer.Option(
            "--waves-nodes", help="Nodes in that file, such as 0,3; all if not given.", rich_help_panel=Panel.RESULT
        ),
    ] = None,
    page: options.Page = None,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    check_simulator(simulator)
    apart(schedule_file, page, json_file, output_file(waves))
    way = which.way
    waves_of = _nodes_with_waves(waves, waves_nodes, simulator)
    if way.graph is None:
        require(context, "a spanning graph (--along)", "order", "distributed")
    rule = None
    if distributed:
        rule = rule_of(way.graph)
        mode = mode if was_given(context, "mode") else "lockstep"
        refuse_given(context, "with --distributed, where the order is fixed", "order")
    lengths = integers("payload flits", payload_flits)
    for length in lengths:
        check_integer("payload flits", length, minimum=1, maximum=MOST_FLITS - 1)
    if memory_words is not None:
        check_integer("memory words", memory_words, minimum=1)

    def machine_for(
        network: Network,
        collective: Collective,
        flits: int = max(lengths) + 1,
        payload: int = max(lengths),
        **needed: Any,
    ) -> Machine:
        check_simulation(network.topology)
        for node in waves_of or ():
            check_integer("waves node", node, minimum=0, maximum=network.topology.nodes - 1)
        machine = fitting_machine(
            network.for_packets(flits),
            payload_flits=payload,
            memory_words=memory_words,
            reductions=collective.reduction,
            monitors=monitors,
            probes=waves is not None,
            distributed=rule,
            **needed,
        )
        check_memory(machine)
        return machine

    said: dict[str, Any] = {}
    if which.problem is None:
        given = which.schedule(context)
    else:
        problem = which.problem
        if rule is not None:
            parts, model = parts_along(way.parts), problem.model
            for lockstep in MODES[mode]:
                check_computed(
                    rule, problem.collective, among=problem.among, parts=parts, model=model, lockstep=lockstep
                )
        # Before a schedule is built, which can take seconds.
        few: dict[str, Any] = (
            {} if way.parts == "1" else {"messages": 1, "payload": 1}
        )  # the needs of parts are seen later
        empty = machine_for(empty_network(problem.topology, router, problem.model), problem.collective, **few).network
        said = empty.chosen
        say_chosen(said)
        given = schedule_of(which.find(context, network=empty, payload_flits=max(lengths), dry_run=dry_run))
    check_simulation(given.topology)
    which.check(given)
    check_transfers(given.size, f"for a run of {given.collective.value} on the {given.topology.name}")
    messages = None if given.parts == 1 else len(given.messages)
    flits = [lengths_of_parts(length, given.parts) for length in lengths]
    longest = max(flits)[0]
    machine = machine_for(
        network_of(given, router, links=which.links),
        given.collective,
        messages=messages,
        steps=most_entries(given),
        flits=longest_packet_of(given, longest),
        combining=given.per_packet > 1,
        payload=longest,
    )
    say_chosen({name: value for name, value in machine.network.chosen.items() if said.get(name) != value})
    runs = runs_of(given, flits, mode, seed)
    stop_if(dry_run, f"{given.collective.value} on the {machine.network.name} can be run")

    say_duration(schedule_seconds(machine, runs, simulator))
    with doing(f"running {given.collective.value} on the {machine.network.name}"):
        results = simulate_all(machine, runs, simulator=simulator, waves=waves, waves_of=waves_of)
    notes = [f"waves of {_nodes(waves_of)} are in {waves}"] * (waves is not None)
    notes += _of_parts(given, machine, lengths, flits)
    notes += ["every processor computed to whom it sends; none had a program"] * distributed
    report_runs(
        machine, runs, results, simulator=simulator, json_file=json_file, page=page, notes=notes, along=way.graph
    )
    fail([failure for result in results for failure in result.failures])


def _of_parts(
    schedule: Schedule, machine: Machine, lengths: Sequence[int], flits: Sequence[tuple[int, int]]
) -> list[str]:
    """Lines on messages in several parts: the flits of a part for each length, and the memory of a processor."""
    if schedule.parts == 1:
        return []
    sizes = [f"{length} payload flits: {in_words(schedule.parts, *of)}" for length, of in zip(lengths, flits)]
    banks = machine.network.processor_ports
    return [f"{'; '.join(sizes)}; each processor has {banks} banks of {machine.memory_words:,} words"]


def _nodes_with_waves(waves: Path | None, nodes: str | None, simulator: str) -> list[int] | None:
    """The nodes whose waves are written, which are all if ``None``."""
    if waves is not None and simulator != "verilator":
        raise ParameterError(f"simulator must be verilator for waves, not {simulator!r}")
    if nodes is not None and waves is None:
        raise ParameterError("--waves-nodes requires --waves")
    return None if nodes is None else integers("waves nodes", nodes)


def _nodes(chosen: Sequence[int] | None) -> str:
    """A phrase for the chosen nodes."""
    return "all nodes" if chosen is None else f"node{'s' * (len(chosen) > 1)} {', '.join(map(str, chosen))}"
