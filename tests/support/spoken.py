"""Progress that is said at once, by no thread and by no clock: what a command says is the same on every machine."""

import contextlib
import sys

from fatcube.groundwork import progress

__all__ = ["AtOnce", "say_at_once", "say_beforehand"]


class AtOnce:
    """Lines of progress as they are due where there is no patience, the outer ones too, in place of those of a pipe."""

    @contextlib.contextmanager
    def about(self, what):
        """Say what is being done, and then whatever it is changed to."""
        self._say(what)
        yield self._say

    def _say(self, what):
        print(f"fatcube: {what}", file=sys.stderr, flush=True)


def say_at_once(monkeypatch):
    """Have all progress said in a test."""
    monkeypatch.delenv("FATCUBE_QUIET")
    monkeypatch.setattr(progress, "_lines", AtOnce())


def say_beforehand(monkeypatch):
    """Have said in a test how long a command is going to take, and not what it does then."""
    say_at_once(monkeypatch)
    monkeypatch.setattr(AtOnce, "_say", lambda self, what: None)
