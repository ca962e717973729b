"""The claims of the fat-cube paper, a module for each subject, in the order of the paper.

"Can be done in" S steps means that a schedule of S steps exists: a schedule shows it, and a lower bound or an
infeasibility proof refutes it. The paper writes lower bounds with a lower index and upper bounds with an upper one.
"""

from fatcube.papers.fat_cube.claims import (  # noqa: F401, I001  (they register their claims, in the order of the paper)
    networks,
    cost,
    hypercube,
    wormhole,
    broadcast,
    broadcast_theorems,
    all_gather,
    scatter,
    along,
    all_to_all,
    combining,
    example,
    results,
    conclusions,
)
from fatcube.papers.evidence import Instance
from fatcube.papers.fat_cube.claims.combining import PAIRS
from fatcube.papers.fat_cube.paper import PAPER

__all__ = ["PAPER", "searched"]


def searched(case: Instance) -> bool:
    """Whether an instance is worth searching, where its construction does not meet its lower bound."""
    if case.P > 16 or case.model.direct:
        return False
    # All-to-all takes minutes, but with packets of two messages on lanes enough.
    return case.collective in ("OAB", "AAB") or case.model == PAIRS
