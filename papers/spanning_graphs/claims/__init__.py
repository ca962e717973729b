"""The claims of the spanning-graphs paper, each held against what is counted and executed.

Graphs are counted edge by edge from the parents of the nodes; prices are those of executions, in prices.py beside.
"""

from fatcube.papers.spanning_graphs.claims import (  # noqa: F401  (they register their claims)
    all_broadcasting,
    all_personalized,
    broadcasting,
    comparisons,
    cube,
    distributed,
    graphs,
    labels,
    loads,
    lower_bounds,
    optima,
    personalized,
    times,
    trees,
    variations,
)
from fatcube.papers.spanning_graphs.paper import PAPER

__all__ = ["PAPER"]
