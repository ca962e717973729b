"""Edge colouring of bipartite multigraphs: who meets whom when, if nobody meets two at once."""

from collections import Counter

__all__ = ["color_edges"]


def color_edges(edges):
    """A colour for each edge, so that no two edges of one colour share an end, with as few colours as there can be.

    Those are as many as the largest number of edges at one end (König's theorem). An edge takes a colour that
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
    degrees = Counter(end for left, right in edges for end in ((0, left), (1, right)))
    taken = {end: {} for end in degrees}  # colour -> (edge, other end)
    freed = {end: [] for end in degrees}  # colours that were taken and given back, and perhaps taken again
    fresh = dict.fromkeys(degrees, 0)  # no colour from here on was ever given back
    colored = [None] * len(edges)

    def free(end):
        while freed[end] and freed[end][-1] in taken[end]:
            freed[end].pop()
        if freed[end]:
            return freed[end][-1]
        while fresh[end] in taken[end]:
            fresh[end] += 1
        return fresh[end]

    def color(edge, here, there, chosen):
        colored[edge] = chosen
        taken[here][chosen] = edge, there
        taken[there][chosen] = edge, here

    def clear(edge, here, there):
        for end in (here, there):
            del taken[end][colored[edge]]
            freed[end].append(colored[edge])

    for edge, (left, right) in enumerate(edges):
        left, right = (0, left), (1, right)
        mine, others = free(left), free(right)
        if mine in taken[right]:
            if others not in taken[left]:
                mine = others
            else:
                # The path from the right end that has `mine` and `others` in turn never comes to the left end.
                path, end, now = [], right, mine
                while now in taken[end]:
                    other_edge, other = taken[end][now]
                    path.append((other_edge, end, other))
                    end, now = other, mine + others - now
                for step in path:
                    clear(*step)
                for number, (other_edge, here, there) in enumerate(path):
                    color(other_edge, here, there, mine if number % 2 else others)
        color(edge, left, right, mine)
    return colored
