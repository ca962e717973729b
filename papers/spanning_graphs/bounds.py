"""Lower bounds for any routing, from the network alone, without any tree, routing or schedule of the paper.

A communication is a sequence of routing cycles. A cycle whose largest packet has b elements costs tau + b t_c. A packet
is sent on in a cycle after that of its arrival, and a node sends and receives at most one packet per cycle on each of
its ports, or on one of them. Three arguments bound every such sequence:

- depth: data for a node h hops away takes h cycles, and an element or more in each;
- a cut: what has to enter or leave one node crosses the ports that it may use, b elements on each per cycle;
- work: all hops of all elements, by shortest paths, are done by the links that may be used at once.

Both parts of the price are bounded at the same time, so the least time is at least the sum of both.
"""

import functools
from typing import NamedTuple

from fatcube.noc.topologies.cubes import Hypercube
from fatcube.papers.arithmetic import ceil_div
from fatcube.schedules.spanning.packets import N_PORT, ONE_PORT, Price

__all__ = ["PROBLEMS", "Bound", "Communication", "bound_of", "least_packet"]


class Communication(NamedTuple):
    """A communication problem: whether each target has data of its own, and whether every node is a source."""

    personalized: bool
    everybody: bool


PROBLEMS = {
    "one-to-all broadcasting": Communication(personalized=False, everybody=False),
    "one-to-all personalized": Communication(personalized=True, everybody=False),
    "all-to-all broadcasting": Communication(personalized=False, everybody=True),
    "all-to-all personalized": Communication(personalized=True, everybody=True),
}
"""The four problems by name."""


class Bound(NamedTuple):
    """The least :class:`~fatcube.schedules.spanning.packets.Price` of any routing, and the argument for it."""

    price: Price
    reason: str


@functools.cache
def _distances(n: int) -> tuple[tuple[int, ...], ...]:
    cube = Hypercube(n)
    return tuple(tuple(cube.distances[node]) for node in range(cube.nodes))


def _links(ports: str, n: int) -> int:
    """The ports of a node that may be used in one cycle."""
    assert ports in (ONE_PORT, N_PORT)
    return 1 if ports == ONE_PORT else Hypercube(n).degree


def _hops(n: int) -> int:
    """The hops of one element from every node to every other one, by shortest paths."""
    return sum(map(sum, _distances(n)))


def bound_of(problem: str, ports: str, n: int, M: int, B: int | None = None) -> Bound:
    """The least start-ups and elements of any routing on the n-cube, with packets of any size or of at most ``B``."""
    links, nodes, height = _links(ports, n), len(_distances(n)), max(_distances(n)[0])
    others = (nodes - 1) * M
    match PROBLEMS[problem]:
        case Communication(personalized=False, everybody=False):
            elements = height - 1 + ceil_div(M, links)
            reason = f"the farthest node receives nothing before cycle {height}, and then M elements on {links} port(s)"
        case Communication(personalized=True, everybody=False):
            elements = ceil_div(others, links)
            reason = f"the source sends (N - 1) M elements on {links} port(s)"
        case Communication(personalized=False, everybody=True):
            elements = ceil_div(others, links)
            reason = f"every node receives (N - 1) M elements on {links} port(s)"
        case _:
            elements = ceil_div(_hops(n) * M, nodes * links)
            reason = f"all elements together take {_hops(n)} M hops, and {nodes * links} links are used at once"
    startups = max(height, ceil_div(elements, B)) if B else height
    return Bound(Price(startups, elements), f"the farthest node is {height} hops away; {reason}")


def least_packet(ports: str, n: int, M: int) -> int:
    """The least B with which all-to-all personalized communication is possible in as many cycles as the cube is deep.

    All packets of B elements together have to do all hops.
    """
    nodes, height = len(_distances(n)), max(_distances(n)[0])
    return ceil_div(_hops(n) * M, height * nodes * _links(ports, n))
