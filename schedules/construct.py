"""The best schedule that is known for a case: constructed, and searched for where it is small.

On cubes there are constructions with a proof of their steps, for every d, m and f:

    ==========  ==========================================================  =====================================
    collective  models                                                      steps
    ==========  ==========================================================  =====================================
    OAS, AOG    all                                                         the fewest: :mod:`fatcube.schedules.constructions.scatter`
    AAB, AAR    1, b                                                        P - 1: :mod:`fatcube.schedules.constructions.all_gather`
    AAS         1, b if m <= f d; d, \\* if f <= m                            the fewest: :mod:`fatcube.schedules.constructions.all_to_all`
    ==========  ==========================================================  =====================================

On meshes AAB and AAR take P - 1 steps with one port for each processor, along the cycle of
:mod:`fatcube.schedules.constructions.hamiltonian`, if there is an even number of nodes and more than one dimension.

On generalized hypercubes (m = f = 1, models d and \\*) :mod:`fatcube.schedules.constructions.generalized` has AAS in the fewest steps.
Everything else, every other topology, and what is among some processors only, is built by
:mod:`fatcube.schedules.constructions.greedy`, which has no such proof; whether
it needs more steps than the lower bound is seen when it is done. Where it does in a scatter with a port for each link,
:mod:`fatcube.schedules.constructions.balanced` may do better, on up to 2,048 nodes with three channels.

An all-reduce is a reduce-scatter and an all-gather, which overlap where that is shorter (:mod:`fatcube.schedules.pipelined.overlap`).
Where a larger collective takes fewer steps, its schedule is taken (:mod:`fatcube.schedules.constructions.relabelled`).

For other step models the schedule of the default one counts if it keeps to the model, and the shortest of it and of these:
greedy ones, and for half-duplex links and for processors that send or receive the Hamiltonian cycle of
:mod:`fatcube.schedules.constructions.hamiltonian`, if one is found, and those of :mod:`fatcube.schedules.constructions.half_duplex`; for direct transfers
:mod:`fatcube.schedules.constructions.direct`, :mod:`fatcube.schedules.constructions.direct_broadcast`,
:mod:`fatcube.schedules.constructions.rings`, which has AAB in P - 1 steps on any network whose links go both ways, and on cubes
:mod:`fatcube.schedules.constructions.direct_all_to_all`, which has a proof of its steps; for several messages in a packet
:mod:`fatcube.schedules.constructions.combining`, :mod:`fatcube.schedules.constructions.packed`, :mod:`fatcube.schedules.constructions.packed_all_gather`,
and on hypercubes :mod:`fatcube.schedules.constructions.dimension_exchange`. Simplex links of a cube are a topology of their own (:mod:`fatcube.noc.orientation`), which is built for like
any other.
"""

from collections.abc import Callable, Iterator
import contextlib
import dataclasses
import math
import time

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective
from fatcube.schedules.constructions.all_gather import all_gather
from fatcube.schedules.constructions.all_to_all import all_to_all
from fatcube.schedules.constructions.combining import along, combined
from fatcube.schedules.constructions.dimension_exchange import dimension_exchange
from fatcube.schedules.constructions.direct import direct
from fatcube.schedules.constructions.direct_all_to_all import direct_all_to_all
from fatcube.schedules.constructions.direct_broadcast import direct_broadcast
from fatcube.schedules.constructions.direct_copies import direct_copies
from fatcube.schedules.constructions.generalized import generalized_all_to_all
from fatcube.schedules.constructions.greedy import greedy
from fatcube.schedules.constructions.half_duplex import half_of_the_lanes, on_all_lanes, one_way_at_a_time
from fatcube.schedules.constructions.hamiltonian import cycle, hamiltonian_all_gather, has_cycle
from fatcube.schedules.constructions.one_to_all import one_to_all
from fatcube.schedules.constructions.packed import packed
from fatcube.schedules.constructions.packed_all_gather import packed_all_gather
from fatcube.schedules.constructions.relabelled import larger, relabelled
from fatcube.schedules.constructions.reversal import backwards
from fatcube.schedules.constructions.rings import along_ring, direct_all_gathers
from fatcube.schedules.constructions.scatter import scatter
from fatcube.schedules.counting import port_for_each_link
from fatcube.schedules.pipelined.build import shortest_all_reduce
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.search import Finding, fewest, model_size
from fatcube.schedules.size import check_variables
from fatcube.schedules.step_model import STANDARD, UNLIMITED, Links, PortUse, StepModel
from fatcube.schedules.symmetry import Symmetry

