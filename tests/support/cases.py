"""Cases for every day, and the others of their kind for `make long`."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest

__all__ = ["some"]


def some(cases: Iterable[Any], places: Collection[int]) -> list[Any]:
    """The cases, those at other ``places`` marked as long: a tuple has an argument of the test in each place."""
    given = list(cases)
    assert set(places) <= set(range(len(given))), "there must be a case at each of the places"
    return [case if place in places else _long(case) for place, case in enumerate(given)]


def _long(case: Any) -> Any:
    if hasattr(case, "marks"):  # a pytest.param
        return pytest.param(*case.values, id=case.id, marks=[*case.marks, pytest.mark.long])
    return (
        pytest.param(*case, marks=pytest.mark.long)
        if isinstance(case, tuple)
        else pytest.param(case, marks=pytest.mark.long)
    )
