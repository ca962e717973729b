"""A maximum set of node-disjoint paths between two nodes, with the fewest hops in total.

Each path is added as a shortest path in the residual graph, in which links of earlier paths may be taken backwards, which
removes them from these paths again (J. W. Suurballe, "Disjoint paths in a network", Networks 4, 1974). Every intermediate
node is split into two, one that is entered and one that is left, with a link between them that only one path can take.
"""

from collections.abc import Sequence

__all__ = ["disjoint_paths"]

_Half = tuple[int, int]  # a node, and 0 where it is entered or 1 where it is left


def disjoint_paths(adjacent: Sequence[Sequence[int]], source: int, target: int) -> list[list[int]]:
    """The paths from ``source`` to ``target``, each as its nodes, the shortest first; empty if there is none.

    Parameters
    ----------
    adjacent : list of list of :class:`int`
        For each node its adjacent nodes; parallel links to one node count once.
    """
    taken: set[tuple[_Half, _Half]] = set()
    while (path := _shortest(adjacent, taken, (source, 1), (target, 0))) is not None:
        for here, there in zip(path, path[1:]):
            if (there, here) in taken:
                taken.remove((there, here))
            else:
                taken.add((here, there))
    after = {here: there for here, there in taken if here != (source, 1)}
    paths = []
    for _, there in sorted(link for link in taken if link[0] == (source, 1)):
        nodes = [source]
        while there != (target, 0):
            nodes.append(there[0])
            there = after[there[0], 1]
        paths.append([*nodes, target])
    return sorted(paths, key=lambda nodes: (len(nodes), nodes))


def _shortest(
    adjacent: Sequence[Sequence[int]], taken: set[tuple[_Half, _Half]], source: _Half, target: _Half
) -> list[_Half] | None:
    """A shortest path in the residual graph, where taken links lead backwards at negative cost, by the Bellman-Ford method."""
    back: dict[_Half, list[_Half]] = {}
    for here, there in taken:
        back.setdefault(there, []).append(here)
    hops, before, waiting = {source: 0}, dict[_Half, _Half](), [source]
    for here in waiting:
        node, side = here
        onward = [(other, 0) for other in adjacent[node]] if side else [(node, 1)]
        steps = [(there, side) for there in onward if (here, there) not in taken]
        # Taking a link between nodes backwards removes its hop (cost -1); the link within a split node costs nothing.
        steps += [(there, -1 if there[0] != node else 0) for there in back.get(here, ())]
        for there, cost in steps:
            if there[0] != source[0] and hops[here] + cost < hops.get(there, 1 << 30):
                hops[there], before[there] = hops[here] + cost, here
                waiting.append(there)
    if target not in hops:
        return None
    path = [target]
    while path[-1] != source:
        path.append(before[path[-1]])
    return path[::-1]
