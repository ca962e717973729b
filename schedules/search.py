"""Shortest schedules of small cases, found and proven by search (OR-tools CP-SAT).

Gathers and reductions are searched as what they are the reversal of (see :mod:`fatcube.schedules.constructions.reversal`).

The question is whether a schedule of a given number of steps exists. A message for everybody is modelled by
who holds it after each step, a message for one processor by where it is; both lose nothing, since
a processor need not receive a message twice, and a message for one processor need not exist twice. Lanes
of a link do not differ, so they are counted, and numbered afterwards.
"""

import dataclasses
import enum
import math
import time
from typing import assert_never

from fatcube.groundwork.digest import digest
from fatcube.groundwork.solving import solve
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import Bound, lower_bound
from fatcube.schedules.collective import Collective
from fatcube.schedules.constructions.reversal import backwards, forwards
from fatcube.schedules.formulation import formulate
from fatcube.schedules.participants import EVERYBODY, Participants
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import STANDARD, Links, StepModel, check_ways
from fatcube.schedules.symmetry import Symmetry

__all__ = ["Finding", "Outcome", "Search", "fewest", "program_digest", "search"]


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
        The highest proven lower bound; its reason says what proves it.
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


def search(
    topology: Topology,
    ports: PortModel | str,
    collective: Collective | str,
    root: int | None = 0,
    *,
    steps: int,
    time_limit: float,
    seed: int = 0,
    symmetric: bool = False,
    model: StepModel = STANDARD,
    among: Participants = EVERYBODY,
) -> Search:
    """Search for a schedule of at most ``steps`` steps, or for the proof that there is none.

    The same question has the same answer in every run, unless ``time_limit`` ends it.

    Parameters
    ----------
    topology, ports, collective, root
        The case; ``root`` counts for rooted collectives only.
    steps : :class:`int`
        The most steps that the schedule may have.
    time_limit : :class:`float`
        Seconds after which to give up. Ctrl-C gives up at once.
    seed : :class:`int`
        Where the search begins.
    symmetric : :class:`bool`
        Whether to search only among schedules that are the same seen from every node (see
        :mod:`fatcube.schedules.symmetry`): a much smaller question, but "none" proves nothing about others then.
    model : :class:`StepModel`
        Stricter rules of a step.
    among : :class:`Participants`
        The processors that the collective is among.

    Returns
    -------
    :class:`Search`

    Raises
    ------
    ParameterError
        If a parameter is wrong, the collective is an all-reduce, or the case has no symmetry.
    """
    from ortools.sat.python import cp_model  # takes half a second, which only a search is worth

    started = time.monotonic()
    ports = PortModel.parse(ports)
    collective = Collective.parse(collective)
    root = collective.root_of(topology, root)
    check_integer("steps", steps, minimum=1)
    check_integer("seed", seed, minimum=0, maximum=2**31 - 1)
    model.check_ports(ports)
    check_ways(topology, collective, root)
    if len(collective.phases) > 1:
        raise ParameterError(
            "collective must be one that moves messages or sums, not both, to be searched, not all-reduce"
        )
    if model.links is Links.SIMPLEX:
        found = search(
            model.lanes_of(topology),
            ports,
            collective,
            root,
            steps=steps,
            time_limit=time_limit,
            seed=seed,
            symmetric=symmetric,
            model=model.changed(links=Links.FULL_DUPLEX),
            among=among,
        )
        return (
            found if found.schedule is None else dataclasses.replace(found, schedule=simplex(found.schedule, topology))
        )
    if reversal := forwards(ports, collective):
        found = search(
            topology.mirror_image,
            *reversal,
            topology.mirrored(root),
            steps=steps,
            time_limit=time_limit,
            seed=seed,
            symmetric=symmetric,
            model=model,
            among=among.mirrored(topology).reversed,
        )
        return (
            found
            if found.schedule is None
            else dataclasses.replace(found, schedule=backwards(found.schedule, ports, collective))
        )
    symmetry = Symmetry.of(topology, collective, model, among) if symmetric else Symmetry.none(topology)
    if symmetric and symmetry.trivial:
        raise ParameterError(
            f"symmetric must be False for {collective.value} on {topology}: "
            f"schedules that are the same seen from every node are not known there"
        )
    schedule, program = None, None
    solver = cp_model.CpSolver()
    try:
        messages = symmetry.representatives(collective, root, among=among)
        program = formulate(topology, ports, symmetry, messages, steps, started + time_limit, model, among)
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
        schedule = Schedule.from_moves(
            topology, ports, collective, root, taken, symmetric=symmetric, model=model, among=among
        )
    elif status == cp_model.INFEASIBLE:
        outcome = Outcome.NO_SYMMETRIC if symmetric else Outcome.IMPOSSIBLE
    else:
        outcome = Outcome.INTERRUPTED if status is None else Outcome.TIME
    return Search(steps, outcome, schedule, time.monotonic() - started)


