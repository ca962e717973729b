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
from fatcube.schedules.spanning.graphs import SpanningGraph
from fatcube.schedules.spanning.packets import to_schedule
from fatcube.schedules.spanning.pruning import pruned
from fatcube.schedules.spanning.send_or_receive import from_one_source, in_turns
from fatcube.schedules.spanning.trees import MOST_MESSAGES, Order, along, personalized
from fatcube.schedules.step_model import UNLIMITED, PortUse, StepModel

__all__ = ["construct_along"]


def construct_along(graph: SpanningGraph, problem: Problem, *, order: Order | None = None) -> Finding:
    """The schedule of a problem along a spanning graph, with the lower bound of the problem, as a :class:`Finding`.

    The schedule keeps to the use of ports and to the messages per packet of the step model, and the bound to all of it. Of a
    hypercube with failures only the trees without failures are used.

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
    if problem.ports.copies:
        raise ParameterError(f"ports must be 1, d or * along a spanning graph, not {problem.ports.value}")
    used, some = graph, among
    if isinstance(network, Damaged):
        used = degraded(graph, network, collective)
        if among.all and len(network.working) < network.processors:
            some = Participants(targets=tuple(one for one in network.working if one != graph.source))
    schedule = _schedule(used, problem.ports, collective, model, problem.parts, order, some)
    if isinstance(network, Damaged):
        schedule = dataclasses.replace(schedule, topology=network, among=among)
    bound = lower_bound(problem)
    by = [f"the spanning graph {type(graph).__name__.lower()}"]
    if used.trees < graph.trees:
        by[0] += f", {used.trees} of its {graph.trees} trees"
    if problem.parts > 1:
        by.append(f"{problem.parts} parts")
    if model.combining:
        by.append(f"up to {model.per_packet} messages a packet")
    if order is not None:
        by.append(order.value)
    return Finding(schedule.collective, schedule, ", ".join(by), bound, time.monotonic() - started)


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
