"""`fatcube compare`: topologies of about the same number of processors side by side: graph, price, steps, cycles."""

from collections.abc import Iterable, Mapping, Sequence
import contextlib
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, integers, refuse_given, was_given
from fatcube.cli.choices import choice
from fatcube.cli.flags import made_from_flags, ports_flag, step_model_flags
from fatcube.cli.given_networks import named_network
from fatcube.cli.graphs import graph_in
from fatcube.cli.output import fail, note, print_table, remark, say, say_duration, stop_if, write_json
from fatcube.cli.short_names import FORMS, is_short_name
from fatcube.groundwork.progress import is_quiet
from fatcube.groundwork.validation import ParameterError, check_number
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topology import Topology
from fatcube.reports.table import Column, write_csv
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.checker import check as check_schedule
from fatcube.schedules.schedule_file import read_schedule
from fatcube.schedules.size import check_transfers
from fatcube.schedules.step_model import Links, StepModel
from fatcube.sim.size import check_simulation
from fatcube.sim.traffic.patterns import PATTERNS
from fatcube.studies.comparing.silicon import Flow, flow_seconds
from fatcube.studies.comparison import ON_WHAT, Compared, GivenNetwork, limits

__all__ = ["compare"]


_RANKS = {
    "average distance": 6,
    "connectivity": 5,
    "a b": 4,
    "nodes": 3,
    "bisection": 2,
    "degree": 2,
    "links": 1,
    "diameter": 1,
}  # the columns that a narrow terminal leaves out, the highest first
_SCHEDULE_RANKS = {"network": 3, "collective": 2, "ports": 1}
_OF_TOPOLOGIES = (
    "processors",
    "ports",
    "transfers",
    "links",
    "per_packet",
    "half_duplex",
    "tolerance",
    "topology_files",
    "failed",
    "failures",
    "load",
    "fmax",
    "whole",
    "seeds",
    "page",
    "json_file",
    "output",
)
_OVERRIDE = ("ports", "links")  # flags that keys of network files have too
_QUICK = 20  # processors that are compared in less than half a minute
_SECONDS = 60  # of a comparison of more, and of what is run on each network


