"""Schedules of reductions for tests: trees that run backwards in time, one with detours."""

import dataclasses

from schedules.collective import Message
from schedules.construct import construct
from schedules.schedule import Schedule, Transfer

__all__ = ["backwards", "exchanged", "reduction"]


def backwards(schedule, collective):
    """A reduction from a broadcast or all-gather without copies: every transfer runs the other way."""
    transfers = [Transfer(schedule.steps + 1 - transfer.step, transfer.dst, transfer.src,
                          Message(None, transfer.message.origin), transfer.lane)
                 for transfer in schedule.transfers]
    return Schedule(schedule.topology, schedule.ports, collective, schedule.root, transfers)


def reduction(topology, ports, collective, root=0):
    """A schedule of AOR, AAR or all-reduce that is right."""
    # What the router copies cannot run backwards.
    spread = construct(topology, "1" if ports == "b" else ports, "OAB" if collective == "AOR" else "AAB", root)
    spread = dataclasses.replace(spread, ports=ports)
    if collective != "all-reduce":
        return backwards(spread, collective)
    first = backwards(spread, "AAR")
    after = [dataclasses.replace(transfer, step=transfer.step + first.steps) for transfer in spread.transfers]
    return dataclasses.replace(first, collective=collective, transfers=[*first.transfers, *after])


def exchanged(schedule, root):
    """The same reduction, but in a step before it processors of adjacent nodes exchange what they have for ``root``.

    Each sends its partial sum in the step in which it receives the other's, and adds to that later.
    """
    topology = schedule.topology
    transfers = [dataclasses.replace(transfer, step=transfer.step + 1) for transfer in schedule.transfers]
    for node in range(topology.nodes):
        other, _ = topology.neighbour(node, 0)
        src, dst = node * topology.m, other * topology.m
        if root not in (src, dst):
            transfers.append(Transfer(1, src, dst, (None, root), 0))
    return dataclasses.replace(schedule, transfers=transfers)
