"""Schedules and proofs that an audit rests on, and what they say: kept as files, found again and checked again."""

from collections.abc import Callable
import dataclasses
from fractions import Fraction
import json
from pathlib import Path
from typing import Any

from fatcube.groundwork.files import write_text
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topology import Topology
from fatcube.papers.verdict import Case
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import Bound
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.schedule_file import read_schedule, write_schedule
from fatcube.schedules.search import Outcome, Search, program_digest, search
from fatcube.schedules.step_model import STANDARD, StepModel
from fatcube.schedules.symmetry import Symmetry

__all__ = ["Evidence", "Instance"]


WRITTEN_OUT = 2_000  # transfers; larger symmetric schedules are kept as they are stored


@dataclasses.dataclass(frozen=True)
class Instance:
    """A collective on a topology with a router model and a step model, which is the usual one if not given.

    Its text and :attr:`name` must tell it from all other cases of the same audit.
    """

    topology: Topology
    ports: str
    collective: str
    model: StepModel = STANDARD

    @property
    def problem(self) -> Problem:
        """The problem that a schedule of the case solves."""
        return Problem(self.topology, self.ports, self.collective, model=self.model)

    @property
    def P(self) -> int:  # the papers' letter
        """Number of processors."""
        return self.topology.processors

    @property
    def k(self) -> int:
        """Ports of a processor."""
        return self.problem.k

    @property
    def given(self) -> dict[str, Any]:
        """The paper's letters for the topology; none here."""
        return {}

    @property
    def place(self) -> str:
        """The topology as part of a file name, without one processor per node and one lane per link."""
        return self.topology.kind + "".join(
            f"-{name}{value}"
            for name, value in self.topology.parameters.items()
            if (name, value) not in (("m", 1), ("f", 1))
        )

    @property
    def name(self) -> str:
        """The case as part of a file name."""
        words = [self.collective, self.place, PortModel.parse(self.ports).word, *str(self.model).split()]
        return "-".join(words).replace(",", "")

    def __str__(self) -> str:
        steps = str(self.model)
        return f"{self.collective} on {self.place} model {self.ports}{', ' if steps else ''}{steps}"


