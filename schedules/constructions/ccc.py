"""The communication algorithms A1 to A7 of the cube-connected cycles paper (Kambhatla, sections 2 and 5), as printed.

They are here to be held against bounds and shorter schedules: :mod:`fatcube.schedules.construct` builds better ones. All are
for one processor a node and one lane a link. Where the paper leaves something open, the reading that takes
the fewest steps is chosen, and documented. The paper's single I/O is router model 1 here, its multiple I/O is model d.

An algorithm yields moves; :meth:`Schedule.from_moves` makes a schedule of them, and the checker decides
whether it is right.
"""

from collections.abc import Iterable, Sequence
from functools import cache
import random
from typing import NamedTuple

from fatcube.noc.routing.a1 import A1
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.schedules.collective import Message, Move

__all__ = [
    "broadcast",
    "multinode_broadcast",
    "rings",
    "route",
    "scatter_by_route",
    "scatter_on_tree",
    "total_exchange",
]


class _Journey(NamedTuple):
    """A message, and the nodes on its way."""

    message: Message
    way: list[int]


def route(topology: CubeConnectedCycles, source: int, destination: int) -> list[int]:
    """Algorithm A1: the nodes on the way of :class:`~fatcube.noc.routing.a1.A1` from ``source`` to ``destination``, both included."""
    routing, nodes = _a1(topology), [source]
    for channel, _ in routing.way(source, destination):
        nodes.append(routing.ends[nodes[-1]][channel][0])
    return nodes


@cache
def _a1(topology: CubeConnectedCycles) -> A1:
    return A1(topology)


class _Receipt(NamedTuple):
    """A node that has received the message, and whether over the link between cycles."""

    node: int
    lateral: bool


def broadcast(
    topology: CubeConnectedCycles, ports: str, root: int = 0, *, both: bool = True, every: bool = True, seed: int = 0
) -> list[Move]:
    """Algorithms A2 (one port) and A3: the moves of a broadcast, until all have it or nobody has anything left to send.

    The root sends over the link to the other cycle, then to its neighbours in its cycle; a node that receives over a link
    between cycles sends to its neighbours in its cycle, and one that receives within a cycle sends over the link to the
    other cycle. A2 prints "left (or right)"; its proof needs ``both``, and their order is open: the previous
    position first with ``seed`` 0, and a pseudo-random choice with another one. Whether a node that has the message
    acts again when it receives it in the other way is open too: with ``every`` it does, otherwise only the first
    receipt counts. Useless sends are left out, nodes without the message come first, and where two send to the same node at once, it
    takes one of the two for the message, and both for its next action.
    """
    return _flood(topology, ports, root, both=both, every=every, seed=seed)[0]


def _flood(
    topology: CubeConnectedCycles, ports: str, root: int, *, both: bool, every: bool, seed: int
) -> tuple[list[Move], dict[int, list[int]]]:
    """The moves of :func:`broadcast`, and for every node that is reached the nodes on the way of the message to it."""
    n = topology.n
    message = Message(root, None)
    generator = random.Random(seed)
    ways = {root: [root]}
    receipts: dict[_Receipt, list[int]] = {}

    def around(node: int) -> list[int]:
        turns = _cycle_neighbours(n, node, both)
        return generator.sample(turns, len(turns)) if seed else turns

    def news(node: int, other: int) -> bool:
        return other not in ways or (every and other != root and _receipt(n, node, other) not in receipts)

    plans = {root: [(other, [root]) for other in _other_cycle(n, root) + around(root)]}
    moves, step = [], 0
    while any(plans.values()) and len(ways) < topology.nodes:
        step += 1
        receiving: dict[int, list[tuple[int, list[int]]]] = {}
        for node, plan in plans.items():
            if not plan:
                continue  # as most, after the first steps
            plan[:] = sorted((send for send in plan if news(node, send[0])), key=lambda send: send[0] in ways)
            for send in plan[:] if ports == "d" else plan[:1]:
                if ports == "d" or send[0] not in receiving:
                    receiving.setdefault(send[0], []).append((node, send[1]))
                    plan.remove(send)
        for other, senders in receiving.items():
            moves.append(Move(step, senders[0][0], other, message))
            ways.setdefault(other, [*senders[0][1], other])
            for node, way in senders:
                receipt = _receipt(n, node, other)
                if receipt not in receipts:
                    receipts[receipt] = [*way, other]
                    onward = around(other) if receipt.lateral else _other_cycle(n, other)
                    plans.setdefault(other, []).extend((there, receipts[receipt]) for there in onward)
    return moves, ways


