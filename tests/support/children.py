"""Processes that tests start and signal, and what tests wait for.

A test run in the background of a shell ignores SIGINT and SIGQUIT, and what it starts would ignore them too. So every
process that a test signals is started here (`tests/test_house.py` checks that), with the signals of one in the foreground.
"""

import contextlib
import subprocess
import sys
import time

__all__ = ["HANG", "child", "start", "until"]


#: Seconds after which what a test waits for counts as hanging. Nothing else depends on it: it ends a test that fails.
HANG = 300

# A program and no `preexec_fn`, which is not safe where there are threads, as there are under pytest-xdist. Python
# itself ignores SIGPIPE, and a process that it starts would do so too.
_FOREGROUND = """
import os, signal, sys
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_SETMASK, ())
os.execvp(sys.argv[1], sys.argv[1:])
"""


def start(*command, **options):
    """Start a command, no signal of which is ignored or blocked; returns a :class:`subprocess.Popen`."""
    return subprocess.Popen([sys.executable, "-I", "-S", "-c", _FOREGROUND, *map(str, command)], **options)


@contextlib.contextmanager
def child(*command, **options):
    """The process of :func:`start`, killed in the end if it still runs."""
    with start(*command, **options) as process:
        try:
            yield process
        finally:
            process.kill()


def until(condition, process=None):
    """Wait until ``condition()`` is true, and return what it returns; ``process``, if given, must not end before that."""
    deadline = time.monotonic() + HANG
    while not (found := condition()):
        assert process is None or process.poll() is None, f"ended before that: {process.communicate()}"
        assert time.monotonic() < deadline, f"not within {HANG} s"
        time.sleep(0.01)
    return found
