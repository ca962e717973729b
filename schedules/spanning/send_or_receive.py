"""Communication along spanning graphs where a node sends or receives in a step, not both (Johnsson and Ho, section 4.1.5).

A broadcast or a scatter with one port is executed so; over an nESBT it is that of theorem 4.3, which takes
2 ceil(M / B) + n - 1 steps for M messages in packets of B. Of any other schedule each step becomes two: first the nodes send
whose numbers have an even number of ones, then the others. Neighbours are never alike, so no node receives in the step in
which it sends. With one port an all-gather takes 2 (N - 1) steps then and an all-to-all n N, which is the least, as no
more than N / 2 of the N nodes receive in a step.
"""

import dataclasses

from fatcube.schedules.schedule import Schedule
from fatcube.schedules.size import check_transfers
from fatcube.schedules.spanning.graphs import NESBT, SpanningGraph
from fatcube.schedules.spanning.packets import SEND_OR_RECEIVE, Execution
from fatcube.schedules.spanning.pipelines import broadcast_by_label, broadcast_oldest_first, deliver, one_way
from fatcube.schedules.step_model import PortUse

__all__ = ["from_one_source", "in_turns"]


def from_one_source(graph: SpanningGraph, M: int, B: int, *, personalized: bool, farthest_first: bool) -> Execution:
    """The :class:`Execution` of a broadcast or, if ``personalized``, a scatter, of M messages in packets of B with one port.

    ``farthest_first`` is that of :func:`~fatcube.schedules.spanning.pipelines.deliver`, for a scatter.
    """
    if personalized:
        return deliver(graph, SEND_OR_RECEIVE, M, B, farthest_first=farthest_first)
    if isinstance(graph, NESBT):
        return one_way(broadcast_by_label(graph, M, B))
    return broadcast_oldest_first(graph, SEND_OR_RECEIVE, M, B)


def in_turns(schedule: Schedule) -> Schedule:
    """The transfers, with each step split in two; steps of the two without any are left out."""
    check_transfers(
        schedule.size, f"for {schedule.collective.value} on the {schedule.topology.name} where nodes send or receive"
    )
    transfers = schedule.expanded().transfers
    halves = [2 * transfer.step + transfer.src.bit_count() % 2 for transfer in transfers]
    steps = {half: step for step, half in enumerate(sorted(set(halves)), start=1)}
    return dataclasses.replace(
        schedule,
        transfers=tuple(dataclasses.replace(one, step=steps[half]) for one, half in zip(transfers, halves)),
        symmetric=False,
        model=schedule.model.changed(port_use=PortUse.SEND_OR_RECEIVE),
    )
