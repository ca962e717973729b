"""JSON of which nothing is left to the reader: what two programs could read differently is refused."""

from collections import Counter
from collections.abc import Callable, Iterator
import functools
import json
from pathlib import Path
from typing import Any, TypeVar

from fatcube.groundwork.files import read_bytes
from fatcube.groundwork.strict.malformed import Malformed, decoded, found, within
from fatcube.groundwork.validation import ParameterError

__all__ = ["Rows", "parse_json", "read_json"]


_Made = TypeVar("_Made")
_WANTED = {
    "Expecting value": 'a value such as 1, true, "text", [...] or {...}',
    "Expecting property name": "a key in double quotes",
    "Expecting ':'": '":"',
    "Expecting ','": "a comma or a closing bracket",
    "Extra data": "the end of the file",
}
_REFUSED = {
    "Unterminated string": "text must end with a double quote in the line in which it begins",
    "Invalid control character": "text must end with a double quote in the line in which it begins, and have no tab",
    "Invalid \\u": "four hexadecimal digits must follow \\u",
    "Invalid \\e": 'one of "\\/bfnrtu must follow a backslash',
}

MOST_CHARACTERS = 20  # of an integer: every 64-bit one has fewer, and the time to convert long ones is quadratic
MOST_KEYS = 1000  # of an object: no format has that many, and checking one against a format lists all that are wrong


class Rows(list[Any]):
    """A long list in a JSON value, whose items are made when they are written; :func:`json.dumps` of one in a line does not.

    Parameters
    ----------
    count : :class:`int`
        The number of items.
    make : callable
        Returns an iterator over them.
    """

    def __init__(self, count: int, make: Callable[[], Iterator[Any]]) -> None:
        super().__init__()
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        return self._make()


def parse_json(text: str | bytes, *, most_keys: int = MOST_KEYS) -> Any:
    """Return the value of a JSON text, whose objects have at most ``most_keys`` keys.

    Raises
    ------
    ParameterError
        If it is no such text, an object has a key twice, or a number is none of JSON, or something is too long or deep:
        a :class:`Malformed` where the line is known.
    """
    if isinstance(text, bytes):
        text = decoded(text, "JSON", json.detect_encoding(text))
    if not text.strip():
        raise ParameterError("not JSON: it is empty")
    try:
        value = json.loads(
            text, object_pairs_hook=functools.partial(_object, most_keys), parse_constant=_constant, parse_int=_integer
        )
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # Half of a pair of surrogates cannot be written.
        return value
    except ParameterError:
        raise
    except UnicodeEncodeError:
        raise ParameterError("not JSON: half of a surrogate pair is not a character") from None
    except RecursionError:
        raise ParameterError("not JSON: it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise _malformed(error) from None
    except ValueError as error:
        raise ParameterError(f"not JSON: {error}") from None


def read_json(path: Path, make: Callable[[Any], _Made], *, most: int, what: str, most_keys: int = MOST_KEYS) -> _Made:
    """Return what ``make`` makes of the value of a JSON file; ``most`` and ``what`` are those of :func:`read_bytes`.

    Raises
    ------
    ParameterError
        If it is too large or malformed, or ``make`` refuses its value: the message begins with the path.
    OSError
        If there is no such file, or it cannot be read.
    """
    content = read_bytes(path, most=most, what=what)
    with within(path):
        return make(parse_json(content, most_keys=most_keys))


def _malformed(error: json.JSONDecodeError) -> Malformed:
    """The error of Python's reader in plain words."""
    place = error.pos + error.msg.startswith("Illegal trailing comma")  # since Python 3.13, which points to the comma
    before, rest = error.doc[:place].rstrip(), error.doc[place:].lstrip()
    line = error.doc.count("\n", 0, len(error.doc) - len(rest) if rest else len(before)) + 1
    if not before:
        return Malformed(f"not JSON: it must begin with {{ or [, not with {found(rest)}", line)
    if before.endswith(",") and rest[:1] in ("]", "}"):
        return Malformed("not JSON: no comma may stand before a closing bracket", line)
    for begins, message in _REFUSED.items():
        if error.msg.startswith(begins):
            return Malformed(f"not JSON: {message}", error.lineno)
    wanted = next((words for begins, words in _WANTED.items() if error.msg.startswith(begins)), error.msg)
    return Malformed(f"not JSON: {wanted} must follow, not {found(rest)}", line)


def _object(most_keys: int, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ParameterError(f"key {_shortened(key)} must occur once, not twice")
    if len(value) > most_keys:
        raise ParameterError(f"an object must have at most {most_keys:,} keys, not {len(value):,}")
    return value


def _constant(name: str) -> None:
    raise ParameterError(f"not JSON: {name} is not a number")


def _integer(digits: str) -> int:
    if len(digits) > MOST_CHARACTERS:
        raise ParameterError(f"an integer must have at most {MOST_CHARACTERS} characters, not {len(digits)}")
    return int(digits)


def _shortened(key: str) -> str:
    return json.dumps(key if len(key) <= 200 else f"{key[:200]}...")
