"""Options that are not given: what others need of them, and what is remembered of it."""

import copy
import dataclasses
import pickle

import pytest

from fatcube.groundwork.options import Option, Options, option
from fatcube.groundwork.validation import ParameterError


@dataclasses.dataclass(frozen=True, kw_only=True)
class Some(Options):
    """Deep enough for what is wide, and wide enough for what is long."""

    depth: int = option(2, "Depth.", minimum=1, maximum=50, follows=lambda values: max(2, 3 * values.width))
    width: int = option(0, "Width.", minimum=0, maximum=20, follows=lambda values: values.length // 2)
    length: int = option(0, "Length.", minimum=0, maximum=50)
    hidden: int = option(1, "Hidden.", minimum=1, maximum=9, announced=False)


@pytest.mark.parametrize(
    ("given", "values", "chosen"),
    [
        ({}, (2, 0, 0), {}),
        ({"width": 2}, (6, 2, 0), {"depth": 6}),
        ({"length": 8}, (12, 4, 8), {"depth": 12, "width": 4}),
        ({"length": 8, "width": 1}, (3, 1, 8), {"depth": 3}),
        ({"length": 8, "depth": 2}, (2, 4, 8), {"width": 4}),
    ],
)
def test_what_is_not_given_follows(given, values, chosen):
    some = Some(**given)
    assert (some.depth, some.width, some.length) == values
    assert (some.given, some.chosen) == (given.keys(), chosen)
    explicit = Some(**some.to_json())
    assert explicit == some and hash(explicit) == hash(some) and explicit.to_json() == some.to_json()
    assert explicit.chosen == {}


def test_a_given_default_stays():
    """Catches an explicit value that is taken for one that is not given, because it equals the default."""
    assert Some(length=8, width=0).width == 0
    assert Some(width=2).changed(depth=2).depth == 2


def test_changes_follow_anew():
    some = Some(width=2)
    assert some.changed(width=3).depth == 9
    assert some.changed(depth=7) == Some(width=2, depth=7)
    assert dataclasses.replace(some, width=3).depth == 6  # which gives every value


def test_what_something_else_needs():
    some = Some().needing(width=2)
    assert (some.width, some.depth, some.given, some.chosen) == (2, 6, set(), {"depth": 6, "width": 2})
    assert Some(width=1).needing(width=2) == Some(width=1)
    assert some.changed(length=3).width == 2  # is needed still
    assert Some().needing(hidden=3).chosen == {}


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda some: pickle.loads(pickle.dumps(some))])
def test_copies_know_what_was_given(duplicate):
    again = duplicate(Some(width=2))
    assert again == Some(width=2) and again.given == {"width"} and again.changed(width=3).depth == 9


def test_files_have_what_was_measured():
    """Catches a record of before an option came, which would be read as other hardware than was measured."""
    assert Some.from_json({"width": 2}).depth == 2


def test_refused():
    with pytest.raises(ParameterError, match="^width must be an integer from 0 to 20, not None$"):
        Some(width=None)
    with pytest.raises(ParameterError, match="^depth must be an integer from 1 to 50, not 60$"):
        Some(width=20)


def test_the_default_is_shown():
    [depth, *_] = dataclasses.fields(Some)
    assert repr(depth.default) == "2" and Option.of(depth).default == 2
