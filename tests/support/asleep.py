"""Whether threads sleep, as in a deadlock. A thread that waits for the processor, as others have it, does not."""

import contextlib
import os
from pathlib import Path

import psutil

__all__ = ["Watch", "of_family", "of_session", "of_this_thread"]


class Watch:
    """Says of some threads whether they have slept since it was last asked.

    Parameters
    ----------
    threads : callable
        Returns the folders of the threads in ``/proc``.
    """

    def __init__(self, threads):
        self._threads = threads
        self._before = {}

    def asleep(self, seconds):
        """Whether none of them has had, or waited for, the processor for a hundredth of so many seconds."""
        before, self._before = self._before, self._wanted()
        return all(wanted - before.get(thread, 0) < 1e7 * seconds for thread, wanted in self._before.items())

    def _wanted(self):
        """For each thread the nanoseconds that it has had the processor, or waited while others had it."""
        found = {}
        for thread in self._threads():
            with contextlib.suppress(OSError):  # of one that has ended
                found[thread.name] = sum(map(int, (thread / "schedstat").read_text().split()[:2]))
        return found


def of_session(session):
    """The threads of all processes of a session."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.getsid(int(process.name)) == session:
                yield from (process / "task").iterdir()


def of_family(process):
    """The threads of a process and of all that it has started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        yield from _threads(process)
        for child in psutil.Process(process).children(recursive=True):
            yield from _threads(child.pid)


def of_this_thread():
    """The main thread of this process, and those of the processes that it has started."""
    here = os.getpid()
    yield Path(f"/proc/{here}/task/{here}")
    for child in psutil.Process().children(recursive=True):
        yield from _threads(child.pid)


def _threads(process):
    with contextlib.suppress(OSError):
        yield from Path(f"/proc/{process}/task").iterdir()