__all__ = ["CONSTRUCTIONS", "best", "construct", "with_fewer_ports"]


SMALL = 60_000  # variables of a search that is worth trying
FEW = 5_000  # moves up to which the greedy schedule is compared with that of another construction
LOOKED = 2_000_000  # steps times processors times channels up to which the greedy construction serves other models than the default
MANY = 20_000  # moves, or channels, up to which there are constructions of their own for other models than the default
PACKED = 5_000  # messages of an all-to-all up to which packets are filled step by step, which takes seconds then


_NARROWER = {
    PortModel.ONE: None,
    PortModel.BROADCAST: PortModel.ONE,
    PortModel.D_PORT: PortModel.ONE,
    PortModel.ALL_PORT: PortModel.D_PORT,
}


def best(problem: Problem, *, time_limit: float = 20.0, seed: int = 0, optimal: bool = False) -> Finding:
    """The best schedule that is found, with its lower bound, as a :class:`Finding`.

    It is constructed; if it does not meet the lower bound and the problem is small (or ``optimal`` is wanted, small
    or not), a search for a shorter one follows, for at most ``time_limit`` seconds. Where none of the constructions
    keeps to the step model, it is left to the search whether there is a schedule.

    Raises
    ------
    ParameterError
        If steps cannot solve the problem, or a search would be needed that is too large to be made.
    """
    started = time.monotonic()
    finding = with_fewer_ports(problem, construct(problem))
    steps = math.inf if finding.steps is None else finding.steps
    if (
        finding.proved
        or (problem.collective.phases_of and not problem.among.all)
        or (steps < math.inf and not optimal and model_size(problem, int(steps) - 1) > SMALL)
    ):
        return finding
    check_variables(
        model_size(problem, finding.bound.steps), f"for {problem.collective.value} on the {problem.topology.name}"
    )
    known = None if finding.schedule is None else finding
    finding = fewest(problem, time_limit=time_limit, seed=seed, known=known)
    return dataclasses.replace(finding, seconds=time.monotonic() - started)


def _keeps_to(schedule: Schedule, model: StepModel) -> bool:
    try:
        check(schedule, model)
    except ScheduleError:
        return False
    return True


def _made_for(schedule: Schedule, model: StepModel) -> Schedule:
    """Return the schedule with the model that it keeps to, written out where the model has fewer translations."""
    translations = Symmetry.of(schedule.topology, schedule.collective, model, schedule.among).permutations
    same = translations == schedule.symmetry.permutations
    if schedule.symmetric and not same:
        schedule = schedule.expanded()
    return dataclasses.replace(schedule, model=model)


def construct(problem: Problem) -> Finding:
    """The schedule that is constructed for any topology and size, with its lower bound, as a :class:`Finding`.

    All-gather, reduce-scatter, all-reduce and all-to-all are the same seen from every node where the topology
    is, and then stored once (:meth:`Schedule.expanded` writes them out). There is always a schedule for a step model that
    includes the default one, and with half-duplex or simplex links; for others it may be that none of the constructions
    keeps to it.

    Raises
    ------
    ParameterError
        If steps cannot solve the problem.
    """
    started = time.monotonic()
    bound = lower_bound(problem)
    made = _build(problem.normal, bound.steps)
    alone = (
        ""
        if problem.normal.collective in {*CONSTRUCTIONS, Collective.ALL_REDUCE}
        else ", greedily as for any collective"
    )
    by = "not found" if made is None else f"constructed{alone}"
    schedule = None if made is None else problem.from_normal(made)
    return Finding(problem.collective, schedule, by, bound, time.monotonic() - started)


def _build(problem: Problem, least_steps: int) -> Schedule | None:
    """The shortest schedule of the constructions for a normal problem, or for a larger one, that keep to its model, or else none."""
    if problem.collective.phases_of:
        return _all_reduce(problem)
    shortest = _built(problem, least_steps)
    if shortest is not None and shortest.steps == least_steps or problem.topology.processors**2 > MANY:
        return shortest
    for other in larger(problem):
        least = lower_bound(other).steps
        if shortest is None or least < shortest.steps:
            made = _built(other, least)
            if made is not None and (shortest is None or made.steps < shortest.steps):
                made = relabelled(made, problem)
                shortest = made if _keeps_to(made, problem.model) else shortest
    return shortest


