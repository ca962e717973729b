"""Texts that are not of their format, and the file and line of what is wrong."""

from collections.abc import Iterator
import contextlib
from pathlib import Path

from fatcube.groundwork.validation import ParameterError

__all__ = ["Malformed", "decoded", "found", "within"]


_MOST = 20  # characters of a text that a message repeats


class Malformed(ParameterError):
    """A text is not of its format.

    Attributes
    ----------
    line : :class:`int`
        The line of the text, counted from 1.
    """

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@contextlib.contextmanager
def within(path: Path | str) -> Iterator[None]:
    """Let the message of a :class:`ParameterError` begin with a path and, for what is malformed, its line."""
    try:
        yield
    except Malformed as error:
        raise ParameterError(f"{path}, line {error.line}: {error}") from None
    except ParameterError as error:
        raise ParameterError(f"{path}: {error}") from None


def found(text: str) -> str:
    """The beginning of a text behind the word "not" of a message: its first word, or that nothing is there."""
    words = text.split(maxsplit=1)
    return repr(words[0] if len(words[0]) <= _MOST else f"{words[0][:_MOST]}...") if words else "the end of the file"


def decoded(content: bytes, kind: str, encoding: str = "utf-8-sig") -> str:
    """The text of a file, a byte order mark left out; ``kind`` is its format.

    Raises
    ------
    Malformed
        If it is not in this encoding.
    """
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line, name = content.count(b"\n", 0, error.start) + 1, encoding.upper().removesuffix("-SIG")
        raise Malformed(f"not {kind}: it must be text in {name}, which byte {error.start + 1:,} is not", line) from None
