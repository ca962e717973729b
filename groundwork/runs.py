"""The name of a run, by which all processes of one command know what belongs to it."""

import os
import socket
import time

__all__ = ["RUN", "run_name", "stale"]


#: The environment variable that tells the processes of a run its name.
RUN = "FATCUBE_RUN"


def run_name() -> str:
    """The name of this run: the same in all processes of one command, and in no other run on any machine."""
    return os.environ.setdefault(RUN, f"{os.getpid()}-{time.time_ns():x}-{socket.gethostname()}")


def stale(name: str) -> bool:
    """Return whether ``name`` is the name of a run on this machine that has ended; of those on others nobody here knows."""
    process, _, host = (*name.split("-", 2), "", "")[:3]
    here = host == socket.gethostname() and os.path.exists("/proc/self")
    return here and process.isdecimal() and not os.path.exists(f"/proc/{process}")
