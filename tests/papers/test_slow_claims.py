"""Claims that every other test of the audits takes as they are stored."""

import importlib

import pytest

from fatcube.papers.evidence import Evidence
from tests.support.audits import SLOW, check_evidence, said, stored
from tests.support.children import HANG


@pytest.mark.long(stays="tests/papers/test_fat_cube_claims.py::test_what_is_stored_is_what_is_found")
@pytest.mark.parametrize(("paper", "files"), [("ccc", 13), ("ghc", 28)])
def test_they_are_as_they_are_stored(tmp_path, paper, files):
    claims = importlib.import_module(f"fatcube.papers.{paper}.claims")
    evidence = Evidence(tmp_path / "audit", time_limit=HANG, searched=getattr(claims, "searched", None))
    rows = [row for row in stored(paper) if row.name in SLOW[paper]]
    assert len(rows) == len(SLOW[paper])
    found = [claims.PAPER.find(row.name).row(evidence) for row in rows]
    assert list(map(said, found)) == list(map(said, rows))
    check_evidence(evidence.folder, found, at_least=files)