@command(
    more="If short names or network files are given, these networks are compared; flags override them. With --schedule, "
    "schedule files are compared instead. --links, --transfers and --per-packet change steps and "
    "runs; each schedule is the best one that is constructed. On two cores, 16 processors take about 10 seconds,"
    " 24 to 64 about a minute. --run and --load take about a minute more for each network.",
    epilog=examples(
        "compare --processors 16",
        "compare --processors 64 --ports d",
        "compare --processors 16 --load uniform",
        "compare --processors 16 --links half-duplex --per-packet 4 --run",
        "compare --processors 16 --failed link:0-1",
        "compare --schedule theirs.json --schedule ours.json --run",
        "compare mesh:4x4 torus:4x4 hypercube:4 fat-cube:2,4,1 switch:16",
        "compare soc.toml wide.toml --load uniform",
        "compare soc.toml --processors 16",
    ),
)
@made_from_flags(ports=ports_flag(), steps=step_model_flags(without=("port_use", "dedicated_ports")))
def compare(
    context: typer.Context,
    networks: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="[NETWORK]...",
            help=f"Networks to compare; others are added only by --processors or --topology-file: {FORMS}, also by name, "
            "as in mesh:4x4,m=2; or network files (.toml or .json) and descriptions (.json) of generated networks, with their own "
            "routers.",
            show_default=False,
        ),
    ] = None,
    processors: Annotated[
        int,
        typer.Option("--processors", help="Approximate number of processors, 4 to 512.", rich_help_panel=Panel.NETWORK),
    ] = 16,
    *,
    ports: PortModel,
    steps: StepModel,
    tolerance: Annotated[
        float,
        typer.Option(
            "--tolerance", help="Maximum relative difference from that number.", rich_help_panel=Panel.NETWORK
        ),
    ] = 0.15,
    topology_files: Annotated[
        Optional[list[Path]],
        typer.Option(
            "--topology-file",
            help="File with a further topology to compare, with any number of processors; may be given several times.",
            rich_help_panel=Panel.NETWORK,
        ),
    ] = None,
    failed: Annotated[
        Optional[str],
        typer.Option(
            "--failed",
            help="Compare each network also with these failures, such as link:0-1,node:5.",
            rich_help_panel=Panel.NETWORK,
        ),
    ] = None,
    failures: Annotated[
        Optional[Path],
        typer.Option(
            "--failures",
            help="JSON file with failures of each network; see Faults in the manual.",
            rich_help_panel=Panel.NETWORK,
        ),
    ] = None,
    schedule_files: Annotated[
        Optional[list[Path]],
        typer.Option(
            "--schedule",
            help="Compare schedule files in place of topologies, from any program; may be given several times.",
            rich_help_panel=Panel.SCHEDULE,
        ),
    ] = None,
    run: Annotated[
        bool,
        typer.Option(
            "--run",
            help="Also run the schedules on the RTL, which takes a compilation per network.",
            rich_help_panel=Panel.RUN,
        ),
    ] = False,
    load: Annotated[
        Optional[str],
        choice(
            "--load",
            PATTERNS,
            name="pattern",
            help="Also measure latency and throughput on the RTL under this traffic, which takes a minute per network or more.",
            panel=Panel.RUN,
        ),
    ] = None,
    fmax: Annotated[
        Optional[bool],
        typer.Option(
            help="Also measure area and load (uniform, or --load), and with --fmax place and route the routers for their clock, "
            "or with --whole the networks.",
            show_default=False,
            rich_help_panel=Panel.RUN,
        ),
    ] = None,
    whole: Annotated[
        bool,
        typer.Option(
            "--whole",
            help="Also measure each network as one design, placed and routed unless --no-fmax is given.",
            rich_help_panel=Panel.RUN,
        ),
    ] = False,
    seeds: options.Seeds = "1,2,3",
    page: options.Page = None,
    json_file: options.JsonFile = None,
    output: options.OlderFolder = None,
    wide: options.Wide = False,
    csv_file: options.CsvFile = None,
    dry_run: options.DryRun = False,
) -> None:
    from fatcube.noc.topologies import name_from
    from fatcube.studies.compare import check_given, compare_given
    from fatcube.studies.compare import compare as compare_networks
    from fatcube.studies.comparing.pages import comparison_record, comparison_stem, write_comparison, write_page
    from fatcube.studies.comparison import tables

    files = networks or []
    if schedule_files:
        if files:
            raise ParameterError(
                f"network files must be left out with --schedule, where schedules are compared, not {files[0]}"
            )
        refuse_given(context, "with --schedule, where files say what is compared", *_OF_TOPOLOGIES)
        _compare_schedules(schedule_files, run=run, dry_run=dry_run, csv_file=csv_file, wide=wide)
        return
    check_number("tolerance", tolerance, minimum=0, maximum=1)
    of_files = _given_networks(context, files, failed, failures)
    size = _size(context, processors, files=bool(files))
    read = [Path(one) for one in files if not is_short_name(one)]
    flow = _flow(context, fmax, whole=whole, seeds=seeds)
    if flow is not None and load is None:
        load = "uniform"
    apart(csv_file, page, json_file, *read)
    if output is not None:
        apart(csv_file, *(output / f"{comparison_stem(size)}.{ending}" for ending in ("md", "json", "html")))
    found = _others(size, tolerance, ports, steps, load, topology_files, (failed, failures))
    all_of_them = [*(one.network.topology for one in of_files), *found]
    _check_sizes(all_of_them, simulated=run or load is not None)
    check_given(of_files, steps, load)
    number = len(all_of_them)
    stop_if(dry_run, f"{number} networks can be compared: {name_from('; '.join(map(str, [*of_files, *found])))}")
    if run or load or any(topology.processors > _QUICK for topology in all_of_them):
        say_duration(_SECONDS * (1 + number * (run + (load is not None))))
    _say_rest(of_files, found, flow, ports)
    rows = compare_given(of_files, steps=steps, run=run, load=load, flow=flow)
    if found:
        rows += compare_networks(found, ports, steps=steps, run=run, load=load, flow=flow)
    for title, (columns, cells) in zip(_titles(load, flow), tables(rows)):
        print_table(title, [Column(column, _RANKS.get(column, 0)) for column in columns], cells, wide=wide)
    _say_notes(rows, flow)
    if csv_file is not None:
        _write_rows(csv_file, rows)
    write_json(json_file, lambda: comparison_record(rows, size, ports, steps, files, flow))
    if page is not None:
        write_page(rows, page, size, ports, steps, files)
        say(f"Written to {page}")
    if output is not None:
        note("-o FOLDER goes on working; each of these files alone is --page FILE.html, --page FILE.md or --json FILE")
        written = write_comparison(rows, output, size, ports, steps, files, flow)
        say(f"Written to {', '.join(map(str, written))}")
    fail([f"{row.called}: {failure}" for row in rows for failure in row.failures])


