"""Schedules in which the routers copy packets of several messages, for tests of what these do to each other."""

import random

from fatcube.schedules.collective import Message, Move
from fatcube.schedules.schedule import Schedule

__all__ = ["gossip"]


def gossip(topology, seed, *, copied=1, after=None):
    """A random all-gather of model b in which packets are copied to as many as can be.

    In each step the processors in turn take of the messages that they hold the one that they can copy most
    often: to processors of their own node and over lanes, all of them free in this step, to whom it is new.

    Parameters
    ----------
    copied : :class:`float`
        How many packets may be copied, from 0 to 1; the others go to one processor.
    after : :class:`Schedule` or ``None``
        A reduce-scatter that comes before it, which makes both together an all-reduce.
    """
    dice = random.Random(seed)
    moves = [transfer.move for transfer in after.transfers] if after else []
    step = after.steps if after else 0
    holds = {processor: {processor} for processor in range(topology.processors)}
    while any(len(held) < topology.processors for held in holds.values()):
        step += 1
        received, crossed = {}, []
        for src in dice.sample(sorted(holds), len(holds)):
            options = [
                (_targets(topology, src, message, holds, received, crossed, dice), message)
                for message in dice.sample(sorted(holds[src]), len(holds[src]))
            ]
            targets, message = max(options, key=lambda option: len(option[0]))
            if dice.random() >= copied:
                targets = dice.sample(targets, min(1, len(targets)))
            for dst in targets:
                received[dst] = message
                crossed.append((topology.node_of(src), topology.node_of(dst)))
                moves.append(Move(step, src, dst, Message(message, None)))
        for dst, message in received.items():
            holds[dst].add(message)
    return Schedule.from_moves(topology, "b", "all-reduce" if after else "AAB", None, moves)


def _targets(topology, src, message, holds, received, crossed, dice):
    """To whom ``src`` can copy ``message`` in this step."""
    here = topology.node_of(src)
    targets = []
    for there in (here, *topology.graph[here]):
        lacking = [
            dst
            for dst in range(there * topology.m, (there + 1) * topology.m)
            if dst not in received and message not in holds[dst]
        ]
        room = topology.m if there == here else topology.f - crossed.count((here, there))
        targets += dice.sample(lacking, min(room, len(lacking)))
    return targets
