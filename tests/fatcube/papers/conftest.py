"""The audits that several files of tests use."""

from collections.abc import Iterable
import importlib
import json
from pathlib import Path

import pytest

from fatcube.papers.claim import Row
from fatcube.papers.evidence import Evidence

REPORTS = Path(__file__).parents[3] / "synth_reports"
SLOW = {
    "ccc": {
        *("ccc_bisection", "fewer_links_per_node", "spanning_tree_depth", "area_ccc", "three_disjoint_paths"),
        *("proof_paths_differ_in_length", "no_three_of_one_length", "oab_bound_single", "oas_bound_multiple"),
        *("oab_fewest_single", "a2_reaches_all", "a2_steps", "a2_reaches_all_on_first_receipts"),
        *("a3_reaches_all", "a3_steps", "a3_reaches_all_on_first_receipts"),
        *("ring_changes_neighbouring_dimensions", "a4_is_a_multinode_broadcast", "a4_order"),
        *("oas_fewest_multiple", "a6_is_a_scatter", "a6_is_a_scatter_on_first_receipts"),
        *("a7_is_a_total_exchange", "table_2_oas_bound_ccc"),
    },
    "ghc": {
        *("gain_by_cost", "loss_by_cost", "table_1_time_decrease", "table_1_transmissions_decrease"),
        *("table_2_time_increase", "table_2_transmissions_increase", "sns_time_dense", "te_bound_time_dense"),
        *("cb_bound_time_sparse", "sns_bound_time_sparse", "te_gain", "te_gain_by_cost", "te_loss"),
        *("gain_exceeds_cost", "cost_times_time_dense", "cost_times_time_sparse", "times_achieved"),
    },
}
"""Claims that take most of the time of an audit: as they are stored, every day; `make long` tries them."""


def stored(paper: str) -> list[Row]:
    """The rows of the committed audit of a paper."""
    return [Row(**row) for row in json.loads((REPORTS / f"{paper}.json").read_text())]


def tried(paper: str, rows: Iterable[Row]) -> list[Row]:
    """The rows of :func:`audited` that were not taken as they are stored."""
    return [row for row in rows if row.name not in SLOW[paper]]


@pytest.fixture(scope="session")
def audited(tmp_path_factory):
    """A function from the name of a paper's folder to its evidence and its rows.

    Files that use the same one are of one group, so that one worker has them all.
    """
    known = {}

    def audit(paper):
        if paper not in known:
            claims = importlib.import_module(f"fatcube.papers.{paper}.claims")
            folder = tmp_path_factory.mktemp("audit") / claims.PAPER.name
            evidence = Evidence(folder, time_limit=20, searched=getattr(claims, "searched", None))
            rows = stored(paper)
            assert [row.name for row in rows if row.name] == [claim.name for claim in claims.PAPER.claims]
            kept = {"", *SLOW[paper]}
            known[paper] = (
                evidence,
                [row if row.name in kept else claims.PAPER.find(row.name).row(evidence) for row in rows],
            )
        return known[paper]

    return audit
