"""Spanning graphs in hypercubes (Johnsson and Ho, section 3): the parent and the children of every node.

A spanning graph is one spanning tree of the n-cube, or n spanning trees that each carry a part of the data, from any
source. Parent and children of a node depend only on its relative address c, the XOR of its number and the source's.
Bits are counted from 0, the lowest; "to the right" is towards bit 0 and, cyclically, from there to bit n - 1.

    ========  =====  =======================================================================================
    name      trees  what it is
    ========  =====  =======================================================================================
    brg       1      the path of the binary-reflected Gray code (section 3.1)
    nrbrg     n      that path, rotated 0 to n - 1 steps to the left
    sbt       1      the spanning binomial tree: bits are complemented from low to high (section 3.2)
    tcbt      1      a complete binary tree with two roots, one of them the source (section 3.3)
    nrsbt     n      the spanning binomial tree, rotated 0 to n - 1 steps to the left (section 3.4)
    nesbt     n      spanning binomial trees from the source's neighbours that share no directed edge (section 3.5)
    sbnt      1      the spanning balanced n-tree: subtrees of nearly the same size (section 3.6)
    sbntc     n      n such trees that split the data for cyclic nodes evenly among the subtrees
    ========  =====  =======================================================================================

Where the printed text contradicts the paper's proofs, the code follows the proofs
(tests/schedules/spanning/test_graphs.py has the numbers):

* The set M of nESBT and SBnT, {(k + 1) mod n, ..., (j - 1) mod n}, is empty if k is j - 1, not everything: for
  n = 3, i = 011 and j = 1, k is 0, and bits 1, 2, 0 are not all 0.
* "for a non-cyclic node i, P_i < n" (section 3.6) holds for cyclic nodes. * Lemma 3.14 counts levels l up to N - 1; the
last edge of a path leaves level N - 2. * A two-rooted complete binary tree is stated not to be greedy; with n = 2 it
is, with levels of 1, 2 and 1 nodes. * The height n + 1 of nESBT (theorem 3.2) holds for n >= 2 dimensions; with n = 1
it is 1.
"""

from abc import ABC, abstractmethod
import dataclasses
import functools
from typing import Any, ClassVar

from fatcube.groundwork.validation import check_choice, check_integer

__all__ = [
    "BRG",
    "NESBT",
    "NRBRG",
    "NRSBT",
    "SBT",
    "SBnT",
    "SBnTc",
    "SpanningGraph",
    "TCBT",
    "base",
    "period",
    "rotated",
    "spanning_graph",
]


_kinds: dict[str, "type[SpanningGraph]"] = {}


@dataclasses.dataclass(frozen=True)
class SpanningGraph(ABC):
    """A spanning graph of the n-cube, of one tree or of n trees with a weight of 1/n each.

    Parameters
    ----------
    n : :class:`int`
        Dimensions of the cube, 1 to 16.
    source : :class:`int`
        The root of all trees.

    Raises
    ------
    ParameterError
        If a parameter is out of range.
    """

    n: int
    source: int = 0

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _kinds[cls.__name__.lower()] = cls

    def __post_init__(self) -> None:
        name = type(self).__name__
        check_integer(f"{name} n", self.n, minimum=1, maximum=16)
        check_integer(f"{name} source", self.source, minimum=0, maximum=self.nodes - 1)

    @property
    def nodes(self) -> int:
        """Nodes of the cube, N."""
        return 1 << self.n

    @property
    def trees(self) -> int:
        """Number of trees."""
        return 1

    def parent(self, node: int, tree: int = 0) -> int | None:
        """The node that ``node`` receives from in a tree; ``None`` if it is the source.

        Raises
        ------
        ParameterError
            If there is no such node or no such tree.
        """
        relative = self._relative(node, tree)
        return None if relative == 0 else self._parent(relative, tree) ^ self.source

    def above(self, node: int, tree: int = 0) -> int:
        """The parent of a node other than the source. Raises what :meth:`parent` does."""
        parent = self.parent(node, tree)
        assert parent is not None
        return parent

    def children(self, node: int, tree: int = 0) -> tuple[int, ...]:
        """The nodes that ``node`` sends to in a tree, as a tuple. Raises what :meth:`parent` does."""
        return tuple(child ^ self.source for child in self._children(self._relative(node, tree), tree))

    def levels(self, tree: int = 0) -> list[list[int]]:
        """The nodes of a tree by their distance from the source along it, as a list of lists."""
        levels = [[self.source]]
        while levels[-1]:
            levels.append([child for node in levels[-1] for child in self.children(node, tree)])
        return levels[:-1]

    def _relative(self, node: int, tree: int) -> int:
        name = type(self).__name__
        check_integer(f"{name} tree", tree, minimum=0, maximum=self.trees - 1)
        return check_integer(f"{name} node", node, minimum=0, maximum=self.nodes - 1) ^ self.source

    @abstractmethod
    def _parent(self, c: int, tree: int) -> int:
        """The relative address of the parent of relative address ``c``, which is not 0."""

    @abstractmethod
    def _children(self, c: int, tree: int) -> list[int]:
        """The relative addresses of the children of relative address ``c``."""


