"""Networks whose nodes differ, for tests of all rooms."""

from fatcube.noc.topologies.graph import Graph

__all__ = ["HUB", "IRREGULAR", "KITE", "MESH", "TREE", "TRIANGLE", "drawn"]

# A triangle b, c, d with a tail a: degrees 1, 3, 2, 2, and processors 0, 1, 2, 1.
IRREGULAR = Graph(("a", "b", "c", "d"), (0, 1, 2, 1), ((0, 1), (1, 2), (1, 3), (2, 3)))

# The 2 x 3 mesh, row by row.
MESH = Graph(tuple("abcdef"), (1,) * 6, ((0, 1), (2, 3), (4, 5), (0, 2), (2, 4), (1, 3), (3, 5)))

# Three nodes around one that only routes.
HUB = Graph(("hub", "x", "y", "z"), (0, 1, 1, 2), ((0, 1), (0, 2), (0, 3)))

# One way, with a second link from the first node to the last: three links leave a or b, and three enter c.
TRIANGLE = Graph(tuple("abc"), (1, 1, 1), ((0, 1), (1, 2), (2, 0), (1, 2)), one_way=True)


def drawn(links, counts=None):
    """The graph of two-way links between numbered nodes, with a processor on each if ``counts`` does not say more."""
    nodes = 1 + max(map(max, links))
    return Graph(tuple(map(str, range(nodes))), counts or (1,) * nodes, links)


# A tree of switches: processors at the four leaves only, two at the last one.
TREE = drawn(((0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)), (0, 0, 0, 1, 1, 1, 2))

# A hexagon with a chord and a tail: nodes of degree 1, 2 and 3.
KITE = drawn(((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (1, 4), (3, 6)))
