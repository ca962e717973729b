"""Schedules on a network with failures: made for its surviving part, a graph of its own, and numbered as the network.

Constructions, bounds and searches take all nodes and processors of a topology to work, so they are given
:attr:`fatcube.noc.topologies.damaged.Damaged.survivors`. A schedule for that is one for the network: it has the same links and ports.
"""

import dataclasses

from fatcube.noc.topologies.damaged import Damaged
from fatcube.noc.topologies.survivors import Survivors
from fatcube.schedules.collective import Message
from fatcube.schedules.counting import Bound
from fatcube.schedules.participants import Participants
from fatcube.schedules.schedule import Schedule, Transfer

__all__ = ["bound_in_network", "in_network", "left_of"]


def left_of(topology: Damaged, root: int | None, among: Participants) -> tuple[Survivors, int | None, Participants]:
    """The surviving part of a network, and the root and the participants of a collective by their numbers there.

    Raises
    ------
    ParameterError
        If one of them has failed.
    """
    left = topology.survivors
    among.check(topology)
    return left, None if root is None else left.processor_here(root), among.renumbered(left.processor_here)


def in_network(schedule: Schedule, topology: Damaged, among: Participants) -> Schedule:
    """A schedule for the surviving part of a network as one of the network, among these participants of it."""
    left = schedule.topology
    assert isinstance(left, Survivors)

    def number(processor: int | None) -> int | None:
        return None if processor is None else left.processor_in_network(processor)

    def renumbered(transfer: Transfer) -> Transfer:
        hops = [
            (left.places[there], left.lane_in_network(here, there, lane)) for here, there, lane in transfer.hops(left)
        ]
        origin, destination, part = transfer.message
        return dataclasses.replace(
            transfer,
            src=left.processor_in_network(transfer.src),
            dst=left.processor_in_network(transfer.dst),
            message=Message(number(origin), number(destination), part),
            lane=hops[0][1] if len(hops) == 1 else None,
            path=tuple(hops) if len(hops) > 1 else (),
        )

    return dataclasses.replace(
        schedule,
        topology=topology,
        root=number(schedule.root),
        transfers=tuple(map(renumbered, schedule.expanded().transfers)),
        symmetric=False,
        among=among,
    )


def bound_in_network(bound: Bound, topology: Damaged) -> Bound:
    """A bound for the surviving part of a network, whose reason names processors and nodes as the network does."""
    return Bound(bound.steps, topology.survivors.in_network(bound.reason))
