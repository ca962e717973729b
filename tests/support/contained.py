"""Runs a command, and ends whatever it has started when it ends: `python -m tests.support.contained COMMAND...`

The Makefile starts everything with it that starts processes of its own. SIGTERM, which make hands on, ends the command;
Ctrl-C comes to the command from the terminal. Either way, or if another process ends the command, no process is left that
it started, directly or not, in whatever session; and its temporary files go. The exit status is that of the command.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import tempfile

import psutil

_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux: orphans of our children become children of ours


def _end_all():
    """Kill every process below this one, and those that they start meanwhile."""
    while found := psutil.Process().children(recursive=True):
        for process in found:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(found)


def main():
    """Run the command line's command; returns its exit status, as a shell has it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    process, ended = None, []

    def end(number, frame):
        ended.append(number)
        if process is not None:
            process.send_signal(number)

    signal.signal(signal.SIGTERM, end)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda number, frame: None)
    with tempfile.TemporaryDirectory(prefix="fatcube-run-", ignore_cleanup_errors=True) as folder:
        # What pytest keeps of the last runs stays where it was.
        kept = {"PYTEST_DEBUG_TEMPROOT": os.environ.get("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())}
        process = subprocess.Popen(sys.argv[1:], env={**os.environ, **kept, "TMPDIR": folder})
        if ended:
            process.send_signal(signal.SIGTERM)
        try:
            status = process.wait()
        finally:
            _end_all()
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
