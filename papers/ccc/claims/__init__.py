"""The claims of the cube-connected cycles paper (Kambhatla), a function each, in files by their subject.

Numbers of nodes, links and hops are counted on graphs, its algorithms are executed
(:mod:`fatcube.schedules.constructions.ccc`), and its bounds are held against proven bounds and against schedules. "n" is the
size of a CCC, "N" are its n 2^n nodes.
"""

from fatcube.papers.ccc.claims import (  # noqa: F401, I001  (they register their claims, in the order of the paper)
    objective,
    definition,
    distances,
    growth,
    layout,
    faults,
    bounds,
    broadcasts,
    ring_claims,
    multinode,
    personal,
    conclusions,
)
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.ccc.steps import searched

__all__ = ["PAPER", "searched"]
