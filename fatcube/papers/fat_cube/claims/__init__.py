"""The claims of the fat-cube paper, a module for each subject, in the order of the paper.

"Can be done in" means that a schedule of so many steps exists: a schedule shows it, and a lower bound or an
infeasibility proof refutes it. The paper writes lower bounds with a lower index and upper bounds with an upper one.
"""

from fatcube.papers.claim import Row
from fatcube.papers.evidence import Evidence

from fatcube.papers.fat_cube.claims import networks  # isort: skip
from fatcube.papers.fat_cube.claims import cost  # isort: skip
from fatcube.papers.fat_cube.claims import hypercube  # isort: skip
from fatcube.papers.fat_cube.claims import broadcast  # isort: skip
from fatcube.papers.fat_cube.claims import broadcast_theorems  # isort: skip
from fatcube.papers.fat_cube.claims import all_gather  # isort: skip
from fatcube.papers.fat_cube.claims import scatter  # isort: skip
from fatcube.papers.fat_cube.claims import all_to_all  # isort: skip
from fatcube.papers.fat_cube.claims import example  # isort: skip
from fatcube.papers.fat_cube.claims import results  # isort: skip
from fatcube.papers.fat_cube.claims import conclusions  # isort: skip
from fatcube.papers.fat_cube.paper import PAPER

__all__ = ["PAPER", "rows"]


_MODULES = (
    networks,
    cost,
    hypercube,
    broadcast,
    broadcast_theorems,
    all_gather,
    scatter,
    all_to_all,
    example,
    results,
    conclusions,
)


def rows(evidence: Evidence) -> list[Row]:
    """All rows of the audit."""
    return PAPER.rows(evidence)
