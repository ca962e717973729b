"""The name of a run, by which all processes of one command know what belongs to it."""

import os
import time

__all__ = ["RUN", "run_name", "stale"]


#: The environment variable that tells the processes of a run its name.
RUN = "FATCUBE_RUN"


def run_name() -> str:
    """The name of this run: the same in all processes of one command, and in no other run."""
    return os.environ.setdefault(RUN, f"{os.getpid()}-{time.time_ns():x}")


def stale(name: str) -> bool:
    """Return whether ``name`` is the name of a run that has ended."""
    process = name.partition("-")[0]
    return process.isdecimal() and not os.path.exists(f"/proc/{process}") and os.path.exists("/proc/self")
