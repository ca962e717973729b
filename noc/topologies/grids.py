"""Meshes, tori and rings: nodes along dimensions, with bidirectional links to the previous and the next node."""

import bisect
from collections.abc import Sequence
import dataclasses
from functools import cached_property
import itertools
from typing import Never

from fatcube.groundwork.validation import ParameterError, shown
from fatcube.noc.topologies.digits import Cyclic, MixedRadix
from fatcube.noc.topology import MOST_NODES, parameter

__all__ = ["Mesh", "Ring", "Torus"]


class _Grid(MixedRadix, kind=None):
    """A mesh or a torus, made with parameters by name: several bare numbers could be widths, or a width and dimensions."""

    def __init__(self, w: int | Sequence[int], *unnamed: Never, d: int | None = None, m: int = 1, f: int = 1) -> None:
        if unnamed:
            name, given = type(self).__name__, [shown(value) for value in (w, *unnamed)]
            ways = (
                []
                if isinstance(w, list | tuple)
                else [f"{name}(w=({', '.join(given)})) with a width for each dimension"]
            )
            ways.append(f"{name}({', '.join(f'{letter}={value}' for letter, value in zip('wdmf', given))})")
            raise ParameterError(
                f"parameters of {name} must have names, as in {' or '.join(ways)}, not {name}({', '.join(given)})"
            )
        if d is None and isinstance(w, list | tuple):
            d = len(w)
        for name, value in {"w": w, "d": d, "m": m, "f": f}.items():
            object.__setattr__(self, name, value)
        self.__post_init__()


@dataclasses.dataclass(frozen=True, init=False)
class Mesh(_Grid, kind="mesh", proved=True):
    """A mesh: a line of w_i nodes along dimension i, without wrap-around links.

    Channels are numbered dimension by dimension. The first channel of dimension i leads to the node whose coordinate i is
    lower by 1, and the second one to the node whose coordinate i is higher by 1; a node at an edge has no channel beyond
    the edge. With w_i = 2 every node would have only one of these two, so the dimension has one channel, which leads to the
    other node. If every w_i is 2, the mesh is the hypercube; if every one is larger, the channels of dimension i are 2 i
    and 2 i + 1.

    Parameters
    ----------
    w : :class:`int` or sequence of :class:`int`
        Nodes along each dimension, at least 2; or one such number for each dimension, the lowest first. Equal numbers
        are equivalent to a single one.
    d : :class:`int`
        Dimensions, at least 1; left out where w lists them. There are at most 65,536 nodes.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """

    @property
    def degree(self) -> int:
        return self._first[-1]

    @cached_property
    def channels(self) -> int:
        return sum(2 * (width - 1) * (self.nodes // width) for width in self.widths)

    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None:
        dimension = bisect.bisect_right(self._first, channel) - 1
        digit, weight = self._digit(node, dimension), self.weights[dimension]
        if self.widths[dimension] == 2:
            return node + (-weight if digit else weight), channel
        up = channel > self._first[dimension]
        if digit == (self.widths[dimension] - 1 if up else 0):
            return None
        return node + (weight if up else -weight), channel - 1 if up else channel + 1

    def correction(self, node: int, target: int, dimension: int) -> int | None:
        up = self._digit(target, dimension) - self._digit(node, dimension)
        if not up:
            return None
        return self._first[dimension] + (up > 0 and self.widths[dimension] > 2)

    def wraps(self, node: int, channel: int) -> bool:
        return False

    @cached_property
    def _first(self) -> tuple[int, ...]:
        """The first channel of each dimension, followed by the number of channels."""
        return tuple(itertools.accumulate((min(width - 1, 2) for width in self.widths), initial=0))


class _Around(Cyclic, kind=None):
    """A grid whose lines are closed into rings."""

    @property
    def degree(self) -> int:
        return 2 * self.dimensions

    def neighbour(self, node: int, channel: int) -> tuple[int, int]:
        dimension, up = divmod(channel, 2)
        return self._moved(node, dimension, 1 if up else -1), channel ^ 1

    def correction(self, node: int, target: int, dimension: int) -> int | None:
        """The channel in the shorter direction around the ring; the one to the higher coordinate if both are equally long."""
        steps = self._steps(node, target, dimension)
        return 2 * dimension + (2 * steps <= self.widths[dimension]) if steps else None

    def wraps(self, node: int, channel: int) -> bool:
        dimension, up = divmod(channel, 2)
        return self._digit(node, dimension) == (self.widths[dimension] - 1 if up else 0)


@dataclasses.dataclass(frozen=True, init=False)
class Torus(_Grid, _Around, kind="torus", proved=True):
    """A torus: a ring of w_i nodes along dimension i, with bidirectional links.

    Channel 2 i leads to the node whose coordinate i is lower by 1, modulo w_i, and channel 2 i + 1 to the node whose
    coordinate i is higher by 1. With w_i = 2 both lead to the same node: the ring is two parallel links, each from channel
    2 i + 1 of one node to channel 2 i of the other one. (The torus with unidirectional links is the sparse generalized
    hypercube.)

    Parameters
    ----------
    w : :class:`int` or sequence of :class:`int`
        Nodes along each dimension, at least 2; or one such number for each dimension, the lowest first. Equal numbers
        are equivalent to a single one.
    d : :class:`int`
        Dimensions, at least 1; left out where w lists them. There are at most 65,536 nodes.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """


@dataclasses.dataclass(frozen=True)
class Ring(_Around, kind="ring", proved=True):
    """A ring of n nodes: the torus of one dimension. Channel 0 leads to the previous node, channel 1 to the next node.

    Parameters
    ----------
    n : :class:`int`
        Nodes, at least 3, at most 65,536.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """

    n: int = parameter("Nodes.", minimum=3, maximum=MOST_NODES)
    m: int = 1
    f: int = 1
    d = 1

    @cached_property
    def widths(self) -> tuple[int, ...]:
        return (self.n,)
