"""Yosys, run in a child process: an error in it ends the process that it runs in."""

import subprocess
import sys

__all__ = ["YosysError", "run_yosys"]


class YosysError(RuntimeError):
    """Yosys gave up; the message is its own."""


_CHILD = """\
import sys
from pyosys import libyosys
design = libyosys.Design()
for command in sys.stdin.read().splitlines():
    libyosys.run_pass(command, design)
"""


def run_yosys(commands):
    """Runs Yosys commands, one a string, and returns what Yosys printed.

    Raises
    ------
    YosysError
        If a command failed.
    """
    result = subprocess.run([sys.executable, "-c", _CHILD], input="\n".join(commands), text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        errors = [line for line in result.stdout.splitlines() if "ERROR" in line]
        raise YosysError(errors[-1] if errors else result.stdout.strip() or "Yosys ended without a word")
    return result.stdout
