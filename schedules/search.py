"""Shortest schedules of small cases, found and proven by search (OR-tools CP-SAT).

Gathers and reductions are searched as what they are the reversal of (see :mod:`fatcube.schedules.constructions.reversal`).

The question is whether a schedule of a given number of steps exists. A message for everybody is modelled by
its holders after each step, a message for one processor by its place; neither model loses anything, since
a processor need not receive a message twice, and a message for one processor need not exist twice. Lanes
of a link do not differ, so they are counted, and numbered afterwards.
"""

import dataclasses
import enum
import math
import time

from fatcube.groundwork.digest import digest
from fatcube.groundwork.solving import solve
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.schedules.bounds import Bound, lower_bound
from fatcube.schedules.collective import Collective
from fatcube.schedules.exact.formulation import formulate
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.symmetry import Symmetry

__all__ = ["Finding", "Outcome", "Search", "fewest", "program_digest", "proved_by_search", "search", "symmetry_of"]


class Outcome(enum.Enum):
    """The end of a search."""

    FOUND = "found"
    IMPOSSIBLE = "proven impossible"
    NO_SYMMETRIC = "proven impossible for symmetric schedules only"
    TIME = "out of time, nothing proven"
    INTERRUPTED = "interrupted, nothing proven"


@dataclasses.dataclass(frozen=True)
class Search:
    """The end of the search for a schedule of at most ``steps`` steps, after ``seconds``.

    ``schedule`` is ``None`` unless it was found.
    """

    steps: int
    outcome: Outcome
    schedule: Schedule | None
    seconds: float


@dataclasses.dataclass(frozen=True)
class Finding:
    """The shortest schedule that was found, and what is proven about it.

    Members
    -------
    collective : :class:`Collective`
        The collective that a schedule was wanted for.
    schedule : :class:`Schedule` or ``None``
        The schedule; ``None`` if there was no time to find any.
    by : :class:`str`
        How it was found.
    bound : :class:`Bound`
        The highest proven lower bound, with the argument that proves it.
    seconds : :class:`float`
        How long it took.
    stopped : :class:`Outcome` or ``None``
        ``TIME`` or ``INTERRUPTED`` if a search left something open; nothing is proven about that.

    Raises
    ------
    ValueError
        If the schedule is for another collective, or has fewer steps than the bound: one of them is wrong then.
    """

    collective: Collective
    schedule: Schedule | None
    by: str
    bound: Bound
    seconds: float
    stopped: Outcome | None = None

    def __post_init__(self) -> None:
        if self.schedule is None:
            return
        if self.schedule.collective is not self.collective:
            raise ValueError(
                f"the schedule that was found for {self.collective.value} is one for {self.schedule.collective.value}"
            )
        if self.schedule.steps < self.bound.steps:
            raise ValueError(
                f"a schedule of {self.schedule.steps} steps for {self.collective.value} contradicts the lower bound of "
                f"{self.bound.steps}: {self.bound.reason}"
            )

    @property
    def found(self) -> Schedule:
        """The schedule of a finding that has one, as every construction does."""
        assert self.schedule is not None
        return self.schedule

    @property
    def steps(self) -> int | None:
        """Steps of the schedule; ``None`` if there is none."""
        return None if self.schedule is None else self.schedule.steps

    @property
    def proved(self) -> bool:
        """True if no schedule can be shorter."""
        return self.steps == self.bound.steps


def search(problem: Problem, *, steps: int, time_limit: float, seed: int = 0, symmetric: bool = False) -> Search:
    """Search for a schedule of at most ``steps`` steps, or for the proof that there is none.

    A question has the same answer in every run, unless ``time_limit`` ends it.

    Parameters
    ----------
    problem : :class:`Problem`
    steps : :class:`int`
        The most steps that the schedule may have.
    time_limit : :class:`float`
        Seconds after which to give up. Ctrl-C gives up at once.
    seed : :class:`int`
        Where the search begins.
    symmetric : :class:`bool`
        Whether to search only among schedules that are the same seen from every node (see
        :mod:`fatcube.schedules.symmetry`): a much smaller question, but "none" proves nothing about others then.

    Raises
    ------
    ParameterError
        If a parameter is wrong, steps cannot solve the problem, it is an all-reduce among some processors, or it has no symmetry.
    """
    check_integer("steps", steps, minimum=1)
    check_integer("seed", seed, minimum=0, maximum=2**31 - 1)
    normal = problem.normal
    if problem.collective.phases_of and not problem.among.all:
        raise ParameterError(
            f"{problem.collective.value} must be among all processors to be searched, not {problem.among}"
        )
    symmetry = symmetry_of(normal) if symmetric else Symmetry.none(normal.topology)
    if symmetric and symmetry.trivial:
        raise ParameterError(
            f"symmetric must be False for {problem.collective.value} on the {problem.topology.name}: "
            f"schedules that are the same seen from every node are not known there"
        )
    found = _search(normal, symmetry, steps, time_limit, seed)
    return found if found.schedule is None else dataclasses.replace(found, schedule=problem.from_normal(found.schedule))


