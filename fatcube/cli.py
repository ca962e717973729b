"""The command line."""

import dataclasses
import functools
import importlib
import json
from pathlib import Path
import sys
import time
from typing import Annotated, Optional

from rich.console import Console
import typer

from fatcube import options
from fatcube.describe import describe
from fatcube.record import record, write_text
from fatcube.table import Column, Shown, show, write_csv
from groundwork.ending import say_interrupted, signalled
from groundwork.progress import doing
from noc.cubes import Hypercube
from noc.fabric import Fabric, shared_router
from noc.network import Network
from noc.shared import check_identifier
from noc.system import System
from noc.tool import ToolError
from noc.topology import kinds
from noc.verilog import to_verilog
from rtl.parameters import ParameterError, check_choice, check_integer, check_number, shown
from rtl.port_model import PortModel
from schedules.bounds import lower_bound
from schedules.checker import ScheduleError, check as check_schedule
from schedules.collective import Collective
from schedules.construct import best
from schedules.schedule import Schedule
from schedules.search import Finding, Outcome
from schedules.size import check_along, check_memory, check_simulation, check_size, check_transfers
from schedules.spanning import spanning_graph
from schedules.step_model import StepModel
from schedules.trees import along

__all__ = ["app", "main"]


# Into a file or a pipe goes the whole table, not as much of it as fits into a terminal that is not there.
console = Console(width=None if sys.stdout.isatty() else 140, markup=False)
app = typer.Typer(
    help="Real networks-on-chip of fat cubes and hypercubes: RTL, collectives measured on it, and what they cost.",
    no_args_is_help=True, add_completion=False, rich_markup_mode="markdown", pretty_exceptions_enable=False)


_file = options.output_file
_folder = options.output_folder


def _left_out(because, **options):
    """Refuses options that would change nothing: those among ``options``, by name, that are not ``None``."""
    for name, value in options.items():
        if value is not None:
            dashes = "-" if len(name) == 1 else "--"
            raise ParameterError(f"{dashes}{name.replace('_', '-')} must be left out {because}, not {shown(value)}")


_json = Annotated[Optional[Path], typer.Option(
    "--json", callback=_file, help="Also write the result as JSON to this file.")]
_root = Annotated[Optional[int], typer.Option(
    "--root", help="The processor that broadcasts, scatters, gathers or has the sum, 0 if not given.")]
_topology = Annotated[Optional[str], typer.Option(
    "--topology", help=f"{', '.join(kinds())}; fat-cube if not given.", rich_help_panel="Network")]
_ports = Annotated[Optional[str], typer.Option(
    "--ports", help="Router model: 1, b, d, * or one, broadcast, d-port, all-port; 1 if not given.",
    rich_help_panel="Network")]
_collective = Annotated[Optional[str], typer.Option(
    "--collective", "-c", help="OAB broadcast, OAS scatter, AOG gather, AOR reduce, AAB all-gather, AAR reduce-scatter, "
                               "AAS all-to-all or all-reduce.")]
_results = Annotated[Optional[Path], typer.Option(
    "--results", help="A results file of `fatcube sweep`: SQLite or JSON lines; the study that comes with fatcube "
                      "without it.")]
_RANKS = {"average distance": 6, "connectivity": 5, "a b": 4, "nodes": 3, "bisection": 2, "degree": 2, "links": 1,
          "diameter": 1}  # what `compare` leaves out first in a narrow terminal
FULL = 100_000  # transfers that a schedule file may have, if they need not be written out


_AUDITS = {
    "fat-cube": ("fatcube.audit_fat_cube", "The fat-cube paper, claim by claim",
                 "Kutálek and Dvořák, On Complexity of Collective Communications on a Fat Cube Topology. Written by "
                 "`fatcube audit fat-cube`; every schedule named as evidence passes `fatcube check`."),
    "ccc": ("fatcube.audit_ccc", "The cube-connected cycles paper, claim by claim",
            "Kambhatla, Hypercube Vs Cube-Connected Cycles: A Topological Evaluation (CS/E 91-006). Its single I/O is "
            "router model 1, its multiple I/O is model d: on CCC three ports, one for each link. Model 1 sends one and "
            "receives one message a step, which is the most generous reading of \"can send or receive at most one\" "
            "(at its word, a multinode broadcast would take 2 (N - 1) steps and not N - 1): what is impossible there is so in "
            "stricter ones too. Written by `fatcube audit ccc`; every schedule named as "
            "evidence passes `fatcube check`."),
    "ghc": ("fatcube.audit_ghc", "The generalized hypercubes paper, claim by claim",
            "Antonio, Lin and Metzger, Complexity of Intensive Communications on Balanced Generalized Hypercubes. All links of a "
            "node can be used at once: router model d, a port for each link that leaves. Written by `fatcube audit ghc`; every "
            "schedule named as evidence passes `fatcube check`."),
    "spanning-graphs": ("fatcube.audit_spanning", "The spanning-graphs paper, claim by claim",
                        "Johnsson and Ho, Spanning Graphs for Optimum Broadcasting and Personalized Communication in "
                        "Hypercubes (YALEU/DCS/TR-500). Graphs are counted edge by edge; prices are those of executions "
                        "that know no formula (schedules/packets.py), for n = 3 to 6 dimensions and M elements in packets of "
                        "at most B. SBnT is the graph with split cyclic nodes (SBnTc), as the paper has it. \"About\" is "
                        "within 10 %. Written by `fatcube audit spanning-graphs`."),
}