class _Rotated(SpanningGraph):
    """n trees, each a rotation of one tree: tree j is that of ``of``, rotated j steps to the left."""

    of: ClassVar[type[SpanningGraph]]

    @property
    def trees(self) -> int:
        return self.n

    def _parent(self, c: int, tree: int) -> int:
        return rotated(self._one._parent(rotated(c, -tree, self.n), 0), tree, self.n)

    def _children(self, c: int, tree: int) -> list[int]:
        return [rotated(child, tree, self.n) for child in self._one._children(rotated(c, -tree, self.n), 0)]

    @property
    def _one(self) -> SpanningGraph:
        return self.of(self.n)


class BRG(SpanningGraph):
    """The Hamiltonian path of the binary-reflected Gray code."""

    def _parent(self, c: int, tree: int) -> int:
        return _gray(_gray_position(c) - 1)

    def _children(self, c: int, tree: int) -> list[int]:
        return [_gray(_gray_position(c) + 1)] if _gray_position(c) + 1 < self.nodes else []


class NRBRG(_Rotated):
    """n rotated Gray code paths. They share edges where n > 2, but not between the same levels."""

    of = BRG


class SBT(SpanningGraph):
    """The spanning binomial tree: the children of c complement one of its leading zeros."""

    def _parent(self, c: int, tree: int) -> int:
        return c ^ 1 << c.bit_length() - 1

    def _children(self, c: int, tree: int) -> list[int]:
        return [c ^ 1 << m for m in range(c.bit_length(), self.n)]


class NRSBT(_Rotated):
    """n rotated spanning binomial trees: all edges that lead away from the source."""

    of = SBT


class TCBT(SpanningGraph):
    """The two-rooted complete binary tree; the other root is a child of the source.

    The paper defines it, and states that it can be embedded; :func:`_two_rooted` embeds it.
    """

    def _parent(self, c: int, tree: int) -> int:
        return _two_rooted_tree(self.n)[0][c]

    def _children(self, c: int, tree: int) -> list[int]:
        return _two_rooted_tree(self.n)[1][c]


class NESBT(SpanningGraph):
    """n spanning binomial trees with no directed edge in common, all of them attached to the source.

    Tree j is rooted at the source's neighbour along dimension j. It is rotated such that the source is a leaf of it,
    and the edge to the source is reversed.
    """

    @property
    def trees(self) -> int:
        return self.n

    def _parent(self, c: int, tree: int) -> int:
        if not c >> tree & 1:
            return c ^ 1 << tree
        return c ^ 1 << _next_one(c, tree, self.n)

    def _children(self, c: int, tree: int) -> list[int]:
        if c == 0:
            return [1 << tree]
        if not c >> tree & 1:
            return []
        k = _next_one(c, tree, self.n)
        return [c ^ 1 << m for m in (*_between(k, tree, self.n), *(() if k == tree else (tree,)))]

    def label(self, node: int, tree: int) -> int | None:
        """The cycle in which ``node`` receives the first packet of a tree, from 0 to 2n - 1 (theorem 4.1).

        With one-port communication, every node then sends and receives at most one packet per cycle, with the same
        neighbour, and a new packet of every tree can follow every n cycles. ``None`` at the source. Raises what
        :meth:`parent` does.
        """
        c = self._relative(node, tree)
        if c == 0:
            return None
        if not c >> tree & 1:
            return tree + self.n
        k = _next_one(c, tree, self.n)
        return k if k >= tree else k + self.n


class SBnTc(SpanningGraph):
    """n spanning balanced n-trees, which differ in the subtrees to which the cyclic nodes belong.

    Tree r uses, of the bases of a node, the j for which (j + r) mod n is the lowest. So a node of period P is in each
    of n / P subtrees of the source in P trees, and 1/n of the data for all nodes leaves the source by each edge.
    """

    @property
    def trees(self) -> int:
        return self.n

    def _parent(self, c: int, tree: int) -> int:
        return c ^ 1 << _next_one(c, base(c, self.n, tree), self.n)

    def _children(self, c: int, tree: int) -> list[int]:
        if c == 0:
            return [1 << m for m in range(self.n)]
        j = base(c, self.n, tree)
        others = [c ^ 1 << m for m in _between(_next_one(c, j, self.n), j, self.n)]
        return [other for other in others if base(other, self.n, tree) == j]


class SBnT(SBnTc):
    """The spanning balanced n-tree: tree 0 of :class:`SBnTc`."""

    @property
    def trees(self) -> int:
        return 1