def _built(problem: Problem, least_steps: int) -> Schedule | None:
    """The shortest schedule of the constructions for a normal problem alone that keep to its model, or else none."""
    model = problem.model
    shortest = None
    schedules = _constructions(problem, least_steps) if problem.among.all else [greedy(problem, least_steps)]
    for schedule in schedules:
        if (shortest is None or schedule.steps < shortest.steps) and (model == STANDARD or _keeps_to(schedule, model)):
            shortest = schedule
        if shortest is not None and shortest.steps == least_steps:
            break
    return shortest if shortest is None or model == STANDARD else _made_for(shortest, model)


def with_fewer_ports(problem: Problem, finding: Finding) -> Finding:
    """The finding for a problem, or the one for the next narrower router model if that has fewer steps.

    A step with fewer ports, or without copies, is a step of the wider router model too.
    """
    ports = _NARROWER[problem.ports]
    if ports is None or finding.proved:
        return finding
    narrow = problem.changed(ports=ports, model=problem.model.changed(dedicated_ports=False))
    if finding.steps is not None and lower_bound(narrow).steps >= finding.steps:
        return finding
    other = with_fewer_ports(narrow, construct(narrow))
    if other.steps is None or finding.steps is not None and other.steps >= finding.steps:
        return finding
    schedule = dataclasses.replace(other.found, ports=problem.ports)
    if not _keeps_to(schedule, problem.model):
        return finding
    by = f"{other.by} for router model {ports.value}"
    seconds = finding.seconds + other.seconds
    return dataclasses.replace(finding, schedule=_made_for(schedule, problem.model), by=by, seconds=seconds)


def _constructions(problem: Problem, least_steps: int) -> Iterator[Schedule]:
    """Constructions for the default step model, and then for the given one; some schedules may not keep to it."""
    model = problem.model
    standard = _standard(problem.changed(model=STANDARD), least_steps)
    yield standard
    if model.combining and problem.collective in (Collective.OAS, Collective.AAB, Collective.AAS):
        yield from _packets(problem, least_steps)
    if model.direct:
        yield from _direct(problem, least_steps, standard)
    if model.links is Links.HALF_DUPLEX or model.port_use is PortUse.SEND_OR_RECEIVE:
        yield from _in_turn(problem, least_steps, standard)
    elif (model.port_use is PortUse.ONE_PARTNER or model.dedicated_ports) and _looked(problem, standard):
        yield from _greedy(problem, least_steps)


def _greedy(problem: Problem, least_steps: int) -> Iterator[Schedule]:
    """The greedy schedule, unless every message would have to be followed for it, and there are too many."""
    with contextlib.suppress(ParameterError):
        yield greedy(problem, least_steps)


def _packets(problem: Problem, least_steps: int) -> Iterator[Schedule]:
    """Constructions for several messages in a packet."""
    topology, ports, collective, model = problem.topology, problem.ports, problem.collective, problem.model
    few = topology.processors**2 <= MANY
    if few and topology.uniform:
        spread = Problem(topology, ports, Collective.OAB, problem.root or 0)
        broadcast = greedy(spread, lower_bound(spread).steps)
        yield from combined(problem, broadcast)
    if collective is Collective.AAB:
        if isinstance(topology, (FatCube, Hypercube)) and topology.m == 1:
            yield dimension_exchange(topology, ports, model)
        if topology.processors**2 <= len(topology.translations) * MANY:
            yield packed_all_gather(topology, ports, least_steps, model)
    elif topology.uniform and topology.processors**2 <= PACKED:
        yield packed(problem, least_steps)
    if collective is Collective.AAS and few and topology.uniform:
        yield along(packed_all_gather(topology, ports, least_steps, model.changed(per_packet=UNLIMITED)), model)


def _direct(problem: Problem, least_steps: int, standard: Schedule) -> Iterator[Schedule]:
    """Constructions for direct transfers; ``standard`` is the schedule for adjacent ones."""
    topology, ports, collective, model = problem.topology, problem.ports, problem.collective, problem.model
    if len(standard.transfers) <= MANY and collective.personalized:
        yield direct(problem, least_steps)
    if collective is Collective.AAS and isinstance(topology, (FatCube, Hypercube)):
        made = direct_all_to_all(topology, ports, model)
        if made is not None:
            yield made
    if collective is Collective.AAB and (topology.processors**2 <= MANY or not standard.symmetric):
        yield from direct_all_gathers(problem)
    if collective is Collective.OAB and topology.channels <= MANY:
        assert problem.root is not None
        most = standard.steps - 1
        broadcast = direct_broadcast(topology, ports, problem.root, least_steps, most, model)
        if broadcast is not None:
            yield broadcast
            most = broadcast.steps - 1
        copied = direct_copies(topology, ports, problem.root, least_steps, most, model) if ports.copies else None
        if copied is not None:
            yield copied


