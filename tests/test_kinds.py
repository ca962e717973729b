"""No test is moved to `make long` without a case of its kind that `make test` runs."""

import argparse
import re

import pytest

from tests.support.kinds import COUNT, FAULTS, Part, count_of, faults_of
from tests.support.packages import ROOT

STAYS = "tests/test_a.py::stays"


def test_every_long_test_has_one_of_its_kind_that_stays(request):
    assert request.config.stash[FAULTS] == []


def test_the_readme_has_the_number_of_tests(request):
    """Within a tenth of what a run of all files has collected; of a part of them, no more than that."""
    [number] = re.findall(r"`make test` runs about ([\d,]+) tests", (ROOT / "README.md").read_text(encoding="utf-8"))
    counted, about = request.config.stash[COUNT], int(number.replace(",", ""))
    assert sum(counted.values()) <= 1.1 * about
    if {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")} <= counted.keys():
        assert sum(counted.values()) >= 0.9 * about


def test_what_make_test_runs_is_counted():
    some = [
        ("tests/test_a.py::one[1]", {}),
        ("tests/test_a.py::one[2]", {"long": None}),
        ("tests/test_b.py::two", {"prove": None}),
    ]
    assert count_of([*some, ("tests/test_a.py::three", {})]) == {"tests/test_a.py": 2, "tests/test_b.py": 0}


def test_other_cases_of_the_same_test_stay():
    assert faults_of([("tests/test_a.py::kind[1]", {}), ("tests/test_a.py::kind[2]", {"long": None})]) == []


def test_one_that_is_named_stays():
    assert faults_of([(STAYS, {}), ("tests/test_a.py::moved", {"long": STAYS})]) == []
    assert faults_of([(f"{STAYS}[1]", {}), ("tests/test_a.py::moved", {"long": STAYS})]) == []
    assert faults_of([("tests/test_b.py::moved", {"long": STAYS})]) == []  # its file is not part of this run


def test_no_case_stays():
    some = [("tests/test_a.py::kind[1]", {"long": None}), ("tests/test_a.py::kind[2]", {"long": None})]
    assert faults_of(some) == [
        "tests/test_a.py::kind: no case of it is in make test, and it names none that stays (2 cases)"
    ]
    assert len(faults_of([("tests/test_a.py::kind[1]", {"prove": None}), *some])) == 1


def test_what_is_named_is_not_there():
    for marks in ({"long": None}, {"grid": None}, {"prove": None}):
        assert f"tests/test_a.py::moved: {STAYS} must be a test that make test runs (1 cases)" in faults_of(
            [(STAYS, marks), (f"{STAYS}[1]", marks), ("tests/test_a.py::moved", {"long": STAYS})]
        )
    assert len(faults_of([("tests/test_a.py::other", {}), ("tests/test_a.py::moved", {"long": STAYS})])) == 1


def test_each_test_is_in_one_part_with_all_its_cases():
    names = [f"tests/test_{number}.py::test[{case}]" for number in range(200) for case in range(3)]
    parts = [[name for name in names if Part.parse(f"{number}/8").has(name)] for number in range(1, 9)]
    assert sorted(sum(parts, [])) == sorted(names)
    assert all(len(part) % 3 == 0 and len(part) > 30 for part in parts)
    assert all(Part.parse("1/1").has(name) for name in names)


@pytest.mark.parametrize("text", ["0/8", "9/8", "8", "1/0", "a/b", "-1/8", "1/8/2", ""])
def test_a_part_that_is_none(text):
    with pytest.raises(argparse.ArgumentTypeError, match="^part must be K/N with K from 1 to N, as in 3/8, not "):
        Part.parse(text)