def main() -> None:
    """Run the command line of this process."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """The exit status of a command line: 0 done, 1 a check failed, 2 bad input (one line), 130 Ctrl-C."""
    try:
        # Which returns what a command exits with, and None if it just ends.
        return _command().main(arguments, "fatcube", standalone_mode=False) or 0
    except (ParameterError, OSError) as error:
        _complain(error)
        return 2
    except (ScheduleError, ToolError, RuntimeError) as error:
        _complain(error)
        return 1
    except (KeyboardInterrupt, typer.Abort):
        say_interrupted()
        return 130
    except Exception as error:
        # What Typer itself refuses: an unknown option, a letter where a number belongs.
        if hasattr(error, "format_message"):
            if message := error.format_message():  # none where the help was asked for by giving nothing
                _complain(message)
            return 2
        if signalled():
            say_interrupted()  # What goes wrong after a signal comes of it.
            return 130
        raise


@functools.cache
def _command():
    return typer.main.get_command(app)


def commands() -> dict:
    """Every command as Click has it, by name: its ``params`` are the options."""
    return dict(_command().commands)


def _complain(error):
    if signalled():
        say_interrupted()  # What goes wrong after a signal comes of it.
    else:
        text = str(error)
        if len(text) > 1000:  # a path or a number that is as long as that
            text = f"{text[:500]}...{text[-300:]}"
        print(f"fatcube: {text}", file=sys.stderr)


@app.command(epilog="Examples: `fatcube generate router -d 2 -m 2 --ports d -o router.v`, "
                    "`fatcube generate network -d 4 -m 4 --ports one -o network.v`, "
                    "`fatcube generate network -d 2 --name left -o left.v`, "
                    "`fatcube generate network -d 2 --ports b --for-schedules-only -o b.v`")
def generate(
        what: Annotated[str, typer.Argument(help="router, network (all routers, wired), or system (with "
                                                 "processors, barrier and monitors: what is simulated).")] = "network",
        topology: options.Topology = "fat-cube", d: options.Dimensions = None,
        n: options.CycleLength = None, w: options.SideLength = None, m: options.Processors = None,
        f: options.Lanes = None, ports: options.Ports = "1", width: options.Width = 32,
        buffer_depth: options.BufferDepth = 2, pipeline: options.Pipeline = 1, hops: options.Hops = 1,
        turns: options.Turns = "used", fast_buffers: options.FastBuffers = False,
        counters: Annotated[bool, typer.Option("--counters", help="Count flits and conflicts (router only).")] = False,
        name: Annotated[Optional[str], typer.Option(
            "--name", help="The top module's name, and the prefix of all others, so that several fit into one "
                           "design.")] = None,
        for_schedules_only: Annotated[bool, typer.Option(
            "--for-schedules-only", help="Write a network in which traffic that no schedule keeps apart can "
                                         "deadlock: of model b, or of more hops than one.")] = False,
        output: Annotated[Optional[Path], typer.Option(
            "-o", callback=_file, help="The file; standard output without it.")] = None,
        dry_run: options.DryRun = False):
    """Writes the Verilog of a router or of a whole network."""
    from sim.simulate import fitting_machine
    check_choice("what", what, ("router", "network", "system"))
    topology = options.make_topology(topology, d=d, n=n, w=w, m=m, f=f)
    network = options.make_network(topology, ports, width, buffer_depth, pipeline, hops, turns, fast_buffers)
    if name is not None:
        check_identifier(name)
    if counters and what != "router":
        raise ParameterError(f"counters must be left out for a {what}, "
                             f"{'whose routers have none' if what == 'network' else 'which always has them'}")
    if for_schedules_only and what != "network":
        raise ParameterError(f"for schedules only must be left out for a {what}: it is said of a network")
    if for_schedules_only and not network.deadlock:
        raise ParameterError(f"for schedules only must be left out for {network}, which carries any traffic")
    if what == "network" and network.deadlock and not for_schedules_only:
        raise ParameterError(f"for schedules only must be given (--for-schedules-only) for {network} with "
                             f"{network.hops} hop{'' if network.hops == 1 else 's'}, where ordinary traffic can deadlock: "
                             f"{network.deadlock}, for which there is no deadlock-free routing yet")
    machine = fitting_machine(network) if what == "system" else None
    if what == "router":
        shared = shared_router(network, counters=counters, name=name or "fat_node_router")
    elif what == "network":
        shared = Fabric(network, name=name).shared()
    else:
        shared = System(machine, name=name).shared()
    _stop_if(dry_run, f"{shared.name} can be generated")
    with doing(f"generating the {what} of {network}"):
        text = to_verilog(shared, comment=describe(network, what, machine=machine))
    if output is None:
        print(text)
    else:
        write_text(output, text)


@app.command(epilog="Examples: `fatcube schedule -c all-gather -d 2 -m 2 --ports d -o aab.json`, "
                    "`fatcube schedule -c AAS --topology hypercube -d 3 --ports one`, "
                    "`fatcube schedule -c OAB --topology hypercube -d 4 --along nesbt --parts 16 --one-partner`, "
                    "`fatcube schedule -c AAS --topology hypercube -d 4 --along sbt --per-packet 8 --one-partner`")
def schedule(
        collective: _collective = None, root: _root = None, topology: options.Topology = "fat-cube",
        d: options.Dimensions = None, n: options.CycleLength = None, w: options.SideLength = None,
        m: options.Processors = None, f: options.Lanes = None, ports: options.Ports = "1",
        optimal: Annotated[bool, typer.Option(
            "--optimal", help="Search for fewer steps, or for the proof that there are none, however large.")] = False,
        time_limit: Annotated[Optional[float], typer.Option(
            "--time-limit", help="Seconds for the search, 20 if not given.")] = None,
        seed: Annotated[Optional[int], typer.Option("--seed", help="Of the search, 0 if not given.")] = None,
        half_duplex: options.HalfDuplex = False, one_partner: options.OnePartner = False,
        dedicated_ports: options.DedicatedPorts = False,
        graph: Annotated[Optional[str], typer.Option(
            "--along", help="Follow this spanning graph of the hypercube: brg, nrbrg, sbt, tcbt, nrsbt, nesbt, sbnt or "
                            "sbntc.", rich_help_panel="Spanning graphs")] = None,
        parts: Annotated[int, typer.Option(
            "--parts", help="Divide what is for a processor into so many messages.",
            rich_help_panel="Spanning graphs")] = 1,
        per_packet: Annotated[int, typer.Option(
            "--per-packet", help="Put up to so many messages into a packet. Runs in lockstep only.",
            rich_help_panel="Spanning graphs")] = 1,
        output: Annotated[Optional[Path], typer.Option(
            "-o", callback=_file, help="Write the schedule to this file.")] = None,
        compact: Annotated[bool, typer.Option(
            "--compact", help="Write what is the same seen from every node once; always so beyond "
                              f"{FULL:,} transfers.")] = False,
        dry_run: options.DryRun = False, json_file: _json = None):
    """Builds a schedule, checks it, and says how far it is from the lower bound."""
    _apart(output, json_file)
    if compact and output is None:
        raise ParameterError("--compact must be left out without a file (-o) that is written")
    model = StepModel(half_duplex=half_duplex, one_partner=one_partner, dedicated_ports=dedicated_ports)
    topology = options.make_topology(topology, d=d, n=n, w=w, m=m, f=f)
    if graph is None:
        for name, value in (("parts", parts), ("per_packet", per_packet)):
            if value != 1:
                raise ParameterError(f"{name} must be 1 without a spanning graph (--along), not {value}")
    if graph is not None:
        if optimal:
            raise ParameterError("optimal must be left out along a spanning graph, which says what goes where")
        _left_out("along a spanning graph, where nothing is searched", time_limit=time_limit, seed=seed)
        finding = _along(graph, topology, ports, collective, root, parts, per_packet, model, dry_run)
    else:
        limit = _time_limit(20.0 if time_limit is None else time_limit)
        seed = check_integer("seed", 0 if seed is None else seed, minimum=0, maximum=2**31 - 1)
        finding = _build(collective, topology, ports, root, dry_run=dry_run, time_limit=limit, seed=seed, optimal=optimal,
                         model=model)
    found = finding.schedule
    if found is None:
        _complain(f"no schedule found in {finding.seconds:.1f} s: {finding.stopped.value}; the lower bound is "
                  f"{finding.bound.steps} steps ({finding.bound.reason})")
        raise typer.Exit(1)
    try:
        checked = check_schedule(found, model)
    except ScheduleError as error:
        if graph is None:
            raise
        raise ParameterError(f"{found.collective.value} along {graph} must be done without {model}: {error}") from None
    if output is not None:
        (found if compact or found.size > FULL else found.expanded()).write(output)
    _table(f"{found.collective.value} ({found.collective.word}) on {found.topology} ports={found.ports.value}"
           f"{', ' if str(model) else ''}{model}", ["", ""], [
               ["steps", finding.steps],
               ["lower bound", f"{finding.bound.steps}: {finding.bound.reason}"],
               ["proved optimal", "yes" if finding.proved else
                f"no{'' if finding.stopped is None else f': {finding.stopped.value}'}"],
               ["found by", finding.by],
               ["transfers", checked.transfers],
               ["seconds", f"{finding.seconds:.2f}"]])
    _write_json(json_file, lambda: record(
        {"topology": found.topology.to_json(), "ports": found.ports.value, "collective": found.collective.value,
         "root": found.root, "along": graph, "parts": found.parts, "per_packet": found.per_packet,
         **dataclasses.asdict(model)},
        {"steps": finding.steps, "lower_bound": finding.bound.steps, "reason": finding.bound.reason,
         "proved": finding.proved, "by": finding.by, "stopped": finding.stopped and finding.stopped.value,
         "transfers": checked.transfers, "seconds": finding.seconds}, seed=seed or 0))
    if finding.stopped is Outcome.INTERRUPTED:
        raise typer.Exit(130)


@app.command(epilog="Examples: `fatcube check schedule.json`, `fatcube check schedule.json --half-duplex`")
def check(file: Annotated[Path, typer.Argument(help="A schedule file.")],
          half_duplex: options.HalfDuplex = False, one_partner: options.OnePartner = False,
          dedicated_ports: options.DedicatedPorts = False, json_file: _json = None):
    """Checks a schedule file, whoever wrote it."""
    _apart(file, json_file)
    given = Schedule.read(file)
    checked = check_schedule(given, StepModel(half_duplex=half_duplex, one_partner=one_partner,
                                              dedicated_ports=dedicated_ports))
    console.print(f"{file}: {given.collective.value} on {given.topology} ports={given.ports.value}: valid, "
                  f"{checked.steps} steps, {checked.transfers} transfers", highlight=False, soft_wrap=True)
    _write_json(json_file, lambda: record(
        {"file": file.name, "topology": given.topology.to_json(), "ports": given.ports.value,
         "collective": given.collective.value, "root": given.root, "half_duplex": half_duplex,
         "one_partner": one_partner, "dedicated_ports": dedicated_ports},
        {"steps": checked.steps, "transfers": checked.transfers}))


@app.command(epilog="Example: `fatcube view schedule.json -o page.html`")
def view(file: Annotated[Path, typer.Argument(help="A schedule file.")],
         output: Annotated[Optional[Path], typer.Option(
             "-o", callback=_file, help="The page; the schedule's name with .html without it.")] = None):
    """Checks a schedule file and writes a page that plays it step by step in any browser."""
    from fatcube.view import view_page
    output = file.with_suffix(".html") if output is None else output
    _apart(file, output)
    given = Schedule.read(file)
    check_transfers(given.size, f"that is drawn, {given.collective.value} on {given.topology}")
    checked = check_schedule(given)
    write_text(output, view_page(given))
    console.print(f"{output}: {given.collective.value} on {given.topology} ports={given.ports.value}, "
                  f"{checked.steps} steps, {checked.transfers} transfers", highlight=False, soft_wrap=True)


@app.command(epilog="Examples: `fatcube simulate -c AAB -d 2 -m 2 --ports d`, "
                    "`fatcube simulate --schedule mine.json --mode dataflow --payload-flits 16`")
def simulate(
        collective: _collective = None, root: _root = None, topology: _topology = None,
        d: options.Dimensions = None, n: options.CycleLength = None, w: options.SideLength = None,
        m: options.Processors = None, f: options.Lanes = None, ports: _ports = None,
        schedule_file: Annotated[Optional[Path], typer.Option(
            "--schedule", help="Run this schedule file; it says network, ports and collective itself.")] = None,
        payload_flits: Annotated[str, typer.Option(
            "--payload-flits", help="Payload flits of a message; several lengths, at least three, are fitted.")]
        = "4,8,16",
        mode: Annotated[str, typer.Option("--mode", help="lockstep, dataflow or both.")] = "both",
        width: options.Width = 32, buffer_depth: options.BufferDepth = 2, pipeline: options.Pipeline = 1,
        fast_buffers: options.FastBuffers = False,
        memory_words: Annotated[Optional[int], typer.Option(
            "--memory-words", help="Words in each bank of a message memory.", rich_help_panel="Hardware")] = None,
        simulator: Annotated[str, typer.Option("--simulator", help="verilator, or icarus if installed.")] = "verilator",
        seed: Annotated[int, typer.Option("--seed", help="Of the random payloads.")] = 0,
        dry_run: options.DryRun = False, json_file: _json = None):
    """Runs a collective on the hardware, compares every delivery and every wire, and prints what was measured."""
    from schedules.program import most_entries
    from sim.fit import fit
    from rtl.monitor import MOST_FLITS
    from sim.build import check_simulator
    from sim.simulate import Run, fitting_machine, simulate_all

    check_choice("mode", mode, ("lockstep", "dataflow", "both"))
    check_simulator(simulator)
    _apart(schedule_file, json_file)
    lengths = _integers("payload flits", payload_flits)
    for length in lengths:
        check_integer("payload flits", length, minimum=1, maximum=MOST_FLITS - 1)
    if memory_words is not None:
        check_integer("memory words", memory_words, minimum=1)

    def machine_for(topology, ports, collective, *, parts=1, **needs):
        check_simulation(topology)
        machine = fitting_machine(
            Network(topology=topology, ports=ports, width=width, buffer_depth=buffer_depth, pipeline=pipeline,
                    fast_buffers=fast_buffers, parts=parts),
            payload_flits=max(lengths), memory_words=memory_words, reductions=collective.reduction, **needs)
        check_memory(machine)
        return machine

    if schedule_file is not None:
        _left_out("with --schedule, whose file says it", collective=collective, root=root, topology=topology, d=d, n=n,
                  w=w, m=m, f=f, ports=ports)
        given = Schedule.read(schedule_file)
    else:
        place = options.make_topology("fat-cube" if topology is None else topology, d=d, n=n, w=w, m=m, f=f)
        ports = "1" if ports is None else ports
        # Before a schedule is built, which can take seconds.
        machine_for(place, ports, _collective_of(collective, place, root)[0])
        given = _build(collective, place, ports, root, dry_run=dry_run).schedule
    check_simulation(given.topology)
    check_schedule(given)
    check_transfers(given.size, f"for a run of {given.collective.value} on {given.topology}")
    if given.per_packet > 1 and mode == "both":
        mode = "lockstep"
        console.print("packets of several messages run in lockstep only")
    messages = None if given.parts == 1 else len(given.collective.messages(given.topology, given.root, given.parts))
    machine = machine_for(given.topology, given.ports, given.collective, parts=given.parts, messages=messages,
                          steps=most_entries(given))
    network = machine.network
    _stop_if(dry_run, f"{given.collective.value} on {network} can be run")
    runs = [Run(schedule=given, payload_flits=length, lockstep=lockstep, seed=seed)
            for lockstep in (True, False) if mode in ("both", "lockstep" if lockstep else "dataflow")
            for length in lengths]
    with doing(f"running {given.collective.value} on {network}"):
        results = simulate_all(machine, runs, simulator=simulator)

    _table(f"{given.collective.value} on {network}: {given.steps} steps scheduled",
           ["mode", "payload flits", "steps", "cycles", "conflicts", "lane utilisation", "delivered"],
           [["lockstep" if run.lockstep else "dataflow", run.payload_flits, result.steps if run.lockstep else "-",
             result.cycles, result.conflicts, f"{result.lane_utilisation:.1%}", result.delivered]
            for run, result in zip(runs, results)])
    fits = {}
    for lockstep in {run.lockstep: None for run in runs}:
        points = [(run.payload_flits, result.cycles) for run, result in zip(runs, results) if run.lockstep == lockstep]
        name = "lockstep" if lockstep else "dataflow"
        # Where packets may have several messages, the steps are not all of one length.
        if len({length for length, _ in points}) >= 3 and given.per_packet == 1:
            fits[name] = fit(points, given.steps)
            console.print(f"{name}: start-up τ = {fits[name].startup:.2f} cycles a step, "
                          f"t_c = {fits[name].per_flit:.3f} cycles a flit and step", highlight=False)
    _write_json(json_file, lambda: record(
        {**machine.to_json(), "collective": given.collective.value, "root": given.root, "simulator": simulator},
        {"runs": [{"mode": "lockstep" if run.lockstep else "dataflow", "payload_flits": run.payload_flits,
                   "steps": result.steps, "cycles": result.cycles, "conflicts": result.conflicts,
                   "flits": result.flits, "lane_utilisation": result.lane_utilisation,
                   "delivered": result.delivered, "failures": list(result.failures)}
                  for run, result in zip(runs, results)],
         "fit": {name: {"tau": one.startup, "t_c": one.per_flit} for name, one in fits.items()}}, seed=seed))
    _fail([failure for result in results for failure in result.failures])


@app.command(epilog="Example: `fatcube synthesize -d 2 -m 2 --ports d --family ecp5`")
def synthesize(
        topology: options.Topology = "fat-cube", d: options.Dimensions = None,
        n: options.CycleLength = None, w: options.SideLength = None, m: options.Processors = None,
        f: options.Lanes = None, ports: options.Ports = "1", width: options.Width = 32,
        buffer_depth: options.BufferDepth = 2, pipeline: options.Pipeline = 1, hops: options.Hops = 1,
        turns: options.Turns = "used", fast_buffers: options.FastBuffers = False,
        family: Annotated[str, typer.Option(
            "--family", help="ecp5 or ice40; for area alone also xilinx (7-series), gowin, or gates: CMOS gates and "
                             "transistors.")] = "ecp5",
        seeds: Annotated[str, typer.Option("--seeds", help="Placement seeds; Fmax is their median.")] = "1,2,3",
        fmax: Annotated[Optional[bool], typer.Option(
            help="Place and route, for Fmax; without either, where the family has it.")] = None,
        dry_run: options.DryRun = False, json_file: _json = None):
    """Measures the area and Fmax of a network's router, and the area of its crossbar alone and of all routers."""
    from fatcube.silicon import area_rows, crossbar_area, router_silicon
    from synth.families import find_family
    from synth.nextpnr import check_seeds
    topology = options.make_topology(topology, d=d, n=n, w=w, m=m, f=f)
    network = options.make_network(topology, ports, width, buffer_depth, pipeline, hops, turns, fast_buffers)
    seed_list = check_seeds(_integers("seeds", seeds))
    if fmax:
        find_family(family).check_place_and_route()
    _stop_if(dry_run, f"the router of {network} can be synthesized for {find_family(family).title}")
    with doing(f"synthesising the router of {network}"):
        router = router_silicon(network, seeds=seed_list, fmax=fmax, family=family, jobs=2)
        crossbar = crossbar_area(network, family=family)
    nodes = network.topology.nodes
    speeds = [("Fmax MHz", router.fmax_mhz), ("Fmax MHz, wide LUTs", router.fmax_wide_mhz)]
    _table(f"router of {network} on {find_family(family).title}",
           ["", "router", "crossbar alone, a x b", f"network: {nodes} routers"],
           [*area_rows([router.area, crossbar, router.area * nodes]),
            *([name, f"{mhz:.1f}", "-", "-"] for name, mhz in speeds if mhz)])
    _write_json(json_file, lambda: record(
        {**network.to_json(), "family": family},
        {**router.to_json(), "crossbar_comb_equivalents": crossbar.comb_equivalents,
         "network": (router.area * nodes).to_json()}, seed=seed_list))


