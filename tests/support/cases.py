"""Cases for every day, and the others of their kind for `make long`."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest

__all__ = ["some"]


def some(cases: Iterable[Any], places: Collection[int], *, stays: str | None = None) -> list[Any]:
    """The cases, those at other ``places`` marked as long: a tuple has an argument of the test in each place.

    Where no case is at such a place, ``stays`` is the test of this kind that `make test` runs.
    """
    given = list(cases)
    assert set(places) <= set(range(len(given))), "there must be a case at each of the places"
    return [case if place in places else _long(case, stays) for place, case in enumerate(given)]


def _long(case: Any, stays: str | None) -> Any:
    mark = pytest.mark.long(stays=stays)
    if hasattr(case, "marks"):  # a pytest.param
        return pytest.param(*case.values, id=case.id, marks=[*case.marks, mark])
    return pytest.param(*case, marks=mark) if isinstance(case, tuple) else pytest.param(case, marks=mark)
