"""Searches of open cells, and their results, which are stored: schedules, and proofs that there are none of fewer steps."""

from collections.abc import Iterator
import dataclasses
import functools
from importlib import resources
import json
from typing import Any

from fatcube.groundwork.progress import doing
from fatcube.noc.topology import Topology
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.search import Outcome, model_size, program_digest, proved_by_search, search, symmetry_of
from fatcube.studies.models import Cell
from fatcube.studies.open_cells.cells import cells_on, key
from fatcube.studies.open_cells.known import Known

__all__ = ["Searched", "known_of", "read", "search_open", "stored_searches"]


MOST_VARIABLES = 400_000  # of a search


@dataclasses.dataclass
class Searched:
    """The results of searches on a network.

    Members
    -------
    schedules : dict from :class:`Cell` to :class:`Schedule`
        The shortest that was found for a cell.
    proofs : dict from :class:`Cell` to (int, str)
        The most steps that are proved not to be enough for a cell, and the digest of the integer program that proves it.
    """

    schedules: dict[Cell, Schedule] = dataclasses.field(default_factory=dict)
    proofs: dict[Cell, tuple[int, str]] = dataclasses.field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The results in JSON values, by the words of cells."""
        return {
            "schedules": {key(cell): _to_json(schedule) for cell, schedule in self.schedules.items()},
            "proofs": {key(cell): list(proof) for cell, proof in self.proofs.items()},
        }


def _to_json(schedule: Schedule) -> dict[str, Any]:
    """The moves of a schedule, each ``[step, src, dst, [origin, destination]]`` with the nodes of its way."""
    moves = [[*move[:3], [*move.message[:2]], *move.way] for move in (one.move for one in schedule.transfers)]
    return {"symmetric": schedule.symmetric, "moves": moves}


def read(topology: Topology, record: dict[str, Any]) -> Searched:
    """The results on a network from JSON values."""
    cells = {key(cell): cell for cell in cells_on(topology)}
    schedules = {}
    for words, one in record["schedules"].items():
        moves = (Move(step, src, dst, Message(*message), tuple(way)) for step, src, dst, message, *way in one["moves"])
        schedules[cells[words]] = cells[words].problem.schedule(moves, symmetric=one["symmetric"])
    return Searched(schedules, {cells[words]: (steps, digest) for words, (steps, digest) in record["proofs"].items()})


@functools.cache
def stored_searches() -> dict[str, dict[str, Any]]:
    """The stored results of all networks, by their words, in JSON values."""
    return json.loads(
        resources.files("fatcube.studies.open_cells").joinpath("searched.json").read_text(encoding="utf-8")
    )


def known_of(topology: Topology, searched: Searched) -> Known:
    """The knowledge of the cells of a network, with the results of searches."""
    bounds = {cell: proved_by_search(steps) for cell, (steps, _) in searched.proofs.items()}
    return Known(topology, searched.schedules.values(), bounds)


def search_open(topology: Topology, searched: Searched, seconds: float) -> Iterator[tuple[Cell, int, Outcome]]:
    """Search each open cell of a network, ``seconds`` for each number of steps, and add the results to ``searched``.

    Symmetric schedules are searched first where there are any, for a third of the time. Each answer is yielded: the cell,
    the number of steps and the outcome.
    """
    known = known_of(topology, searched)
    for cell in known.cells:
        steps = known.bounds[cell].steps
        while known.open(cell) and steps < known.steps(cell):
            with doing(f"searching {cell} on the {topology.name} in {steps} steps"):
                outcome, schedule = _ask(cell, steps, seconds)
            if schedule is not None:
                searched.schedules[cell] = schedule
                known.take(cell, schedule)
            elif outcome is Outcome.IMPOSSIBLE:
                searched.proofs[cell] = steps, program_digest(cell.problem, steps=steps)
                known.prove(cell, proved_by_search(steps))
            yield cell, steps, outcome
            steps += 1


def _ask(cell: Cell, steps: int, seconds: float) -> tuple[Outcome, Schedule | None]:
    """The outcome of the search for a schedule of a cell in ``steps`` steps, and the schedule."""
    problem, outcome = cell.problem, Outcome.TIME
    if model_size(problem, steps) > MOST_VARIABLES:
        return outcome, None
    trivial = symmetry_of(problem.normal).trivial
    for symmetric, limit in (((True, seconds / 3),) if not trivial else ()) + ((False, seconds),):
        answer = search(problem, steps=steps, time_limit=limit, symmetric=symmetric)
        outcome = answer.outcome
        if outcome is Outcome.INTERRUPTED:
            raise KeyboardInterrupt
        if answer.schedule is not None:
            return outcome, answer.schedule
    return outcome, None