@app.command(epilog="Examples: `fatcube sweep study.toml`, `fatcube sweep study.toml --scheduler tcp://10.0.0.1:8786`")
def sweep(
        file: Annotated[Path, typer.Argument(help="A TOML file of lists of parameters: see docs/design.md.")],
        results: Annotated[Optional[Path], typer.Option(
            "--results", help="The results file, gone on with if it is there; the sweep's name with .sqlite "
                              "without it.")] = None,
        jobs: Annotated[int, typer.Option("--jobs", help="Processes at a time on this machine.")] = 2,
        scheduler: Annotated[Optional[str], typer.Option(
            "--scheduler", help="The address of a running Dask scheduler, instead.")] = None,
        retry: Annotated[bool, typer.Option("--retry", help="Try again what failed before.")] = False,
        dry_run: options.DryRun = False,
        json_file: Annotated[Optional[Path], typer.Option(
            "--json", callback=_file,
            help="Also write the records of these points to this file, as JSON lines.")] = None):
    """Measures many configurations: schedule, RTL, cycles, area, Fmax. Killed, it goes on where it was."""
    from fatcube.points import read_points
    from fatcube.results import Results, write_records
    from fatcube.sweep import sweep as run_sweep
    path = file.with_suffix(".sqlite") if results is None else results
    _apart(file, path, json_file)
    points = read_points(file)
    check_integer("jobs", jobs, minimum=1)
    _stop_if(dry_run, f"{len(points)} points can be measured")
    with Results(path) as store:
        summary = run_sweep(points, store, jobs=jobs, scheduler=scheduler, retry=retry)
        if json_file is not None:
            found = [store.find(point.key) for point in points]
            write_records(json_file, [measured for measured, _ in found if measured])
    console.print(f"{len(points)} points: {summary.measured} measured now, {summary.looked_up} found in {path}, "
                  f"{len(summary.failures)} failed", highlight=False, soft_wrap=True)
    _fail(summary.failures)


