"""Pages of schedules and of their runs."""

from collections import Counter
from collections.abc import Mapping, Sequence

from fatcube.noc.descriptions.paragraphs import count
from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series
from fatcube.reports.page import Results
from fatcube.reports.table import TitledTable
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import StepModel

__all__ = ["name_of", "runs_results", "schedule_results", "title_of"]


_MOST_BARS = 24  # steps of which each has its own bars


def name_of(schedule: Schedule, model: StepModel, word: str = "") -> str:
    """The collective, the network and, where it is not the default one, the step model that a schedule was checked in.

    ``word`` follows the collective.
    """
    return f"{schedule.work}{word} on the {schedule.topology.name}{schedule.ports.suffix}{', ' if str(model) else ''}{model}"


def title_of(schedule: Schedule, model: StepModel) -> str:
    """The name of a schedule, with the word for its collective."""
    return name_of(schedule, model, f" ({schedule.collective.word})")


def schedule_results(schedule: Schedule, table: TitledTable, note: str) -> Results:
    """The page of a checked schedule: ``table``, and the transfers of each step."""
    shown = table._replace(title="", columns=["quantity", "value"])
    return Results(title=table.title, note=note, figures=[_transfers(schedule)], tables=[shown])


def _transfers(schedule: Schedule) -> Figure:
    """The transfers in each step: those that cross links, and those within a node."""
    images = len(schedule.symmetry.permutations)
    crossing, within = Counter[int](), Counter[int]()
    for one in schedule.transfers:
        (within if one.lane is None and not one.path else crossing)[one.step] += images
    steps = range(1, schedule.steps + 1)
    barred = len(steps) <= _MOST_BARS
    return Figure(
        name="transfers",
        title="Transfers in each step",
        says=_fullest({step: crossing[step] + within[step] for step in steps}),
        x=Axis("step", "category" if barred else "linear"),
        y=Axis("transfers"),
        series=tuple(
            Series(
                name=name,
                mark="bars" if barred else "line",
                colour=colour,
                points=tuple(
                    Point(x=str(step) if barred else step, y=counts[step], text=(f"step {step}, {name}",))
                    for step in steps
                ),
            )
            for name, counts, colour in zip(("over links", "within nodes"), (crossing, within), COLOURS)
            if counts
        ),
    )


def _fullest(counts: Mapping[int, int]) -> str:
    """The step with the most transfers as a sentence, or what all steps have if they have equally many."""
    if not counts:
        return "The schedule has no transfers."
    step = max(counts, key=lambda one: counts[one])
    if len(counts) > 1 and len({*counts.values()}) == 1:
        return f"Each of the {len(counts)} steps has {count(counts[step], 'transfer')}."
    return f"Step {step} has the most transfers, {counts[step]:,}."


def runs_results(
    table: TitledTable, note: str, says: Sequence[str], cycles: Mapping[str, Sequence[tuple[int, int]]]
) -> Results:
    """The page of the runs of a schedule: ``table``, and the pairs of payload flits and ``cycles`` of each mode."""
    longest = max(length for points in cycles.values() for length, _ in points)
    figure = Figure(
        name="cycles",
        title="Cycles against payload",
        says="; ".join(f"{dict(points)[longest]:,} cycles in {mode}" for mode, points in cycles.items())
        + f" for {longest:,} payload flits.",
        x=Axis("payload flits"),
        y=Axis("cycles"),
        series=tuple(
            Series(
                name=mode,
                mark="line" if len(points) > 1 else "dots",
                colour=colour,
                points=tuple(
                    Point(x=length, y=count, text=(f"{mode}, {length} payload flits",)) for length, count in points
                ),
            )
            for (mode, points), colour in zip(cycles.items(), COLOURS)
        ),
    )
    return Results(title=table.title, note=note, says=says, figures=[figure], tables=[table._replace(title="")])