def _flow(context: typer.Context, fmax: bool | None, *, whole: bool, seeds: str) -> Flow | None:
    """The synthesis that flags ask for, ``None`` if they ask for none."""
    placed = whole if fmax is None else fmax
    if not placed:
        refuse_given(context, "without Fmax (--fmax)", "seeds")
    if fmax is None and not whole:
        return None
    from fatcube.synth.nextpnr import check_seeds

    return Flow(fmax=placed, whole=whole, seeds=tuple(check_seeds(integers("seeds", seeds))))


def _titles(load: str | None, flow: Flow | None) -> list[str]:
    """The titles of the tables."""
    return ["graphs and prices", "steps", *["under load"] * bool(load), *["area and clock", "routers"] * bool(flow)]


def _say_rest(
    networks: Sequence[GivenNetwork], others: Sequence[Topology], flow: Flow | None, ports: PortModel
) -> None:
    """Say on standard error how long measurements of further columns would take, by the sizes of routers."""
    from fatcube.studies.load import plain_network

    if is_quiet():
        return
    routed = [one.network for one in networks if isinstance(one.network, RoutedNetwork)]
    with contextlib.suppress(ParameterError):
        routed += [plain_network(one, ports) for one in others]
    parts = {
        "--no-fmax (area and load)": Flow(),
        "--fmax (also the clock of routers)": Flow(fmax=True),
        "--whole (also of the placed networks)": Flow(fmax=True, whole=True),
    }
    times = [
        f"{flag} {max(1, round(sum(flow_seconds(one, part) for one in routed) / 60)):,}" for flag, part in parts.items()
    ]
    if routed and (flow is None or not flow.whole):
        remark(f"minutes of processor time for more columns, if nothing is in the cache: about {', '.join(times)}")


def _say_notes(rows: Sequence[Compared], flow: Flow | None) -> None:
    """Say what limits each network under load, and which machines figures are of."""
    for sentence in limits(rows):
        say(sentence)
    if flow is not None:
        say(f"{ON_WHAT}.")


def _size(context: typer.Context, processors: int, *, files: bool) -> int | None:
    """About how many processors topologies have that are compared, ``None`` if only networks of ``files`` are."""
    if not files or was_given(context, "processors"):
        return processors
    refuse_given(context, "where network files are compared and no --processors", "tolerance")
    return None


def _others(
    size: int | None,
    tolerance: float,
    ports: PortModel,
    steps: StepModel,
    load: str | None,
    topology_files: Sequence[Path] | None,
    failures: tuple[str | None, Path | None],
) -> list[Topology]:
    """The topologies of about that size that have these steps, and those of files; and each with failures, if there are any."""
    from fatcube.studies.compare import candidates, check_load, check_steps, each_with_failures, with_lanes, with_ports

    if size is None and not topology_files:
        return []
    check_load(ports, load)
    check_steps(ports, steps, load)
    of_that_size = [] if size is None else with_ports(candidates(size, tolerance=tolerance), ports)
    having = with_lanes(of_that_size, steps)
    if left_out := [one.name for one in of_that_size if one not in having]:
        say(f"{len(left_out)} networks have no {steps.links} links and are left out: {'; '.join(left_out)}")
    found = [*having, *map(graph_in, topology_files or ())]
    if failures != (None, None):
        found, without = each_with_failures(found, *failures)
        for reason in without:
            say(f"not compared with failures: {reason}")
    return found


