"""Tracebacks in the log of cocotb, without the frames of the kit: a failure of a test shows the lines of the test."""

import logging
from types import TracebackType

__all__ = ["hide_frames"]

_LOG = "cocotb.regression"
_HIDE = "__tracebackhide__"


def hide_frames() -> None:
    """Leave frames of modules that have ``__tracebackhide__``, as pytest calls it, out of cocotb's log from now on."""
    log = logging.getLogger(_LOG)
    if _without_hidden not in log.filters:
        log.addFilter(_without_hidden)


def _without_hidden(record: logging.LogRecord) -> bool:
    """Shorten the traceback of a record; it is printed in any case."""
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else record.exc_info
    if isinstance(error, BaseException):
        error = error.with_traceback(_shown(error.__traceback__))
        record.exc_info = type(error), error, error.__traceback__
    return True


def _shown(frames: TracebackType | None) -> TracebackType | None:
    """The traceback without hidden frames."""
    if frames is None:
        return None
    inner = _shown(frames.tb_next)
    scopes = frames.tb_frame.f_locals, frames.tb_frame.f_globals
    if any(scope.get(_HIDE) for scope in scopes):
        return inner
    return TracebackType(inner, frames.tb_frame, frames.tb_lasti, frames.tb_lineno)
