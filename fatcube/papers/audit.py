"""Auditing a paper: every claim printed, recomputed, held against proofs, with its verdict and its evidence.

A claim about many cases is decided case by case, and the verdict follows from the cases: it ``holds`` in all of
them, or it ``holds only if`` a condition (the first of those offered that leaves only cases in which it holds
and none outside), or it is ``wrong``, with the smallest case in which it fails. Nothing about the verdict is
written by hand; whoever states a claim offers conditions that might explain it.
"""

from collections.abc import Callable, Sequence
import dataclasses
import json
from pathlib import Path
from typing import Any

from fatcube.papers.audit_rows import Row
from groundwork.files import write_text
from groundwork.validation import ParameterError
from noc.topology import Topology
from rtl.port_model import PortModel
from schedules.bounds import Bound
from schedules.checker import ScheduleError, check
from schedules.collective import Collective
from schedules.construct import construct
from schedules.schedule import Schedule
from schedules.schedule_file import read_schedule, write_schedule
from schedules.search import Outcome, Search, program_digest, search
from schedules.symmetry import Symmetry

__all__ = [
    "Case",
    "Evidence",
    "Row",
    "arithmetic",
    "ceil_div",
    "ceil_log",
    "counted",
    "formula",
    "judge",
    "optimal",
    "reachable",
]


Holds = Callable[[Any], bool | None]
"""From a case to whether a claim holds in it, ``None`` where that is not known."""
Conditions = Sequence[tuple[str, Callable[[Any], bool]]]
"""Conditions on a case in words, that might explain where a claim holds; the best explanation comes first."""
WRITTEN_OUT = 2_000  # transfers; larger symmetric schedules are kept as they are stored


@dataclasses.dataclass(frozen=True)
class Case:
    """A collective on a topology with a router model.

    Its text and :attr:`name` must tell it from all other cases of the same audit.
    """

    topology: Topology
    ports: str
    collective: str

    @property
    def P(self) -> int:  # the papers' letter
        """Number of processors."""
        return self.topology.processors

    @property
    def k(self) -> int:
        """Ports of a processor."""
        return PortModel.parse(self.ports).processor_ports(self.topology.degree, self.topology.m)

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
        return f"{self.collective}-{self.place}-{PortModel.parse(self.ports).word}"

    def __str__(self) -> str:
        return f"{self.collective} on {self.place} model {self.ports}"


