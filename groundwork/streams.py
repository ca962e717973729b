"""Standard streams that a command can rely on: none is closed, any text can be printed, and errors say which it was."""

import codecs
import io
import os
import sys

__all__ = ["NAMES", "prepare_streams"]


NAMES = {1: "standard output", 2: "standard error"}
_SPELT = {"µ": "u", "μ": "u", "τ": "tau", "×": "x", "±": "+-", "…": "...", "–": "-", "≤": "<=", "≥": ">="}
_HANDLER = "fatcube-spelt"


class _Named(io.FileIO):
    """A standard stream whose errors have its name, as those of files do."""

    def write(self, content: object, /) -> int | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        try:
            return super().write(content)  # pyright: ignore[reportArgumentType]
        except OSError as error:
            number = error.errno or 0
            raise OSError(number, os.strerror(number), NAMES[self.fileno()]) from None


def prepare_streams() -> None:
    """Open what is closed of the standard streams, and let both outputs print any character, spelt out if need be."""
    codecs.register_error(_HANDLER, _spelt)
    for number, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is this one. Otherwise the next file that is opened would get what is printed.
            os.open(os.devnull, mode)
            os.set_inheritable(number, True)
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, closefd=False)
    for name, number in (("stdout", 1), ("stderr", 2)):
        encoding = getattr(getattr(sys, name), "encoding", None) or "utf-8"
        setattr(sys, name, _opened(number, encoding))


def _opened(number: int, encoding: str) -> io.TextIOWrapper:
    raw = _Named(number, "w", closefd=False)
    at_once = number == 2 or raw.isatty()
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, _HANDLER, line_buffering=at_once)


def _spelt(error: UnicodeError) -> tuple[str, int]:
    """The replacement of characters that an encoding does not have."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(_SPELT.get(one, "?") for one in error.object[error.start : error.end]), error.end