@app.command(epilog="Examples: `fatcube explore --processors 64 --workload alltoall:4,allgather:1`, "
                    "`fatcube explore --processors 16 --workload broadcast --max-luts 20000 --payload-flits 64`")
def explore(
        processors: Annotated[int, typer.Option("--processors", help="How many; 2 to 256.")] = 64,
        workload: Annotated[str, typer.Option(
            "--workload", help="Collectives and how often each runs, as in alltoall:4,allgather:1.")] = "alltoall",
        family: Annotated[str, typer.Option("--family", help="One that the results have measured.")] = "ecp5",
        max_luts: Annotated[Optional[int], typer.Option(
            "--max-luts", help="The most COMB equivalents of all routers together.")] = None,
        payload_flits: Annotated[int, typer.Option("--payload-flits", help="Payload flits of every packet.")] = 16,
        width: options.Width = 32, results: _results = None, wide: options.Wide = False,
        csv_file: options.Csv = None, json_file: _json = None):
    """The hypercubes and fat cubes that no other beats in area and time for a workload, from stored results.

    It chooses between hypercubes and fat cubes only, with routers of two flits an input and a cycle a hop.
    """
    from fatcube.explore import SCOPE, explore as find_choices, front, parse_workload
    from fatcube.results import read_records
    from fatcube.study import Study, committed_study
    from synth.families import find_family
    results = committed_study() if results is None else results
    _apart(results, csv_file, json_file)
    if max_luts is not None:
        check_integer("max LUTs", max_luts, minimum=1)
    wanted = parse_workload(workload)
    study = Study(read_records(results), find_family(family).name)
    with doing(f"counting the steps of networks of {processors} processors"):
        found = find_choices(processors, wanted, study, payload_flits=payload_flits, width=width)
        choices, best = found.choices, front(found.choices, max_luts=max_luts)
    if not best:
        _complain(f"no network of {processors} processors has routers of at most {max_luts:,} LUTs together; the "
                  f"smallest has {min(choice.luts for choice in choices):,.0f}")
        raise typer.Exit(1)
    names = " + ".join(f"{times:g} x {collective.value}" for collective, times in wanted.items())
    columns = [Column("network"), Column("model"), Column("a b of all routers", 5), Column("links", 4), Column("LUTs"),
               Column("Fmax MHz", 1), Column("steps", 2), Column("cycles", 3), Column("µs")]
    cells = [[choice.network.topology, choice.network.ports.value, Shown(choice.ab, f"{choice.ab:,}"), choice.links,
              Shown(choice.luts, f"{choice.luts:,.0f}{_mark(choice.luts_from)}"),
              Shown(choice.mhz, f"{choice.mhz:.1f}{_mark(choice.mhz_from)}"),
              " + ".join(map(str, choice.steps.values())), Shown(choice.cycles, f"{choice.cycles:,.0f}"),
              Shown(choice.microseconds, f"{choice.microseconds:,.2f}{_mark(choice.mhz_from)}")] for choice in best]
    _table(f"{names}, {payload_flits} payload flits, {processors} processors, {study.family}: {len(best)} of "
           f"{len(choices)} configurations", columns, cells, wide=wide)
    console.print(f"Of {SCOPE}, with flits of {width} bits.", highlight=False, soft_wrap=True)
    if found.left_out:
        console.print(f"{len(found.left_out)} more were left out, as their routers were not measured: "
                      f"{found.left_out[0]}.", highlight=False, soft_wrap=True)
    errors = study.models
    console.print(
        "Cycles are those of lockstep, and exact. ~ from a model, ? from a model of smaller routers. " + "; ".join(
        f"{name} of a router left out of the fit: {model.mean:.1%} off on average, {model.worst:.1%} at most, "
        f"{model.within(0.1)} of {len(model.errors)} within 10 %" for name, model in errors.items()),
        highlight=False, soft_wrap=True)
    if csv_file is not None:
        write_csv(csv_file, [*columns, "LUTs from", "Fmax from"],
                  [[*row, choice.luts_from, choice.mhz_from] for row, choice in zip(cells, best)])
    _write_json(json_file, lambda: record(
        {"processors": processors, "workload": {one.value: times for one, times in wanted.items()},
         "family": study.family, "payload_flits": payload_flits, "width": width, "max_luts": max_luts,
         "results": results.name, "of": SCOPE},
        {"front": [choice.to_json() for choice in best], "configurations": len(choices),
         "left_out": len(found.left_out), "left_out_because": found.left_out[0] if found.left_out else None,
         "held_out": {name: {"mean": model.mean, "worst": model.worst, "routers": len(model.errors)}
                      for name, model in errors.items()}}))


