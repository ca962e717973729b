"""TOML that is malformed is refused in plain words, with its line."""

import re
import tomllib

import pytest

from fatcube.groundwork.strict.malformed import Malformed, decoded
from fatcube.groundwork.strict.toml_text import parse_toml
from fatcube.groundwork.validation import ParameterError

VALUE = "a value must be a number, true, false, text in quotes, or a list in brackets, not"
TEXT = "text must end with its quote in the line in which it begins"


def test_values():
    assert parse_toml('a = 1\n[b]\nc = "d"\n') == {"a": 1, "b": {"c": "d"}}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a = 1\ntopology = mesh\n", 2, f"{VALUE} 'mesh'; did you mean \"mesh\"?"),
        ("fast = True\n", 1, f"{VALUE} 'True'; did you mean true?"),
        ("\nwidth = \n", 2, f"{VALUE} the end of the line"),
        ("width = ", 1, f"{VALUE} the end of the line"),
        ("d = ?\n", 1, f"{VALUE} '?'"),
        ("width 32\n", 1, "= must follow a key, not '32'"),
        ("width: 32\n", 1, "= must follow a key, not ':'"),
        ("a = 1 b = 2\n", 1, "a key and its value must have a line of their own, without 'b' behind them"),
        ("a = 1\n[[points]\n", 2, "the head of a table that begins with [[ must end with ]], not with ']'"),
        ("[points\n", 1, "the head of a table must end with ], not with the end of the line"),
        ("a = [1 2]\n", 1, "a list must have commas between its values and end with ], not go on with '2]'"),
        ("\na = {b = 1\n", 2, "a table in braces must have commas between its keys and end with }, not go on with the end"),
        ('a = "b\nc = 1\n', 1, TEXT),
        ('a = "b', 1, TEXT),
        ('a = "C:\\dir"\n', 1, "a backslash in text must be followed by one of b, t, n, f, r, u, U, a quote or a backslash"),
        ("a = 1\n\na = 2\n", 3, "a key must occur once, not twice"),
        ("[a]\n[a]\n", 2, "a table must have one head, not two"),
        ("{a = 1}\n", 1, "a line must begin with a key, with the head of a table in brackets, or with #, not '{a'"),
    ],
)  # fmt: skip
def test_malformed(text, line, message):
    """Catches the text of Python's reader, and the line of another place."""
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(text)
    with pytest.raises(Malformed, match=f"^not TOML: {re.escape(message)}") as error:
        parse_toml(text)
    assert error.value.line == line


def test_what_python_cannot_read():
    for text in ("a = " + "[" * 100_000, "a = " + "1" * 10_000):
        with pytest.raises(ParameterError, match="^not TOML: "):
            parse_toml(text)


def test_not_text():
    assert decoded(b"\xef\xbb\xbfa", "TOML") == "a"
    with pytest.raises(Malformed, match="^not TOML: it must be text in UTF-8, which byte 7 is not$") as error:
        decoded(b"a = 1\n\xff", "TOML")
    assert error.value.line == 2