def _receipt(n: int, node: int, other: int) -> _Receipt:
    return _Receipt(other, node // n != other // n)


def _other_cycle(n: int, node: int) -> list[int]:
    cycle, position = divmod(node, n)
    return [(cycle ^ 1 << position) * n + position]


def _cycle_neighbours(n: int, node: int, both: bool) -> list[int]:
    cycle, position = divmod(node, n)
    return list(dict.fromkeys(cycle * n + (position + turn) % n for turn in ((-1, 1) if both else (-1,))))


def rings(topology: CubeConnectedCycles) -> list[list[int]]:
    """The two rings of algorithm A4, as lists of nodes: each goes once through every cycle.

    The cycles come in the order of the reflected Gray code. Each is crossed from where it is entered to where it is
    left, through increasing positions (modulo n) in one ring, through decreasing ones in the other.
    """
    n = topology.n
    codes = [number ^ number >> 1 for number in range(1 << n)]
    found = []
    for turn in (1, -1):
        ring = []
        for before, code, after in zip(codes[-1:] + codes[:-1], codes, codes[1:] + codes[:1]):
            position, leave = (before ^ code).bit_length() - 1, (code ^ after).bit_length() - 1
            while position != leave:
                ring.append(code * n + position)
                position = (position + turn) % n
            ring.append(code * n + leave)
        found.append(ring)
    return found


def multinode_broadcast(topology: CubeConnectedCycles) -> tuple[list[Move], list[int]]:
    """Algorithm A4: the moves of an all-gather, and the last step of each of its three phases.

    In a phase the messages that are on a ring go round it, first the one ring, then the other, then the first again.
    Every node passes on what it has longest and the next one lacks, one message per step.
    """
    held = {node: {Message(node, None): None} for node in range(topology.nodes)}  # an ordered set
    moves, ends, step = [], [], 0
    increasing, decreasing = rings(topology)
    for ring in (increasing, decreasing, increasing):
        passed = dict.fromkeys(ring, 0)  # messages, in order of arrival, that the next node has already
        while True:
            now = []
            for node, after in zip(ring, ring[1:] + ring[:1]):
                mine = list(held[node])
                while passed[node] < len(mine) and mine[passed[node]] in held[after]:
                    passed[node] += 1
                if passed[node] < len(mine):
                    now.append(Move(step + 1, node, after, mine[passed[node]]))
            if not now:
                break
            step += 1
            moves += now
            for move in now:
                held[move.dst][move.message] = None
        ends.append(step)
    return moves, ends


def scatter_by_route(topology: CubeConnectedCycles, ports: str, root: int = 0) -> list[Move]:
    """Algorithm A5: the moves of a scatter by A1, the farthest first, one after the other."""
    ways = [route(topology, root, node) for node in range(topology.nodes) if node != root]
    return _Timetable(ports).run(_farthest_first(root, ways))[0]


def scatter_on_tree(topology: CubeConnectedCycles, ports: str, root: int = 0, *, every: bool = True) -> list[Move]:
    """Algorithm A6: the moves of a scatter on the ways of A3, the farthest first; whom A3 misses gets nothing."""
    _, ways = _flood(topology, "d", root, both=True, every=every, seed=0)
    return _Timetable(ports).run(_farthest_first(root, [way for node, way in ways.items() if node != root]))[0]


def _farthest_first(root: int, ways: Iterable[list[int]]) -> list[_Journey]:
    """The messages of a scatter on given ways, in the order in which they leave the root."""
    return [_Journey(Message(root, way[-1]), way) for way in sorted(ways, key=len, reverse=True)]


def total_exchange(topology: CubeConnectedCycles, ports: str) -> list[Move]:
    """Algorithm A7: the moves of a total exchange, recursively over the dimensions of the cube.

    In a part of k dimensions its two halves exchange what is for each other, over the links of dimension k, while
    each half does the total exchange of what is for itself; then the halves do one with what they received. With
    no dimension left, messages go round their cycle. A message takes the shorter way round to the links of the
    dimension, and stays where it arrives until the halves begin: the paper leaves open how it gets there.
    """
    n = topology.n
    timetable = _Timetable(ports)
    place = {Message(src, dst): src for src in range(topology.nodes) for dst in range(topology.nodes) if src != dst}
    moves: list[Move] = []

    def send(journeys: Sequence[_Journey], start: int) -> int:
        made, end = timetable.run(sorted(journeys, key=lambda journey: len(journey.way)), start)
        moves.extend(made)
        for message, way in journeys:
            place[message] = way[-1]
        return end

    def exchange(k: int, messages: Sequence[Message], start: int) -> int:
        if not messages:
            return start
        if k == 0:
            around = [_Journey(message, _way_in_cycle(n, place[message], message.target % n)) for message in messages]
            return send(around, start)
        far = [message for message in messages if (place[message] // n ^ message.target // n) >> k - 1 & 1]
        over = send([_Journey(message, _way_over_link(n, place[message], k - 1)) for message in far], start)
        chosen = set(far)
        near = exchange(k - 1, [message for message in messages if message not in chosen], start)
        return exchange(k - 1, far, max(over, near))

    exchange(n, list(place), 0)
    return moves


def _way_over_link(n: int, node: int, dimension: int) -> list[int]:
    """The nodes from ``node`` to the end of the link of a dimension, in the other cycle."""
    way = _way_in_cycle(n, node, dimension)
    return way + _other_cycle(n, way[-1])


def _way_in_cycle(n: int, node: int, goal: int) -> list[int]:
    """The nodes from ``node`` to position ``goal`` of its cycle, the shorter way round."""
    cycle, position = divmod(node, n)
    ahead = (goal - position) % n
    turn = 1 if 2 * ahead <= n else -1
    count = ahead if turn == 1 else n - ahead
    return [cycle * n + (position + turn * hop) % n for hop in range(count + 1)]


class _Timetable:
    """The links and ports that are taken in each step."""

    def __init__(self, ports: str) -> None:
        self._one = ports != "d"  # in model d every link has its port
        self._taken = set()

    def run(self, journeys: Iterable[_Journey], start: int = 0) -> tuple[list[Move], int]:
        """The moves of messages on given ways after step ``start``, as early as those before allow; the last step."""
        moves, last = [], start
        for message, way in journeys:
            step = start
            for src, dst in zip(way, way[1:]):
                step += 1
                uses = [("out", src), ("in", dst)] if self._one else [(src, dst)]
                while any((step, use) in self._taken for use in uses):
                    step += 1
                self._taken.update((step, use) for use in uses)
                moves.append(Move(step, src, dst, message))
            last = max(last, step)
        return moves, last
