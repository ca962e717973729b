"""`fatcube compare`: topologies of about the same number of processors side by side: graph, price, steps, cycles."""

from collections.abc import Callable, Iterable, Mapping, Sequence
import contextlib
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, integers, refuse_given, require, was_given
from fatcube.cli.choices import choice
from fatcube.cli.flags import made_from_flags, ports_flag, step_model_flags
from fatcube.cli.given_networks import named_network, network_for_schedules
from fatcube.cli.graphs import graph_in
from fatcube.cli.output import fail, note, print_table, remark, say, say_duration, stop_if, with_command, write_json
from fatcube.cli.schedules.several import FILE_OR_COLLECTIVE, OF_SCHEDULES, SeveralSchedules, several_flags
from fatcube.cli.short_names import FORMS, is_short_name
from fatcube.groundwork.progress import is_quiet
from fatcube.groundwork.validation import ParameterError, check_number
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topology import Topology
from fatcube.reports.table import Column, write_csv
from fatcube.rtl.port_model import PortModel
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
_OF_TOPOLOGIES = ("processors", "tolerance", "load", "fmax", "whole", "seeds", "output")
_OVERRIDE = ("ports", "links")  # flags that keys of network files have too
_QUICK = 20  # processors that are compared in less than half a minute
_SECONDS = 60  # of a comparison of more, and of what is run on each network


@command(
    more="If short names or network files are given, these networks are compared; flags override them. With --schedule or "
    "-c, schedules are compared instead: those of files, and those that are built in each of the ways given, on the networks "
    "or for what the files do. --links, --transfers and --per-packet change steps and "
    "runs; each schedule is the best one that is constructed. On two cores, 16 processors take about 10 seconds,"
    " 24 to 64 about a minute. --run and --load take about a minute more for each network.",
    epilog=examples(
        "compare --processors 16",
        "compare --processors 64 --ports d",
        "compare --processors 16 --load uniform",
        "compare --processors 16 --links half-duplex --per-packet 4 --run",
        "compare --processors 16 --failed link:0-1",
        "compare --schedule theirs.json --schedule ours.json --run",
        "compare --schedule theirs.json --optimal --parts auto",
        "compare hypercube:4 -c OAB --ports d --one-partner --along sbt --along nesbt --parts 8",
        "compare mesh:4x4 torus:4x4 hypercube:4 fat-cube:2,4,1 switch:16",
        "compare soc.toml wide.toml --load uniform",
        "compare soc.toml --processors 16",
    ),
)
@made_from_flags(ports=ports_flag(), steps=step_model_flags(), schedules=several_flags())
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
    schedules: SeveralSchedules | None,
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
    from fatcube.studies.comparing.differences import differences
    from fatcube.studies.comparing.pages import comparison_record, comparison_stem, write_comparison, write_page
    from fatcube.studies.comparison import tables

    files = networks or []
    if schedules is not None:
        given = _networks_of_schedules(context, schedules, files, topology_files or [], failed, failures)
        read: list[Path] = [*schedules.files, *_read(files), *(topology_files or [])]
        apart(csv_file, page, json_file, *dict.fromkeys(read))  # A schedule may be compared with itself.
        schedules.compare(
            given, steps, run=run, dry_run=dry_run, wide=wide, csv_file=csv_file, page=page, json_file=json_file
        )
        return
    require(context, FILE_OR_COLLECTIVE, *OF_SCHEDULES)
    check_number("tolerance", tolerance, minimum=0, maximum=1)
    of_files = _given_networks(context, files, failed, failures)
    size = _size(context, processors, files=bool(files))
    flow = _flow(context, fmax, whole=whole, seeds=seeds)
    if flow is not None and load is None:
        load = "uniform"
    apart(csv_file, page, json_file, *_read(files))
    if output is not None:
        apart(csv_file, *(output / f"{comparison_stem(size)}.{ending}" for ending in ("md", "json", "html")))
    found = _others(size, tolerance, ports, steps, load, topology_files, (failed, failures))
    all_of_them = [*(one.network.topology for one in of_files), *found]
    _check_sizes(all_of_them, simulated=run or load is not None)
    check_given(of_files, steps, load)
    number = len(all_of_them)
    stop_if(
        dry_run,
        f"{number} network{'s' * (number > 1)} can be compared: {name_from('; '.join(map(str, [*of_files, *found])))}",
    )
    if run or load or any(topology.processors > _QUICK for topology in all_of_them):
        say_duration(_SECONDS * (1 + number * (run + (load is not None))))
    _say_rest(of_files, found, flow, ports)
    rows = compare_given(of_files, steps=steps, run=run, load=load, flow=flow)
    if found:
        rows += compare_networks(found, ports, steps=steps, run=run, load=load, flow=flow)
    if differing := differences(rows, size):
        say(differing)
    for title, (columns, cells) in zip(_titles(load, flow), tables(rows)):
        print_table(title, [Column(column, _RANKS.get(column, 0)) for column in columns], cells, wide=wide)
    _say_notes(rows, flow)
    if csv_file is not None:
        _write_rows(csv_file, rows)
    write_json(json_file, lambda: comparison_record(rows, size, ports, steps, files, flow))
    if page is not None:
        write_page(rows, page, size, ports, steps, files, made_by=with_command)
        say(f"Written to {page}")
    if output is not None:
        note("-o FOLDER writes all of these files; --page FILE.html, --page FILE.md and --json FILE write one each")
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
        "--no-fmax adds area and load": Flow(),
        "--fmax also the clock of the routers": Flow(fmax=True),
        "--whole also that of the placed networks": Flow(fmax=True, whole=True),
    }
    times = [
        f"{flag} (about {max(1, round(sum(flow_seconds(one, part) for one in routed) / 60)):,} min)"
        for flag, part in parts.items()
    ]
    if routed and (flow is None or not flow.whole):
        remark(f"more columns, and the processor time that they take with an empty cache: {', '.join(times)}")


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
    return _each(named_network, files, flags, failed, failures)


