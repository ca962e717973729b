"""Packings of spanning trees: the most that the cuts of a network allow, from given roots, with lanes as capacities.

Edmonds (1973): a given number of trees from each root, each over all nodes, exists within the capacities of the links
if and only if the links into every set of nodes have the capacity for all trees whose root is not in the set. The trees
are grown a link at a time as in Lovasz's proof (1976), all copies of a tree at once: a link from a tree to a node that it lacks is
taken by as many copies as leave that condition true for the trees that are still to be grown, which a maximum flow says (Bérczi and
Frank, 2010; ForestColl, Zhao et al., 2024, section 5.3). So a packing that exists is always found. Links from nodes that are few links
from the root come first, which keeps trees low.
"""

from collections.abc import Mapping, Sequence
import dataclasses
from typing import NamedTuple

from fatcube.groundwork.validation import ParameterError
from fatcube.schedules.symmetry import Link

__all__ = ["Tree", "check_packing", "pack"]

_ALL = 1 << 40  # more than any links carry


class Tree(NamedTuple):
    """A spanning tree that is used ``copies`` times.

    Members
    -------
    root : :class:`int`
    copies : :class:`int`
    links : tuple of :class:`Link`
        From the root on, each after the one that leads to its first node; or, of a tree that collects, towards the root, each after
        all that lead to its first node.
    """

    root: int
    copies: int
    links: tuple[Link, ...]

    @property
    def depths(self) -> dict[int, int]:
        """The links from the root to each node, where links lead from the root on."""
        found = {self.root: 0}
        for source, node in self.links:
            found[node] = found[source] + 1
        return found

    @property
    def steps(self) -> list[int]:
        """The step, from 1, in which each link is used at the earliest."""
        ready: dict[int, int] = {}
        found = []
        for source, node in self.links:
            found.append(ready.get(source, 0) + 1)
            ready[node] = max(ready.get(node, 0), found[-1])
        return found

    @property
    def turned(self) -> "Tree":
        """The tree with all links the other way: one that collects, if it led from the root on."""
        return Tree(self.root, self.copies, tuple(Link(node, source) for source, node in reversed(self.links)))


@dataclasses.dataclass
class _Grown:
    """A tree so far: its depths by node."""

    root: int
    copies: int
    links: list[Link]
    depths: dict[int, int]

    def grown(self, copies: int, link: Link) -> "_Grown":
        """A number of copies of it with a link more."""
        depths = {**self.depths, link[1]: self.depths[link[0]] + 1}
        return _Grown(self.root, copies, [*self.links, link], depths)


def pack(capacities: Mapping[Link, int], roots: Mapping[int, int], *, together: bool = False) -> list[Tree]:
    """Trees over all nodes of the links of ``capacities``, the given number from each root.

    The trees of one root are grown after those of another, or all copies of all ``together``, which makes them lower but
    takes longer where they are many.

    Raises
    ------
    ParameterError
        If there is no such packing.
    """
    nodes = sorted({node for link in capacities for node in link}.union(roots))
    waiting = {root: copies for root, copies in roots.items() if copies}
    check_packing(capacities, waiting)
    packing = _Packing(capacities, nodes)
    found: list[Tree] = []
    growing: list[_Grown] = []
    if together:
        growing = [_Grown(root, 1, [], {root: 0}) for root, copies in waiting.items() for _ in range(copies)]
        waiting = {}
    while waiting or growing:
        if not growing:
            root, copies = waiting.popitem()
            growing = [_Grown(root, copies, [], {root: 0})]
        while growing:
            tree = growing.pop(min(range(len(growing)), key=lambda number: len(growing[number].links)))
            if len(tree.depths) == len(nodes):
                found.append(Tree(tree.root, tree.copies, tuple(tree.links)))
                continue
            link, copies = packing.next_link(tree, growing, waiting)
            packing.left[link] -= copies
            if copies < tree.copies:
                growing.append(dataclasses.replace(tree, copies=tree.copies - copies))
            growing.append(tree.grown(copies, link))
    return found


def check_packing(capacities: Mapping[Link, int], roots: Mapping[int, int]) -> None:
    """Refuse what Edmonds' condition excludes.

    Raises
    ------
    ParameterError
        If there are fewer trees from a root.
    """
    _Packing(capacities, sorted({node for link in capacities for node in link}.union(roots))).check(roots)


class _Packing:
    """The capacities that the growing trees have not used, which are in ``left``."""

    def __init__(self, capacities: Mapping[Link, int], nodes: list[int]) -> None:
        self.left = dict(capacities)
        self._number = {node: number for number, node in enumerate(nodes)}
        self._out: dict[int, list[Link]] = {node: [] for node in nodes}
        for link in capacities:
            self._out[link[0]].append(link)

    def check(self, roots: Mapping[int, int]) -> None:
        """Refuse what Edmonds' condition excludes."""
        total = sum(roots.values())
        source = len(self._number)
        arcs = [(source, self._number[root], copies) for root, copies in roots.items()]
        for node, number in self._number.items():
            if self._flow(arcs, source, number) < total:
                raise ParameterError(f"trees must be at most as many as can come to node {node}, not {total}")

    def next_link(self, tree: _Grown, growing: list[_Grown], waiting: Mapping[int, int]) -> tuple[Link, int]:
        """A link that extends a tree, and how many of its copies can take it."""
        for node in sorted(tree.depths, key=tree.depths.__getitem__):
            links = [one for one in self._out[node] if one[1] not in tree.depths and self.left[one]]
            for link in sorted(links, key=lambda one: -self.left[one]):
                if copies := min(tree.copies, self.left[link], self._room(link, growing, waiting)):
                    return link, copies
        raise AssertionError("Edmonds' condition holds, so some link goes on")

    def _room(self, link: Link, growing: list[_Grown], waiting: Mapping[int, int]) -> int:
        """The copies of a tree that can take a link from ``x`` to ``y``, so that the others can still be grown.

        A set of nodes with y and without x needs links for those other trees that are not in it yet. So much of each tree as is
        in the set counts as if it came from x.
        """
        x, y = (self._number[end] for end in link)
        arcs = [(x, self._number[root], copies) for root, copies in waiting.items() if root != link[0]]
        others = sum(waiting.values()) + sum(tree.copies for tree in growing)
        for place, tree in enumerate(growing, len(self._number)):
            arcs.append((x, place, tree.copies))
            arcs += [(place, self._number[node], _ALL) for node in tree.depths if node != link[0]]
        return self._flow(arcs, x, y) - others

    def _flow(self, further: Sequence[tuple[int, int, int]], source: int, sink: int) -> int:
        """The maximum flow over the remaining capacities of the links, and over ``further`` arcs."""
        import numpy  # here, as few commands need it
        from ortools.graph.python import max_flow

        arcs = [(self._number[a], self._number[b], left) for (a, b), left in self.left.items() if left]
        flow = max_flow.SimpleMaxFlow()
        flow.add_arcs_with_capacity(*numpy.array([*arcs, *further], dtype=numpy.int64).T)
        flow.solve(source, sink)
        return flow.optimal_flow()
