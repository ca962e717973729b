"""Rotated and reflected binomial trees for parts that the n trees of an nRSBT do not share evenly (Johnsson and Ho, section 5.1.4).

Of M parts on the n-cube M mod n = k are left over when all n trees have as many. If they go over the first k trees, the source sends
up to 2^(n - 1) + 2^(n - 2) + ... + 2^(n - k) more messages of a scatter over one link. Other trees share the links better:

- A tree rotated by j steps puts 2^(n - 1 - d) nodes below the source's link in dimension (d + j) mod n. With rotations n / k steps apart
  the busiest link has every (n / k)-th term of a geometric series, (N - 1) 2^(n/k - 1) / (2^(n/k) - 1) nodes of N - 1 each.
- A reflected tree has its bits in the reverse order, so the loads of its links descend in the other direction. Of k / 2 rotations 2 n / k steps
  apart, and for each its reflection, whose busiest link is where the rotation's least busy one is, a link has
  (N - 1) (2^(2n/k - 1) + 1) / (2^(2n/k) - 1) nodes at most.

No other link has more than the source's in its dimension: below any edge of dimension d are 2^(n - 1 - d) nodes of the tree, and the source
has one such edge. An all-gather loads the dimensions of a tree with 1, 2, ..., 2^(n - 1) edges, as the reflected tree does a scatter's, so
there rotated and reflected trees change places.

Where k is odd, or does not divide n, the paper has no formula. Here rotations are as far apart as whole steps allow, and so are reflections,
of as many of each as load the busiest link least. For n up to 7 no choice of k of the 2 n trees loads it less,
except for n = 7 and k = 5 (118 nodes; 107 are possible).
"""

from collections.abc import Iterable
import dataclasses
from typing import NamedTuple

from fatcube.schedules.spanning.graphs import NRSBT, SBT, SpanningGraph, rotated

__all__ = ["Turn", "better_than_first", "busiest", "divided", "turns_left_over"]


class Turn(NamedTuple):
    """A tree: the spanning binomial tree, reflected or not, and then rotated ``steps`` steps to the left."""

    steps: int
    reflected: bool = False


def busiest(n: int, turns: Iterable[Turn]) -> int:
    """The nodes below the busiest of the source's links, added up over some trees."""
    below = [0] * n
    for steps, reflected in turns:
        for dimension in range(n):
            below[((n - 1 - dimension if reflected else dimension) + steps) % n] += 1 << n - 1 - dimension
    return max(below)


def turns_left_over(n: int, k: int, *, reflected: bool = True) -> tuple[Turn, ...]:
    """The ``k`` < ``n`` trees that load the busiest link least, of those that the module describes.

    Of equal ones it is the one with most rotations. Unless ``reflected`` is true, there are rotations only.
    """
    choices = [
        (*_apart(n, k - reflections), *(turn._replace(reflected=True) for turn in _apart(n, reflections)))
        for reflections in range(k + 1 if reflected else 1)
    ]
    return min(choices, key=lambda turns: busiest(n, turns))


def _apart(n: int, count: int) -> tuple[Turn, ...]:
    return tuple(Turn(number * n // count) for number in range(count))


@dataclasses.dataclass(frozen=True)
class _Divided(SpanningGraph):
    """A tree for each of some parts: the n rotations in turn, as often as all of them are used, and then others.

    Parameters
    ----------
    parts : :class:`int`
        The parts, of which tree p carries part p.
    others : tuple of :class:`Turn`
        The trees of the last parts, those left over.
    """

    parts: int = dataclasses.field(kw_only=True)
    others: tuple[Turn, ...] = dataclasses.field(kw_only=True)

    @property
    def trees(self) -> int:
        return self.parts

    def _parent(self, c: int, tree: int) -> int:
        return self._turned(SBT(self.n)._parent(self._straight(c, tree), 0), tree)

    def _children(self, c: int, tree: int) -> list[int]:
        return [self._turned(child, tree) for child in SBT(self.n)._children(self._straight(c, tree), 0)]

    def _turn(self, tree: int) -> Turn:
        left_over = tree - self.parts + len(self.others)
        return Turn(tree % self.n) if left_over < 0 else self.others[left_over]

    def _turned(self, c: int, tree: int) -> int:
        steps, reflected = self._turn(tree)
        return rotated(self._mirrored(c) if reflected else c, steps, self.n)

    def _straight(self, c: int, tree: int) -> int:
        steps, reflected = self._turn(tree)
        back = rotated(c, -steps, self.n)
        return self._mirrored(back) if reflected else back

    def _mirrored(self, c: int) -> int:
        return int(f"{c:0{self.n}b}"[::-1], 2)


def divided(graph: NRSBT, parts: int, others: tuple[Turn, ...]) -> SpanningGraph:
    """A graph with a tree for each of ``parts`` parts: those of ``graph`` in turn, and ``others`` for the last parts."""
    return _Divided(graph.n, graph.source, parts=parts, others=others)


def better_than_first(n: int, parts: int, *, spreads: bool) -> tuple[Turn, ...]:
    """Trees for the parts left over that load the busiest link less than the first trees do; none if there are no such trees.

    ``spreads`` is true if every node has the same data for all others, and not for each its own.
    """
    k = parts % n
    others = turns_left_over(n, k)
    if busiest(n, others) == busiest(n, map(Turn, range(k))):
        return ()
    return tuple(turn._replace(reflected=turn.reflected != spreads) for turn in others)