def _looked(problem: Problem, standard: Schedule) -> bool:
    """True if the greedy construction takes seconds only; ``standard`` is the schedule for the default step model."""
    looked = standard.steps * problem.topology.processors * problem.topology.degree
    return len(standard.transfers) <= MANY and looked <= LOOKED


def _in_turn(problem: Problem, least_steps: int, standard: Schedule) -> Iterator[Schedule]:
    """Constructions for half-duplex links, and for processors that send or receive."""
    topology, model = problem.topology, problem.model
    small = problem.collective is Collective.AAB and topology.processors**2 <= MANY
    ring = cycle(topology) if small else None
    around = [] if ring is None else [along_ring(problem, ring)]
    if isinstance(topology, (FatCube, Hypercube)):  # where the greedy one, which takes longer, is not shorter
        yield from around
    if _looked(problem, standard):
        yield from _greedy(problem, least_steps)
    else:
        yield one_way_at_a_time(standard, model)
    yield from around
    if model.links is Links.HALF_DUPLEX and isinstance(topology, FatCube) and topology.f > 1:
        half = problem.changed(topology=half_of_the_lanes(topology), model=STANDARD)
        other = _standard(half, lower_bound(half).steps)
        if len(other.transfers) <= MANY:
            yield on_all_lanes(other, topology, model)


def _standard(problem: Problem, least_steps: int) -> Schedule:
    """Build the schedule by the construction for the case; tries end with one that has ``least_steps`` steps."""
    return CONSTRUCTIONS.get(problem.collective, greedy)(problem, least_steps)


def _scatter(problem: Problem, least_steps: int) -> Schedule:
    if not isinstance(problem.topology, (FatCube, Hypercube)):
        return one_to_all(problem, least_steps)
    assert problem.root is not None
    return scatter(problem.topology, problem.ports, problem.root)


def _all_gather(problem: Problem, least_steps: int) -> Schedule:
    if isinstance(problem.topology, (FatCube, Hypercube)) and problem.k == 1:
        return all_gather(problem.topology, problem.ports)
    if isinstance(problem.topology, Mesh) and has_cycle(problem.topology) and problem.k == 1:
        return hamiltonian_all_gather(problem.topology, problem.ports, problem.model)
    return greedy(problem, least_steps)


def _all_to_all(problem: Problem, least_steps: int) -> Schedule:
    topology, ports = problem.topology, problem.ports
    if isinstance(topology, (FatCube, Hypercube)):
        return _cube_all_to_all(problem, least_steps)
    if isinstance(topology, (DenseGHC, SparseGHC)) and port_for_each_link(topology, ports):
        return generalized_all_to_all(topology, ports)
    return greedy(problem, least_steps)


CONSTRUCTIONS: dict[Collective, Callable[[Problem, int], Schedule]] = {
    Collective.OAB: greedy,
    Collective.OAS: _scatter,
    Collective.AAB: _all_gather,
    Collective.AAS: _all_to_all,
}
"""Constructions for the default step model of a normal problem among all processors, by its collective; others have the greedy one."""


def _cube_all_to_all(problem: Problem, least_steps: int) -> Schedule:
    """An all-to-all on a cube: the constructed one, or the greedy one if it is shorter, where that takes seconds."""
    schedule = all_to_all(problem.topology, problem.ports)
    if len(schedule.transfers) > FEW or schedule.steps == least_steps:
        return schedule
    return min(schedule, greedy(problem, least_steps), key=lambda one: one.steps)


def _all_reduce(problem: Problem) -> Schedule | None:
    """An all-reduce is a reduce-scatter and an all-gather of the sums, which overlap where that is shorter."""
    topology, ports, among = problem.topology, problem.ports, problem.among
    scattered, gather = problem.phases
    spread = _build(gather, lower_bound(gather).steps)
    # Routers that copy packets cannot add them up, so the sums are collected without copies; and backwards in time, one-way
    # links join the mirror images of the processors.
    if ports.copies or among.mirrored(topology) != among or topology.mirror_image != topology:
        made = _build(scattered.normal, lower_bound(scattered).steps)
        collect = None if made is None else scattered.from_normal(made)
    else:
        collect = None if spread is None else backwards(spread, ports, Collective.AAR)
    if spread is None or collect is None:
        return None
    return shortest_all_reduce(problem, collect, spread)
