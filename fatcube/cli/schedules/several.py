"""Schedules side by side: those of files, and those that are built for the same collective in several ways."""

from collections.abc import Iterator, Mapping, Sequence
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel
from fatcube.cli.choices import choice, completing
from fatcube.cli.flags import Flags
from fatcube.cli.output import fail, print_table, stop_if, write_json, write_page
from fatcube.cli.schedules.building import Prepared, Way, check_built, prepare, problem_of, schedule_of
from fatcube.cli.schedules.which import TASK, empty_for, parameters_of
from fatcube.cli.short_names import is_short_name
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies import name_from
from fatcube.papers.algorithms import ALGORITHMS
from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series
from fatcube.reports.page import Results
from fatcube.reports.table import Column, TitledTable, write_csv
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.schedule_file import read_schedule
from fatcube.schedules.size import check_transfers
from fatcube.schedules.spanning.graphs import spanning_graphs
from fatcube.schedules.step_model import Links, StepModel
from fatcube.sim.size import check_simulation
from fatcube.studies.comparison import GivenNetwork

if TYPE_CHECKING:
    from fatcube.studies.given_schedules import Given

__all__ = ["FILE_OR_COLLECTIVE", "OF_SCHEDULES", "SeveralSchedules", "several_flags"]


_FILES = Annotated[
    Optional[list[Path]],
    typer.Option(
        "--schedule",
        help="Compare schedule files, from any program, in place of topologies; may be given several times.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]
_BY = Annotated[
    Optional[list[str]],
    choice(
        "--by",
        list(ALGORITHMS),
        name="algorithm",
        help="Also compare the schedule of this algorithm of a paper; may be given several times.",
        panel=Panel.SCHEDULE,
    ),
]
_ALONG = Annotated[
    Optional[list[str]],
    typer.Option(
        "--along",
        help=f"Also compare the schedule along this spanning graph: {', '.join(spanning_graphs())}; may be given several times.",
        autocompletion=completing(spanning_graphs()),
        rich_help_panel=Panel.SCHEDULE,
    ),
]
_PARTS = Annotated[
    str,
    typer.Option(
        "--parts",
        metavar="N or auto",
        help="Parts of equal size into which each message, or sum, is divided along each --along or, without it, also in one more "
        "schedule; auto, without --along, takes the number that needs the fewest cycles in lockstep.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]
_OPTIMAL = Annotated[
    bool,
    typer.Option(
        "--optimal",
        help="Also compare the best schedule that a search finds, in large cases too, with the lower bound that it proves.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]
_WAYS = {
    "by": (_BY, None),
    "graphs": (_ALONG, None),
    "parts": (_PARTS, "1"),
    "order": (options.OrderAlong, None),
    "optimal": (_OPTIMAL, False),
    "time_limit": (options.TimeLimit, 20.0),
}
#: The requirement of options on how schedules are built.
FILE_OR_COLLECTIVE = "schedules to compare (--schedule or -c)"
#: The options on how schedules are built, by the names of parameters.
OF_SCHEDULES = (*TASK, *_WAYS, "port_use", "dedicated_ports", "one_partner")
_RANKS = {
    "network": 3,
    "collective": 2,
    "ports": 1,
    "step model": 1,
}  # the columns that a narrow terminal leaves out, the highest first


@dataclasses.dataclass(frozen=True, kw_only=True)
class SeveralSchedules:
    """Schedules to compare.

    Members
    -------
    files : list of :class:`Path`
        Files with schedules.
    task : mapping of :class:`str` to object
        The collective, its root and its participants, by the names of the options, of schedules that are built on networks;
        empty if they are built for what the schedules of the files do.
    ways : mapping of :class:`str` to :class:`Way`
        The ways in which they are built, by their options.
    """

    files: Sequence[Path]
    task: Mapping[str, Any]
    ways: Mapping[str, Way]

    def compare(
        self,
        networks: Sequence[GivenNetwork],
        model: StepModel,
        *,
        run: bool,
        dry_run: bool,
        wide: bool,
        csv_file: Path | None,
        page: Path | None,
        json_file: Path | None,
    ) -> None:
        """Compare steps, bounds, and cycles of messages of the same size, whole or in parts; the schedules that are built are
        on ``networks``, or on those of the files."""
        from fatcube.studies.given_schedules import MESSAGE_FLITS, compared

        read = [(str(file), read_schedule(file)) for file in self.files]
        problems = dict.fromkeys(Problem.of(schedule).changed(parts=1) for _, schedule in read)
        todo = [*self._built_on(networks, model)]
        todo += [
            _prepared(called, problem, way)
            for problem in ({} if networks else problems)
            for called, way in self.ways.items()
        ]
        for _, schedule in read:
            _check(schedule, schedule.model, Way())
        number = len(read) + len(todo)
        stop_if(dry_run, f"{number} schedule{'s' * (number > 1)} can be compared")
        built = [(one, one.prepared.built()) for one in todo]
        bounds: dict[Problem, int] = {}  # A search can prove a higher one than is known of a schedule in a file.
        for one, finding in built:
            key = one.problem.changed(parts=schedule_of(finding).parts)
            bounds[key] = max(finding.bound.steps, bounds.get(key, 0))
        rows = [compared(name, schedule, run=run, bound=bounds.get(Problem.of(schedule))) for name, schedule in read]
        for one, finding in built:
            schedule = schedule_of(finding)
            _check(schedule, one.problem.model, one.way)
            key = one.problem.changed(parts=schedule.parts)
            rows.append(
                compared(one.called, schedule, run=run, bound=bounds[key], model=one.problem.model, options=one.options)
            )
        columns, cells = _table(rows, run=run)
        title = f"messages of {MESSAGE_FLITS} flits, {'run on the RTL' if run else 'by the formula'}"
        print_table(title, [Column(column, _RANKS.get(column, 0)) for column in columns], cells, wide=wide)
        if csv_file is not None:
            write_csv(csv_file, columns, cells)
        table = TitledTable(title, "", columns, cells)
        write_page(page, lambda: _results(table))
        write_json(
            json_file,
            lambda: record(
                {"message_flits": MESSAGE_FLITS, "run": run}, {"schedules": [row.to_json() for row in rows]}
            ),
        )
        fail([f"{row.schedule}: {failure}" for row in rows for failure in row.failures])

    def _built_on(self, networks: Sequence[GivenNetwork], model: StepModel) -> "Iterator[_Built]":
        """The schedules to build on networks, in steps of ``model``, which has the links of the network if it says no others."""
        from fatcube.studies.compare import own_options

        task = {**self.task}
        collective, root = task.pop("collective", None), task.pop("root", None)
        for one in networks:
            network, of_file = one.network, not is_short_name(one.name)
            own = StepModel(links=Links.HALF_DUPLEX) if network.options.shared_lanes else StepModel()
            allowed = own.with_given(model)
            for called, way in self.ways.items():
                try:
                    problem = problem_of(
                        network.topology,
                        network.options.ports,
                        collective,
                        root,
                        allowed,
                        **task,
                        algorithm=way.algorithm,
                    )
                    yield _prepared(
                        f"{one.name}: {called}" if of_file else called,
                        problem,
                        way,
                        own_options(network.options) if of_file else None,
                    )
                except ParameterError as error:
                    raise ParameterError(f"{one.name}: {error}" if len(networks) > 1 else str(error)) from None


class _Built(NamedTuple):
    """A schedule to build: its name, its problem, the way, the options of the routers if they are others than usual."""

    called: str
    problem: Problem
    way: Way
    options: RouterOptions | None
    prepared: Prepared


def _prepared(called: str, problem: Problem, way: Way, options: RouterOptions | None = None) -> _Built:
    from fatcube.studies.given_schedules import MESSAGE_FLITS

    check_simulation(problem.topology)
    prepared = prepare(
        problem, way, network=lambda: empty_for(problem, MESSAGE_FLITS, options), payload_flits=MESSAGE_FLITS
    )
    if options is not None:  # The routers of a file, which may have no room for a packet.
        whole = way.parts == "1" and way.algorithm is None
        empty_for(problem, MESSAGE_FLITS if whole else 1, options)
    return _Built(called, problem, way, options, prepared)


def _table(rows: "Sequence[Given]", *, run: bool) -> tuple[list[str], list[list[object]]]:
    """The heads and the cells of the table; it has a column of step models where there are others than the default one."""
    table: list[dict[str, object]] = [
        {
            "schedule": row.schedule,
            "network": name_from(row.network),
            "collective": row.collective,
            "ports": row.ports,
            **({"step model": row.model} if any(one.model for one in rows) else {}),
            "parts": row.parts,
            "steps": row.steps,
            "bound": row.bound,
            "ratio": f"{row.steps / max(row.bound, 1):.2f}",
            "cycles": row.cycles,
            "dataflow": row.dataflow if run else "-",
        }
        for row in rows
    ]
    return [*table[0]], [[*row.values()] for row in table]


def _check(schedule: Schedule, model: StepModel, way: Way) -> None:
    check_simulation(schedule.topology)
    check_built(schedule, model, way)
    check_transfers(schedule.size, f"that is compared, {schedule.work} on the {schedule.topology.name}")


def _results(table: TitledTable) -> Results:
    """The page: the table, and the steps of each schedule beside its bound."""
    places = [table.columns.index(name) for name in ("steps", "bound")]
    shortest = min(table.rows, key=lambda row: int(str(row[places[0]])))
    figure = Figure(
        name="steps",
        title="Steps of each schedule",
        says=f"The fewest steps, {shortest[places[0]]}, are those of {shortest[0]} on the {shortest[1]}.",
        x=Axis("", "category"),
        y=Axis("steps"),
        series=tuple(
            Series(
                name=name,
                mark="bars",
                colour=colour,
                points=tuple(
                    Point(
                        x=f"{number + 1}: {row[0]}",
                        y=int(str(row[place])),
                        text=(f"{row[0]}, {row[1]}",),
                        rows=(number,),
                    )
                    for number, row in enumerate(table.rows)
                ),
            )
            for name, place, colour in zip(("steps", "lower bound"), places, COLOURS)
        ),
    )
    note = f"Written by `fatcube compare`: {table.title}."
    return Results(title="Schedules compared", note=note, figures=[figure], tables=[table])


def several_flags() -> Flags:
    """The flags of :class:`SeveralSchedules`; ``None`` if no file, collective, algorithm or spanning graph is given."""
    parameters = [*parameters_of({"schedule_files": (_FILES, None)}), *parameters_of(TASK), *parameters_of(_WAYS)]

    def make(given: Mapping[str, Any]) -> SeveralSchedules | None:
        files, task = given.get("schedule_files", ()), {name: given[name] for name in TASK if name in given}
        if not (files or given.get("collective") or given.get("by") or given.get("graphs")):
            return None
        return SeveralSchedules(files=files, task=task, ways=_ways(given))

    return Flags(tuple(parameters), make)


def _ways(given: Mapping[str, Any]) -> dict[str, Way]:
    """The ways to build a schedule that were given, by their options; the best schedule that is known if none was."""
    parts, graphs = given.get("parts", "1"), given.get("graphs", ())
    ways = {f"--by {name}": Way(algorithm=ALGORITHMS[name]) for name in given.get("by", ())}
    ending = "" if parts == "1" else f" --parts {parts}"
    ways |= {f"--along {graph}{ending}": Way(graph=graph, parts=parts, order=given.get("order")) for graph in graphs}
    if "order" in given and not graphs:
        raise ParameterError("--order requires a spanning graph (--along)")
    if ending and not graphs:
        ways[ending.strip()] = Way(parts=parts)
    limit = {"time_limit": given["time_limit"]} if "time_limit" in given else {}
    if given.get("optimal"):
        ways["--optimal"] = Way(optimal=True, **limit)
    if given.get("collective") and not ways:
        ways["best known"] = Way(**limit)
    elif limit and not given.get("optimal"):
        raise ParameterError("--time-limit requires a search (--optimal) beside other ways to build a schedule")
    return ways
