"""Whole commands, in processes of their own."""

from collections.abc import Sequence
import os
import shutil
import subprocess
import sys
import time

from experiments.benchmarks.rows import Command
from fatcube.groundwork.cache import cache_folder

__all__ = ["command"]


def command(
    name: str, processors: int, arguments: Sequence[str], *, fresh: str | None = None, keep: bool = False
) -> Command:
    """Run the command line in a child process; return its time and the memory of its largest process."""
    environment = dict(os.environ)
    if fresh is not None:
        folder = cache_folder() / fresh
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
        environment["FATCUBE_CACHE"] = str(folder)
    code = (
        "import resource, subprocess, sys; "
        "subprocess.run([sys.executable, '-m', 'fatcube', *sys.argv[1:]], check=True, stdout=subprocess.DEVNULL, "
        "stderr=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    began, start = time.time(), time.monotonic()
    output = subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, env=environment, capture_output=True, text=True
    ).stdout
    row = Command(
        network=name,
        processors=processors,
        seconds=time.monotonic() - start,
        began=began,
        megabytes=int(output) / 1024,
    )
    print(row.to_json(), flush=True)
    return row
