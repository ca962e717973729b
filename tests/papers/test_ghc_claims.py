"""The audit of the generalized hypercubes paper: what it finds, that its evidence is checked; the total exchange."""

import dataclasses
from pathlib import Path
import re

import pytest

from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.papers.evidence import Evidence
import fatcube.papers.ghc
from fatcube.papers.ghc import printed as printed_ghc
from fatcube.papers.ghc.claims import PAPER
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions.generalized import generalized_all_to_all
from fatcube.schedules.problem import Problem
from tests.support.audits import check_evidence, check_told_apart, said, stored, tried, without_counts
from tests.support.children import HANG

pytestmark = pytest.mark.xdist_group("audit of ghc")


@pytest.fixture(scope="module")
def audit(audited):
    evidence, rows = audited("ghc")
    return evidence.folder, rows


FINDINGS = {
    "unequal_w_asymmetric_dense": "wrong: fails in 8 of 8 cases",
    "unequal_w_asymmetric_sparse": "wrong: fails in 8 of 8 cases",
    "definition_dense": "holds",
    "definition_sparse": "holds only if w == 2 or d == 1",
    "cb_time_dense": "holds",
    "te_time_dense": "holds only if w == 2 or d == 1",
    "sns_transmissions_dense": "holds only if w == 2",
    "te_transmissions_dense": "holds only if w == 2",
    "te_time_sparse": "holds",
    "sns_time_binary": "holds",
    "table_1_transmissions_decrease": "holds only if pattern != 'CB'",
    "table_2_transmissions_increase": "holds only if pattern != 'CB'",
    "theorem_1": "holds",
    "theorem_1_sum": "holds only if w == 2",
    "te_quotient_dense": "holds only if w == 2 or d == 1",
    "theorem_2": "holds",
    "lemma_3": "holds only if n % 2 == 0",
    "lemma_3_all_pairs": "holds",
    "lemma_3_odd": "wrong: fails in 4 of 4 cases",
    "lemma_3_even": "holds only if n == 2",
    "gain_by_cost": "holds only if w <= 8",
    "loss_by_cost": "wrong: fails in 11 of 11 cases",
    "te_gain": "wrong: fails in 19 of 19 cases",
    "te_gain_by_tables": "wrong: fails in 19 of 19 cases",
    "te_gain_by_cost": "holds only if w <= 8",
    "te_loss": "holds",
    "times_achieved": "holds only if network == 'sparse' or pattern != 'TE' or w == 2 or d == 1",
    "transmissions_achieved": "holds only if network == 'sparse' or pattern == 'CB' or w == 2",
}


def test_findings(audit):
    found = {row.name: without_counts(row.verdict) for row in audit[1]}
    assert {name: found[name] for name in FINDINGS} == FINDINGS


def test_all_that_does_not_hold_is_a_finding(audit):
    """Claims that are not listed as false hold, but for misprints and those that cannot be tried."""
    doubtful = {row.name for row in audit[1] if row.kind in ("condition", "wrong")}
    assert doubtful == {name for name, verdict in FINDINGS.items() if verdict != "holds"}
    assert {row.kind for row in audit[1]} == {"holds", "condition", "wrong", "misprint", "untested"}


def test_misprints(audit):
    """The intended reading is right: Z_3^5 has 30 nodes at distance 7, and only with w > 2 there is a node (12)."""
    found = {row.name for row in audit[1] if row.kind == "misprint"}
    assert found == {"caption_of_figure_2", "example_of_figure_3"}
    assert SparseGHC(3, 5).distances[0].count(7) == 30
    assert not any(SparseGHC(3, d).distances[0].count(7) == 30 for d in (4, 6, 7))


def test_every_column_is_as_it_is_stored(audited):
    assert list(map(said, audited("ghc")[1])) == list(map(said, stored("ghc")))


def test_claims_are_told_apart(audit):
    check_told_apart(audit[1])


def test_evidence_passes_the_checker(audit):
    """Every schedule and proof that a row names is there, and the folder has no others."""
    folder, found = audit
    check_evidence(folder, tried("ghc", found), at_least=19)
    text = " ".join(row.evidence for row in found)
    assert all(str(path.relative_to(folder)) in text for path in folder.glob("*/*.json"))