def simplex(schedule: Schedule, topology: Topology) -> Schedule:
    """A schedule for the lanes of simplex links as one of ``topology``, whose lanes these are."""
    return Schedule.from_moves(
        topology,
        schedule.ports,
        schedule.collective,
        schedule.root,
        (transfer.move for transfer in schedule.transfers),
        symmetric=schedule.symmetric,
        parts=schedule.parts,
        model=schedule.model.changed(links=Links.SIMPLEX),
        among=schedule.among,
    )


def program_digest(
    topology: Topology,
    ports: PortModel | str,
    collective: Collective | str,
    root: int | None = 0,
    *,
    steps: int,
    model: StepModel = STANDARD,
) -> str:
    """The digest of the integer program whose answer decides the question that :func:`search` asks without symmetry.

    A proof is found again by it: it holds as long as the program is the same, whatever else of the sources changes.
    The parameters are those of :func:`search`.
    """
    ports, collective = PortModel.parse(ports), Collective.parse(collective)
    root = collective.root_of(topology, root)
    if model.links is Links.SIMPLEX:
        full_duplex = model.changed(links=Links.FULL_DUPLEX)
        return program_digest(model.lanes_of(topology), ports, collective, root, steps=steps, model=full_duplex)
    if reversal := forwards(ports, collective):
        return program_digest(topology.mirror_image, *reversal, topology.mirrored(root), steps=steps, model=model)
    symmetry = Symmetry.none(topology)
    messages = symmetry.representatives(collective, root)
    return digest(str(formulate(topology, ports, symmetry, messages, steps, math.inf, model).model.proto))


def fewest(
    topology: Topology,
    ports: PortModel | str,
    collective: Collective | str,
    root: int | None = 0,
    *,
    time_limit: float,
    seed: int = 0,
    known: Finding | None = None,
    model: StepModel = STANDARD,
    among: Participants = EVERYBODY,
) -> Finding:
    """Search for the shortest schedule, from the lower bound upwards, as a :class:`Finding`.

    For every number of steps, symmetric schedules are tried first where there are any, then all. Each of
    these questions may take half of the time that is left. Where one is not answered, the search goes on
    with one more step, but the lower bound stays.

    Parameters
    ----------
    topology, ports, collective, root
        The case; ``root`` counts for rooted collectives only.
    time_limit : :class:`float`
        Seconds after which to give up. Ctrl-C gives up at once.
    seed : :class:`int`
        Where the search begins.
    known : :class:`Finding`, optional
        A schedule that is known: only shorter ones are searched, and it is the answer if there are none.
    model : :class:`StepModel`
        What a step allows.
    among : :class:`Participants`
        The processors that the collective is among.

    Raises
    ------
    ParameterError
        If a parameter is wrong, or the collective is an all-reduce.
    """
    started = time.monotonic()
    collective = Collective.parse(collective)
    bound = lower_bound(topology, ports, collective, root, model, among=among) if known is None else known.bound
    finding = known or Finding(collective, None, "not found", bound, 0.0)
    asymmetric = Symmetry.of(topology, collective, model, among).trivial
    steps, stopped = bound.steps, None

    def ask(symmetric: bool) -> tuple[Search, float]:
        """Search, and return the end of it with the time that was left when it began."""
        left = time_limit - (time.monotonic() - started)
        ended = search(
            topology,
            ports,
            collective,
            root,
            steps=steps,
            time_limit=left / 2,
            seed=seed,
            symmetric=symmetric,
            model=model,
            among=among,
        )
        return ended, left

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
            bound = Bound(steps + 1, f"search proves that there is no schedule of {steps} steps")
        if stopped is Outcome.INTERRUPTED or left < time_limit / 100:
            break
        steps += 1
    return dataclasses.replace(finding, bound=bound, seconds=time.monotonic() - started, stopped=stopped)


def model_size(
    topology: Topology, collective: Collective | str, root: int | None, steps: int, model: StepModel = STANDARD
) -> int:
    """Variables of the model without symmetry, roughly: messages times possible transfers times steps."""
    collective = Collective.parse(collective)
    processors = topology.processors
    match collective:
        case Collective.OAB | Collective.AOR:
            messages = 1
        case Collective.OAS | Collective.AOG | Collective.AAB | Collective.AAR | Collective.ALL_REDUCE:
            messages = processors
        case Collective.AAS:
            messages = processors**2
        case _:
            assert_never(collective)
    counts = {node: len(topology.processors_of(node)) for node in topology.served}
    outputs = sum(
        counts[node] * (counts[node] - 1 + sum(counts[other] for other in topology.served[node])) for node in counts
    )
    if model.direct:
        outputs = processors * (processors - 1)
        return messages * outputs * steps + topology.nodes * topology.channels * steps
    return messages * outputs * steps
