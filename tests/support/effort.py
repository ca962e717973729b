"""The cost of a computation, counted and not timed, so that it is the same on every machine."""

import contextlib
import sys

__all__ = ["TooMuch", "at_most"]


class TooMuch(BaseException):
    """More was called than may be; not an exception that anything of fatcube's catches."""


@contextlib.contextmanager
def at_most(calls):
    """Within it, this thread may make so many calls of functions, Python's own and resumed generators among them."""
    left = calls

    def count(frame, event, argument):
        nonlocal left
        left -= event in ("call", "c_call")
        if left < 0:
            raise TooMuch(f"more than {calls} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)
