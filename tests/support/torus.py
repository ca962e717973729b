"""A topology that fatcube does not have, as a user would add one."""

import dataclasses
from functools import cached_property

from fatcube.noc.topology import Topology, parameter


@dataclasses.dataclass(frozen=True)
class Torus(Topology, kind="square-torus"):
    """``n`` rows and columns of nodes, each a cycle; channels lead right, left, down and up."""

    n: int = parameter("Rows, and columns, of a torus.", minimum=2)
    m: int = 1
    f: int = 1

    nodes = property(lambda self: self.n**2)
    degree = 4

    def neighbour(self, node, channel):
        return self._moved(node, *((0, 1), (0, -1), (1, 0), (-1, 0))[channel]), channel ^ 1

    def _moved(self, node, rows, columns):
        return (node // self.n + rows) % self.n * self.n + (node % self.n + columns) % self.n

    @cached_property
    def translations(self):
        return tuple(
            [self._moved(node, *divmod(offset, self.n)) for node in range(self.nodes)] for offset in range(self.nodes)
        )
