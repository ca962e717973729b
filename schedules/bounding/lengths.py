"""The lower bound of an all-to-all by lengths of links, on networks of any shape.

Give every link a length. A message from u to v then crosses lanes whose lengths come to the distance of v from u or more,
whatever its way, and in a step the lanes carry their lengths, all together. So an all-to-all takes at least the sum of all
distances over the sum of the lengths of all lanes. With lengths of 1 that is the count of hops; with 1 on the links between
cycles of cube-connected cycles, and 0 on the others, it is Kambhatla's result 13; with 1 on the links across a cut it is the
bound of the cut. The best lengths give the fewest steps that ways could take if messages could be divided (the dual of the
linear program of a concurrent flow, Shahrokhi and Matula 1990).

Among the best lengths there are some that are the same on all links that a symmetry maps to each other, because the bound is
concave in the lengths. Which links these are is not asked of a family: they are found on the graph, as classes of pairs of
nodes that look the same (:func:`alike`), so a graph in a file has the bound of the family that it is a member of. Any classes
give a bound that holds; finer ones cost more time.
"""

from collections.abc import Iterator
import dataclasses
from functools import cached_property, lru_cache
import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy

from fatcube.noc.topology import Topology
from fatcube.schedules import counting
from fatcube.schedules.counting import Bound
from fatcube.schedules.step_model import STANDARD, StepModel

__all__ = ["MOST_NODES", "Lengths", "alike", "lanes_by_length"]


MOST_NODES = 64
_MOST_CLASSES = 40
_ROUNDS = 60  # of better lengths; families of up to 64 nodes need 10
_FINEST = 2520  # the divisor of the longest length
_FAR = 1 << 40

if TYPE_CHECKING:
    _Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.int64]]
else:
    _Array = Any  # NumPy is loaded late, and not for annotations.


@dataclasses.dataclass(frozen=True)
class Lengths:
    """Lengths of links, and what follows from them.

    Members
    -------
    of : tuple of :class:`int`
        The length of each class of links, without a common divisor.
    distances : :class:`int`
        The sum of the distances from every processor to every other one.
    lanes : :class:`int`
        The sum of the lengths of all lanes; those of both directions where links go both ways.
    """

    of: tuple[int, ...]
    distances: int
    lanes: int


def lanes_by_length(topology: Topology, model: StepModel = STANDARD, parts: int = 1) -> Iterator[Bound]:
    """The bound by the best lengths that are found: none on more than 64 nodes, and where most links differ from each other.

    Adjacent transfers cross nodes with processors only, and direct ones all, of which these distances know nothing.
    """
    if topology.nodes > MOST_NODES or model.direct and not topology.uniform:
        return
    lengths = _best_lengths(topology)
    if lengths is not None:
        if set(lengths.of) == {1}:
            what = "hops"
        elif set(lengths.of) == {0, 1}:
            what = f"hops over {lengths.lanes} of the {topology.channels * topology.f} lanes"
        else:
            what = f"hops by lengths of links from {min(lengths.of)} to {max(lengths.of)}"
        yield counting.lanes_bound(topology, model, parts * lengths.distances, what, lengths.lanes)


def alike(pairs: _Array) -> _Array:
    """Numbers of ordered pairs of nodes, the same for pairs that look the same; ``pairs`` are numbers that tell some apart.

    In each round pairs stay together if, for each two numbers, equally many third nodes lie between their nodes with these
    (the two-dimensional algorithm of Weisfeiler and Leman). Pairs that a symmetry maps to each other always stay together.

    Parameters
    ----------
    pairs : array of integers
        A row and a column for each node; those on the diagonal differ from all others.
    """
    nodes, count = len(pairs), 0
    while True:
        _, numbers = numpy.unique(pairs, return_inverse=True)
        numbers = numbers.reshape(nodes, nodes).astype(numpy.int64)
        if numbers.max() + 1 == count:
            return numbers
        count = int(numbers.max()) + 1
        between = numpy.sort(numbers[:, None, :] * count + numbers.T[None, :, :], axis=2).reshape(nodes**2, nodes)
        rows = numpy.concatenate([numbers.reshape(-1, 1), between], axis=1)
        pairs = numpy.unique(rows, axis=0, return_inverse=True)[1].reshape(nodes, nodes)


