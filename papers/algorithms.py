"""The algorithms of the papers by name, in the order in which ``--by list`` shows them."""

from fatcube.papers.algorithm import Algorithm
from fatcube.papers.ccc import algorithms as ccc
from fatcube.papers.fat_cube import algorithms as fat_cube
from fatcube.papers.spanning_graphs import algorithms as spanning_graphs

__all__ = ["ALGORITHMS"]


ALGORITHMS: dict[str, Algorithm] = {
    one.name: one for paper in (fat_cube, ccc, spanning_graphs) for one in paper.ALGORITHMS
}
