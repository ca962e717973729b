"""The files that show a comparison: Markdown, its record, and a page with figures of steps against price and load against area."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
import dataclasses
import json
from pathlib import Path
from typing import Any

from fatcube.groundwork.files import write_text
from fatcube.groundwork.record import record
from fatcube.reports.figure import COLOURS, GREY, Axis, Figure, Point, Series
from fatcube.reports.markdown import markdown_table
from fatcube.reports.page import Results, write_results
from fatcube.reports.table import Section, TitledTable
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.step_model import STANDARD, StepModel
from fatcube.studies.comparing.differences import differences, measured_through
from fatcube.studies.comparing.silicon import FAMILY, Flow
from fatcube.studies.comparison import COLLECTIVES, ON_WHAT, Compared, limits, tables
from fatcube.studies.load import CAUSES, SATURATED, UNIT
from fatcube.studies.pareto import undominated

__all__ = ["comparison_record", "comparison_stem", "write_comparison", "write_page"]


_MOST_NAMED = 3  # networks in a title
_GRAPHS, _STEPS, _LOAD, _AREA, _ROUTERS = "Graphs and prices", "Steps", "Under load", "Area and clock", "Routers"
_DIFFERENCES = "differences"


def write_comparison(
    rows: Sequence[Compared],
    folder: Path,
    processors: int | None,
    ports: PortModel | str,
    steps: StepModel = STANDARD,
    files: Sequence[str] = (),
    flow: Flow | None = None,
) -> list[Path]:
    """Write compare-P.md, .json and .html into ``folder``, and return the paths.

    ``steps`` is what a step allows, and ``flow`` what was asked of synthesis.

    Of networks of ``files`` alone, where ``processors`` is ``None``, they are compare-networks.md and so on.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{comparison_stem(processors)}.{ending}" for ending in ("md", "json", "html")]
    for page in (paths[0], paths[2]):
        write_page(rows, page, processors, ports, steps, files)
    write_text(paths[1], json.dumps(comparison_record(rows, processors, ports, steps, files, flow), indent=1) + "\n")
    return paths


def comparison_record(
    rows: Sequence[Compared],
    processors: int | None,
    ports: PortModel | str,
    steps: StepModel = STANDARD,
    files: Sequence[str] = (),
    flow: Flow | None = None,
) -> dict[str, Any]:
    """The record of a comparison; parameters are those of :func:`write_comparison`."""
    parameters = {
        **({} if processors is None else {"processors": processors, "ports": PortModel.parse(ports).value}),
        **({"files": [*files]} if files else {}),
        **({"steps": steps.to_file()} if steps.to_file() else {}),
        **({"family": FAMILY, **dataclasses.asdict(flow)} if flow is not None else {}),
    }
    return record(parameters, {"networks": [row.to_json() for row in rows]})


def _results(rows: Sequence[Compared], title: str, notes: Mapping[str, str]) -> Results:
    """The comparison as a page: the tables of the terminal, each with its note, and the figures."""
    found = [
        TitledTable(name, notes.get(name, ""), columns, cells)
        for name, (columns, cells) in zip(_titles(rows), tables(rows))
    ]
    causes = limits(rows)
    figures = [_figure(rows), *_area_figures(rows)]
    says = [one.says for one in figures]
    figures = [dataclasses.replace(one, says="") for one in figures]
    return Results(
        title=title,
        note=" ".join(notes[one] for one in notes if one not in _titles(rows)),
        says=says,
        tables=found,
        figures=figures,
        sections=[Section("What limits each network under load", causes, [])] if causes else [],
    )


def _titles(rows: Sequence[Compared]) -> list[str]:
    """The titles of :func:`tables`, as far as these were measured."""
    loaded = all(one.load is not None for one in rows)
    measured = all(one.silicon is not None for one in rows)
    return [_GRAPHS, _STEPS, *([_LOAD] * loaded), *([_AREA, _ROUTERS] * measured)]


def _area_figures(rows: Sequence[Compared]) -> list[Figure]:
    """The accepted load against the area of all routers, if both were measured, of networks of the most frequent size."""
    equal = Counter(row.processors for row in rows).most_common(1)[0][0]
    found = [
        (number, one, one.silicon.comb, one.load.accepted)
        for number, one in enumerate(rows)
        if one.processors == equal
        and one.silicon is not None
        and one.load is not None
        and one.load.accepted is not None
    ]
    if not found:
        return []
    _, most, area, accepted = max(found, key=lambda one: one[3])
    dense = max((one for _, one, _, _ in found), key=lambda one: one.flits_per_comb or 0)
    points = tuple(
        Point(x=comb, y=load, text=(one.called,), rows=(number,), name=one.called) for number, one, comb, load in found
    )
    return [
        Figure(
            name="area",
            title="Accepted load against the area of the routers",
            says=f"{most.called} accepts the highest load, {accepted:.3f} {UNIT}, with {area:,} COMB equivalents in all "
            f"routers; {dense.called} accepts most for its area, {dense.flits_per_comb or 0:.2f} flits per cycle for 1,000 "
            "COMB equivalents.",
            x=Axis("COMB equivalents of all routers"),
            y=Axis(f"accepted load, {UNIT}"),
            series=(Series(name="networks", points=points, colour=COLOURS[0]),),
        )
    ]


