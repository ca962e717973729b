"""The claims of the spanning-graphs paper, each held against what is counted and executed.

Graphs are counted edge by edge from the parents of the nodes; prices are those of executions, in prices.py beside.
"""

from fatcube.papers.claim import Row
from fatcube.papers.evidence import Evidence
from fatcube.papers.spanning_graphs.claims import (
    all_broadcasting,
    all_personalized,
    broadcasting,
    comparisons,
    cube,
    graphs,
    labels,
    loads,
    lower_bounds,
    optima,
    personalized,
    times,
    trees,
)
from fatcube.papers.spanning_graphs.paper import PAPER

__all__ = [
    "PAPER",
    "all_broadcasting",
    "all_personalized",
    "broadcasting",
    "comparisons",
    "cube",
    "graphs",
    "labels",
    "loads",
    "lower_bounds",
    "optima",
    "personalized",
    "rows",
    "times",
    "trees",
]


def rows(evidence: Evidence) -> list[Row]:
    """All rows of the audit; ``evidence`` has nothing to keep: executions are made again."""
    return PAPER.rows(evidence)
