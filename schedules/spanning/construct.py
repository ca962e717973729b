"""Any collective along a spanning graph, made of the four of :mod:`fatcube.schedules.spanning.trees` (Johnsson and Ho, section 1).

A gather, a reduction and a reduce-scatter are the scatter, the broadcast and the all-gather backwards in time, and take the
same steps. An all-reduce is a reduce-scatter and then an all-gather.
"""

import dataclasses
import time

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.damaged import Damaged
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.collective import Collective
from fatcube.schedules.constructions.all_reduce import all_reduce
from fatcube.schedules.constructions.reversal import backwards, forwards
from fatcube.schedules.participants import Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.search import Finding
from fatcube.schedules.spanning.degraded import degraded
from fatcube.schedules.spanning.graphs import NRSBT, SpanningGraph
from fatcube.schedules.spanning.packets import to_schedule
from fatcube.schedules.spanning.pruning import pruned
from fatcube.schedules.spanning.reflections import Turn, better_than_first, divided
from fatcube.schedules.spanning.send_or_receive import from_one_source, in_turns
from fatcube.schedules.spanning.trees import MOST_MESSAGES, Order, along, check_order, personalized
from fatcube.schedules.step_model import UNLIMITED, PortUse, StepModel

__all__ = ["check_can_follow", "construct_along"]


def construct_along(graph: SpanningGraph, problem: Problem, *, order: Order | None = None) -> Finding:
    """The schedule of a problem along a spanning graph, with the lower bound of the problem, as a :class:`Finding`.

    The schedule keeps to the use of ports and to the messages per packet of the step model, and the bound to all of it. Of a
    hypercube with failures only the trees without failures are used. Parts that the trees of an nRSBT do not share evenly go over
    those of :mod:`fatcube.schedules.spanning.reflections`, if that takes fewer steps.

    Parameters
    ----------
    graph : :class:`SpanningGraph`
        The graph; its source is the root of a rooted collective. It is pruned to the paths between the participants.
    problem : :class:`Problem`
    order : :class:`Order`, optional
        The order of :func:`~fatcube.schedules.spanning.trees.along`, for OAS, AOG and AAS.

    Raises
    ------
    ParameterError
        For the reasons of :func:`~fatcube.schedules.spanning.trees.along` and :func:`~fatcube.schedules.spanning.degraded.degraded`.
    """
    started = time.monotonic()
    network, collective, among, model = problem.topology, problem.collective, problem.among, problem.model
    check_can_follow(problem, order)
    used, some = graph, among
    if isinstance(network, Damaged):
        used = degraded(graph, network, collective)
        if among.all and len(network.working) < network.processors:
            some = Participants(targets=tuple(one for one in network.working if one != graph.source))
    bound = lower_bound(problem)
    schedule = _schedule(used, problem.ports, collective, model, problem.parts, order, some)
    others = _left_over(used, problem) if schedule.steps > bound.steps else ()
    if others:
        assert isinstance(used, NRSBT)
        other = divided(used, problem.parts, others)
        better = _schedule(other, problem.ports, collective, model, problem.parts, order, some)
        schedule, others = (better, others) if better.steps < schedule.steps else (schedule, ())
    if isinstance(network, Damaged):
        schedule = dataclasses.replace(schedule, topology=network, among=among)
    by = [f"the spanning graph {type(graph).__name__.lower()}"]
    if used.trees < graph.trees:
        by[0] += f", {used.trees} of its {graph.trees} trees"
    if problem.parts > 1:
        by.append(f"{problem.parts} parts")
    if others:
        reflected = sum(turn.reflected for turn in others)
        by.append(f"{len(others)} of them over {len(others) - reflected} rotated and {reflected} reflected")
    if model.combining:
        by.append(f"up to {model.per_packet} messages a packet")
    if order is not None:
        by.append(order.value)
    return Finding(schedule.collective, schedule, ", ".join(by), bound, time.monotonic() - started)


def check_can_follow(problem: Problem, order: Order | None) -> None:
    """Refuse routers that copy packets, and an order of the messages of a collective that has none.

    Raises
    ------
    ParameterError
        If they are refused.
    """
    if problem.ports.copies:
        raise ParameterError(f"ports must be 1, d or * along a spanning graph, not {problem.ports.value}")
    _, forward = forwards(problem.ports, problem.collective) or (problem.ports, problem.collective)
    one_port = problem.ports is PortModel.ONE or problem.model.port_use is PortUse.ONE_PARTNER
    check_order(order, forward, one_port=one_port)


def _left_over(graph: SpanningGraph, problem: Problem) -> tuple[Turn, ...]:
    """Better trees for the parts that those of an nRSBT do not share evenly, if a node uses several ports; none otherwise."""
    several = problem.ports is not PortModel.ONE and problem.model.port_use is not PortUse.ONE_PARTNER
    if not (isinstance(graph, NRSBT) and several):
        return ()
    return better_than_first(graph.n, problem.parts, spreads=not problem.collective.rooted)


def _schedule(
    graph: SpanningGraph,
    ports: PortModel,
    collective: Collective,
    model: StepModel,
    parts: int,
    order: Order | None,
    among: Participants,
) -> Schedule:
    """The schedule, by what the collective is made of."""
    if reversal := forwards(ports, collective):
        return backwards(_schedule(graph, *reversal, model, parts, order, among.reversed), ports, collective)
    if collective is Collective.ALL_REDUCE:
        collect, spread = (
            _schedule(graph, ports, phase, model, parts, order, among) for phase in (Collective.AAR, Collective.AAB)
        )
        return all_reduce(collect, spread)
    return pruned(_forward(graph, ports, collective, model, parts, order), among)


def _forward(
    graph: SpanningGraph, ports: PortModel, collective: Collective, model: StepModel, parts: int, order: Order | None
) -> Schedule:
    """The schedule of OAB, OAS, AAB or AAS for all processors."""
    per_packet = MOST_MESSAGES if model.per_packet == UNLIMITED else model.per_packet
    either = model.port_use is PortUse.SEND_OR_RECEIVE
    if either and ports is PortModel.ONE and collective.rooted and (order is None or personalized(collective)):
        farthest_first = order is Order.REVERSE_BREADTH_FIRST
        execution = from_one_source(
            graph, parts, per_packet, personalized=personalized(collective), farthest_first=farthest_first
        )
        made, _ = to_schedule(execution, ports, 1)
        return dataclasses.replace(made, model=made.model.changed(port_use=model.port_use))
    one_partner = model.port_use is PortUse.ONE_PARTNER
    schedule = along(graph, ports, collective, one_partner=one_partner, parts=parts, per_packet=per_packet, order=order)
    return in_turns(schedule) if either else schedule
