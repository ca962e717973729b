"""The best schedule that is known for a case: constructed, and searched for where it is small.

On cubes there are constructions with a proof of their steps, for every d, m and f:

    ==========  ==========================================================  =====================================
    collective  models                                                      steps
    ==========  ==========================================================  =====================================
    OAS, AOG    all                                                         the fewest: :mod:`fatcube.schedules.constructions.scatter`
    AAB, AAR    1, b                                                        P - 1: :mod:`fatcube.schedules.constructions.all_gather`
    AAS         1, b if m <= f d; d, \\* if f <= m                            the fewest: :mod:`fatcube.schedules.constructions.all_to_all`
    ==========  ==========================================================  =====================================

On generalized hypercubes (m = f = 1, models d and \\*) :mod:`fatcube.schedules.constructions.generalized` has AAS in the fewest steps.
Everything else, every other topology, and what is among some processors only, is built by
:mod:`fatcube.schedules.constructions.greedy`, which has no such proof; whether
it needs more steps than the lower bound is seen when it is done. Where it does in a scatter with a port for each link,
:mod:`fatcube.schedules.constructions.balanced` may do better, on up to 2,048 nodes with three channels.

For other step models the schedule of the default one counts if it keeps to the model, and the shortest of it and of these:
greedy ones, and the Hamiltonian cycle of :mod:`fatcube.schedules.constructions.hamiltonian`, for half-duplex links and for
processors that send or receive, and those of :mod:`fatcube.schedules.constructions.half_duplex`; for direct transfers
:mod:`fatcube.schedules.constructions.direct`, :mod:`fatcube.schedules.constructions.direct_broadcast`, and on cubes
:mod:`fatcube.schedules.constructions.direct_all_to_all`, which has a proof of its steps; for several messages in a packet
:mod:`fatcube.schedules.constructions.combining`, :mod:`fatcube.schedules.constructions.packed`, :mod:`fatcube.schedules.constructions.packed_all_gather`,
and on hypercubes :mod:`fatcube.schedules.constructions.dimension_exchange`. Simplex links of a cube are a topology of their own (:mod:`fatcube.noc.orientation`), which is built for like
any other.
"""

from collections.abc import Iterator
import dataclasses
import math
import time
from typing import assert_never

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import Damaged
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective
from fatcube.schedules.constructions.all_gather import all_gather
from fatcube.schedules.constructions.all_reduce import all_reduce
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
from fatcube.schedules.constructions.hamiltonian import hamiltonian_all_gather
from fatcube.schedules.constructions.one_to_all import one_to_all
from fatcube.schedules.constructions.packed import packed
from fatcube.schedules.constructions.packed_all_gather import packed_all_gather
from fatcube.schedules.constructions.reversal import backwards, forwards
from fatcube.schedules.constructions.scatter import scatter
from fatcube.schedules.constructions.survivors import bound_in_network, in_network, left_of
from fatcube.schedules.counting import port_for_each_link
from fatcube.schedules.participants import EVERYBODY, Participants
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.search import Finding, fewest, model_size, simplex
from fatcube.schedules.size import check_variables
from fatcube.schedules.step_model import STANDARD, UNLIMITED, Links, PortUse, StepModel
from fatcube.schedules.symmetry import Symmetry

__all__ = ["best", "construct"]


SMALL = 60_000  # variables of a search that is worth trying
FEW = 5_000  # moves that greedy is asked to find with fewer steps than another construction
LOOKED = (
    2_000_000  # steps times processors times channels up to which greedy is asked for other models than the default
)
MANY = 20_000  # moves, or channels, up to which there are constructions of their own for other models than the default
PACKED = 5_000  # messages of an all-to-all up to which packets are filled step by step, which takes seconds then


