"""A topology that fatcube does not have: what somebody writes who adds one."""

import dataclasses
from functools import cached_property

from groundwork.validation import check_integer
from noc.topology import Topology


@dataclasses.dataclass(frozen=True)
class Torus(Topology, kind="torus"):
    """``n`` rows and columns of nodes, each a cycle; channels lead right, left, down and up."""

    n: int
    m: int = 1
    f: int = 1

    def __post_init__(self):
        check_integer("Torus n", self.n, minimum=2)
        check_integer("Torus m", self.m, minimum=1)
        check_integer("Torus f", self.f, minimum=1)

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
