"""The audits, which several files look at: each is carried out once."""

import importlib

import pytest

from fatcube.papers.evidence import Evidence


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
            known[paper] = evidence, list(claims.rows(evidence))
        return known[paper]

    return audit
