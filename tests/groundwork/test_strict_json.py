"""JSON in which something could be read in two ways is refused, in one line."""

import json
import re

import pytest

from fatcube.groundwork.strict_json import Rows, parse_json
from fatcube.groundwork.validation import ParameterError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        (b'{"a": [null, true, 1.5]}', {"a": [None, True, 1.5]}),
        ('"\\u00e9"', "é"),
        ("-1234567890123456789", -1234567890123456789),
    ],
)
def test_values(text, value):
    assert parse_json(text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "b": {"x": 1, "y": 2, "x": 1}}', 'key "x" must occur once, not twice'),
        ('{"K": 1, "K": 2}'.replace("K", "k" * 300), 'key "' + "k" * 200 + '..." must occur once, not twice'),
        ("[NaN]", "not JSON: NaN is not a number"),
        ("-Infinity", "not JSON: -Infinity is not a number"),
        ("1" * 21, "an integer must have at most 20 characters, not 21"),
        ("{", "not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[" * 100_000, "not JSON: it is nested too deeply"),
        (b"\x80", "not JSON: 'utf-8' codec can't decode byte 0x80 in position 0: invalid start byte"),
    ],
)
def test_refuses(text, message):
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        parse_json(text)


def test_keys_of_an_object():
    assert len(parse_json(json.dumps(dict.fromkeys(map(str, range(1000)))))) == 1000
    with pytest.raises(ParameterError, match="^an object must have at most 1,000 keys, not 1,001$"):
        parse_json(json.dumps(dict.fromkeys(map(str, range(1001)))))


def test_rows_are_made_when_they_are_written():
    """They stand in a file as those of a list do, and there is one at a time."""
    made = []

    def make():
        for number in range(3):
            made.append(number)
            yield [number, None]

    rows = Rows(3, make)
    parts = json.JSONEncoder(indent=1).iterencode({"rows": rows, "none": Rows(0, lambda: iter([]))})
    seen = ""
    for part in parts:
        seen += part
        assert len(made) <= seen.count("[")
    assert seen == json.dumps({"rows": [[0, None], [1, None], [2, None]], "none": []}, indent=1)
    assert len(rows) == 3 and list(rows) == [[0, None], [1, None], [2, None]]