class Evidence:
    """Schedules and infeasibility proofs, kept as files, so that what was found once is only checked again.

    Parameters
    ----------
    folder : :class:`pathlib.Path`
        Where the files are.
    time_limit : :class:`float`
        Seconds for one search.
    progress : callable, optional
        Is told, in a few words, what is looked at.
    searched : callable, optional
        Says of a :class:`Case` whether it is worth searching, where its construction does not meet its lower bound.
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
        self._known: dict[Case, tuple[Bound, int]] = {}

    def known(self, case: Case) -> tuple[Bound, int]:
        """The proven lower :class:`Bound` of a case, and the steps of the best schedule that is known."""
        if case not in self._known:
            self._progress(str(case))
            constructed = construct(case.topology, case.ports, case.collective)
            bound, steps = constructed.bound, constructed.steps
            if self.searched(case):
                while bound.steps < steps and self.impossible(case, bound.steps):
                    bound = Bound(bound.steps + 1, self.proof(case, bound.steps))
                if bound.steps < steps and self._kept(case, bound.steps):
                    steps = bound.steps
            self._known[case] = bound, steps
        return self._known[case]

    def optimum(self, case: Case) -> int | None:
        """The proven number of steps, or ``None``."""
        bound, steps = self.known(case)
        return steps if bound.steps == steps else None

    def text(self, case: Case) -> str:
        """The optimum as it stands in a table, or the range that it lies in."""
        bound, steps = self.known(case)
        return str(steps) if bound.steps == steps else f"{bound.steps} to {steps}"

    def schedule(self, case: Case) -> str:
        """The file of the best schedule of a case: a checked one, made if it is not there."""
        _, steps = self.known(case)
        if not self._kept(case, steps):
            self.keep(case.name, construct(case.topology, case.ports, case.collective).schedule)
        return f"schedules/{case.name}.json"

    def keep(self, name: str, schedule: Schedule) -> str:
        """Write a schedule that passes the checker to the file of this name, and return that."""
        check(schedule)
        path = self.folder / f"schedules/{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_schedule(schedule.expanded() if schedule.size <= WRITTEN_OUT else schedule, path)
        return f"schedules/{name}.json"

    def _kept(self, case: Case, steps: int) -> bool:
        """Return whether the file of a case is a valid schedule of so many steps."""
        try:
            found = read_schedule(self.folder / f"schedules/{case.name}.json")
            return (found.topology, found.ports.value, found.collective.value) == (
                case.topology,
                case.ports,
                case.collective,
            ) and check(found).steps == steps
        except (OSError, ParameterError, ScheduleError):
            return False

    def impossible(self, case: Case, steps: int) -> bool:
        """Return whether a search proves that there is no schedule of ``steps`` steps; the proof's record is kept.

        So is the schedule, if one is found. Where there are schedules that are the same seen from every node, these
        are searched first: that is much faster, but proves nothing if there are none.
        """
        path = self.folder / f"proofs/{case.name}-{steps}.json"
        question = {
            "topology": case.topology.to_json(),
            "ports": case.ports,
            "collective": case.collective,
            "steps": steps,
            "program": program_digest(case.topology, case.ports, case.collective, steps=steps),
        }
        try:
            record = json.loads(path.read_text())
            if record["question"] == question and record["outcome"] in {outcome.value for outcome in Outcome}:
                if record["outcome"] != Outcome.FOUND.value or self._kept(case, steps):  # else the schedule is lost
                    return record["outcome"] == Outcome.IMPOSSIBLE.value
        except (OSError, ValueError, KeyError, TypeError):
            pass
        self._progress(f"searching {case} in {steps} steps")
        symmetric = not Symmetry.of(case.topology, Collective.parse(case.collective)).trivial
        found = self._search(case, steps, symmetric=symmetric)
        if symmetric and found.schedule is None:
            found = self._search(case, steps, symmetric=False)
        if found.schedule is not None:
            self.keep(case.name, found.schedule)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(
            path,
            json.dumps(
                {
                    "question": question,
                    "outcome": found.outcome.value,
                    "seconds": round(found.seconds, 2),
                    "solver": "OR-tools CP-SAT",
                },
                indent=1,
            )
            + "\n",
        )
        return found.outcome is Outcome.IMPOSSIBLE

    def _search(self, case: Case, steps: int, *, symmetric: bool) -> Search:
        return search(
            case.topology, case.ports, case.collective, steps=steps, time_limit=self.time_limit, symmetric=symmetric
        )

    def proof(self, case: Case, steps: int) -> str:
        """The file of the search for a schedule of so many steps, and what it says if that is no proof."""
        proved = self.impossible(case, steps)
        return f"proofs/{case.name}-{steps}.json" + ("" if proved else " (not decided)")


def judge(cases: Sequence[Any], holds: Holds, conditions: Conditions = ()) -> tuple[str, Any]:
    """The verdict on a claim about many cases, and the smallest case in which it fails (or ``None``).

    Parameters
    ----------
    cases : list
        All cases looked at, the smallest first.
    holds : :data:`Holds`
    conditions : :data:`Conditions`
    """
    results = [(case, holds(case)) for case in cases]
    failing = [case for case, result in results if result is False]
    if not failing:
        unknown = sum(result is None for _, result in results)
        return ("holds" if not unknown else f"holds in {len(results) - unknown} cases, {unknown} not decided"), None
    for text, condition in conditions:
        inside = [result for case, result in results if condition(case)]
        outside = [result for case, result in results if not condition(case)]
        if inside and all(inside) and not any(outside):
            return f"holds only if {text}", failing[0]
    for text, condition in conditions:
        inside = [result for case, result in results if condition(case)]
        if inside and all(inside):
            also = sum(result is True for case, result in results if not condition(case))
            return f"holds if {text}, and in {also} of the other {len(results) - len(inside)} cases", failing[0]
    good = sum(result is True for _, result in results)
    return f"wrong: fails in {len(failing)} of {len(results)} cases, holds in {good}", failing[0]


def reachable(evidence: Evidence, value: Callable[[Any], int]) -> Holds:
    """Return whether a schedule of ``value(case)`` steps exists; ``None`` if that is not known."""

    def holds(case: Any) -> bool | None:
        bound, steps = evidence.known(case)
        return True if value(case) >= steps else False if value(case) < bound.steps else None

    return holds


def optimal(evidence: Evidence, value: Callable[[Any], int]) -> Holds:
    """Return whether ``value(case)`` is the fewest steps; ``None`` if that is not known."""

    def holds(case: Any) -> bool | None:
        bound, steps = evidence.known(case)
        if value(case) == steps == bound.steps:
            return True
        return False if value(case) < bound.steps or value(case) > steps or bound.steps == steps else None

    return holds


def formula(
    evidence: Evidence,
    where: str,
    claim: str,
    printed: str,
    cases: Sequence[Any],
    value: Callable[[Any], int],
    holds: Holds,
    conditions: Conditions = (),
    *,
    sizes: str = "",
    show: Callable[[Any], bool] = lambda case: False,
) -> Row:
    """The row of a formula that is claimed for many cases.

    It shows the smallest case in which the formula fails, otherwise the first that ``show`` picks, otherwise the
    first. ``sizes`` says in words which cases they are.
    """
    verdict, failing = judge(cases, holds, conditions)
    best = sum(evidence.optimum(case) == value(case) for case in cases)
    shown = failing or next(filter(show, cases), cases[0])
    bound, _ = evidence.known(shown)
    return Row(
        where,
        claim,
        printed,
        f"{shown}: {value(shown)}; {len(cases)} cases{sizes and ' ' + sizes}, the optimum in {best}",
        verdict,
        f"{evidence.schedule(shown)}; no fewer: {bound.reason}",
        evidence.text(shown),
    )


def arithmetic(
    where: str,
    claim: str,
    printed: str,
    values: Sequence[Any],
    holds: Holds,
    conditions: Conditions = (),
    evidence: str = "computed",
    show: Callable[[Any], str] = str,
) -> Row:
    """The row of a claim that needs no schedule: ``values`` are the cases."""
    verdict, failing = judge(values, holds, conditions)
    recomputed = f"{len(values)} cases" if failing is None else f"fails for {show(failing)}"
    return Row(where, claim, printed, recomputed, verdict, evidence)


def counted(
    where: str,
    claim: str,
    printed: str,
    values: Sequence[Any],
    found: Callable[[Any], object],
    expected: Callable[[Any], object],
    conditions: Conditions = (),
    evidence: str = "counted on the graph",
    *,
    show: Callable[[Any], str] = lambda value: f"n = {value}",
) -> Row:
    """The row of a claim about a number: for all values ``found`` is shown, and held against ``expected``."""
    results = {value: found(value) for value in values}
    verdict, _ = judge(values, lambda value: results[value] == expected(value), conditions)
    return Row(
        where,
        claim,
        printed,
        "; ".join(f"{show(value)}: {result}" for value, result in results.items()),
        verdict,
        evidence,
    )


def ceil_div(amount: int, rate: int) -> int:
    """The papers' ceil(amount / rate)."""
    return -(-amount // rate)


def ceil_log(base: int, number: int) -> int:
    """The papers' ceil(log number) to a base of at least 2, exactly."""
    exponent, power = 0, 1
    while power < number:
        exponent, power = exponent + 1, power * base
    return exponent