NUMBERED = [
    *("Definition 1", "Definition 2", "Definition 3", "Definition 4 (a)", "Definition 4 (b)", "Figure 1"),
    *("Proposition 1 (a)", "Proposition 1 (b)", "Figure 2", "Definition 5", "Proposition 2 (a)", "Proposition 2 (b)"),
    *("Table 1", "Table 2", "Table 3", "Section 3.1.1", "Section 3.1.2", "Lemma 1", "Theorem 1", "Section 3.1.3"),
    *("Section 3.2.1", "Section 3.2.2", "Lemma 2", "Figure 3", "Lemma 3", "Theorem 2", "Section 3.2.3"),
    *("Equation 1", "Equation 2", "Equation 3"),
]
"""What has a number in the paper, in the paper's order, sections with nothing between their heading and the next left out."""


def test_every_numbered_thing_is_a_place():
    numbered = re.compile(
        r"(definition|figure|proposition|table|lemma|theorem|equation) \d( \([ab]\))?|section 3\.\d\.\d"
    )
    assert [place for place in PAPER.places if numbered.fullmatch(place)] == [name.lower() for name in NUMBERED]
    proofs = [f"{name.lower()}, proof" for name in sorted(NUMBERED) if name.startswith(("Lemma", "Theorem"))]
    assert sorted(place for place in PAPER.places if place.endswith("proof")) == proofs
    assert {"abstract", "footnote 1", *(f"section {number}" for number in range(1, 6))} <= set(PAPER.places)


def test_every_place_has_a_claim_or_says_why_not(audit):
    tried = {claim.where for claim in PAPER.claims}
    assert {name for name, place in PAPER.places.items() if not place.untested} == tried
    assert list(dict.fromkeys(row.where for row in audit[1])) == list(PAPER.places)
    assert [row.name for row in audit[1] if row.name] == [claim.name for claim in PAPER.claims]


def test_the_sources_are_short_and_have_no_nameless_functions():
    for path in Path(fatcube.papers.ghc.__file__).parent.rglob("*.py"):
        text = path.read_text()
        assert len(text.splitlines()) <= 400 and not re.search(r"\blambda\b", text), path


@pytest.mark.parametrize(
    ("kind", "pattern", "measure"),
    [("dense", "SNS", "time"), ("sparse", "TE", "transmissions"), ("binary", "CB", "time")],
)
def test_a_planted_misprint_is_found(audit, monkeypatch, kind, pattern, measure):
    cell = printed_ghc.TABLES[kind][pattern]
    claim = PAPER.find(f"{pattern.lower()}_{measure}_{kind}")
    evidence = Evidence(audit[0])
    assert claim.row(evidence).verdict == "holds"
    monkeypatch.setitem(cell, measure, dataclasses.replace(cell[measure], amount=f"{cell[measure].amount} + 1"))
    assert claim.row(evidence).kind == "wrong"


def test_a_formula_that_was_put_right_holds(audit, monkeypatch):
    monkeypatch.setitem(printed_ghc.TABLES["dense"]["TE"], "time", printed_ghc.Formula("N / w", "N / w"))
    assert PAPER.find("te_time_dense").row(Evidence(audit[0])).verdict == "holds"


def test_a_bound_that_is_too_high_is_not_believed(audit, monkeypatch):
    """A search for one step less that finds a schedule is no proof."""
    cell = printed_ghc.SECTION_3["dense"]["CB"]
    monkeypatch.setitem(cell, "time", dataclasses.replace(cell["time"], amount="(w**d - 1) / ((w - 1) * d) + 1"))
    assert PAPER.find("cb_bound_time_dense").row(Evidence(audit[0], time_limit=HANG)).kind == "wrong"


@pytest.mark.parametrize("ports", ["d", "*"])
@pytest.mark.parametrize(
    ("make", "w", "d", "steps"),
    [
        (DenseGHC, 2, 3, 4),
        (DenseGHC, 5, 1, 1),
        (DenseGHC, 3, 3, 9),
        (DenseGHC, 7, 2, 7),
        (SparseGHC, 2, 3, 4),
        (SparseGHC, 5, 1, 10),
        (SparseGHC, 3, 3, 27),
        (SparseGHC, 7, 2, 147),
    ],
)
def test_total_exchange(make, w, d, steps, ports):
    """w^(d-1) steps on a dense one, (w - 1) w^d / 2 on a sparse one, and no fewer."""
    topology = make(w, d)
    schedule = generalized_all_to_all(topology, ports)
    assert check(schedule).steps == lower_bound(Problem(topology, ports, "AAS")).steps == steps
    assert construct(Problem(topology, ports, "AAS")).schedule == schedule
    check(schedule.expanded())
