"""The tests that `make long` runs, each with a case of its kind that `make test` runs.

A long case of a parametrised test has its kind in the other cases of that test; a test of which every case is long names
the case that stays: ``@pytest.mark.long(stays="tests/rtl/test_router.py::test_traffic[1]")``.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable
import hashlib
import re
from typing import NamedTuple

import pytest

__all__ = ["COUNT", "FAULTS", "Part", "count_of", "faults_of", "marks_of"]


FAULTS = pytest.StashKey[list[str]]()
"""Of a run: the long tests that have no case of their kind that stays."""
COUNT = pytest.StashKey[dict[str, int]]()
"""Of a run: the number of its tests that `make test` runs, for each file."""
_LEFT_OUT = ("long", "grid", "prove")


def _function(name: str) -> str:
    return name.partition("[")[0]


class Part(NamedTuple):
    """A part of all tests, by the names of their functions, so that the cases of one stay together.

    Members
    -------
    number, total : int
        The parts are numbered from 1 on; each test is in one of them.
    """

    number: int
    total: int

    @classmethod
    def parse(cls, text: str) -> "Part":
        """The part that is written as ``3/8``."""
        found = re.fullmatch(r"(\d+)/(\d+)", text)
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise argparse.ArgumentTypeError(f"part must be K/N with K from 1 to N, as in 3/8, not {text!r}")
        return cls(int(found[1]), int(found[2]))

    def has(self, name: str) -> bool:
        """Whether a test is in it."""
        return int(hashlib.sha256(_function(name).encode()).hexdigest(), 16) % self.total == self.number - 1


def faults_of(tests: Iterable[tuple[str, dict[str, str | None]]]) -> list[str]:
    """A line for each long test without one that stays, given the names of tests and the marks of each.

    A mark is the name with the test that it says stays, or ``None``.
    """
    all_of = dict(tests)
    files = {name.partition("::")[0] for name in all_of}
    kept = {name for name, marks in all_of.items() if not any(mark in marks for mark in _LEFT_OUT)}
    functions = {_function(name) for name in kept}
    faults: defaultdict[str, int] = defaultdict(int)
    for name, marks in all_of.items():
        if "long" not in marks:
            continue
        stays = marks["long"]
        if stays is None and _function(name) not in functions:
            faults[f"{_function(name)}: no case of it is in make test, and it names none that stays"] += 1
        elif stays is not None and stays.partition("::")[0] in files and stays not in kept | functions:
            faults[f"{_function(name)}: {stays} must be a test that make test runs"] += 1
    return [f"{text} ({number} cases)" for text, number in faults.items()]


def count_of(tests: Iterable[tuple[str, dict[str, str | None]]]) -> dict[str, int]:
    """The number of tests in each file that `make test` runs, given what :func:`faults_of` is given."""
    found: defaultdict[str, int] = defaultdict(int)
    for name, marks in tests:
        found[name.partition("::")[0]] += not any(mark in marks for mark in _LEFT_OUT)
    return dict(found)


def marks_of(item: pytest.Item) -> dict[str, str | None]:
    """The marks of a test, for :func:`faults_of`."""
    return {mark.name: mark.kwargs.get("stays") for mark in item.iter_markers() if mark.name in _LEFT_OUT}
