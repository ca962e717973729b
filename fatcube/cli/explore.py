"""`fatcube explore`: the Pareto front of area and time over hypercubes and fat cubes, from stored results."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, NoReturn, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart, refuse_given
from fatcube.cli.choices import choice
from fatcube.cli.flags import made_from_flags, router_flags, step_model_flags
from fatcube.cli.given_networks import Fixed, fixed_flags
from fatcube.cli.network_files import NETWORK_FILE
from fatcube.cli.output import complain, print_table, say, say_chosen, write_json, write_page
from fatcube.groundwork.progress import doing
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.reports.table import TitledTable, write_csv
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.step_model import StepModel
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.patterns import PATTERNS

if TYPE_CHECKING:
    from fatcube.studies.explore import Choice
    from fatcube.studies.explore_load import LoadChoice
    from fatcube.studies.study import Study

__all__ = ["explore"]


_WRITTEN = "Written by `fatcube explore`."


class _Files(NamedTuple):
    """The files that the result is written to, if any."""

    page: Path | None
    csv: Path | None
    json: Path | None


def _check(context: typer.Context, given: Mapping[str, Any]) -> None:
    """Refuse what changes nothing with a load: the workload, and routers, which are those that were measured; and a number of
    processors where a file says the topology."""
    if given["load"] is not None:
        if given[NETWORK_FILE] is not None:
            raise ParameterError(
                "network file must be left out with a load (--load), where the networks are those that were measured, not "
                f"{given[NETWORK_FILE]}"
            )
        routers = (name for name in RouterOptions.names() if name != "ports")
        steps = "transfers", "per_packet"
        refuse_given(context, "with a load (--load)", "workload", "payload_flits", "message_bytes", *steps, *routers)
    if given["message_bytes"] is not None:
        why = "with --message-bytes, for which messages are divided into parts"
        refuse_given(context, why, "payload_flits", "transfers", "per_packet")


@command(
    more="A network file fixes its topology, router model and options of routers; the rest is searched.",
    epilog=examples(
        "explore --processors 64 --workload alltoall:4,allgather:1",
        "explore --processors 16 --workload broadcast --page front.html",
        "explore --processors 64 --load uniform --results loads.sqlite",
        "explore --processors 16 --workload broadcast --max-luts 20000 --payload-flits 64",
        "explore --processors 16 --workload alltoall --transfers direct --per-packet 4",
        "explore --processors 16 --workload allreduce --message-bytes 4096",
        "explore soc.toml --workload alltoall",
    ),
)
@made_from_flags(
    _check,
    fixed=fixed_flags(),
    router=router_flags(without=("ports",)),
    steps=step_model_flags(without=("links", "port_use", "dedicated_ports")),
)
def explore(
    context: typer.Context,
    *,
    fixed: Fixed,
    processors: Annotated[
        int,
        typer.Option(
            "--processors",
            help="Processors of each network, 2 to 256; those of a topology in a network file.",
            rich_help_panel=Panel.NETWORK,
        ),
    ] = 64,
    workload: Annotated[
        str,
        typer.Option(
            "--workload",
            help="Collectives and how often each of them runs, such as alltoall:4,allgather:1.",
            rich_help_panel=Panel.SCHEDULE,
        ),
    ] = "alltoall",
    load: Annotated[
        Optional[str],
        choice(
            "--load",
            PATTERNS,
            name="pattern",
            help="Use throughput under this traffic instead of time, over the networks that the results have under load.",
            panel=Panel.RUN,
        ),
    ] = None,
    family: options.MeasuredFamily = "ecp5",
    max_luts: Annotated[
        Optional[int],
        typer.Option(
            "--max-luts",
            help="Maximum area of all routers together, in LUTs (COMB equivalents), gates or NAND2 equivalents, as the family has.",
            rich_help_panel=Panel.RUN,
        ),
    ] = None,
    payload_flits: Annotated[
        int, typer.Option("--payload-flits", help="Payload flits per packet.", rich_help_panel=Panel.RUN)
    ] = 16,
    message_bytes: Annotated[
        Optional[int],
        typer.Option(
            "--message-bytes",
            help="Bytes that each processor has, instead of --payload-flits: messages are divided into the number of parts "
            "(a power of two) that takes the fewest cycles.",
            rich_help_panel=Panel.RUN,
        ),
    ] = None,
    router: RouterOptions,
    steps: StepModel,
    results: options.ResultsFile = None,
    page: options.Page = None,
    wide: options.Wide = False,
    csv_file: options.CsvFile = None,
    json_file: options.JsonFile = None,
) -> None:
    from fatcube.studies.explore import SCOPE, pareto_front, parse_workload
    from fatcube.studies.explore import explore as find_choices
    from fatcube.studies.explore_load import choices_under_load
    from fatcube.studies.explore_page import COLUMNS, cells_of, choices_page, in_unit
    from fatcube.studies.results import read_records
    from fatcube.studies.study import Study, committed_study
    from fatcube.synth.families import find_family

    results = committed_study() if results is None else results
    apart(results, csv_file, json_file, page)
    if max_luts is not None:
        check_integer("max LUTs", max_luts, minimum=1)
    if load is not None:
        LoadOptions(pattern=load)
        found = choices_under_load(
            read_records(results), processors=processors, pattern=load, family=find_family(family).name
        )
        files = _Files(page=page, csv=csv_file, json=json_file)
        _show_loads(found, load, processors, family, max_luts, wide=wide, files=files)
        return
    wanted = parse_workload(workload)
    processors = _processors(context, fixed, processors)
    check_integer("payload flits", payload_flits, minimum=1, maximum=MOST_FLITS - 1)
    if message_bytes is None:
        router = router.for_packets(payload_flits + 1)
    else:
        check_integer("message bytes", message_bytes, minimum=1, maximum=1 << 24)
    say_chosen(router.chosen)
    steps = steps.changed(links=router.links)
    study = Study(read_records(results), find_family(family).name, router)
    with doing(f"counting the steps of networks of {processors} processors"):
        found = find_choices(
            processors,
            wanted,
            study,
            payload_flits=payload_flits,
            options=router,
            allowed=steps,
            message_bytes=message_bytes,
            topology=fixed.topology,
            ports=fixed.ports,
        )
        choices, best = found.choices, pareto_front(found.choices, max_luts=max_luts)
    if not best:
        _none_so_small(processors, max_luts, choices, find_family(family).unit)
    names = " + ".join(f"{times:g} x {collective.value}" for collective, times in wanted.items())
    cells, columns = [cells_of(choice) for choice in best], in_unit(study.unit, COLUMNS)
    size = f"{payload_flits} payload flits" if message_bytes is None else f"{message_bytes:,} bytes of each processor"
    title = f"{names}, {size}, {processors} processors, {study.family}{', ' if str(steps) else ''}{steps}{_said(fixed)}"
    print_table(
        f"{title}: {len(best)} of {len(choices)} configurations are on the Pareto front", columns, cells, wide=wide
    )
    scope = _scope(fixed, SCOPE)
    notes = [f"The configurations are {scope}, with flits of {router.width} bits."]
    if found.left_out:
        notes.append(
            f"{len(found.left_out)} more were omitted, as their routers were not measured: {found.left_out[0]}."
        )
    if message_bytes is not None:
        notes.append(
            "The number of parts is given behind the steps. The clock of each network is the Fmax of its own router."
        )
    notes.append(
        "Cycles are exact, for lockstep. ~ marks a prediction of a model, ? one of a model fitted to smaller routers only. "
        + _remarks(study, router)
    )
    for note in notes:
        say(note)
    if page is not None:
        table = TitledTable(title, "", [one.title for one in columns], cells)
        write_page(page, lambda: choices_page(table, " ".join([*notes, _WRITTEN]), best, choices))
    if csv_file is not None:
        rows = [[*row, choice.luts_from, choice.mhz_from] for row, choice in zip(cells, best)]
        write_csv(csv_file, [*columns, f"{study.unit} from", "Fmax from"], rows)
    write_json(
        json_file,
        lambda: record(
            {
                "processors": processors,
                "workload": {one.value: times for one, times in wanted.items()},
                "family": study.family,
                **({"payload_flits": payload_flits} if message_bytes is None else {"message_bytes": message_bytes}),
                **{name: value for name, value in router.to_json().items() if name != "ports"},
                "max_luts": max_luts,
                **({"step_model": steps.to_file()} if steps.to_file() else {}),
                "results": results.name,
                "of": scope,
                **fixed.to_json(),
            },
            {
                "front": [choice.to_json() for choice in best],
                "configurations": len(choices),
                "left_out": len(found.left_out),
                "left_out_because": found.left_out[0] if found.left_out else None,
                "held_out": {
                    name: {"mean": model.mean, "worst": model.worst, "routers": len(model.errors)}
                    for name, model in study.models.items()
                },
                "flow_note": study.flow_note,
            },
        ),
    )


def _processors(context: typer.Context, fixed: Fixed, asked: int) -> int:
    """The processors of the networks to choose from: those of a fixed topology, or the requested number."""
    if fixed.topology is None:
        return asked
    refuse_given(context, f"with a network file that says the topology, {fixed.topology.name}", "processors")
    return fixed.topology.processors


def _scope(fixed: Fixed, every: str) -> str:
    """A phrase for the networks to choose from."""
    models = "" if fixed.ports is None else f" with routers of model {fixed.ports.value}"
    return (
        f"{every}{models}" if fixed.topology is None else f"{fixed.topology.name}{models or ' with each router model'}"
    )


def _said(fixed: Fixed) -> str:
    """The end of a title: the options that a network file fixes."""
    name = "any topology" if fixed.topology is None else fixed.topology.name
    return f", {name}{fixed.ports.suffix if fixed.ports else ''}" if fixed.to_json() else ""


def _remarks(study: "Study", options: RouterOptions) -> str:
    """Sentences on the errors of the predicting models, on a flow of measurements that is not today's, and on the limits
    of a second cycle."""
    errors = "; ".join(
        f"Error of predicted {name} for routers left out of the fit: {model.mean:.1%} on average, {model.worst:.1%} at most, "
        f"{model.within(0.1)} of {len(model.errors)} within 10 %"
        for name, model in study.models.items()
    )
    more = " ".join(filter(None, (study.flow_note, _second_cycle([options.to_json()]))))
    return f"{errors}. {more}" if more else errors


def _second_cycle(routers: Iterable[Mapping[str, Any]]) -> str:
    """The sentence where any of these has two cycles and several virtual channels; else empty."""
    if not any(one["pipeline"] > 1 and one["virtual_channels"] > 1 for one in routers):
        return ""
    return "With several virtual channels, --pipeline 2 does not raise the clock: it saves area, and each hop takes twice as long."


def _none_so_small(
    processors: int, max_luts: int | None, choices: Sequence["Choice | LoadChoice"], unit: str
) -> NoReturn:
    """End the command, as all choices are too large."""
    complain(
        f"no network of {processors} processors has routers of at most {max_luts:,} {unit} together; the "
        f"smallest has {min(choice.luts for choice in choices):,.0f}"
    )
    raise typer.Exit(1)


def _show_loads(
    choices: Sequence["LoadChoice"],
    pattern: str,
    processors: int,
    family: str,
    max_luts: int | None,
    *,
    wide: bool,
    files: _Files,
) -> None:
    """Print and write the Pareto front of area and throughput."""
    from fatcube.studies.explore_load import front_under_load
    from fatcube.studies.explore_page import LOAD_COLUMNS, in_unit, load_cells, load_choices_page
    from fatcube.synth.families import find_family

    best, target = front_under_load(choices, max_luts=max_luts), find_family(family)
    if not best:
        _none_so_small(processors, max_luts, choices, target.unit)
    cells, columns = [load_cells(choice) for choice in best], in_unit(target.unit, LOAD_COLUMNS)
    title = f"{pattern} traffic, {processors} processors, {family}"
    counted = f"{len(best)} of {len(choices)} networks measured are on the Pareto front"
    print_table(f"{title}: {counted}", columns, cells, wide=wide)
    note = "Loads are in flits per cycle per port. Accepted is the maximum over all loads, in flits per cycle per processor. "
    note += f"{target.unit} are those of all routers."
    said = target.flow_note({"fmax_mhz": one.mhz, "commands": one.commands} for one in choices)
    note = " ".join(filter(None, (note, said, _second_cycle(one.parameters for one in choices))))
    say(note)
    if files.page is not None:
        table = TitledTable(title, "", [one.title for one in columns], cells)
        write_page(files.page, lambda: load_choices_page(table, f"{note} {_WRITTEN}", best, choices))
    if files.csv is not None:
        write_csv(files.csv, columns, cells)
    asked = {"processors": processors, "load": pattern, "family": family, "max_luts": max_luts}
    measured = {"front": [choice.to_json() for choice in best], "configurations": len(choices)}
    write_json(files.json, lambda: record(asked, {**measured, "flow_note": said}))
