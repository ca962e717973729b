"""Networks whose nodes differ, for tests of all rooms."""

from noc.topologies.graph import Graph

__all__ = ["HUB", "IRREGULAR", "MESH", "TRIANGLE"]

# A triangle b, c, d with a tail a: degrees 1, 3, 2, 2, and processors 0, 1, 2, 1.
IRREGULAR = Graph(("a", "b", "c", "d"), (0, 1, 2, 1), ((0, 1), (1, 2), (1, 3), (2, 3)))

# The 2 x 3 mesh, row by row.
MESH = Graph(tuple("abcdef"), (1,) * 6, ((0, 1), (2, 3), (4, 5), (0, 2), (2, 4), (1, 3), (3, 5)))

# Three nodes around one that only routes.
HUB = Graph(("hub", "x", "y", "z"), (0, 1, 1, 2), ((0, 1), (0, 2), (0, 3)))

# One way, with a second link from the first node to the last: three links leave a or b, and three enter c.
TRIANGLE = Graph(tuple("abc"), (1, 1, 1), ((0, 1), (1, 2), (2, 0), (1, 2)), one_way=True)