def best(
    topology: Topology,
    ports: PortModel | str,
    collective: Collective | str,
    root: int | None = 0,
    *,
    time_limit: float = 20.0,
    seed: int = 0,
    optimal: bool = False,
    model: StepModel = STANDARD,
    among: Participants = EVERYBODY,
) -> Finding:
    """The best schedule that is found, with its lower bound, as a :class:`Finding`.

    It is constructed; if it does not meet the lower bound and the case is small (or ``optimal`` is wanted, small
    or not), a search for a shorter one follows, for at most ``time_limit`` seconds. Where none of the constructions
    keeps to ``model``, it is left to the search whether there is a schedule.

    Raises
    ------
    ParameterError
        If a parameter is wrong, or a search would be needed that is too large to be made.
    """
    started = time.monotonic()
    if model.links is Links.SIMPLEX:
        finding = best(
            model.lanes_of(topology),
            ports,
            collective,
            root,
            time_limit=time_limit,
            seed=seed,
            optimal=optimal,
            model=model.changed(links=Links.FULL_DUPLEX),
            among=among,
        )
        return _on_simplex_links(finding, topology)
    if isinstance(topology, Damaged):
        left, here, participants = left_of(topology, Collective.parse(collective).root_of(topology, root), among)
        options = {"time_limit": time_limit, "seed": seed, "optimal": optimal, "model": model}
        return _in_network(best(left, ports, collective, here, among=participants, **options), topology, among)
    finding = construct(topology, ports, collective, root, model, among)
    collective, bound = finding.collective, finding.bound
    steps = math.inf if finding.steps is None else finding.steps
    if (
        finding.proved
        or len(collective.phases) > 1
        or (steps < math.inf and not optimal and model_size(topology, collective, root, int(steps) - 1, model) > SMALL)
    ):
        return finding
    check_variables(model_size(topology, collective, root, bound.steps, model), f"for {collective.value} on {topology}")
    finding = fewest(
        topology,
        ports,
        collective,
        root,
        time_limit=time_limit,
        seed=seed,
        known=None if finding.schedule is None else finding,
        model=model,
        among=among,
    )
    return dataclasses.replace(finding, seconds=time.monotonic() - started)


def _on_simplex_links(finding: Finding, topology: Topology) -> Finding:
    """What was found for the lanes of simplex links, on ``topology``, whose lanes these are."""
    schedule = finding.schedule
    return dataclasses.replace(finding, schedule=None if schedule is None else simplex(schedule, topology))


def _in_network(finding: Finding, topology: Damaged, among: Participants) -> Finding:
    """What was found for what is left of a network with failures, as it is numbered there."""
    schedule = None if finding.schedule is None else in_network(finding.schedule, topology, among)
    return dataclasses.replace(finding, schedule=schedule, bound=bound_in_network(finding.bound, topology))


def _keeps_to(schedule: Schedule, model: StepModel) -> bool:
    try:
        check(schedule, model)
    except ScheduleError:
        return False
    return True


def _made_for(schedule: Schedule, model: StepModel) -> Schedule:
    """The same schedule with the model that it keeps to; written out where the model has fewer translations."""
    translations = Symmetry.of(schedule.topology, schedule.collective, model, schedule.among).permutations
    same = translations == schedule.symmetry.permutations
    if schedule.symmetric and not same:
        schedule = schedule.expanded()
    return dataclasses.replace(schedule, model=model)


def construct(
    topology: Topology,
    ports: PortModel | str,
    collective: Collective | str,
    root: int | None = 0,
    model: StepModel = STANDARD,
    among: Participants = EVERYBODY,
) -> Finding:
    """The schedule that is constructed for any topology and size, with its lower bound, as a :class:`Finding`.

    All-gather, reduce-scatter, all-reduce and all-to-all are the same seen from every node where the topology
    is, and then stored once (:meth:`Schedule.expanded` writes them out). ``root`` counts for rooted collectives
    only. There is always a schedule for a model that includes the default one, and with half-duplex or simplex links;
    for others it may be that none of the constructions keeps to it.

    Raises
    ------
    ParameterError
        If a parameter is wrong.
    """
    started = time.monotonic()
    ports = PortModel.parse(ports)
    collective = Collective.parse(collective)
    root = collective.root_of(topology, root)
    if model.links is Links.SIMPLEX:
        full_duplex = model.changed(links=Links.FULL_DUPLEX)
        finding = construct(model.lanes_of(topology), ports, collective, root, full_duplex, among)
        return _on_simplex_links(finding, topology)
    if isinstance(topology, Damaged):
        left, here, participants = left_of(topology, root, among)
        return _in_network(construct(left, ports, collective, here, model, participants), topology, among)
    collective.check_among(topology, root, among)
    bound = lower_bound(topology, ports, collective, root, model, among=among)
    schedule = _build(topology, ports, collective, root, bound.steps, model, among)
    by = "not found" if schedule is None else "constructed"
    return Finding(collective, schedule, by, bound, time.monotonic() - started)