def _each(
    named: Callable[[Any, Mapping[str, Any]], Network],
    files: Iterable[str | Path],
    flags: Mapping[str, Any],
    failed: str | None,
    failures: Path | None,
) -> list[GivenNetwork]:
    """The networks of these names; and behind each the same with failures, if there are any."""
    broken = {name: value for name, value in (("failed", failed), ("failures", failures)) if value is not None}
    found = []
    for file in files:
        found.append(GivenNetwork(str(file), named(file, flags)))
        if broken:
            found.append(GivenNetwork(str(file), named(file, {**flags, **broken})))
    return found


def _networks_of_schedules(
    context: typer.Context,
    schedules: SeveralSchedules,
    files: Sequence[str],
    topology_files: Sequence[Path],
    failed: str | None,
    failures: Path | None,
) -> list[GivenNetwork]:
    """The networks on which schedules are built that are compared: none if they are built for what schedule files say."""
    refuse_given(context, "where schedules are compared", *_OF_TOPOLOGIES)
    there: list[str | Path] = [*files, *topology_files]
    if not schedules.task and not (schedules.ways and there):
        for one in there:
            raise ParameterError(
                f"networks must be left out with --schedule, where schedules are compared, unless some are built (-c), not {one}"
            )
        told = ("ports", "failed", "failures", *StepModel.names(), "half_duplex", "one_partner")
        refuse_given(context, "where schedule files define it", *told)
        if schedules.files:
            return []
    if not there:
        raise ParameterError("networks must be given, as in fatcube compare hypercube:3 -c OAB --along sbt")
    # Of links, the steps say what there is.
    flags = {"ports": context.params["ports"]} if was_given(context, "ports") else {}
    return _each(network_for_schedules, there, flags, failed, failures)


def _read(files: Sequence[str]) -> list[Path]:
    """The files among the names of networks."""
    return [Path(one) for one in files if not is_short_name(one)]


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
