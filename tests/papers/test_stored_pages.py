"""The committed pages of the audits: what they show is what the rows say, in words."""

from collections import Counter
import dataclasses

import pytest

from fatcube.papers.audit_rows import write_audit
from fatcube.papers.ccc.claims import PAPER as CCC
from fatcube.papers.fat_cube.claims import PAPER as FAT_CUBE
from fatcube.papers.ghc.claims import PAPER as GHC
from fatcube.papers.spanning_graphs.claims import PAPER as SPANNING_GRAPHS
from tests.support.audits import REPORTS, stored, unclear

PAPERS = [FAT_CUBE, CCC, GHC, SPANNING_GRAPHS]


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_the_page_shows_the_rows(tmp_path, paper):
    """Each cell of the page, the note and the counts follow from the stored rows."""
    markdown, data, _ = write_audit(stored(paper.name), tmp_path, paper)
    assert markdown.read_text() == (REPORTS / f"{paper.name}.md").read_text()
    assert data.read_text() == (REPORTS / f"{paper.name}.json").read_text()


def test_the_readme_counts_the_rows():
    """Its table has a column for each kind that any page has, and its numbers are those of the stored rows."""
    columns = ["holds", "condition", "approximate", "misprint", "wrong", "achieved", "open"]
    for paper in PAPERS:
        counts = Counter(row.kind for row in stored(paper.name) if row.kind != "untested")
        assert set(counts) <= set(columns)
        numbers = [counts.total(), *(counts[kind] for kind in columns)]
        assert f"]({paper.name}.md) | {' | '.join(map(str, numbers))} |" in (REPORTS / "README.md").read_text()


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_cells_are_in_words(paper):
    assert [(row.name, unclear(row)) for row in stored(paper.name) if unclear(row)] == []


@pytest.mark.parametrize(
    ("text", "clear"),
    [
        ("n = 3: so", False),
        ("n = 3: so; n = 4: so", False),
        ("n = 2: True", False),
        ("d = 1: (2, {1}, 1)", False),
        ("d = 1: (1, 1); d = 2: (1, 1)", False),
        ("n = 1: (1, 2), printed (3, 3)", False),
        ("n = 2: [1, 2, 1]", False),
        ("w = (2, 3): symmetric, printed asymmetric", False),
        ("w = (2, 3): the graph is symmetric, printed the graph is asymmetric", True),
        ("n = 4: most distant: node (15, 2), node (15, 0)", True),
        ("so for every pair of coordinates", True),
        ("n = 3: 36 steps, bound 36", True),
        ("n = 1: CCC; n = 2: CCC", False),
        ("k = 3, d = 2: none, printed a cycle", False),
        ("d = 1: 2 against 2 steps, printed fewer", True),
        ("present", False),
        ("n = 2: (3, 12)", False),
        ("n = 1: 2; n = 2: 4", True),
        ("n = 1: 1/2, printed 1", True),
    ],
)
def test_bare_values_are_refused(text, clear):
    row = dataclasses.replace(stored("ccc")[0], recomputed=text, evidence="counted on the graph")
    assert unclear(row) == ([] if clear else ["recomputed"])


@pytest.mark.parametrize(
    ("text", "clear"),
    [("counted", False), ("executed", False), ("schedules/OAB-1.json", True), ("counted on the graph", True)],
)
def test_evidence_of_one_word_is_refused(text, clear):
    row = dataclasses.replace(stored("ccc")[0], recomputed="n = 1: 2 links", evidence=text)
    assert unclear(row) == ([] if clear else ["evidence"])