def _build(
    topology: Topology,
    ports: PortModel,
    collective: Collective,
    root: int | None,
    least_steps: int,
    model: StepModel,
    among: Participants,
) -> Schedule | None:
    """The shortest schedule of the constructions that keep to the model, or else none."""
    if reversal := forwards(ports, collective):
        seen = among.mirrored(topology).reversed
        forward = _build(topology.mirror_image, *reversal, topology.mirrored(root), least_steps, model, seen)
        return None if forward is None else backwards(forward, ports, collective)
    if collective is Collective.ALL_REDUCE:
        return _all_reduce(topology, ports, model, among)
    shortest = None
    schedules = (
        _constructions(topology, ports, collective, root, least_steps, model)
        if among.all
        else [greedy(topology, ports, collective, root, least_steps, model, among)]
    )
    for schedule in schedules:
        if (shortest is None or schedule.steps < shortest.steps) and (model == STANDARD or _keeps_to(schedule, model)):
            shortest = schedule
        if shortest is not None and shortest.steps == least_steps:
            break
    return shortest if shortest is None or model == STANDARD else _made_for(shortest, model)


def _constructions(
    topology: Topology, ports: PortModel, collective: Collective, root: int | None, least_steps: int, model: StepModel
) -> Iterator[Schedule]:
    """What is constructed for the default model, and then what is for the given one; some may not keep to it."""
    standard = _standard(topology, ports, collective, root, least_steps)
    yield standard
    if model.combining and collective is not Collective.OAB:
        yield from _packets(topology, ports, collective, root, least_steps, model)
    if model.direct:
        yield from _direct(topology, ports, collective, root, least_steps, model, standard)
    if model.links is Links.HALF_DUPLEX or model.port_use is PortUse.SEND_OR_RECEIVE:
        yield from _in_turn(topology, ports, collective, root, least_steps, model, standard)


def _packets(
    topology: Topology,
    ports: PortModel,
    collective: Collective,
    root: int | None,
    least_steps: int,
    model: StepModel,
) -> Iterator[Schedule]:
    """What is constructed for several messages in a packet."""
    few = topology.processors**2 <= MANY
    if few and topology.uniform:
        least = lower_bound(topology, ports, Collective.OAB, root or 0).steps
        broadcast = greedy(topology, ports, Collective.OAB, root or 0, least)
        yield from combined(topology, ports, collective, root, broadcast, model)
    if collective is Collective.AAB:
        if isinstance(topology, (FatCube, Hypercube)) and topology.m == 1:
            yield dimension_exchange(topology, ports, model)
        if topology.processors**2 <= len(topology.translations) * MANY:
            yield packed_all_gather(topology, ports, least_steps, model)
    elif topology.uniform and topology.processors**2 <= PACKED:
        yield packed(topology, ports, collective, root, least_steps, model)
    if collective is Collective.AAS and few and topology.uniform:
        yield along(packed_all_gather(topology, ports, least_steps, model.changed(per_packet=UNLIMITED)), model)


def _direct(
    topology: Topology,
    ports: PortModel,
    collective: Collective,
    root: int | None,
    least_steps: int,
    model: StepModel,
    standard: Schedule,
) -> Iterator[Schedule]:
    """What is constructed for direct transfers; ``standard`` is the schedule for adjacent ones."""
    if len(standard.transfers) <= MANY and collective in (Collective.OAS, Collective.AAS):
        yield direct(topology, ports, collective, root, least_steps, model)
    if collective is Collective.AAS and isinstance(topology, (FatCube, Hypercube)):
        made = direct_all_to_all(topology, ports, model)
        if made is not None:
            yield made
    if collective is Collective.OAB and topology.channels <= MANY:
        assert root is not None
        most = standard.steps - 1
        broadcast = direct_broadcast(topology, ports, root, least_steps, most, model)
        if broadcast is not None:
            yield broadcast
            most = broadcast.steps - 1
        copied = direct_copies(topology, ports, root, least_steps, most, model) if ports.multicast else None
        if copied is not None:
            yield copied


