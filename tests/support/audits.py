"""Checks that the tests of several audits share."""

from collections.abc import Iterable
import dataclasses
import hashlib
import json
from pathlib import Path
import re

from fatcube.papers.claim import Row
from fatcube.schedules.checker import check
from fatcube.schedules.schedule_file import read_schedule

REPORTS = Path(__file__).parents[2] / "synth_reports"

SLOW = {
    "ccc": {
        *("ccc_bisection", "fewer_links_per_node", "spanning_tree_depth", "area_ccc", "area_needed_ccc"),
        *("three_disjoint_paths", "proof_paths_differ_in_length", "no_three_of_one_length"),
        *("oab_bound_single", "oas_bound_multiple"),
        *("oab_fewest_single", "a2_reaches_all", "a2_steps", "a2_reaches_all_on_first_receipts"),
        *("a3_reaches_all", "a3_steps", "a3_reaches_all_on_first_receipts"),
        *("ring_changes_neighbouring_dimensions", "a4_is_a_multinode_broadcast", "a4_order"),
        *("oas_fewest_multiple", "a6_is_a_scatter", "a6_is_a_scatter_on_first_receipts"),
        *("a7_is_a_total_exchange", "table_2_oas_bound_ccc"),
    },
    "ghc": {
        *("gain_by_cost", "loss_by_cost", "te_time_dense", "table_1_time_decrease", "table_1_transmissions_decrease"),
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


def row_of(rows, where, claim):
    """The one row there whose claim begins so."""
    [row] = [row for row in rows if row.where == where and row.claim.startswith(claim)]
    return row


def check_verdict(row, verdict):
    """Its verdict, without the number of cases that fail; ``wrong`` stands for every way to be wrong."""
    assert without_counts(row.verdict) == verdict or verdict == "wrong" and row.verdict.startswith("wrong: ")


def without_counts(verdict):
    """The text of a verdict without the number of cases in which a condition fails."""
    return verdict.partition(": fails in")[0] if verdict.startswith("holds only if") else verdict


def said(row):
    """Every column of a row, by name."""
    return dataclasses.asdict(row)


BARE = re.compile(
    r"\b(?:True|False|None)\b|[\[{]|(?:^|: |; )(?:so|not so|yes|no|ok)(?=$|;|,)|(?:^|: |printed )\((?:'|-?\d+[,)])"
)


ONE_WORD = re.compile(r"[A-Za-z][\w-]*")


def unclear(row):
    """The cells of a row that show a bare truth, a tuple, another value of Python, or one word without what it is of.

    A number stays, and so does the name of a schedule.
    """
    # In a recomputed cell a letter of the paper may be a vector: "w = (2, 3): ...".
    cells = {"recomputed": row.recomputed, "evidence": row.evidence}
    found = [name for name, text in cells.items() if BARE.search(_words(text)) or ONE_WORD.fullmatch(text)]
    if any(ONE_WORD.fullmatch(value) for value in _values(row.recomputed)):
        found.append("recomputed")
    return sorted(set(found), key=list(cells).index)


def _values(text):
    """The text of a recomputed cell behind the parameters of each case; the printed value is beside it."""
    return [value.rpartition(": ")[2] for value in re.split(r"; (?=\w+ = )", text.partition(", printed ")[0])]


def _words(text):
    """The text of a cell without formulas, which have brackets."""
    return re.sub(r"\S*\[[^\]\d]*\w[^\]]*\] ?2\^n|(?:message|channels) \[[^\]]*\]", "", text)


def check_told_apart(rows):
    """No two rows are of the same claim."""
    assert len({(row.where, row.claim) for row in rows}) == len(rows)


def check_evidence(folder, rows, *, at_least):
    """Every schedule in the folder is valid, and every one that a row names, and so many at least, is there."""
    named = {
        word
        for row in rows
        for word in (word.strip(",;:") for word in row.evidence.split())
        if word.startswith(("schedules/", "proofs/")) and word.endswith(".json")
    }
    assert len(named) >= at_least and all((folder / name).exists() for name in named)
    for path in (folder / "schedules").iterdir():
        check(read_schedule(path))


def chosen(rows, number=10):
    """Rows that are wrong or hold under a condition, chosen by the digests of their names and so by nobody."""
    doubtful = [row for row in rows if row.kind in ("wrong", "condition")]
    return sorted(doubtful, key=lambda row: hashlib.sha256(row.name.encode()).hexdigest())[:number]
