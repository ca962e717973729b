"""Schedules of reductions for tests: trees that run backwards in time, one with detours."""

from collections import Counter
import dataclasses
import random

from fatcube.schedules.collective import Message, Move
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer

__all__ = ["backwards", "exchanged", "reduction", "wandering"]


def backwards(schedule, collective):
    """A reduction from a broadcast or all-gather without copies: every transfer runs the other way."""
    transfers = [
        Transfer(
            schedule.steps + 1 - transfer.step,
            transfer.dst,
            transfer.src,
            Message(None, transfer.message.origin),
            transfer.lane,
        )
        for transfer in schedule.transfers
    ]
    return Schedule(schedule.topology, schedule.ports, collective, schedule.root, transfers)


def reduction(topology, ports, collective, root=0):
    """A schedule of AOR, AAR or all-reduce that is right."""
    # What the router copies cannot run backwards.
    spread = construct(
        Problem(topology, "1" if ports == "b" else ports, "OAB" if collective == "AOR" else "AAB", root)
    ).schedule
    spread = dataclasses.replace(spread.expanded(), ports=ports)
    if collective != "all-reduce":
        return backwards(spread, collective)
    first = backwards(spread, "AAR")
    after = [dataclasses.replace(transfer, step=transfer.step + first.steps) for transfer in spread.transfers]
    return dataclasses.replace(first, collective=collective, transfers=[*first.transfers, *after])


def exchanged(schedule, root):
    """The reduction, but in a step before it processors of adjacent nodes exchange all that they have for ``root``.

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


def wandering(schedule, seed, steps=4):
    """The reduction, but before it partial sums wander at random, so that processors send the same root's again
    and again."""
    dice = random.Random(seed)
    topology = schedule.topology
    processors = range(topology.processors)
    ports = schedule.ports.processor_ports(topology.degree, topology.m)
    roots = sorted({transfer.message.destination for transfer in schedule.transfers if transfer.message.reduced})
    holders = {root: set(processors) for root in roots}
    moves = []
    for step in range(1, steps + 1):
        sent, received, carried, taken = Counter(), Counter(), Counter(), set()
        moved = []
        for _ in range(2 * topology.processors * ports):
            root, src, dst = dice.choice(roots), dice.choice(processors), dice.choice(processors)
            link = topology.node_of(src), topology.node_of(dst)
            lanes = len(topology.channels_between(*link)) * topology.f
            if (
                src in (dst, root)
                or src not in holders[root]
                or (src, root, "out") in taken
                or (dst, root, "in") in taken
                or sent[src] == ports
                or received[dst] == ports
                or link[0] != link[1]
                and carried[link] == lanes
            ):
                continue
            taken.update([(src, root, "out"), (dst, root, "in")])
            sent[src] += 1
            received[dst] += 1
            carried[link] += 1
            moved.append(Move(step, src, dst, Message(None, root)))
        _move(holders, moved)
        moves += moved
    rest = {}
    for transfer in schedule.transfers:
        rest.setdefault(transfer.step, []).append(transfer)
    for step, transfers in sorted(rest.items()):
        moved = [
            Move(step + steps, transfer.src, transfer.dst, transfer.message)
            for transfer in transfers
            if not transfer.message.reduced or transfer.src in holders[transfer.message.destination]
        ]
        _move(holders, moved)
        moves += moved
    return Schedule.from_moves(topology, schedule.ports, schedule.collective, schedule.root, moves)


def _move(holders, moved):
    """The processors that have anything for a root after a step."""
    moved = [(src, dst, message.destination) for _, src, dst, message, _ in moved if message.reduced]
    for src, _, root in moved:
        holders[root].remove(src)
    for _, dst, root in moved:
        holders[root].add(dst)
