"""An orderly end: Ctrl-C and SIGTERM end a command, all that it started and all that it left, within two seconds.

First the code that runs is interrupted as Python does it, so that it can tidy up. What has not ended after a second
(a solver, a pool of processes, a cluster) is ended from outside: every descendant is killed, everything temporary is
removed, and the process exits. Results are whole in either case, since they are written aside and renamed.
"""

# Modules that are not needed to look after signals are imported later: before that, Ctrl-C ends in a traceback of Python's.
from collections.abc import Iterator
import contextlib
import os
import signal
import sys
import threading
import time
from types import FrameType

from fatcube.groundwork.runs import RUN, run_name

__all__ = ["held", "keep", "orderly", "remove_at_end", "say_interrupted", "signalled"]


_GRACE = 1.0  # seconds in which what is interrupted may tidy up, of the two that the end may take
_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_received: int | None = None
_said = False
_ending = threading.Lock()
_removed_at_end: set[str] = set()
_scratch: str | None = None


@contextlib.contextmanager
def orderly() -> Iterator[None]:
    """Within it, SIGINT and SIGTERM end the process in good order, with exit status 128 + the signal's number.

    Temporary files of this process and of its children go into a folder that is removed at the end. For the
    outermost level of a command only: the process does not survive the signal.
    """
    global _scratch
    try:
        # A signal waits meanwhile: it would leave behind the file with which tempfile tries a folder.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            import tempfile

            folder = tempfile.gettempdir()
            reader = _install()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)  # From here on a signal can come at any place.
        threading.Thread(target=_watch, args=[reader], daemon=True).start()
        os.environ.pop(RUN, None)  # a run of its own, also if another one started it
        # Its name is known before it is there: what is removed at the end is this folder, or nothing.
        _scratch = os.path.join(folder, f"fatcube-{run_name()}")
        os.mkdir(_scratch, 0o700)
        tempfile.tempdir = os.environ["TMPDIR"] = _scratch
        yield
    finally:
        if signalled():
            _end()  # Whatever comes out after a signal comes of it: of an import, say, that an interrupt broke.
        _tidy()


def signalled() -> bool:
    """Return whether a signal has asked this process to end."""
    return _received is not None


def say_interrupted() -> None:
    """Say in one line on standard error that the command was interrupted; once only."""
    global _said
    if not _said:
        _said = True
        _say(2)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Hold SIGINT back, so that threads and processes started meanwhile never see Ctrl-C: they are ended from here."""
    # If multiprocessing started this process of its own meanwhile, it would let SIGINT through again.
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def remove_at_end(*paths: object) -> None:
    """Have files removed if the process ends before :func:`keep` is called for them, by a signal too."""
    _removed_at_end.update(map(str, paths))


def keep(*paths: object) -> None:
    """Keep files that :func:`remove_at_end` was called for, or have removed already."""
    _removed_at_end.difference_update(map(str, paths))


def _install() -> int:
    """Look after the signals; returns the file that the number of each can be read from."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    # The byte is written by the C handler, at once, even while the main thread is in a call that does not return.
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number in _SIGNALS:
        # A signal that was ignored at the start (by nohup, or in the background of a shell) is ignored further.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    if sys.platform == "linux":
        # Orphans of our children become children of ours: a compiler, say, whose make was killed.
        import ctypes

        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    return reader


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _received
    if signalled():
        return  # It ends already, and interrupting it again would keep it from tidying up.
    _received = number
    _last_words()
    raise KeyboardInterrupt


def _last_words() -> None:
    """Say that the process ends, and suppress all further output: errors on the way out are of no use to anybody."""
    global _said
    if not _said:
        _said = True
        shown, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        _say(shown)
        os.close(shown)
        os.close(nowhere)


def _say(file: int) -> None:
    # A spinner has hidden the cursor, and stands in the line.
    before = b"\r\x1b[2K\x1b[?25h" if os.isatty(file) else b""
    with contextlib.suppress(OSError):
        os.write(file, before + b"fatcube: interrupted\n")


def _watch(reader: int) -> None:
    """End the process if the main thread does not do so itself."""
    global _received
    while (number := os.read(reader, 1)[0]) not in _SIGNALS:
        pass
    time.sleep(_GRACE)
    if _received is None:
        _received = number  # The main thread has not come to see it.
    _end()


def _end() -> None:
    """Exit, with all that was started, without asking anything that could wait."""
    with _ending:
        _last_words()
        _kill_descendants()
        _tidy()
        os._exit(128 + (_received or signal.SIGINT))


def _kill_descendants() -> None:
    import psutil

    for _ in range(10):
        found = psutil.Process().children(recursive=True)
        # All stand still before the first dies, so that none mourns or replaces another.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for process in found:
                with contextlib.suppress(psutil.Error):
                    process.send_signal(number)
        if not psutil.wait_procs(found, timeout=0.05)[1] and not psutil.Process().children(recursive=True):
            return


def _tidy() -> None:
    """Remove what is temporary, and what of the cache is not finished."""
    import shutil

    from fatcube.groundwork.cache import remove_unfinished

    with contextlib.suppress(OSError):
        remove_unfinished(run_name())
    for path in list(_removed_at_end):
        with contextlib.suppress(OSError):
            os.unlink(path)
    if _scratch is not None:
        shutil.rmtree(_scratch, ignore_errors=True)
