"""The audit: its verdicts follow from its cases, its evidence is checked, and it finds what is known to be wrong."""

import json

import pytest

from fatcube.papers.audit import Evidence, ceil_div, ceil_log, judge
from fatcube.papers.audit_rows import verdicts, write_audit
from fatcube.papers.fat_cube.claims import FatCase, rows
from fatcube.papers.fat_cube.printed import TABLE_6
from schedules.bounds import Bound
from schedules.checker import check
from schedules.schedule_file import read_schedule
from schedules.search import Outcome


@pytest.fixture(scope="module")
def audit(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit")
    evidence = Evidence(folder / "fat-cube", time_limit=20)
    return folder, list(rows(evidence))


def test_integers():
    assert [ceil_div(amount, 3) for amount in range(5)] == [0, 1, 1, 1, 2]
    assert [ceil_log(3, number) for number in (1, 2, 3, 4, 9, 10, 27)] == [0, 1, 1, 2, 2, 3, 3]


class TestJudge:
    CASES = range(1, 7)

    def test_holds(self):
        assert judge(self.CASES, lambda case: True) == ("holds", None)

    def test_not_decided(self):
        assert judge(self.CASES, lambda case: True if case < 5 else None) == ("holds in 4 cases, 2 not decided", None)

    def test_only_if(self):
        """The condition must leave no case outside in which it holds, and none inside in which it does not."""
        conditions = [("small", lambda case: case < 3), ("at most 3", lambda case: case <= 3)]
        assert judge(self.CASES, lambda case: case <= 3, conditions) == ("holds only if at most 3", 4)

    def test_if(self):
        conditions = [("small", lambda case: case < 3)]
        assert judge(self.CASES, lambda case: case <= 3, conditions) == (
            "holds if small, and in 1 of the other 4 cases",
            4,
        )

    def test_wrong(self):
        assert judge(self.CASES, lambda case: case % 2 == 0, [("small", lambda case: case < 3)]) == (
            "wrong: fails in 3 of 6 cases, holds in 3",
            1,
        )

    def test_what_is_not_known_explains_nothing(self):
        conditions = [("small", lambda case: case < 3)]
        assert judge(self.CASES, lambda case: None if case < 3 else False, conditions)[0].startswith("wrong")


def test_findings(audit):
    """What is known to be wrong in print, each shown by hand elsewhere: see the README and CHANGELOG."""
    _, found = audit
    verdict = {(row.where, row.claim): row.verdict for row in found}
    assert verdict["section 5.2", "AAB in model * takes"] == "wrong: 3 is impossible"
    assert verdict["Theorem 4", "OAS in model d can be done in"] == "holds only if f = 1"
    assert verdict["Table 2", "f = 2, m = 4, model d: the fat cube is not dearer for"] == "wrong: d <= 4"
    assert verdict["Table 4", "d = 1, m = 8, model *: the lower bound of OAB"].startswith("wrong")
    assert (
        verdict["Lemma 1", "links between levels i and i + 1 of the broadcast tree, as stated"] == "holds only if d = 1"
    )
    assert verdict["Table 5", "these deliveries are a schedule of AAB in model d"] == "holds"
    assert [verdict[row.where, row.claim] for row in found if row.where == "Table 6"] == ["holds"] * 32
    assert len(verdict) == len(found)


def test_a_planted_misprint_is_found(audit, monkeypatch):
    folder, _ = audit
    monkeypatch.setitem(TABLE_6["d"], "AAB", (3, 3))
    [row] = [row for row in rows(Evidence(folder / "fat-cube")) if row.claim == "FC, model d: AAB"]
    assert row.verdict == "wrong: 4"


def test_evidence_passes_the_checker(audit):
    """Every schedule that a row names is there, is valid, and is all that the folder has."""
    folder, found = audit
    text = " ".join(row.evidence for row in found)
    schedules = sorted((folder / "fat-cube" / "schedules").glob("*.json"))
    assert len(schedules) > 50
    for path in schedules:
        assert f"schedules/{path.name}" in text
        check(read_schedule(path))


def test_evidence_is_made_anew_where_it_is_wrong(audit):
    folder, _ = audit
    case = FatCase.of(2, 2, 1, "d", "AAB")
    evidence = Evidence(folder / "fat-cube")
    path = folder / "fat-cube" / evidence.schedule(case)
    before = path.read_text()
    for content in ("", before[:200], before.replace('"step": 4', '"step": 5')):
        path.write_text(content)
        assert Evidence(folder / "fat-cube").schedule(case)
        assert path.read_text() == before


def test_proofs_are_kept_and_not_believed_for_another_question(tmp_path, monkeypatch):
    case = FatCase.of(2, 2, 1, "*", "AAB")
    evidence = Evidence(tmp_path)
    assert evidence.impossible(case, 3)
    [path] = (tmp_path / "proofs").iterdir()

    def refuse(*arguments, **keywords):
        raise AssertionError("a search")

    monkeypatch.setattr("fatcube.papers.evidence.search", refuse)
    assert Evidence(tmp_path).impossible(case, 3)
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "question": {**record["question"], "steps": 2}}))
    with pytest.raises(AssertionError, match="a search"):
        Evidence(tmp_path).impossible(case, 3)
    path.write_text(json.dumps({**record, "outcome": Outcome.TIME.value}))
    assert not Evidence(tmp_path).impossible(case, 3)


def test_a_proof_raises_the_bound(tmp_path, monkeypatch):
    """The search proves what the bounds do not."""
    monkeypatch.setattr("schedules.construct.lower_bound", lambda *_: Bound(3, "too low"))
    evidence = Evidence(tmp_path)
    case = FatCase.of(2, 2, 1, "*", "AAB")
    assert evidence.known(case) == (Bound(4, "proofs/AAB-d2-m2-f1-all-port-3.json"), 4)
    assert evidence.text(case) == "4"


def test_files(audit, tmp_path):
    _, found = audit
    markdown, data, page = write_audit(found, tmp_path, "fat-cube", "Title", "Note")
    assert len(json.loads(data.read_text())) == len(found)
    assert len([line for line in markdown.read_text().splitlines() if line.startswith("| ")]) == len(found) + 2
    text = page.read_text()
    assert text.count("<tr>") == len(found) + 1
    marks = {"good": 0, "wrong": 0, "partly": 0}
    for row in found:
        marks["good" if row.verdict == "holds" else "wrong" if row.verdict.startswith("wrong") else "partly"] += 1
    assert {mark: text.count(f'<td class="{mark}">') for mark in marks} == marks and min(marks.values()) > 0
    assert text.count('<a href="fat-cube/schedules/') > 50
    assert sum(int(part.split()[0]) for part in verdicts(found).split(", ")) == len(found)
