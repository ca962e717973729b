"""The schedule of a collective in many parts, and the number of parts that takes the fewest cycles.

====================  ==============================================================================================
collective            schedule
====================  ==============================================================================================
OAB, AAB              :mod:`fatcube.schedules.pipelined.flood`, and :mod:`fatcube.schedules.constructions.greedy` for steps other than the default;
                      :mod:`fatcube.schedules.pipelined.along_trees` where that is shorter
AOR, AOG, AAR         the schedule of OAB, OAS or AAB run backwards
all-reduce            a reduce-scatter and an all-gather that overlap (:mod:`fatcube.schedules.pipelined.overlap`), or one after the other; or along trees
OAS, AAS              the shorter of a greedy one and of the schedule of undivided messages, each step done for every part
====================  ==============================================================================================
"""

from collections.abc import Callable, Sequence
import dataclasses
from typing import TypeVar

from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.collective import Collective
from fatcube.schedules.constructions.all_reduce import all_reduce
from fatcube.schedules.constructions.greedy import greedy
from fatcube.schedules.constructions.reversal import backwards
from fatcube.schedules.pipelined.along_trees import (
    all_gather_along_trees,
    all_reduce_along_trees,
    broadcast_along_trees,
    lanes_limit,
)
from fatcube.schedules.pipelined.flood import floods
from fatcube.schedules.pipelined.overlap import overlapped
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import Links, PortUse

__all__ = [
    "Undivided",
    "fewest_cycles",
    "flits_of_part",
    "in_parts",
    "lengths_of_parts",
    "numbers_of_parts",
    "shortest_all_reduce",
]


Undivided = Callable[[Problem], Schedule | None]
"""Makes the schedule of undivided messages of a collective in which each is for one processor; ``None``: there is none."""

Found = TypeVar("Found")

FEW = 20_000  # transfers up to which the greedy construction may find fewer steps
MANY = 10_000  # transfers of undivided messages up to which halves of an all-reduce overlap, which takes seconds
BALANCED = 2_000  # transfers of undivided messages, up to which trees of one direction for each link are grown for it
TRIES = 10  # of overlapping halves of undivided messages in another order each, at most


def in_parts(problem: Problem, undivided: Undivided) -> Schedule:
    """The shortest :class:`Schedule` that is constructed for the parts of a normal problem."""
    topology, ports, collective, model = problem.topology, problem.ports, problem.collective, problem.model
    if collective.phases_of:
        return _all_reduce(problem, undivided)
    least = lower_bound(problem).steps
    found: list[Schedule] = []
    everybody = problem.among.all
    if everybody and collective in (Collective.OAB, Collective.AAB) and model.port_use is PortUse.SEND_AND_RECEIVE:
        found.append(floods(problem, least))
        if found[0].steps > least and lanes_limit(topology, ports, model):
            found += _along_trees(problem, least)
    if everybody and collective.personalized:
        whole = undivided(problem.changed(parts=1))
        found += [] if whole is None else [_repeated(whole, problem.parts)]
    if not found or found[0].steps > least and found[0].size <= FEW:
        found.append(greedy(problem, least))
    return min(found, key=lambda one: one.steps)


def _along_trees(problem: Problem, least_steps: int) -> list[Schedule]:
    """The broadcast or the all-gather along packed trees, if it is not too large."""
    topology, ports, parts = problem.topology, problem.ports, problem.parts
    if problem.root is not None:
        return [broadcast_along_trees(topology, ports, problem.root, parts)]
    made = all_gather_along_trees(topology, ports, parts, least_steps)
    return [] if made is None else [made]


def _repeated(schedule: Schedule, parts: int) -> Schedule:
    """A schedule of undivided messages, each step of which is done once for each part."""
    transfers = (
        dataclasses.replace(one, step=(one.step - 1) * parts + part + 1, message=one.message._replace(part=part))
        for one in schedule.transfers
        for part in range(parts)
    )
    return dataclasses.replace(schedule, transfers=tuple(transfers), parts=parts)


def _all_reduce(problem: Problem, undivided: Undivided) -> Schedule:
    """An all-reduce whose halves overlap, or, if that is longer or cannot be, one after the other."""
    topology, ports, among = problem.topology, problem.ports, problem.among

    def half(one: Problem) -> Schedule:
        return one.from_normal(in_parts(one.normal, undivided))

    scattered, gather = problem.phases
    spread = half(gather)
    alike = not (ports.copies or among.mirrored(topology) != among or topology.mirror_image != topology)
    collect = backwards(spread, ports, Collective.AAR) if alike else half(scattered)
    return shortest_all_reduce(problem, collect, spread)


