"""Flows taken apart into the paths of direct transfers."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fatcube.noc.topology import Topology
from fatcube.schedules.collective import Move
from fatcube.schedules.symmetry import Link

__all__ = ["FAR", "Flow", "paths", "with_ways"]


FAR: Final = (-1,)
"""In place of the way of a move: a path that is still to be found."""

Flow = dict[Link, int]
"""How many packets from one node cross each link."""


def paths(source: int, ends: Mapping[int, int], flow: Mapping[Link, int]) -> Iterator[tuple[int, ...]]:
    """Paths from ``source`` along a flow, the given number to each of its ``ends``: the nodes that each enters, none twice.

    Wherever a walk along the flow first comes to a node where a path is still to end, it ends there; else it continues, as a
    unit of flow that enters a node and does not end there leaves it. Rings are left out of the path, and of the flow too.
    """
    left = Counter({link: count for link, count in flow.items() if count})
    wanted = Counter(ends)
    for _ in range(wanted.total()):
        way = [source]
        while way[-1] == source or not wanted[way[-1]]:
            link = next(link for link in left if link.src == way[-1])
            left[link] -= 1
            if not left[link]:
                del left[link]
            way.append(link.dst)
            if link.dst in way[:-1]:
                del way[way.index(link.dst) + 1 :]
        wanted[way[-1]] -= 1
        yield tuple(way[1:])


def with_ways(
    moves: Sequence[Move], flows: Mapping[tuple[int, int], Flow], per_packet: float, topology: Topology
) -> list[Move]:
    """The moves with their ways, which those that go :data:`FAR` do not have yet.

    Parameters
    ----------
    moves : sequence of :class:`Move`
    flows : dict from (step, node) to :data:`Flow`
        The packets from each node in each step.
    per_packet : :class:`float`
        The most messages in a packet, which go one way.
    topology : :class:`Topology`
    """
    done = [move for move in moves if move.way != FAR]
    together: defaultdict[tuple[int, int, int], list[Move]] = defaultdict(list)
    for move in sorted(moves, key=lambda move: move.order):
        if move.way == FAR:
            together[move.step, move.src, move.dst].append(move)
    packets: defaultdict[tuple[int, int], list[list[Move]]] = defaultdict(list)
    for (step, src, _), found in together.items():
        size = int(min(per_packet, len(found)))
        packets[step, topology.node_of(src)] += [found[first : first + size] for first in range(0, len(found), size)]
    for (step, source), those in packets.items():
        ends = Counter(topology.node_of(packet[0].dst) for packet in those)
        waiting: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
        for path in paths(source, ends, flows[step, source]):
            waiting[path[-1]].append(path)
        for packet in those:
            path = waiting[topology.node_of(packet[0].dst)].pop()
            done += [move._replace(way=path if len(path) > 1 else ()) for move in packet]
    return done
