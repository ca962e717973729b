"""TOML, of which what is malformed is refused in plain words, with its line."""

import re
import tomllib
from typing import Any

from fatcube.groundwork.strict.malformed import Malformed, found
from fatcube.groundwork.validation import ParameterError

__all__ = ["parse_toml"]


_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_TEXT = "text must end with its quote in the line in which it begins"
_REFUSED = {
    "Invalid initial": "a line must begin with a key, with the head of a table in brackets, or with #, not {}",
    "Invalid statement": "a line must begin with a key, with the head of a table in brackets, or with #, not {}",
    "Expected '='": "= must follow a key, not {}",
    "Expected newline": "a key and its value must have a line of their own, without {} behind them",
    "Expected ']'": "the head of a table must end with ], not with {}",
    "Expected ']]'": "the head of a table that begins with [[ must end with ]], not with {}",
    "Unclosed array": "a list must have commas between its values and end with ], not go on with {}",
    "Unclosed inline table": "a table in braces must have commas between its keys and end with }}, not go on with {}",
    "Unterminated string": _TEXT,
    "Illegal character": _TEXT,
    "Unescaped": "a backslash in text must be followed by one of b, t, n, f, r, u, U, a quote or a backslash",
    "Cannot overwrite": "a key must occur once, not twice",
    "Duplicate inline": "a key must occur once, not twice",
    "Cannot declare": "a table must have one head, not two",
}


def parse_toml(text: str) -> dict[str, Any]:
    """Return the keys of a TOML text with their values.

    Raises
    ------
    Malformed
        If it is not TOML.
    ParameterError
        If it is nested too deeply.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ParameterError("not TOML: it is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise _malformed(text, str(error)) from None
    except ValueError as error:  # a number with thousands of digits
        raise ParameterError(f"not TOML: {error}") from None


def _malformed(text: str, said: str) -> Malformed:
    """The error of Python's reader in plain words."""
    place = _PLACE.search(said)
    lines = text.splitlines() or [""]
    line, column = (int(place[1]), int(place[2])) if place and place[1] else (len(lines), len(lines[-1]) + 1)
    rest = lines[line - 1][column - 1 :] if line <= len(lines) else ""
    at = found(rest) if rest.strip() else "the end of the line"
    said = _PLACE.sub("", said)
    begins = max((one for one in _REFUSED if said.startswith(one)), key=len, default=None)
    message = _value(rest, at) if said == "Invalid value" else said if begins is None else _REFUSED[begins].format(at)
    return Malformed(f"not TOML: {message}", line)


def _value(rest: str, at: str) -> str:
    """The message for a text in place of a value."""
    word = re.match(r"[\w.*-]*", rest)
    wanted = "a value must be a number, true, false, text in quotes, or a list in brackets"
    if not word or not word[0]:
        return f"{wanted}, not {at}"
    meant = word[0].lower() if word[0].lower() in ("true", "false") else f'"{word[0]}"'
    return f"{wanted}, not {at}; did you mean {meant}?"