class Evidence:
    """Schedules and infeasibility proofs, kept as files, so that what was found once is only checked again.

    Parameters
    ----------
    folder : :class:`pathlib.Path`
        Where the files are.
    time_limit : :class:`float`
        Seconds for one search.
    progress : callable, optional
        Called with the current case, in a few words.
    searched : callable, optional
        Whether a :class:`Instance` is worth searching, where its construction does not meet its lower bound.
    """

    def __init__(
        self,
        folder: Path,
        *,
        time_limit: float = 60.0,
        progress: Callable[[str], None] | None = None,
        searched: Callable[[Any], bool] | None = None,
    ) -> None:
        self.folder = folder
        self.time_limit = time_limit
        self.searched = searched or (lambda case: case.P <= 16 and case.collective in ("OAB", "AAB"))
        self._progress = progress or (lambda text: None)
        self._known: dict[Instance, tuple[Bound, int]] = {}

    def known(self, case: Instance) -> tuple[Bound, int]:
        """The proven lower :class:`Bound` of a case, and the steps of the best schedule that is known."""
        if case not in self._known:
            self._progress(str(case))
            constructed = construct(case.problem)
            bound, steps = constructed.bound, constructed.found.steps
            if self.searched(case):
                while bound.steps < steps and self.impossible(case, bound.steps):
                    bound = Bound(bound.steps + 1, self.proof(case, bound.steps))
                if bound.steps < steps and self._kept(case, bound.steps):
                    steps = bound.steps
            self._known[case] = bound, steps
        return self._known[case]

    def optimum(self, case: Instance) -> int | None:
        """The proven number of steps, or ``None``."""
        bound, steps = self.known(case)
        return steps if bound.steps == steps else None

    def text(self, case: Instance) -> str:
        """The optimum as it stands in a table, or the range that it lies in."""
        bound, steps = self.known(case)
        return str(steps) if bound.steps == steps else f"{bound.steps} to {steps}"

    def schedule(self, case: Instance) -> str:
        """The file of the best schedule of a case: a checked one, made if it is not there."""
        _, steps = self.known(case)
        if not self._kept(case, steps):
            self.keep(case.name, construct(case.problem).found)
        return f"schedules/{case.name}.json"

    def keep(self, name: str, schedule: Schedule) -> str:
        """Write a schedule that passes the checker to the file of this name, and return that."""
        check(schedule)
        path = self.folder / f"schedules/{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_schedule(schedule.expanded() if schedule.size <= WRITTEN_OUT else schedule, path)
        return f"schedules/{name}.json"

    def _kept(self, case: Instance, steps: int) -> bool:
        """Return whether the file of a case is a valid schedule of ``steps`` steps."""
        try:
            found = read_schedule(self.folder / f"schedules/{case.name}.json")
            return (found.topology, found.ports.value, found.collective.value, found.model) == (
                case.topology,
                case.ports,
                case.collective,
                case.model,
            ) and check(found).steps == steps
        except (OSError, ParameterError, ScheduleError):
            return False

    def impossible(self, case: Instance, steps: int) -> bool:
        """Return whether a search proves that there is no schedule of ``steps`` steps; the proof's record is kept.

        So is the schedule, if one is found. Where there are schedules that are the same seen from every node, these
        are searched first: that is much faster, but proves nothing if there are none. The record says nothing of how
        long the search took, so that the same audit writes the same file on any machine.
        """
        path = self.folder / f"proofs/{case.name}-{steps}.json"
        question = {
            "topology": case.topology.to_json(),
            "ports": case.ports,
            "collective": case.collective,
            **({} if case.model == STANDARD else {"model": case.model.to_file()}),
            "steps": steps,
            "program": program_digest(case.problem, steps=steps),
        }
        try:
            record = json.loads(path.read_text())
            if record["question"] == question and record["outcome"] in {outcome.value for outcome in Outcome}:
                if record["outcome"] != Outcome.FOUND.value or self._kept(case, steps):  # else the schedule is lost
                    return record["outcome"] == Outcome.IMPOSSIBLE.value
        except (OSError, ValueError, KeyError, TypeError):
            pass
        self._progress(f"searching {case} in {steps} steps")
        symmetric = not Symmetry.of(case.topology, Collective.parse(case.collective), case.model).trivial
        found = self._search(case, steps, symmetric=symmetric)
        if symmetric and found.schedule is None:
            found = self._search(case, steps, symmetric=False)
        if found.schedule is not None:
            self.keep(case.name, found.schedule)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(
            path,
            json.dumps({"question": question, "outcome": found.outcome.value, "solver": "OR-tools CP-SAT"}, indent=1)
            + "\n",
        )
        return found.outcome is Outcome.IMPOSSIBLE

    def _search(self, case: Instance, steps: int, *, symmetric: bool) -> Search:
        return search(
            case.problem,
            steps=steps,
            time_limit=self.time_limit,
            symmetric=symmetric,
        )

    def proof(self, case: Instance, steps: int) -> str:
        """The file of the search for a schedule of ``steps`` steps, with a note if it is no proof."""
        proved = self.impossible(case, steps)
        return f"proofs/{case.name}-{steps}.json" + ("" if proved else " (not decided)")

    def at_least(self, instance: Instance, printed: int | Fraction) -> Case:
        """The case that no schedule has fewer steps than ``printed``."""
        bound, steps = self.known(instance)
        holds = True if printed <= bound.steps else False if printed > steps else None
        return self._case(instance, printed, holds, {})

    def reached(self, instance: Instance, printed: int, **given: Any) -> Case:
        """The case that a schedule of ``printed`` steps exists, or of fewer."""
        bound, steps = self.known(instance)
        holds = True if printed >= steps else False if printed < bound.steps else None
        return self._case(instance, printed, holds, given)

    def fewest(self, instance: Instance, printed: int, **given: Any) -> Case:
        """The case that ``printed`` is the fewest steps that a schedule has."""
        bound, steps = self.known(instance)
        decided = bound.steps == steps or not bound.steps <= printed <= steps
        achieved = printed == steps and not decided
        return self._case(instance, printed, (printed == steps) if decided else None, given, achieved=achieved)

    def _case(
        self,
        instance: Instance,
        printed: int | Fraction,
        holds: bool | None,
        given: dict[str, Any],
        *,
        achieved: bool = False,
    ) -> Case:
        def shown() -> str:
            bound, _ = self.known(instance)
            return f"{self.schedule(instance)}; no fewer: {bound.reason}"

        text = self.text(instance)
        return Case(given, printed, f"{text} steps", holds, shown, text, achieved=achieved)
