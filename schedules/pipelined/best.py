"""The best schedule that is known for messages in many parts, on any network."""

from collections.abc import Sequence
import dataclasses
import time

from fatcube.noc.network import Network
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.construct import best, construct, with_fewer_ports
from fatcube.schedules.cycles import StepKinds, lockstep_cycles
from fatcube.schedules.pipelined.build import fewest_cycles, in_parts, lengths_of_parts
from fatcube.schedules.pipelined.last import with_short_steps
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.search import Finding

__all__ = ["best_in_parts", "best_number_of_parts", "cycles_of_bound"]


def best_in_parts(problem: Problem) -> Finding:
    """The shortest schedule in the parts of a problem that is constructed, with its lower bound, as a :class:`Finding`.

    Of one part it is that of :func:`fatcube.schedules.construct.best`.

    Raises
    ------
    ParameterError
        If steps cannot solve the problem, or no construction keeps to the step model.
    """
    started = time.monotonic()
    if problem.parts == 1:
        return best(problem)
    bound = lower_bound(problem)
    schedule = with_short_steps(problem.from_normal(in_parts(problem.normal, _undivided)))
    return Finding(
        problem.collective, schedule, f"constructed, {problem.parts} parts", bound, time.monotonic() - started
    )


def _undivided(problem: Problem) -> Schedule | None:
    return with_fewer_ports(problem, construct(problem)).schedule


def cycles_of_bound(problem: Problem, network: Network, payload_flits: int) -> int:
    """The cycles in lockstep of as many steps as the lower bound has; where nodes have several processors, of short ones.

    Where the last part of a message is shorter, the other parts move in at least the steps of their own
    bound, and the other steps may be of last parts only.
    """

    def cycles(steps: int, flits: int) -> int:
        kinds = StepKinds(steps, 0, 0) if problem.topology.m == 1 else StepKinds(0, steps, 0)
        return lockstep_cycles(kinds, network, flits)

    steps = lower_bound(problem).steps
    flits, last = lengths_of_parts(payload_flits, problem.parts)
    if last == flits:
        return cycles(steps, flits)
    long = lower_bound(problem.changed(parts=problem.parts - 1)).steps
    return cycles(long, flits) + cycles(max(0, steps - long), last)


def best_number_of_parts(
    problem: Problem, network: Network, payload_flits: int, *, numbers: Sequence[int] | None = None
) -> Finding:
    """The finding of :func:`best_in_parts` for the number of parts that takes the fewest cycles in lockstep on ``network``.

    ``payload_flits`` are those of an undivided message. Cycles are those of :func:`fatcube.schedules.cycles.lockstep_cycles`, of schedules
    and of lower bounds. ``network`` has the topology and the router model of the problem, with the lanes of its step model.
    ``numbers`` are those to choose from, instead of all.
    """

    def of_bound(parts: int) -> int:
        return cycles_of_bound(problem.changed(parts=parts), network, payload_flits)

    def build(parts: int) -> Finding:
        return best_in_parts(problem.changed(parts=parts))

    def cycles(finding: Finding) -> int:
        assert finding.schedule is not None
        parts = finding.schedule.parts
        there = dataclasses.replace(network, parts=parts)
        return lockstep_cycles(finding.schedule, there, *lengths_of_parts(payload_flits, parts))

    return fewest_cycles(payload_flits, of_bound, build, cycles, numbers)