@lru_cache(maxsize=256)
def _best_lengths(topology: Topology) -> Lengths | None:
    """The lengths with the highest bound that are found; ``None`` if there are too many classes of links to try, or none."""
    network = _Network(topology)
    count = len(network.lanes)
    if not 1 <= count <= _MOST_CLASSES:
        return None
    tried = [network.measured([1] * count)]
    if count > 1:
        tried += [network.measured([int(one == other) for other in range(count)]) for one in range(count)]
        for _ in range(_ROUNDS):
            lengths = network.better(tried)
            if lengths is None or lengths in (one.of for one, _ in tried):
                break
            tried.append(network.measured(lengths))
    best, _ = max(tried, key=lambda one: one[0].distances / one[0].lanes)
    return best


class _Network:
    """The nodes with processors and the classes of their links."""

    def __init__(self, topology: Topology) -> None:
        nodes = sorted(topology.served)
        place = {node: number for number, node in enumerate(nodes)}
        self._processors = numpy.array([len(topology.processors_of(node)) for node in nodes], dtype=numpy.int64)
        between = numpy.zeros((len(nodes), len(nodes)), dtype=numpy.int64)
        for node in nodes:
            for _, other, _ in topology.ends(node):
                if other in place:
                    between[place[node], place[other]] += topology.f
        most = int(between.max()) + 1
        own = numpy.diag(most**2 + self._processors)
        kinds = alike(between * most + between.T + own)
        if not topology.directed:
            kinds = numpy.minimum(kinds, kinds.T)  # of both directions of a link, one
        found = kinds[between > 0]
        classes = {kind: number for number, kind in enumerate(dict.fromkeys(found.tolist()))}
        self._classes = numpy.full(between.shape, len(classes))
        self._classes[between > 0] = [classes[kind] for kind in found.tolist()]
        self.lanes = [int(between[self._classes == number].sum()) for number in range(len(classes))]
        """The lanes of each class."""

    @cached_property
    def _pairs(self) -> _Array:
        """For every two nodes how many processors send from one to the other."""
        return numpy.outer(self._processors, self._processors)

    def measured(self, lengths: list[int] | tuple[int, ...]) -> tuple[Lengths, list[int]]:
        """The :class:`Lengths`, and how often shortest ways between all processors cross links of each class."""
        common = math.gcd(*lengths)
        of = tuple(length // common for length in lengths)
        far = numpy.array([*of, _FAR])[self._classes]
        numpy.fill_diagonal(far, 0)
        crossed = numpy.stack([self._classes == number for number in range(len(of))], axis=2).astype(numpy.int64)
        for via in range(len(far)):  # Floyd and Warshall
            through = far[:, via, None] + far[None, via, :]
            nearer = through < far
            far = numpy.where(nearer, through, far)
            crossed = numpy.where(nearer[:, :, None], crossed[:, via, None, :] + crossed[None, via, :, :], crossed)
        crossings = (crossed * self._pairs[:, :, None]).sum(axis=(0, 1)).tolist()
        lanes = sum(length * count for length, count in zip(of, self.lanes))
        return Lengths(of, int((far * self._pairs).sum()), lanes), crossings

    def better(self, tried: list[tuple[Lengths, list[int]]]) -> tuple[int, ...] | None:
        """Lengths for which none of the ways of those that were ``tried`` are short; ``None`` if they cannot be better.

        For any lengths the distances are no longer than those ways. A linear program finds the lengths for which the
        shortest of these is longest.
        """
        from ortools.linear_solver import pywraplp  # takes a tenth of a second

        solver = pywraplp.Solver.CreateSolver("GLOP")
        lengths = [solver.NumVar(0, solver.infinity(), "") for _ in self.lanes]
        bound = solver.NumVar(0, solver.infinity(), "")
        solver.Add(sum(count * length for count, length in zip(self.lanes, lengths)) == 1)
        for _, crossings in tried:
            solver.Add(bound <= sum(count * length for count, length in zip(crossings, lengths)))
        solver.Maximize(bound)
        best = max(one.distances / one.lanes for one, _ in tried)
        if solver.Solve() != pywraplp.Solver.OPTIMAL or bound.solution_value() <= best + 1e-6:
            return None
        found = [length.solution_value() for length in lengths]
        rounded = [round(_FINEST * length / max(found)) for length in found]
        common = math.gcd(*rounded)
        return tuple(length // common for length in rounded)
