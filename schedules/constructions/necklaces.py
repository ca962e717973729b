"""Necklaces: the nodes of a cube other than 0, grouped by rotation of their dimensions.

A traversal from node 0 to every node r has to choose, for each r, one of the dimensions in which r differs
from 0: to leave by, to arrive by, or to do something special in. The choice below is balanced over the
dimensions as well as any can be. The spanning balanced trees of Ho and Johnsson stand on the same rotation;
here it is done for several messages to each node, so that what one round leaves over the next one evens out.
"""

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Choice", "round_robin"]


class Choice(NamedTuple):
    """A dimension in which ``node`` differs from 0, for one of several messages to the node."""

    copy: int
    node: int
    dimension: int


def round_robin(d: int, copies: int, start: int = 0) -> Iterator[Choice]:
    """For each copy and each node but 0 of the d-cube a dimension in which the node differs from 0.

    Nodes come by their distance from node 0, the nearest first, and the dimensions come round robin:
    0, 1, ..., d - 1, 0, 1, ... from ``start`` on. Therefore any stretch of n choices that follow each other has
    each dimension floor(n / d) or ceil(n / d) times.

    Proof that it can be done: let r be a node, p the least rotation that keeps it, b a dimension in which it
    differs from 0. Rotated by q - b it differs from 0 in dimension q. So for any q the dimensions q, q + 1, ...,
    q + p - 1 go to the p rotations of r, to each one of them, and the next node continues with q + p.

    Yields
    ------
    :class:`Choice`
        All copies of a node and its rotations come before the next nodes.
    """
    dimension = start % d
    for node in sorted(range(1, 1 << d), key=lambda node: (node.bit_count(), node)):
        rotations = _rotations(d, node)
        if node != min(rotations):
            continue
        for copy in range(copies):
            for _ in rotations:
                yield Choice(copy, rotations[(dimension - _lowest(node)) % len(rotations)], dimension)
                dimension = (dimension + 1) % d


def _rotations(d: int, node: int) -> list[int]:
    """The different rotations of a node's dimensions, in order: by 0, by 1, ..."""
    rotations = [node]
    while True:
        node = (node << 1 | node >> d - 1) & (1 << d) - 1
        if node == rotations[0]:
            return rotations
        rotations.append(node)


def _lowest(node: int) -> int:
    """The lowest dimension in which ``node`` differs from 0."""
    return (node & -node).bit_length() - 1