def spanning_graphs() -> list[str]:
    """The names of all spanning graphs."""
    return [kind for kind in _kinds if not kind.startswith("_")]


def spanning_graph(name: str, n: int, source: int = 0) -> SpanningGraph:
    """The spanning graph named ``name``, in upper or lower case.

    Raises
    ------
    ParameterError
        If no graph has this name, or ``n`` or ``source`` is out of range.
    """
    name = check_choice("spanning graph", name.lower() if isinstance(name, str) else name, spanning_graphs())
    return _kinds[name](n, source)


def rotated(address: int, steps: int, n: int) -> int:
    """``address`` rotated ``steps`` to the left, or to the right if ``steps`` is negative."""
    steps %= n
    return (address << steps | address >> n - steps) & (1 << n) - 1


def period(address: int, n: int) -> int:
    """The least number of steps, at least 1, after which a rotation of ``address`` is ``address`` again."""
    return next(steps for steps in range(1, n + 1) if rotated(address, steps, n) == address)


def base(address: int, n: int, tree: int = 0) -> int:
    """The number of right rotations that make ``address`` least; of several, the j with the least (j + tree) mod n.

    With ``tree`` = 0 it is the base of the SBnT (section 3.6).
    """
    return min(range(n), key=lambda j: (rotated(address, -j, n), (j + tree) % n))


def _next_one(c: int, j: int, n: int) -> int:
    """The position of the first 1 of ``c`` cyclically to the right of bit j; j itself if no other bit is 1."""
    return next(k for k in ((j - distance) % n for distance in range(1, n + 1)) if c >> k & 1)


def _between(k: int, j: int, n: int) -> list[int]:
    """The positions from k + 1 to j - 1, cyclically: none if j is k + 1, all except j if k is j."""
    return [(k + distance) % n for distance in range(1, (j - k) % n or n)]


def _gray(place: int) -> int:
    return place ^ place >> 1


def _gray_position(address: int) -> int:
    """The position of ``address`` in the Gray code."""
    place = 0
    while address:
        place ^= address
        address >>= 1
    return place


@functools.lru_cache
def _two_rooted_tree(n: int) -> tuple[dict[int, int], dict[int, list[int]]]:
    """The parent and the children of every relative address, where the source is a root."""
    edges, path = _two_rooted(n)
    root = path[1] if n > 1 else path[0]
    neighbours: dict[int, list[int]] = {node: [] for node in range(1 << n)}
    for one, other in edges:
        neighbours[one ^ root].append(other ^ root)
        neighbours[other ^ root].append(one ^ root)
    parents, queue = {0: -1}, [0]  # the source has no parent
    for node in queue:
        for child in neighbours[node]:
            if child not in parents:
                parents[child] = node
                queue.append(child)
    return parents, {node: sorted(other for other in neighbours[node] if parents[other] == node) for node in neighbours}


def _two_rooted(n: int) -> tuple[list[tuple[int, int]], tuple[int, ...]]:
    """The edges of a two-rooted complete binary tree of 2^n nodes, and its path subtree - root - root - subtree.

    Two of them make the next larger one. The lower half of the cube has one with the path a - r - s - b. The upper half
    has its image under an automorphism of the cube, with the path a' - r' - s' - b', such that a', r' and s' are
    neighbours of r, s and b along the new dimension. The edges s - b and a' - r' are removed; s - r', r - a' and b - s'
    along the new dimension are added. The new roots are s and r'; below s is r with the subtrees of a and a', and below
    r' is s' with those of b and b'.
    """
    if n == 1:
        return [(0, 1)], (0, 1)
    if n == 2:
        return [(1, 0), (0, 2), (2, 3)], (1, 0, 2, 3)
    edges, (a, r, s, b) = _two_rooted(n - 1)
    # The image's path runs along the old path's second and third dimensions, and then along another one, or along its
    # own first dimension again if the old path does so.
    steps = [(one ^ other).bit_length() - 1 for one, other in ((a, r), (r, s), (s, b))]
    last = steps[1] if steps[0] == steps[2] else next(d for d in range(n - 1) if d not in steps[1:])
    image = dict(zip(steps, (*steps[1:], last)))
    unused = [d for d in range(n - 1) if d not in image.values()]
    image.update(zip([d for d in range(n - 1) if d not in image], unused))

    def across(node: int) -> int:
        return node | 1 << n - 1

    def moved(node: int) -> int:
        return across(r) ^ sum(1 << image[d] for d in range(n - 1) if (node ^ a) >> d & 1)

    upper = [(moved(one), moved(other)) for one, other in edges]
    kept = [edge for edge in (*edges, *upper) if set(edge) not in ({s, b}, {moved(a), moved(r)})]
    return [*kept, *((node, across(node)) for node in (r, s, b))], (r, s, across(s), across(b))