def shortest_all_reduce(problem: Problem, collect: Schedule, spread: Schedule) -> Schedule:
    """The all-reduce of a reduce-scatter and an all-gather: one after the other, or overlapping where that is shorter.

    Halves overlap where lanes are full duplex, packets go to neighbours, routers do not copy them, and processors send and receive in a
    step; of undivided messages, up to :data:`MANY` transfers of them.
    """
    topology, ports, model = problem.topology, problem.ports, problem.model
    shortest, undivided = all_reduce(collect, spread), problem.parts == 1
    free = model.links is Links.FULL_DUPLEX and model.port_use is PortUse.SEND_AND_RECEIVE
    far = any(one.path for one in shortest.transfers)
    if not free or far or model.dedicated_ports or ports.copies or undivided and len(shortest.transfers) > MANY:
        return shortest
    least, tries = lower_bound(problem).steps, TRIES if undivided else 1
    if shortest.steps <= least:
        return shortest
    found = [shortest]
    alone = topology.directed or spread.symmetric or not problem.among.all
    if alone or undivided:
        found.append(overlapped(collect, spread, least, tries=tries))
    if not alone and not (undivided and len(shortest.transfers) > BALANCED) and _shortest(found).steps > least:
        # Trees that use each link in one direction only: those backwards use the other one.
        balanced = problem.changed(collective=Collective.AAB, model=model.changed(links=Links.HALF_DUPLEX))
        trees = floods(balanced, lower_bound(balanced).steps)
        trees = dataclasses.replace(trees.expanded(), model=model)
        found.append(overlapped(backwards(trees, ports, Collective.AAR), trees, least, tries=tries))
    return _shortest(_with_trees(found, problem, least))


def _shortest(schedules: Sequence[Schedule]) -> Schedule:
    return min(schedules, key=lambda one: one.steps)


def _with_trees(found: Sequence[Schedule], problem: Problem, least_steps: int) -> list[Schedule]:
    """Some all-reduces, and one along packed trees if they are above the bound and it is not too large."""
    above = _shortest(found).steps > least_steps
    made = None
    if (
        above
        and problem.among.all
        and not found[-1].symmetric
        and lanes_limit(problem.topology, problem.ports, problem.model)
    ):
        made = all_reduce_along_trees(problem.topology, problem.ports, problem.parts, least_steps)
    return [*found] if made is None else [*found, made]


def flits_of_part(payload_flits: int, parts: int) -> int:
    """Payload flits of each part of a message but the last one: see :func:`lengths_of_parts`."""
    return -(-payload_flits // parts)


def lengths_of_parts(payload_flits: int, parts: int) -> tuple[int, int]:
    """Payload flits of the parts of a message: of all but the last one, and of the last one, which has the rest.

    It has one flit where nothing is left over, as a packet has one at least: where fewer parts of as many flits are enough, as for
    10 flits in 7 parts, or there are more parts than flits.
    """
    flits = flits_of_part(payload_flits, parts)
    return flits, max(1, payload_flits - (parts - 1) * flits)


def numbers_of_parts(payload_flits: int) -> list[int]:
    """The numbers of parts of which one may be the best: the fewest for each number of flits that a part can have."""
    return sorted({flits_of_part(payload_flits, flits) for flits in range(1, payload_flits + 1)})


def fewest_cycles(
    payload_flits: int,
    cycles_of_bound: Callable[[int], int],
    build: Callable[[int], Found],
    cycles: Callable[[Found], int],
    numbers: Sequence[int] | None = None,
) -> Found:
    """The result of ``build`` for the number of parts that takes the fewest cycles, among all numbers of parts.

    Numbers are tried in the order of the cycles that their lower bounds take, until no bound is lower than what was found.

    Parameters
    ----------
    payload_flits : :class:`int`
        Payload flits of an undivided message.
    cycles_of_bound : callable
        From a number of parts the fewest cycles that a schedule can take.
    build, cycles : callable
        From a number of parts a result, and from a result the cycles that it takes.
    numbers : list of :class:`int` or ``None``
        The numbers of parts to choose from, instead of all.
    """
    numbers = numbers_of_parts(payload_flits) if numbers is None else numbers
    order = sorted((cycles_of_bound(parts), parts) for parts in numbers)
    best = build(order[0][1])
    fewest = cycles(best)
    for bound, parts in order[1:]:
        if bound >= fewest:
            break
        made = build(parts)
        if cycles(made) < fewest:
            best, fewest = made, cycles(made)
    return best
