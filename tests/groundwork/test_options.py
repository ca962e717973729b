"""Options that are several values: from Python, from files and from the command line."""

import dataclasses

import pytest

from fatcube.groundwork.options import Option, Options, option
from fatcube.groundwork.validation import ParameterError


@dataclasses.dataclass(frozen=True, kw_only=True)
class Some(Options):
    """Several of both kinds."""

    sizes: tuple[int, ...] = option((8,), "Sizes.", several=int, minimum=2, maximum=9)
    parts: tuple[float, ...] = option((), "Parts.", several=float, above=0, maximum=1, each="part")


@pytest.mark.parametrize("given", ["3,4", [3, 4], (3, 4)])
def test_several(given):
    assert Some(sizes=given).sizes == (3, 4)
    assert Some(sizes=given).to_json() == {"sizes": [3, 4], "parts": []}


def test_one_is_several():
    assert Some(sizes=5, parts="0.5") == Some(sizes=(5,), parts=[0.5])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sizes": "3,"}, "sizes must be comma-separated integers, not '3,'"),
        ({"sizes": "3,10"}, "sizes must be an integer from 2 to 9, not 10"),
        ({"sizes": [3.5]}, "sizes must be an integer from 2 to 9, not 3.5"),
        ({"parts": "0.5,x"}, "parts must be comma-separated numbers, not '0.5,x'"),
        ({"parts": [0]}, "part must be a finite number above 0 and at most 1, not 0"),
    ],
)
def test_refused(given, message):
    with pytest.raises(ParameterError) as caught:
        Some(**given)
    assert str(caught.value) == message


def test_schema():
    sizes, parts = map(Option.of, dataclasses.fields(Some))
    one = {"type": "integer", "minimum": 2, "maximum": 9}
    assert sizes.schema() == {"anyOf": [one, {"type": "array", "items": one}]}
    one = {"type": "number", "maximum": 1, "exclusiveMinimum": 0}
    assert parts.schema() == {"anyOf": [one, {"type": "array", "items": one}]}
