"""The files that show a comparison: Markdown, its record, and a page with a figure of steps against price."""

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
from fatcube.studies.load import CAUSES, SATURATED
from fatcube.studies.pareto import undominated

__all__ = ["comparison_record", "comparison_stem", "write_comparison", "write_page"]


_MOST_NAMED = 3  # networks in a title


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


def _results(rows: Sequence[Compared], title: str, note: str) -> Results:
    """The comparison as a page: one table, and the figure."""
    parts = tables(rows)
    columns = [*parts[0][0], *(column for columns, _ in parts[1:] for column in columns[2:])]
    cells = [
        [*group[0], *(cell for row in group[1:] for cell in row[2:])] for group in zip(*(rows for _, rows in parts))
    ]
    table = TitledTable(title, "", columns, cells)
    causes = [Section("What limits each network under load", found, [])] if (found := limits(rows)) else []
    return Results(title=title, note=note, tables=[table], figures=[_figure(rows)], sections=causes)


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
    title, note = _heading(rows, processors, ports, steps, files)
    if file.suffix == ".md":
        write_text(file, _markdown(rows, title, note))
    else:
        write_results(made_by(_results(rows, title, note)), file)


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
    among = f"Of the networks of {equal} processors, " if any(row.processors != equal for row in rows) else ""
    return (
        f"{among}"
        f"{cheapest.called} has the cheapest routers, C_R = {cheapest.router_cost:,}; on the Pareto fronts of {most} of "
        f"{len(fronts)} collectives {'is' if len(named) == 1 else 'are'} {'; '.join(named)}."
    )


def _heading(
    rows: Sequence[Compared], processors: int | None, ports: PortModel | str, steps: StepModel, files: Sequence[str]
) -> tuple[str, str]:
    """The title of a comparison, and what its reader has to know."""
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
    title = f"{' and '.join(whose)}{', ' if str(steps) else ''}{steps}"
    note = (
        "Counted on the graph; bisection in lanes, both directions together. Steps are those of the best schedule "
        "known, with the lower bound where it is below them. Written by `fatcube compare`."
    )
    if differing := differences(rows, processors):
        note = f"{differing[0].upper()}{differing[1:]}. {note}"
    found = tables(rows)
    if len(found) > 2:
        note += (
            " Under load: in cycles, and in flits per cycle and port of a processor, of packets of 8 flits through "
            f"{measured_through(rows)}, on the RTL; accepted at a load of 1. "
            f"{SATURATED}."
        )
        note += f" {CAUSES}." if limits(rows) else ""
        note += f" {ON_WHAT}." if len(found) > 3 else ""
        note += " Networks that were given by name or file have their own routers and routing." if files else ""
    if any(file.endswith((".json", ".toml")) for file in files):
        note += " The interfaces of processors are not measured; fatcube synthesize --interface does that."
    return title, note


def _markdown(rows: Sequence[Compared], title: str, note: str) -> str:
    lines = [f"# {title}", "", note, ""]
    for columns, cells in tables(rows):
        lines += [*markdown_table(columns, cells), ""]
    if found := limits(rows):
        lines += [*(f"- {sentence}" for sentence in found), ""]
    return "\n".join(lines)
