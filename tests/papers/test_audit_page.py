"""The files of an audit: findings first, every row, and a page whose claims are filtered, sorted and unfolded."""

import json

import pytest

from fatcube.papers.audit_rows import _MARKS, KINDS, verdicts, write_audit
from fatcube.papers.claim import Paper, Place, Row
from fatcube.papers.verdict import KIND_NAMES
from tests.support.chromium import Tab

PAPER = Paper("ccc", "The <paper>", "What is & what is not.", [Place("section 1", "x")])


def row(number, kind, **changes):
    fields = {
        "name": f"claim_{number}",
        "where": f"section {number}",
        "claim": f"claim <{number}> & more",
        "printed": "n < 2",
        "recomputed": "n = 3: 4",
        "cases": "2 cases: n = 3, 4",
        "verdict": KINDS[kind],
        "kind": kind,
        "failing": "" if kind == "holds" else "n = 3",
        "evidence": f"schedules/OAB-{number}.json; counted",
        "reading": "",
        "optimum": "-",
    }
    return Row(**(fields | changes))


ROWS = [
    row(1, "holds"),
    row(2, "wrong", optimum="5", reading="as printed; otherwise it holds"),
    row(3, "untested", name="", evidence="-", printed="-", cases="-", recomputed="-", failing=""),
    row(4, "condition"),
    row(5, "holds"),
    row(6, "misprint"),
    row(7, "achieved", failing=""),
]


def test_counts():
    assert verdicts(ROWS) == (
        "2 hold, 1 not tested, 1 achieved but not shown optimal, 1 misprints, 1 hold under a condition, 1 wrong"
    )


def test_every_kind_has_words_and_a_mark():
    assert list(KINDS) == list(KIND_NAMES) and set(KINDS) == set(_MARKS)


def test_files(tmp_path):
    markdown, data, _ = write_audit(ROWS, tmp_path, PAPER)
    assert [found["name"] for found in json.loads(data.read_text())] == [found.name for found in ROWS]
    text = markdown.read_text()
    findings, everything = text.split("## Findings")[1].split("## All claims")
    assert [
        name for name in ("claim_1", "claim_2", "claim_4", "claim_5", "claim_6", "claim_7") if name in findings
    ] == [
        "claim_2",
        "claim_4",
        "claim_6",
        "claim_7",
    ]
    assert everything.count("\n| ") == len(ROWS) + 2
    assert "(reading: as printed; otherwise it holds)" in findings


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    path = write_audit(ROWS, tmp_path_factory.mktemp("audit"), PAPER)[2]
    tab = Tab(browser)
    yield tab.open(path.as_uri())
    complaints, _ = tab.forget()
    tab.close()
    assert complaints == []


def shown(page):
    return [claim.get_attribute("id") for claim in page.query_selector_all("tbody tr:not(.more):not([hidden])")]


def test_findings_come_first(page):
    assert shown(page) == ["claim_2", "claim_4", "claim_6", "claim_7", "section 3", "claim_1", "claim_5"]
    page.click("button:text-is('place in the paper')")
    assert shown(page) == ["claim_1", "claim_2", "section 3", "claim_4", "claim_5", "claim_6", "claim_7"]
    page.click("button:text-is('place in the paper')")
    assert shown(page)[0] == "claim_7"


def test_claims_are_filtered(page):
    page.fill("input[type=search]", "CLAIM <2>")
    assert shown(page) == ["claim_2"]
    assert page.inner_text("output") == "1 of 7 rows"
    page.fill("input[type=search]", "")
    page.select_option("select[data-column]", "hold")
    assert sorted(shown(page)) == ["claim_1", "claim_5"]
    page.select_option("select[data-column]", "")
    assert len(shown(page)) == 7


def test_a_claim_unfolds(page):
    assert not page.is_visible("#claim_2 + .more")
    page.click("#claim_2 .unfold")
    claim = page.query_selector("#claim_2 + .more")
    assert claim.is_visible() and page.get_attribute("#claim_2 .unfold", "aria-expanded") == "true"
    terms = [term.inner_text() for term in claim.query_selector_all("dt")]
    assert terms == [
        "printed",
        "computed",
        "tried in",
        "first that fails",
        "proven optimum",
        "reading",
        "evidence",
        "run again",
    ]
    assert claim.query_selector("code").inner_text() == "fatcube audit ccc --claim claim_2"
    assert claim.query_selector("a").get_attribute("href") == "ccc/schedules/OAB-2.json"
    assert "claim <2> & more" in page.inner_text("#claim_2")
    page.evaluate("location.hash = 'claim_4'")
    page.wait_for_selector("#claim_4 + .more:not([hidden])")