@app.command(epilog="Examples: `fatcube report`, `fatcube report --results study.sqlite -o reports`")
def report(
        results: _results = None,
        family: Annotated[str, typer.Option("--family", help="One that the results have measured.")] = "ecp5",
        output: Annotated[Path, typer.Option("-o", callback=_folder, help="The folder for page, Markdown and figures.")]
        = Path("synth_reports")):
    """Tables and figures of a results file: one page for any browser, and Markdown."""
    from fatcube.report import write_report
    from fatcube.results import read_records
    from fatcube.study import Study, committed_study
    from synth.families import find_family
    study = Study(read_records(committed_study() if results is None else results), find_family(family).name)
    with doing("writing the report"):
        paths = write_report(study, output)
    console.print(f"{len(study.records)} records of {len(study.routers)} routers. Written: "
                  f"{', '.join(map(str, paths))}", highlight=False, soft_wrap=True)


@app.command(epilog="Example: `fatcube reproduce`")
def reproduce(
        output: Annotated[Path, typer.Option("-o", callback=_folder, help="The folder for the tables and the page.")]
        = Path("synth_reports"),
        jobs: Annotated[int, typer.Option("--jobs", help="Processes at a time.")] = 2,
        dry_run: options.DryRun = False):
    """The papers' tables, printed beside computed and measured on real RTL."""
    from fatcube.reproduce import reproduce as run_study
    check_integer("jobs", jobs, minimum=1)
    _stop_if(dry_run, f"the tables can be written to {output}")
    problems = run_study(output, jobs=jobs, console=console)
    _fail(problems)


