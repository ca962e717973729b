"""The audits that several files of tests use."""

import importlib

import pytest

from fatcube.papers.evidence import Evidence
from tests.support.audits import SLOW, stored
from tests.support.children import HANG


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
            evidence = Evidence(folder, time_limit=HANG, searched=getattr(claims, "searched", None))
            rows = stored(paper)
            assert [row.name for row in rows if row.name] == [claim.name for claim in claims.PAPER.claims]
            kept = {"", *SLOW[paper]}
            known[paper] = (
                evidence,
                [row if row.name in kept else claims.PAPER.find(row.name).row(evidence) for row in rows],
            )
        return known[paper]

    return audit
