"""How far the schedules are from their lower bounds, for every small fat cube: the table of the gaps."""

from collections import Counter
from collections.abc import Sequence
import dataclasses
import itertools
import json
from pathlib import Path
from typing import Any

from fatcube.groundwork.files import write_text
from fatcube.groundwork.progress import tracked
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube
from fatcube.papers.fat_cube.fat_case import MODELS, SIZES
from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series
from fatcube.reports.markdown import markdown_table
from fatcube.reports.page import Results
from fatcube.reports.table import TitledTable
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import STANDARD, StepModel

__all__ = ["GAP_COLUMNS", "Gap", "gap_record", "gap_rows", "gaps", "gaps_page", "tight_rows", "write_gaps"]


@dataclasses.dataclass(frozen=True)
class Gap:
    """The steps of the schedule for one case beside its lower bound; ``gap`` is their difference.

    ``gap`` and ``steps`` are ``None`` where no schedule was found. ``reason`` is why there can be no fewer steps than the bound,
    ``by`` how the schedule was found, and ``stopped`` what ended a search that left something open.
    """

    d: int
    m: int
    f: int
    ports: str
    collective: str
    steps: int | None
    lower_bound: int
    reason: str
    gap: int | None
    by: str
    stopped: str | None


def gaps(*, time_limit: float, model: StepModel = STANDARD) -> list[Gap]:
    """The :class:`Gap` of each collective and router model on every fat cube with d <= 4, m <= 8, f <= 3 and P <= 32.

    Cases that the step model does not have, as simplex links of three lanes, are left out.

    Parameters
    ----------
    time_limit : :class:`float`
        Seconds for the search in each case in which the construction does not meet the lower bound.
    model : :class:`StepModel`
        What a step allows.
    """
    found = []
    cases = list(itertools.product(SIZES, MODELS, Collective))
    for (d, m, f), ports, collective in tracked(cases, "building and checking", len(cases)):
        try:
            model.check_ports(PortModel.parse(ports))
            model.lanes_of(FatCube(d, m, f))
        except ParameterError:
            continue
        finding = best(Problem(FatCube(d, m, f), ports, collective, model=model), time_limit=time_limit)
        steps = None if finding.schedule is None else check(finding.schedule, model).steps
        found.append(
            Gap(
                d=d,
                m=m,
                f=f,
                ports=ports,
                collective=collective.value,
                steps=steps,
                lower_bound=finding.bound.steps,
                reason=finding.bound.reason,
                gap=None if steps is None else steps - finding.bound.steps,
                by=finding.by,
                stopped=finding.stopped and finding.stopped.value,
            )
        )
    return found


def tight_rows(found: Sequence[Gap]) -> list[list[str]]:
    """A row for each collective, with a cell for each model: in how many cases the steps equal the lower bound.

    The cell is empty if the step model has no such cases, as of routers that copy packets with several messages.
    """
    count = Counter((one.collective, one.ports) for one in found)
    tight = Counter((one.collective, one.ports) for one in found if one.gap == 0)
    names = [collective.value for collective in Collective]

    def cell(name: str, ports: str) -> str:
        return f"{tight[name, ports]} of {count[name, ports]}" if count[name, ports] else ""

    return [[name, *(cell(name, ports) for ports in MODELS)] for name in names]


GAP_COLUMNS = ["collective", "d", "m", "f", "model", "steps", "lower bound", "because"]


def gap_rows(found: Sequence[Gap]) -> list[list[object]]:
    """A row, with :data:`GAP_COLUMNS`, for each case that has a gap."""
    return [
        [
            *(one.collective, one.d, one.m, one.f, one.ports, "none found" if one.steps is None else one.steps),
            *(one.lower_bound, one.reason),
        ]
        for one in found
        if one.gap != 0
    ]


def _note(model: StepModel) -> str:
    words = str(model)
    return (
        f"Fat cubes with d <= 4, m <= 8, f <= 3 and at most 32 processors ({len(SIZES)} sizes): in how many cases the "
        f"steps of the schedule{words and f', {words},'} equal a proven lower bound, so that they are the fewest. Written by "
        "`fatcube gaps`."
    )


def gaps_page(found: Sequence[Gap], model: StepModel = STANDARD) -> Results:
    """The page of the gaps: how many cases of each collective reach the bound, and those that do not."""
    counts = Counter((one.collective, one.ports) for one in found)
    tight = Counter((one.collective, one.ports) for one in found if one.gap == 0)
    left = sum(one.gap != 0 for one in found)
    worst = max((one for one in found if one.gap), key=lambda one: one.gap or 0, default=None)
    says = f"In {len(found) - left} of {len(found)} cases the steps are the fewest, and {left} have a gap."
    if worst is not None:
        says += f" The widest is of {worst.gap} steps: {worst.collective}, model {worst.ports}, d = {worst.d}, m = {worst.m}, f = {worst.f}."
    figure = Figure(
        name="tight",
        title="Cases in which the steps equal a proven lower bound",
        says=says,
        x=Axis("collective", "category"),
        y=Axis("% of the cases"),
        series=tuple(
            Series(
                name=f"model {ports}",
                mark="bars",
                colour=colour,
                points=tuple(
                    Point(
                        x=name,
                        y=round(100 * tight[name, ports] / counts[name, ports], 1),
                        text=(f"{name}, model {ports}", f"{tight[name, ports]} of {counts[name, ports]} cases"),
                    )
                    for name in (one.value for one in Collective)
                    if counts[name, ports]
                ),
            )
            for ports, colour in zip(MODELS, COLOURS)
        ),
    )
    columns = ["collective", *(f"model {ports}" for ports in MODELS)]
    return Results(
        title="Steps against lower bounds",
        note=_note(model),
        figures=[figure],
        tables=[
            TitledTable("Cases that reach the bound", "", columns, tight_rows(found)),
            TitledTable("Where a gap stays", "", GAP_COLUMNS, gap_rows(found)),
        ],
    )


def write_gaps(found: Sequence[Gap], folder: Path, model: StepModel = STANDARD) -> list[Path]:
    """Write gaps.md and gaps.json into ``folder``, with the words of another step model in their names; return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    words = str(model)
    columns = ["collective", *(f"model {ports}" for ports in MODELS)]
    lines = [
        "# Steps against lower bounds",
        "",
        _note(model),
        "",
        *markdown_table(columns, tight_rows(found)),
        "",
        "## Where a gap stays",
        "",
    ]
    lines += markdown_table(GAP_COLUMNS, gap_rows(found))
    name = "-".join(["gaps", *words.replace(",", "").split()])
    paths = [folder / f"{name}.md", folder / f"{name}.json"]
    write_text(paths[0], "\n".join([*lines, ""]))
    write_text(paths[1], json.dumps(gap_record(found, model), indent=1) + "\n")
    return paths


def gap_record(found: Sequence[Gap], model: StepModel = STANDARD) -> dict[str, Any]:
    """The record of all cases in JSON values."""
    return record({"most_processors": 32, **model.to_file()}, {"cases": [dataclasses.asdict(one) for one in found]})
