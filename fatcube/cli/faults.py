"""`fatcube faults`: what every single failure of a network costs, and pairs of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart
from fatcube.cli.flags import made_from_flags, ports_flag, topology_flags
from fatcube.cli.output import fail, print_table, stop_if, write_json, write_page
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError, check_count, check_integer
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel

__all__ = ["faults"]


_MOST = {"nodes": 64, "processors": 1024}  # each of which may fail
_MOST_PAIRS = 10_000
_RTL_PAIRS = 20


@command(
    more="Every single failure and many pairs are routed, each proved to be free of deadlock, and have checked "
    "schedules. An interrupted run continues where it stopped.",
    epilog=examples(
        "faults --topology mesh -w 4 -d 2 --ports d --results mesh.sqlite",
        "faults --topology ccc -n 3 --ports d --results ccc.sqlite --no-rtl --page ccc.md --json ccc.json",
    ),
)
@made_from_flags(topology=topology_flags(), ports=ports_flag())
def faults(
    *,
    topology: Topology,
    ports: PortModel,
    pairs: Annotated[
        int,
        typer.Option(
            "--pairs", help="Pairs of failed links and nodes; all, if there are fewer.", rich_help_panel=Panel.RUN
        ),
    ] = 200,
    rtl: Annotated[
        bool,
        typer.Option(
            help="Run one single failure of each kind, and some pairs, on the RTL.", rich_help_panel=Panel.RUN
        ),
    ] = True,
    rtl_pairs: Annotated[
        Optional[int],
        typer.Option(
            "--rtl-pairs",
            help="Pairs that run on the RTL; if not given, 20, or all if there are fewer.",
            rich_help_panel=Panel.RUN,
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the choice of pairs.", rich_help_panel=Panel.RUN)] = 0,
    results: Annotated[
        Path,
        typer.Option(
            "--results",
            help="Results file, continued if it exists; faults.sqlite if not given.",
            rich_help_panel=Panel.RESULT,
        ),
    ] = Path("faults.sqlite"),
    jobs: options.Jobs = 2,
    scheduler: options.Scheduler = None,
    page: options.Page = None,
    wide: options.Wide = False,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    from fatcube.studies.failure_sets import orbits, single_failures
    from fatcube.studies.failure_sets import pairs as pairs_of
    from fatcube.studies.faults import Case, Room, study
    from fatcube.studies.faults_page import Study, failures_page, tables
    from fatcube.studies.results import Results, check_results_file

    path = check_results_file(results)
    apart(path, page, json_file)
    check_integer("pairs", pairs, minimum=0, maximum=_MOST_PAIRS)
    if rtl_pairs is None:
        rtl_pairs = min(_RTL_PAIRS, pairs)
    check_integer("pairs on the RTL", rtl_pairs, minimum=0, maximum=pairs)
    if topology.failures:
        raise ParameterError(
            f"topology must have no failures, as the command tries all of them, not be the {topology.name}"
        )
    for name, most in _MOST.items():
        check_count(
            name, getattr(topology, name), maximum=most, what=f"to go through all failures of the {topology.name}"
        )
    if ports.copies:
        raise ParameterError(
            f"ports must be 1, d or * for traffic over the routes that failures leave, not {ports.value}"
        )
    singles = [*single_failures(topology)]
    alike = orbits(topology, singles)
    twice = pairs_of(singles, pairs, seed)
    whole = Case(topology, ports, ())
    alone = {str(failure): Case(topology, ports, (str(failure),)) for failure in singles}
    double = [Case(topology, ports, tuple(map(str, pair))) for pair in twice]
    stop_if(
        dry_run,
        f"{len(singles)} single failures of the {topology.name}, of {len(alike)} kinds, and {len(double)} pairs can be measured",
    )
    failures: list[str] = []

    def figures(cases: list[Case], what: str) -> list[Mapping[str, Any]]:
        """The figures of these cases; those of which there are none are failures, and empty."""
        found = study(cases, store, jobs=jobs, scheduler=scheduler, what=what)
        failures.extend(f"{case}: {one}" for case, one in zip(cases, found) if isinstance(one, str))
        return [{"cut": one} if isinstance(one, str) else one for one in found]

    with Results(path) as store:
        all_cases = [whole, *alone.values(), *double]
        by_case = dict(zip(all_cases, figures(all_cases, "measuring failures")))
        chosen = [whole, *(alone[str(orbit.first)] for orbit in alike)] if rtl else []
        chosen += [case for case in double if "cut" not in by_case[case]][: rtl_pairs if rtl else 0]
        chosen = [case for case in chosen if "cut" not in by_case[case]]
        run: list[Case] = []
        if chosen:
            room = Room(*(max(by_case[case][name] for case in chosen) for name in ("classes", "hops")))
            run = [Case(case.whole, case.ports, case.failed, room) for case in chosen]
        on_rtl = dict(zip(run, figures(run, "running on the RTL")))
    found = Study(
        topology,
        by_case[whole],
        {name: by_case[case] for name, case in alone.items()},
        alike,
        [(case, by_case[case]) for case in double],
        {case.failed: one for case, one in on_rtl.items() if "rtl" in one},
    )
    for table in tables(found):
        print_table(table.title, table.columns, table.rows, wide=wide)
    write_page(page, lambda: failures_page(found))
    parameters = {"topology": topology.to_json(), "ports": ports.value, "pairs": pairs}
    write_json(json_file, lambda: record(parameters, found.to_json(), seed=seed))
    fail(failures)
