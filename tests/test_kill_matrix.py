"""Every bug of the kill matrix is found by a case that make test runs, and the matrix is that of the bugs in its table."""

import dataclasses
import json

import pytest

from tests.support import costs
from tests.support.kill_matrix import MATRIX, ROOT, Bug, Family, cover, failed, families, matrix, unfound

SOURCE = "def most(a, b):\n    return a if a > b else b\n\n\ndef sign(a):\n    return -1 if a < 0 else 1\n"
TESTS = """
import pytest
from small import most, sign

@pytest.mark.parametrize("case", [(1, 2), (2, 1), pytest.param((5, 5), marks=pytest.mark.long)], ids=str)
def test_most(case):
    assert most(*case) == max(case) and sign(case[0] - case[1]) == (1 if case[0] >= case[1] else -1)
"""
LARGER = Bug("small.py", "a > b", "a < b")
FIRST = Bug("small.py", "a > b", "True")
ZERO = Bug("small.py", "a < 0", "a <= 0")


@pytest.fixture(scope="module")
def measured():
    return json.loads(MATRIX.read_text(encoding="utf-8"))


def test_every_bug_is_found_by_what_make_test_runs(request, measured):
    assert unfound(measured, [costs.name_of(item) for item in request.session.items]) == []


def test_the_matrix_is_that_of_the_table(measured):
    for family in families():
        assert [{name: bug[name] for name in ("file", "old", "new")} for bug in measured[family.tests]["bugs"]] == [
            dataclasses.asdict(bug) for bug in family.bugs
        ]
        for bug in family.bugs:
            assert bug.mutant(ROOT).start > 0  # it stands there, once
    assert set(measured) == {family.tests for family in families()}


def test_a_made_up_family(tmp_path, capsys):
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["long", "grid", "prove"]\n')
    (tmp_path / "small.py").write_text(SOURCE)
    (tmp_path / "test_small.py").write_text(TESTS)
    tests = "test_small.py::test_most"
    [found] = matrix(tmp_path, [Family(tests, (LARGER, FIRST, ZERO))]).values()
    assert found["cases"] == [f"{tests}[(1, 2)]", f"{tests}[(2, 1)]", f"{tests}[(5, 5)]"]
    assert [bug["found_by"] for bug in found["bugs"]] == [[0, 1], [0], [2]]
    assert found["cover"] == [found["cases"][0], found["cases"][2]]
    kept = found["cases"][:2]
    assert unfound({tests: found}, kept) == [f"{tests}: small.py: a <= 0"]
    assert unfound({tests: found}, found["cover"]) == []
    assert unfound({tests: found}, ["test_other.py::test"]) == []


def test_the_cover_is_greedy():
    assert cover([["a", "b"], ["b", "c"], ["c"], [], ["b"]]) == ["b", "c"]
    assert cover([[], []]) == []


def test_names_of_cases_may_begin_alike():
    output = "FAILED t.py::x[1] - assert 1\nFAILED t.py::x[12]\nERROR t.py::y\nFAILED t.py::z[a - b] - assert 2\n"
    cases = ["t.py::x[1]", "t.py::x[12]", "t.py::x[1", "t.py::y", "t.py::z[a - b]", "t.py::z"]
    assert failed(output, cases) == ["t.py::x[1]", "t.py::x[12]", "t.py::y", "t.py::z[a - b]"]


@pytest.mark.parametrize("old", ["a", "nowhere"])
def test_a_bug_that_stands_nowhere_or_twice(tmp_path, old):
    (tmp_path / "small.py").write_text(SOURCE)
    with pytest.raises(ValueError, match=r"^a bug must be of a text that stands once in small\.py, not '"):
        Bug("small.py", old, "b").mutant(tmp_path)
