"""JSON in which something could be read in two ways is refused, in one line."""

import json
import re

import pytest

from fatcube.groundwork.strict.json_text import Rows, parse_json, read_json
from fatcube.groundwork.strict.malformed import Malformed
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
        ("[" * 100_000, "not JSON: it is nested too deeply"),
    ],
)
def test_refuses(text, message):
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        parse_json(text)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("topology = 1", 1, "it must begin with { or [, not with 'topology'"),
        ("{\n\n", 1, "a key in double quotes must follow, not the end of the file"),
        ('{"a": 1,\n b: 2}', 2, "a key in double quotes must follow, not 'b:'"),
        ('{"a"\n\n1}', 3, "\":\" must follow, not '1}'"),
        ('{"a":\n', 1, 'a value such as 1, true, "text", [...] or {...} must follow, not the end of the file'),
        ("[1,\n2,\nFalse]", 3, "a value such as 1, true, \"text\", [...] or {...} must follow, not 'False]'"),
        ("[1\n2]", 2, "a comma or a closing bracket must follow, not '2]'"),
        ("[1,\n2,\n]", 3, "no comma may stand before a closing bracket"),
        ('{"a": 1,\n}', 2, "no comma may stand before a closing bracket"),
        ("[]\n[]", 2, "the end of the file must follow, not '[]'"),
        ('["a\n"]', 1, "text must end with a double quote in the line in which it begins, and have no tab"),
        ('[1,\n"a', 2, "text must end with a double quote in the line in which it begins"),
        ('["\\x"]', 1, 'one of "\\/bfnrtu must follow a backslash'),
        ('["\\u12"]', 1, "four hexadecimal digits must follow \\u"),
        (b"[\n\x80]", 2, "it must be text in UTF-8, which byte 3 is not"),
        (b"\xff\xfe{", 1, "it must be text in UTF-16, which byte 3 is not"),
    ],
)
def test_malformed(text, line, message):
    """Catches the text of Python's reader, and the line of another place."""
    with pytest.raises(Malformed, match=f"^not JSON: {re.escape(message)}$") as error:
        parse_json(text)
    assert error.value.line == line


def test_a_comma_before_a_bracket_in_later_versions_of_python(monkeypatch):
    """Python 3.13 says so itself, and points to the comma."""
    text = '{"a": 1,\n}'

    def refuse(*_, **__):
        raise json.JSONDecodeError("Illegal trailing comma before end of object", text, text.index(","))

    monkeypatch.setattr(json, "loads", refuse)
    with pytest.raises(Malformed, match="^not JSON: no comma may stand before a closing bracket$") as error:
        parse_json(text)
    assert error.value.line == 2


def test_a_file(tmp_path):
    """Catches a refusal that does not begin with the file."""

    def make(value):
        if value:
            raise ParameterError("list must be empty")
        return "made"

    for text, message in (("[]", ""), ("[1]", ": list must be empty"), ("[\n1,]", ", line 2: not JSON: no comma may")):
        path = tmp_path / "a.json"
        path.write_text(text)
        if not message:
            assert read_json(path, make, most=10, what="a list") == "made"
            continue
        with pytest.raises(ParameterError) as error:
            read_json(path, make, most=10, what="a list")
        assert str(error.value).startswith(f"{path}{message}")


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
