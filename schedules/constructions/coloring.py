"""Edge colouring of bipartite multigraphs: who meets whom when, if nobody meets two at once."""

from collections import Counter
from collections.abc import Hashable, Sequence

__all__ = ["color_edges"]


_End = tuple[int, Hashable]  # the side, and the name


def color_edges(edges: Sequence[tuple[Hashable, Hashable]]) -> list[int]:
    """A colour for each edge, so that no two edges of one colour share an end, with as few colours as there can be.

    This number is the largest number of edges at one end (König's theorem). An edge takes a colour that
    is free at both of its ends; if there is none, a colour free at one of them is made free at the other by
    exchanging two colours along a path.

    Parameters
    ----------
    edges : list of (left, right)
        The ends; equal names on the two sides are different ends.

    Returns
    -------
    list of :class:`int`
        The colour of each edge, from 0 on.
    """
    degrees: Counter[_End] = Counter(end for left, right in edges for end in ((0, left), (1, right)))
    taken: dict[_End, dict[int, tuple[int, _End]]] = {end: {} for end in degrees}  # colour -> (edge, other end)
    # Colours that were taken and given back, and perhaps taken again.
    freed: dict[_End, list[int]] = {end: [] for end in degrees}
    fresh = dict.fromkeys(degrees, 0)  # no colour from here on was ever given back
    colored = [-1] * len(edges)  # which is no colour

    def free(end: _End) -> int:
        while freed[end] and freed[end][-1] in taken[end]:
            freed[end].pop()
        if freed[end]:
            return freed[end][-1]
        while fresh[end] in taken[end]:
            fresh[end] += 1
        return fresh[end]

    def color(edge: int, here: _End, there: _End, chosen: int) -> None:
        colored[edge] = chosen
        taken[here][chosen] = edge, there
        taken[there][chosen] = edge, here

    def clear(edge: int, here: _End, there: _End) -> None:
        for end in (here, there):
            del taken[end][colored[edge]]
            freed[end].append(colored[edge])

    for edge, (one, other) in enumerate(edges):
        left, right = (0, one), (1, other)
        mine, others = free(left), free(right)
        if mine in taken[right]:
            if others not in taken[left]:
                mine = others
            else:
                # The path from the right end that has `mine` and `others` in turn never comes to the left end.
                path, end, now = [], right, mine
                while now in taken[end]:
                    other_edge, after = taken[end][now]
                    path.append((other_edge, end, after))
                    end, now = after, mine + others - now
                for step in path:
                    clear(*step)
                for number, (other_edge, here, there) in enumerate(path):
                    color(other_edge, here, there, mine if number % 2 else others)
        color(edge, left, right, mine)
    return colored