def _check_sizes(topologies: Iterable[Topology], *, simulated: bool) -> None:
    """Refuse a topology that is too large to be compared, or simulated."""
    from fatcube.studies.compare import check_comparison

    for topology in topologies:
        check_comparison(topology)
        if simulated:
            check_simulation(topology)


def _given_networks(
    context: typer.Context, files: Sequence[str], failed: str | None, failures: Path | None
) -> list[GivenNetwork]:
    """The networks of network files and short names, overridden by flags; and behind each the same with failures, if there are any."""
    flags = {name: context.params[name] for name in _OVERRIDE if was_given(context, name)}
    if was_given(context, "half_duplex"):
        flags["links"] = Links.HALF_DUPLEX.value
    broken = {name: value for name, value in (("failed", failed), ("failures", failures)) if value is not None}
    found = []
    for file in files:
        found.append(GivenNetwork(file, named_network(file, flags)))
        if broken:
            found.append(GivenNetwork(file, named_network(file, flags | broken)))
    return found


def _compare_schedules(files: list[Path], *, run: bool, dry_run: bool, csv_file: Path | None, wide: bool) -> None:
    """Compare schedule files: steps, bounds, and cycles of messages of the same size, whole or in parts."""
    from fatcube.noc.topologies import name_from
    from fatcube.studies.given_schedules import MESSAGE_FLITS, compared

    apart(csv_file, *files)
    schedules = [(str(file), read_schedule(file)) for file in files]
    for _, schedule in schedules:
        check_simulation(schedule.topology)
        check_schedule(schedule)
        check_transfers(schedule.size, f"that is compared, {schedule.work} on the {schedule.topology.name}")
    stop_if(dry_run, f"{len(schedules)} schedules can be compared")
    rows = [compared(name, schedule, run=run) for name, schedule in schedules]
    columns = ["schedule", "network", "collective", "ports", "parts", "steps", "bound", "ratio", "cycles", "dataflow"]
    cells = [
        [
            *(row.schedule, name_from(row.network), row.collective, row.ports, row.parts, row.steps, row.bound),
            *(f"{row.steps / max(row.bound, 1):.2f}", row.cycles, row.dataflow if run else "-"),
        ]
        for row in rows
    ]
    kept = [Column(column, _SCHEDULE_RANKS.get(column, 0)) for column in columns]
    title = f"messages of {MESSAGE_FLITS} flits, {'run on the RTL' if run else 'by the formula'}"
    print_table(title, kept, cells, wide=wide)
    if csv_file is not None:
        write_csv(csv_file, columns, cells)
    fail([f"{row.schedule}: {failure}" for row in rows for failure in row.failures])


def _write_rows(file: Path, rows: Iterable[Compared]) -> None:
    """Write the comparison to a CSV file with the columns of all rows."""
    flat = [_flat(row.to_json()) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    write_csv(file, names, [[row.get(name) for name in names] for row in flat])


def _flat(row: Mapping[str, Any]) -> dict[str, object]:
    """A network of the comparison by columns of a CSV file: those of the collectives begin with their names."""
    graph = {name: value for name, value in row.items() if name not in ("collectives", "load", "silicon")}
    load = {f"load {name}": value for name, value in row.get("load", {}).items() if name != "failures"}
    load |= {f"silicon {name}": value for name, value in row.get("silicon", {}).items()}
    steps = {
        f"{collective} {name}": value
        for collective, one in row["collectives"].items()
        for name, value in one.items()
        if name != "failures"
    }
    return {name.replace("_", " "): value for name, value in {**graph, **steps, **load}.items()}