@app.command(epilog="Example: `fatcube audit fat-cube -o synth_reports`")
def audit(
        paper: Annotated[str, typer.Argument(help=f"The paper: {', '.join(_AUDITS)}.")],
        output: Annotated[Path, typer.Option(
            "-o", callback=_folder, help="The folder for the table, the page and the evidence.")]
        = Path("synth_reports"),
        time_limit: Annotated[float, typer.Option("--time-limit", help="Seconds for one search.")] = 60.0,
        dry_run: options.DryRun = False, json_file: _json = None):
    """Goes through a paper claim by claim: printed, recomputed, proven, verdict, evidence."""
    from fatcube.audit import Evidence, verdicts, write_audit
    module, title, note = _AUDITS[check_choice("paper", paper, _AUDITS)]
    _time_limit(time_limit)
    _stop_if(dry_run, f"{paper} can be audited, and written to {output}")
    claims = importlib.import_module(module)
    with doing(f"auditing {paper}") as progress:
        evidence = Evidence(output / paper, time_limit=time_limit, progress=progress,
                            searched=getattr(claims, "searched", None))
        rows = list(claims.rows(evidence))
    paths = write_audit(rows, output, paper, title, note)
    console.print(f"{title}\n", highlight=False)
    for row in rows:
        if row.verdict != "holds":
            console.print(f"{row.where}: {row.claim}\n    printed {row.printed}; {row.recomputed}\n    {row.verdict}"
                          f"{'' if row.optimum == '-' else f' (proven optimum: {row.optimum})'}\n",
                          highlight=False, soft_wrap=True, markup=False)
    console.print(f"{len(rows)} claims: {verdicts(rows)}. All of them, with evidence: {', '.join(map(str, paths))}",
                  highlight=False, soft_wrap=True)
    if json_file is not None:
        _write_json(json_file, lambda: record({"paper": paper}, {"rows": [dataclasses.asdict(row) for row in rows]}))