def write_page(
    rows: Sequence[Compared],
    file: Path,
    processors: int | None,
    ports: PortModel | str,
    steps: StepModel = STANDARD,
    files: Sequence[str] = (),
    *,
    made_by: Callable[[Results], Results] = lambda results: results,
) -> None:
    """Write a comparison to one file: Markdown if its name ends in ``.md``, else a page, to which ``made_by`` adds the command.

    The rest is as for :func:`write_comparison`.
    """
    title, notes = _heading(rows, processors, ports, steps, files), _notes(rows, processors, files)
    if file.suffix == ".md":
        written = f"{notes[_STEPS]} {notes['']}"  # The order in which files of Markdown have them.
        first = [notes[one] for one in (_DIFFERENCES, _GRAPHS) if one in notes]
        others = [notes[one] for one in notes if one not in ("", _DIFFERENCES, _GRAPHS, _STEPS)]
        write_text(file, _markdown(rows, title, " ".join([*first, written, *others])))
    else:
        write_results(made_by(_results(rows, title, notes)), file)


def comparison_stem(processors: int | None) -> str:
    """The name of the files of a comparison, without the ending."""
    return f"compare-{'networks' if processors is None else processors}"


def _figure(rows: Sequence[Compared]) -> Figure:
    """Steps of each collective against the price of the routers, each with its Pareto front, of networks of equal numbers of
    processors: the most frequent number."""
    equal = Counter(row.processors for row in rows).most_common(1)[0][0]
    points = {
        collective.value: [
            Point(
                x=row.router_cost,
                y=row.collectives[collective.value].steps,
                text=(f"{collective.value} on the {row.called}",),
                rows=(number,),
                name=row.called,
            )
            for number, row in enumerate(rows)
            if collective.value in row.collectives and row.processors == equal
        ]
        for collective in COLLECTIVES
    }
    fronts = {name: undominated(some, lambda point: (float(point.x), point.y)) for name, some in points.items()}
    return Figure(
        name="steps",
        title="Steps against the price of the routers",
        says=_says(rows, fronts),
        x=Axis("C_R: a b of all routers", "log"),
        y=Axis("steps", "log"),
        series=(
            *(
                Series(
                    name="Pareto front of each collective",
                    points=tuple(Point(x=point.x, y=point.y, rows=point.rows) for point in front),
                    mark="front",
                    colour=GREY,
                    label=name,
                )
                for name, front in fronts.items()
            ),
            *(
                Series(name=name, points=tuple(some), colour=colour)
                for (name, some), colour in zip(points.items(), COLOURS)
            ),
        ),
    )


def _says(rows: Sequence[Compared], fronts: Mapping[str, Sequence[Point]]) -> str:
    """The networks that are on the most fronts, and the cheapest."""
    on = Counter(number for front in fronts.values() for point in front for number in point.rows)
    if not on:
        return "No schedule was constructed."
    most = max(on.values())
    named = [rows[number].called for number in sorted(on) if on[number] == most]
    equal = Counter(row.processors for row in rows).most_common(1)[0][0]
    cheapest = min((row for row in rows if row.processors == equal), key=lambda row: row.router_cost)
    among = f" of the networks of {equal} processors" if any(row.processors != equal for row in rows) else ""
    return (
        f"Cheapest routers{among}: {cheapest.called}, with C_R = {cheapest.router_cost:,}. On the Pareto fronts of {most} of "
        f"{len(fronts)} collectives: {'; '.join(named)}."
    )


def _heading(
    rows: Sequence[Compared], processors: int | None, ports: PortModel | str, steps: StepModel, files: Sequence[str]
) -> str:
    """The title of a comparison."""
    model = PortModel.parse(ports).value
    # The name of a network says more than its short name, and that of a file says less.
    called = {row.network.partition(": ")[0]: row.called for row in reversed(rows)}
    short = [file if called.get(file, file).startswith(file) else called[file] for file in files]
    sizes = {row.processors for row in rows}
    each = f" of {sizes.pop()} processors" if len(sizes) == 1 else ""
    # The names of many networks stand in the table.
    many = f"{len(short)} networks{'' if processors is not None else each}" if len(short) > _MOST_NAMED else ""
    whose = [f"Comparison of {many or '; '.join(short)}"] if files else []
    if processors is not None:
        about = "" if all(row.processors == processors for row in rows) else "about "
        whose.append(f"{'n' if files else 'N'}etworks of {about}{processors} processors, router model {model}")
    return f"{' and '.join(whose)}{', ' if str(steps) else ''}{steps}"


def _notes(rows: Sequence[Compared], processors: int | None, files: Sequence[str]) -> dict[str, str]:
    """The note on each table by its title, and without one the note on all."""
    differing = differences(rows, processors)
    notes = {
        **({_DIFFERENCES: f"{differing[0].upper()}{differing[1:]}."} if differing else {}),
        _GRAPHS: "Counted on the graph; bisection in lanes, both directions together.",
        _STEPS: "Steps are those of the best schedule known, with the lower bound where it is below them.",
        "": "Written by `fatcube compare`.",
    }
    found = tables(rows)
    if len(found) > 2:
        causes = f" {CAUSES}." if limits(rows) else ""
        notes[_LOAD] = (
            "Under load: in cycles, and in flits per cycle and port of a processor, of packets of 8 flits through "
            f"{measured_through(rows)}, on the RTL; accepted at a load of 1. "
            f"{SATURATED}.{causes}"
        )
        if len(found) > 3:
            notes[_AREA] = f"{ON_WHAT}."
        if files:
            notes[_ROUTERS] = "Networks that were given by name or file have their own routers and routing."
    if any(file.endswith((".json", ".toml")) for file in files):
        notes["interfaces"] = "The interfaces of processors are not measured; fatcube synthesize --interface does that."
    return notes


def _markdown(rows: Sequence[Compared], title: str, note: str) -> str:
    lines = [f"# {title}", "", note, ""]
    for columns, cells in tables(rows):
        lines += [*markdown_table(columns, cells), ""]
    if found := limits(rows):
        lines += [*(f"- {sentence}" for sentence in found), ""]
    return "\n".join(lines)
