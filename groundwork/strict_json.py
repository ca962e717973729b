"""JSON of which nothing is left to the reader: what two programs could read differently is refused."""

from collections import Counter
from collections.abc import Callable, Iterator
import functools
import json
from typing import Any

from fatcube.groundwork.validation import ParameterError

__all__ = ["Rows", "parse_json"]


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
        If it is no such text, an object has a key twice, or a number is none of JSON, or something is too long or deep.
    """
    if not text.strip():
        raise ParameterError("not JSON: it is empty")
    try:
        value = json.loads(
            text, object_pairs_hook=functools.partial(_object, most_keys), parse_constant=_constant, parse_int=_integer
        )
        if "\\u" in (text.decode() if isinstance(text, bytes) else text):
            json.dumps(value, ensure_ascii=False).encode()  # Half of a pair of surrogates cannot be written.
        return value
    except ParameterError:
        raise
    except UnicodeEncodeError:
        raise ParameterError("not JSON: half of a surrogate pair is not a character") from None
    except RecursionError:
        raise ParameterError("not JSON: it is nested too deeply") from None
    except ValueError as error:
        raise ParameterError(f"not JSON: {error}") from None


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