def _in_turn(
    topology: Topology,
    ports: PortModel,
    collective: Collective,
    root: int | None,
    least_steps: int,
    model: StepModel,
    standard: Schedule,
) -> Iterator[Schedule]:
    """What is constructed for half-duplex links, and for processors that send or receive."""
    ring = collective is Collective.AAB and topology.processors**2 <= MANY
    if ring and isinstance(topology, (FatCube, Hypercube)) and topology.d > 1:
        yield hamiltonian_all_gather(topology, ports, model)
    looked = standard.steps * topology.processors * topology.degree
    if len(standard.transfers) <= MANY and looked <= LOOKED:
        yield greedy(topology, ports, collective, root, least_steps, model)
    else:
        yield one_way_at_a_time(standard, model)
    if model.links is Links.HALF_DUPLEX and isinstance(topology, FatCube) and topology.f > 1:
        least = lower_bound(half_of_the_lanes(topology), ports, collective, root).steps
        other = _standard(half_of_the_lanes(topology), ports, collective, root, least)
        if len(other.transfers) <= MANY:
            yield on_all_lanes(other, topology, model)


def _standard(
    topology: Topology, ports: PortModel, collective: Collective, root: int | None, least_steps: int
) -> Schedule:
    """Build the schedule by the construction for the case; tries end with one that has ``least_steps`` steps."""
    cube = isinstance(topology, (FatCube, Hypercube))
    match collective:
        case Collective.OAB:
            return greedy(topology, ports, collective, root, least_steps)
        case Collective.OAS:
            assert root is not None
            return scatter(topology, ports, root) if cube else one_to_all(topology, ports, root, least_steps)
        case Collective.AAB:
            if cube and ports.processor_ports(topology.degree, topology.m) == 1:
                return all_gather(topology, ports)
            return greedy(topology, ports, collective, root, least_steps)
        case Collective.AAS:
            if cube:
                return _cube_all_to_all(topology, ports, least_steps)
            if isinstance(topology, (DenseGHC, SparseGHC)) and port_for_each_link(topology, ports):
                return generalized_all_to_all(topology, ports)
            return greedy(topology, ports, collective, root, least_steps)
        case Collective.AOG | Collective.AOR | Collective.AAR | Collective.ALL_REDUCE:
            raise AssertionError(f"{collective.value} is built like what it is the reversal of, or in two phases")
        case _:
            assert_never(collective)


def _cube_all_to_all(topology: FatCube | Hypercube, ports: PortModel, least_steps: int) -> Schedule:
    """An all-to-all on a cube: the constructed one, or the greedy one if it is shorter, where that takes seconds."""
    schedule = all_to_all(topology, ports)
    if len(schedule.transfers) > FEW or schedule.steps == least_steps:
        return schedule
    other = greedy(topology, ports, Collective.AAS, None, least_steps)
    return min(schedule, other, key=lambda one: one.steps)


def _all_reduce(topology: Topology, ports: PortModel, model: StepModel, among: Participants) -> Schedule | None:
    """An all-reduce is a reduce-scatter, and then an all-gather of the sums."""
    fewest = lower_bound(topology, ports, Collective.AAB, None, model, among=among).steps
    spread = _build(topology, ports, Collective.AAB, None, fewest, model, among)
    # Routers that copy packets cannot add them up, so the sums are collected without copies; and backwards in time, one-way
    # links join the mirror images of the processors.
    if ports.multicast or among.mirrored(topology) != among or topology.mirror_image != topology:
        fewest = lower_bound(topology, ports, Collective.AAR, None, model, among=among).steps
        collect = _build(topology, ports, Collective.AAR, None, fewest, model, among)
    else:
        collect = None if spread is None else backwards(spread, ports, Collective.AAR)
    if spread is None or collect is None:
        return None
    return all_reduce(collect, spread)
