"""The claims of the generalized hypercubes paper (Antonio, Lin and Metzger), held against graphs, bounds and schedules.

Nodes, links and distances are counted on graphs; times are held against proven bounds and schedules that reach them.
The complete broadcast, single-node scatter and total exchange are AAB, OAS and AAS in router model d: a port for each
link that leaves. Transmissions are crossings of links: the transfers of a schedule with one processor a node.
"""

from fatcube.papers.ghc.claims import (  # noqa: F401  (they register their claims)
    costs,
    definitions,
    dense,
    introduction,
    sparse,
    summary,
    tables,
)
from fatcube.papers.ghc.paper import PAPER

__all__ = ["PAPER"]
