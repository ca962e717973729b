"""The schedules and bounds that are known of the cells of a network, each used for all cells that it says something about."""

from collections.abc import Iterable
import dataclasses

from fatcube.noc.topology import Topology
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions.relabelled import relabelled
from fatcube.schedules.counting import Bound
from fatcube.schedules.schedule import Schedule
from fatcube.studies.models import Cell
from fatcube.studies.open_cells.cells import cells_on, serves

__all__ = ["CellSteps", "Known"]


@dataclasses.dataclass(frozen=True)
class CellSteps:
    """The steps that are known of a cell, ``None`` without a schedule, and those that are needed, because of ``reason``."""

    cell: Cell
    steps: int | None
    lower_bound: int
    reason: str

    @property
    def open(self) -> bool:
        """True if it is not known that the steps are the fewest."""
        return self.steps != self.lower_bound

    @property
    def far(self) -> bool:
        """True if the steps exceed the bound by more than 2 steps and by more than 20 %, or there is no schedule."""
        return self.steps is None or self.steps > max(self.lower_bound + 2, 1.2 * self.lower_bound)


class Known:
    """The shortest schedule that is known of each cell of a network, and its highest bound.

    Parameters
    ----------
    topology : :class:`Topology`
    schedules : iterable of :class:`Schedule`
        Schedules that were found for cells of it. Each is checked.
    bounds : dict from :class:`Cell` to :class:`Bound`
        Bounds that were proved for cells of it.

    Raises
    ------
    ScheduleError
        If a schedule does not do its work.
    """

    def __init__(
        self, topology: Topology, schedules: Iterable[Schedule] = (), bounds: dict[Cell, Bound] | None = None
    ) -> None:
        self.cells = [*cells_on(topology)]
        self.bounds = {cell: lower_bound(cell.problem) for cell in self.cells}
        self._schedules: dict[Cell, Schedule] = {}
        self._served = {
            cell: [other for other in self.cells if other != cell and serves(cell, other)] for cell in self.cells
        }
        for cell, bound in (bounds or {}).items():
            self.prove(cell, bound)
        for schedule in schedules:
            self.take(Cell(topology, schedule.ports, schedule.collective, schedule.model), schedule)
        for cell in self.cells:
            if self._to_construct(cell):
                self.take(cell, construct(cell.problem).found)

    def _to_construct(self, cell: Cell) -> bool:
        """Whether the construction for a cell may close it: it is open, and not the same as one that was constructed before.

        Constructions put several messages into packets of adjacent transfers only, so other cells have what is narrower.
        """
        if cell not in self._schedules:
            return True
        narrower = [
            one
            for one in self.cells[: self.cells.index(cell)]
            if one.collective is cell.collective and cell in self._served[one]
        ]
        again = not (cell.model.direct and cell.model.combining) and not any(
            one in self._served[cell] for one in narrower
        )
        return self.open(cell) and again

    def steps(self, cell: Cell) -> int:
        """The steps of the shortest schedule of a cell."""
        return self._schedules[cell].steps

    def open(self, cell: Cell) -> bool:
        """True if the schedule of a cell has more steps than its bound."""
        return self.steps(cell) > self.bounds[cell].steps

    def take(self, cell: Cell, schedule: Schedule) -> None:
        """Use a schedule of a cell for all cells of which it is one too, where it is shorter."""
        for other in (cell, *self._served[cell]):
            if other in self._schedules and self.steps(other) <= schedule.steps:
                continue
            if other.collective is cell.collective:
                moves = [transfer.move for transfer in schedule.expanded().transfers]
                mine = other.problem.schedule(moves)
            else:
                mine = relabelled(schedule, other.problem)
            check(mine)
            if other not in self._schedules or mine.steps < self.steps(other):
                self._schedules[other] = mine

    def prove(self, cell: Cell, bound: Bound) -> None:
        """Use a bound of a cell for all cells whose schedules are such of it, where it is higher."""
        for other in self.cells:
            if (other == cell or cell in self._served[other]) and bound.steps > self.bounds[other].steps:
                self.bounds[other] = bound if other == cell else Bound(bound.steps, f"{bound.reason} ({cell})")

    def found(self) -> list[CellSteps]:
        """The steps and the bound of each cell, as far as they are known."""
        return [
            CellSteps(cell, self.steps(cell), self.bounds[cell].steps, self.bounds[cell].reason) for cell in self.cells
        ]
