"""The cells of fat cubes in any step model, constructed and searched now."""

from fatcube.groundwork.progress import tracked
from fatcube.schedules.checker import check
from fatcube.schedules.construct import best
from fatcube.schedules.step_model import StepModel
from fatcube.studies.open_cells.cells import cubes_in
from fatcube.studies.open_cells.known import CellSteps

__all__ = ["cells_of_fat_cubes"]


def cells_of_fat_cubes(model: StepModel, *, time_limit: float) -> list[CellSteps]:
    """The cells of all fat cubes with d <= 4, m <= 8, f <= 3 and at most 32 processors that mean something in a step model.

    Parameters
    ----------
    model : :class:`StepModel`
    time_limit : :class:`float`
        Seconds for the search in each cell in which the construction does not meet the lower bound.
    """
    found, cells = [], [*cubes_in(model)]
    for cell in tracked(cells, "building and checking", len(cells)):
        finding = best(cell.problem, time_limit=time_limit)
        steps = None if finding.schedule is None else check(finding.schedule, model).steps
        found.append(CellSteps(cell, steps, finding.bound.steps, finding.bound.reason))
    return found