@app.command(epilog="Examples: `fatcube compare --processors 16`, `fatcube compare --processors 64 --ports d`")
def compare(
        processors: Annotated[int, typer.Option("--processors", help="About how many; 4 to 512.")] = 16,
        ports: options.Ports = "1",
        tolerance: Annotated[float, typer.Option("--tolerance", help="The largest difference, as a part.")] = 0.15,
        run: Annotated[bool, typer.Option("--run", help="Run the schedules on the RTL too; a build each.")] = False,
        output: Annotated[Path, typer.Option("-o", callback=_folder, help="The folder for tables and figure.")]
        = Path("synth_reports"), wide: options.Wide = False, csv_file: options.Csv = None,
        dry_run: options.DryRun = False):
    """Topologies side by side at about the same number of processors: graph, price, steps, cycles."""
    from fatcube.compare import candidates, compare as compare_networks, tables, write_comparison
    _apart(csv_file, *(output / f"compare-{processors}.{ending}" for ending in ("md", "json", "html")))
    ports = PortModel.parse(ports).value
    check_number("tolerance", tolerance, minimum=0, maximum=1)
    found = candidates(processors, tolerance=tolerance)
    _stop_if(dry_run, f"{len(found)} networks can be compared: {', '.join(map(str, found))}")
    rows = compare_networks(found, ports, run=run)
    for title, (columns, cells) in zip(("graphs and prices", "steps"), tables(rows)):
        _table(title, [Column(column, _RANKS.get(column, 0)) for column in columns], cells, wide=wide)
    if csv_file is not None:
        flat = [{**{name: value for name, value in row.items() if name != "collectives"},
                 **{f"{collective} {name.replace('_', ' ')}": value for collective, one in row["collectives"].items()
                    for name, value in one.items() if name != "failures"}} for row in rows]
        write_csv(csv_file, [name.replace("_", " ") for name in flat[0]], [list(row.values()) for row in flat])
    paths = write_comparison(rows, output, processors, ports)
    console.print(f"Written to {', '.join(map(str, paths))}", highlight=False, soft_wrap=True)
    _fail([f"{row['network']}: {failure}" for row in rows for one in row["collectives"].values()
           for failure in one.get("failures", ())])


