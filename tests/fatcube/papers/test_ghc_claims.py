"""The audit of the generalized hypercubes paper: what it finds, that its evidence is checked; the total exchange."""

import pytest

from fatcube.papers.audit import Evidence
from fatcube.papers.ghc import printed as printed_ghc
from fatcube.papers.ghc.claims import rows
from noc.topologies.generalized import DenseGHC, SparseGHC
from schedules.bounds import lower_bound
from schedules.checker import check
from schedules.construct import construct
from schedules.constructions.generalized import generalized_all_to_all
from tests.support.audits import check_evidence, check_told_apart, check_verdict, row_of


@pytest.fixture(scope="module")
def audit(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit") / "ghc"
    return folder, list(rows(Evidence(folder, time_limit=20)))


FINDINGS = [
    ("definition 4 (a)", "as printed", "holds"),
    ("definition 4 (b)", "as printed", "holds only if w = 2 or d = 1"),
    ("Table 1", "dense: the optimal time of complete broadcast", "holds"),
    ("Table 1", "dense: the optimal time of total exchange", "holds only if w = 2 or d = 1"),
    ("Table 1", "dense: the optimal transmissions of single-node scatter", "holds only if w = 2"),
    ("Table 1", "dense: the optimal transmissions of total exchange", "holds only if w = 2"),
    ("Table 2", "sparse: the optimal time of total exchange", "holds"),
    ("Table 3", "binary hypercube: the optimal time of single-node scatter", "holds"),
    ("theorem 1", "the sum of the distances", "holds only if w = 2"),
    ("theorem 1", "and so a lower bound", "holds"),
    ("theorem 2", "the sum of the distances", "holds"),
    ("lemma 3", "two symmetric sequences", "holds only if n is even"),
    ("Figure 3", "with w = 3 and d = 7", "wrong"),
    ("abstract", "dense: certain patterns", "wrong"),
    ("abstract, section 4", "sparse: certain patterns", "wrong"),
    ("section 4", "sparse: the total exchange is slower by", "holds"),
]


@pytest.mark.parametrize(("where", "claim", "verdict"), FINDINGS)
def test_findings(audit, where, claim, verdict):
    check_verdict(row_of(audit[1], where, claim), verdict)


def test_claims_are_told_apart(audit):
    check_told_apart(audit[1])


def test_evidence_passes_the_checker(audit):
    check_evidence(*audit, at_least=9)


@pytest.mark.parametrize(
    ("table", "collective", "key", "claim"),
    [
        ("TABLE_1", "OAS", "time", "dense: the optimal time of single-node scatter is"),
        ("TABLE_2", "AAS", "transmissions", "sparse: the optimal transmissions of total exchange are"),
        ("TABLE_3", "AAB", "time", "binary hypercube: the optimal time of complete broadcast is"),
    ],
)
def test_a_planted_misprint_is_found(audit, monkeypatch, table, collective, key, claim):
    [before] = [row for row in audit[1] if row.claim == claim]
    text, function = getattr(printed_ghc, table)[collective][key]
    monkeypatch.setitem(getattr(printed_ghc, table)[collective], key, (text, lambda w, d, N: function(w, d, N) + 1))
    [after] = [row for row in rows(Evidence(audit[0])) if row.claim == claim]
    assert before.verdict == "holds" and after.verdict.startswith("wrong")


def test_a_formula_that_was_put_right_holds(audit, monkeypatch):
    monkeypatch.setitem(printed_ghc.TABLE_1["AAS"], "time", ("N / w", lambda w, d, N: N // w))
    [row] = [row for row in rows(Evidence(audit[0])) if row.claim == "dense: the optimal time of total exchange is"]
    assert row.verdict == "holds"


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
    assert check(schedule).steps == lower_bound(topology, ports, "AAS").steps == steps
    assert construct(topology, ports, "AAS").schedule == schedule
    check(schedule.expanded())
