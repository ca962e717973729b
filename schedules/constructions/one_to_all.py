"""A scatter on any topology: greedy, or on trees whose branches are equally large."""

from fatcube.schedules.constructions.balanced import balanced_scatter
from fatcube.schedules.constructions.greedy import greedy
from fatcube.schedules.counting import port_for_each_link
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule

__all__ = ["one_to_all"]


# Nodes squared times channels up to which branches of equal size are looked for, which takes half a minute then.
BALANCED = 15_000_000


def one_to_all(problem: Problem, least_steps: int) -> Schedule:
    """A scatter on any topology: the greedy one, or that on balanced trees if it is shorter and can be built."""
    topology, ports, root = problem.topology, problem.ports, problem.root
    assert root is not None
    schedule = greedy(problem, least_steps)
    few = topology.nodes**2 * topology.degree <= BALANCED
    balanced = None
    if few and port_for_each_link(topology, ports) and not topology.directed and schedule.steps > least_steps:
        balanced = balanced_scatter(topology, ports, root)
    return min(filter(None, (schedule, balanced)), key=lambda one: one.steps)