@app.command(epilog="Examples: `fatcube curves`, `fatcube curves --dimensions 2,3 -o out`")
def curves(
        dimensions: Annotated[str, typer.Option("--dimensions", help="Of the cubes, 2 to 6.")] = "2,3,4,5,6",
        jobs: Annotated[int, typer.Option("--jobs", help="Cubes that are built and run at a time.")] = 2,
        output: Annotated[Path, typer.Option("-o", callback=_folder, help="The folder for tables and figures.")]
        = Path("synth_reports"), dry_run: options.DryRun = False):
    """Times of the spanning-graphs paper's algorithms against packet size, measured on the RTL beside the formulas."""
    from fatcube.curves import BEST_COLUMNS, best_cells, check_dimensions, measure_curves, write_curves
    cubes = check_dimensions(_integers("dimensions", dimensions))
    check_integer("jobs", jobs, minimum=1)
    _stop_if(dry_run, f"cubes of {', '.join(map(str, cubes))} dimensions can be measured")
    rows = measure_curves(cubes, jobs=jobs)
    _table("best packet size", BEST_COLUMNS, best_cells(rows))
    paths = write_curves(rows, output)
    console.print(f"Written to {', '.join(map(str, paths))}", highlight=False, soft_wrap=True)
    _fail([f"{row['collective']} along {row['graph']}, n = {row['n']}, B = {row['packet']}: {failure}"
           for row in rows for failure in row["failures"]])


@app.command(epilog="Example: `fatcube gaps --time-limit 60`")
def gaps(
        output: Annotated[Path, typer.Option("-o", callback=_folder, help="The folder for the table.")]
        = Path("synth_reports"),
        time_limit: Annotated[
            float, typer.Option("--time-limit", help="Seconds for the search in an open case.")] = 2.0,
        dry_run: options.DryRun = False):
    """How far the schedules are from their lower bounds, on the fat cubes with d <= 4, m <= 8, f <= 3 and P <= 32."""
    from fatcube.gaps import gaps as find_gaps, write_gaps
    _time_limit(time_limit)
    _stop_if(dry_run, f"the gaps can be searched, and written to {output}")
    found = find_gaps(time_limit=time_limit)
    output.mkdir(parents=True, exist_ok=True)
    rows = write_gaps(found, output)
    _table("cases in which the steps equal a proven lower bound", ["collective", "1", "b", "d", "*"], rows)
    console.print(f"{sum(one['gap'] > 0 for one in found)} of {len(found)} cases have a gap; they are listed in "
                  f"{output / 'gaps.md'}", highlight=False, soft_wrap=True)


def _time_limit(seconds):
    """Seconds of a search; a day is more than anybody waits."""
    return check_number("time limit", seconds, minimum=0, maximum=86_400)


def _collective_of(text, topology, root):
    if text is None:
        raise ParameterError("collective must be given (-c), as in -c all-gather")
    collective = Collective.parse(text)
    if not collective.rooted:
        if root is not None:
            raise ParameterError(f"root must be left out for {collective.value}, which has none, not {root}")
        return collective, 0
    return collective, collective.check_root(topology, 0 if root is None else root)


def _apart(*paths):
    """Refuses two files that are one, or writing one would destroy the other."""
    given = [path for path in paths if path is not None]
    for index, path in enumerate(given):
        if path.resolve() in {other.resolve() for other in given[:index]}:
            raise ParameterError(f"output must be another file than what is read or written besides, not {path}")


def _along(graph, topology, ports, collective, root, parts, per_packet, model, dry_run):
    """What :func:`_build` returns, for a schedule that follows a spanning graph."""
    if not isinstance(topology, Hypercube):
        raise ParameterError(f"topology must be a hypercube (--topology hypercube) along a spanning graph, not {topology}")
    collective, root = _collective_of(collective, topology, root)
    tree = spanning_graph(graph, topology.d, root)
    check_size(topology, "d", Collective.OAB)  # that spreads a part, for the bound
    if per_packet == 1:
        check_along(tree, topology, collective, parts, model.one_partner or PortModel.parse(ports) is PortModel.ONE)
    _stop_if(dry_run, f"{collective.value} along {graph} on {topology} can be built")
    start = time.monotonic()
    found = along(tree, ports, collective, one_partner=model.one_partner, parts=parts, per_packet=per_packet)
    # However much a packet holds, what comes from one processor spreads no faster than in a broadcast.
    what = {"collective": collective, "parts": parts} if per_packet == 1 else {"collective": Collective.OAB}
    bound = lower_bound(topology, found.ports, root=root, model=model, **what)
    how = ", ".join([f"the spanning graph {graph}", *([f"{parts} parts"] if parts > 1 else []),
                     *([f"up to {per_packet} messages a packet"] if per_packet > 1 else [])])
    return Finding(found, how, bound, time.monotonic() - start)


def _build(collective, topology, ports, root, *, dry_run=False, **keywords):
    collective, root = _collective_of(collective, topology, root)
    check_size(topology, ports, collective)
    _stop_if(dry_run, f"{collective.value} on {topology} can be built")
    with doing(f"building {collective.value} on {topology}"):
        return best(topology, PortModel.parse(ports), collective, root, **keywords)


def _mark(source):
    """What stands behind a number: nothing if it was measured."""
    return {"model": "~", "extrapolated": "?"}.get(source, "")


def _integers(name, text):
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(f"{name} must be integers with commas between them, not {text!r}") from None


def _table(title, columns, rows, *, wide=False):
    show(console, title, columns, rows, wide=wide)


def _stop_if(dry_run, what):
    """Ends a command that was to check everything and to do nothing."""
    if dry_run:
        console.print(f"checked: {what}; nothing was done (--dry-run)", highlight=False, soft_wrap=True)
        raise typer.Exit(0)


def _write_json(path, make):
    if path is not None:
        write_text(path, json.dumps(make(), indent=1) + "\n")


def _fail(failures, *, most=20):
    """Exit status 1 if anything failed, with the first failures."""
    if not failures:
        return
    for failure in failures[:most]:
        print(f"FAILED: {failure}", file=sys.stderr)
    if len(failures) > most:
        print(f"... and {len(failures) - most} more", file=sys.stderr)
    raise typer.Exit(1)