def symmetry_of(problem: Problem) -> Symmetry:
    """The translations under which a schedule of a normal problem may be the same."""
    return Symmetry.of(problem.topology, problem.collective, problem.model, problem.among)


def _search(problem: Problem, symmetry: Symmetry, steps: int, time_limit: float, seed: int) -> Search:
    """The search for a schedule of a normal problem that is the same under the translations of ``symmetry``."""
    from ortools.sat.python import cp_model  # takes half a second, which only a search is worth

    started = time.monotonic()
    schedule, program = None, None
    solver = cp_model.CpSolver()
    try:
        program = formulate(problem, symmetry, steps, started + time_limit)
        solver.parameters.num_workers = 1  # several workers race, and who wins differs from run to run
        solver.parameters.random_seed = seed
        solver.parameters.linearization_level = 0  # schedules are found several times faster
        solver.parameters.max_time_in_seconds = max(0.0, time_limit - (time.monotonic() - started))
        status = solve(solver, program.model)
    except KeyboardInterrupt:
        status = None
    except TimeoutError:
        status = cp_model.UNKNOWN
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        assert program is not None
        outcome = Outcome.FOUND
        taken = program.taken(solver)
        schedule = problem.schedule(taken, symmetric=not symmetry.trivial)
    elif status == cp_model.INFEASIBLE:
        outcome = Outcome.IMPOSSIBLE if symmetry.trivial else Outcome.NO_SYMMETRIC
    else:
        outcome = Outcome.INTERRUPTED if status is None else Outcome.TIME
    return Search(steps, outcome, schedule, time.monotonic() - started)


def proved_by_search(steps: int) -> Bound:
    """The lower bound of a problem for which a search proves that ``steps`` steps are impossible."""
    return Bound(steps + 1, f"search proves that there is no schedule of {steps} steps")


def program_digest(problem: Problem, *, steps: int) -> str:
    """The digest of the integer program whose answer decides the question that :func:`search` asks without symmetry.

    A proof is found again by it: it holds as long as the program is the same, whatever else of the sources changes.
    """
    normal = problem.normal
    return digest(str(formulate(normal, Symmetry.none(normal.topology), steps, math.inf).model.proto))


def fewest(problem: Problem, *, time_limit: float, seed: int = 0, known: Finding | None = None) -> Finding:
    """Search for the shortest schedule, from the lower bound upwards, as a :class:`Finding`.

    For every number of steps, symmetric schedules are tried first where there are any, then all. Each of
    the questions may take half of the time that is left. Where one is not answered, the search continues
    with one more step, but the lower bound stays.

    Parameters
    ----------
    problem : :class:`Problem`
    time_limit : :class:`float`
        Seconds after which to give up. Ctrl-C gives up at once.
    seed : :class:`int`
        Where the search begins.
    known : :class:`Finding`, optional
        A schedule that is known: only shorter ones are searched, and it is the answer if there are none.

    Raises
    ------
    ParameterError
        As :func:`search`.
    """
    started = time.monotonic()
    bound = lower_bound(problem) if known is None else known.bound
    finding = known or Finding(problem.collective, None, "not found", bound, 0.0)
    asymmetric = symmetry_of(problem.normal).trivial
    steps, stopped = bound.steps, None

    def ask(symmetric: bool) -> tuple[Search, float]:
        """Search, and return the end of it with the time that was left when it began."""
        left = time_limit - (time.monotonic() - started)
        return search(problem, steps=steps, time_limit=left / 2, seed=seed, symmetric=symmetric), left

    while finding.steps is None or steps < finding.steps:
        symmetric = not asymmetric
        answer, left = ask(symmetric)
        if symmetric and answer.outcome not in (Outcome.FOUND, Outcome.INTERRUPTED):
            symmetric = False
            answer, left = ask(symmetric)
        if answer.outcome is Outcome.FOUND:
            by = "search among symmetric schedules" if symmetric else "search"
            finding = dataclasses.replace(finding, schedule=answer.schedule, by=by)
        elif answer.outcome is not Outcome.IMPOSSIBLE:
            stopped = answer.outcome
        else:  # which answers the questions for fewer steps too
            stopped = None
            bound = proved_by_search(steps)
        if stopped is Outcome.INTERRUPTED or left < time_limit / 100:
            break
        steps += 1
    return dataclasses.replace(finding, bound=bound, seconds=time.monotonic() - started, stopped=stopped)


def model_size(problem: Problem, steps: int) -> int:
    """Variables of the integer program without symmetry, roughly: messages times possible transfers times steps."""
    topology = problem.normal.topology
    processors, messages = topology.processors, problem.normal.collective.number_of_messages(topology)
    messages *= len(problem.collective.phases)
    counts = {node: len(topology.processors_of(node)) for node in topology.served}
    outputs = sum(
        counts[node] * (counts[node] - 1 + sum(counts[other] for other in topology.served[node])) for node in counts
    )
    if problem.model.direct:
        outputs = processors * (processors - 1)
        return messages * outputs * steps + topology.nodes * topology.channels * steps
    return messages * outputs * steps
