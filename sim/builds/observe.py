"""Runs of a testbench on a simulator, in a process of its own, and what it has read."""

from collections.abc import Callable, Iterator, Sequence
import contextlib
import json
from pathlib import Path
import tempfile
import threading
from typing import Any, Protocol, TypeAlias

from fatcube.groundwork.files import copy_file
from fatcube.groundwork.progress import Bar
from fatcube.rtl.router_counters import COUNTERS
from fatcube.sim.builds.build import Build
from fatcube.sim.builds.job import Job, JobRun, Observation

__all__ = ["Bench", "Observer", "observe"]


Observer: TypeAlias = Callable[[Sequence[JobRun], Sequence[str]], list[Observation]]
"""Carries out runs somewhere, and observes them; the second are the outputs of the system that are read at their ends."""


class Bench(Protocol):
    """A machine that stands somewhere, and is measured there instead of on a simulator."""

    @property
    def machine(self) -> Any:
        """The machine."""
        ...

    def observe(self, runs: Sequence[JobRun], ends: Sequence[str], /) -> list[Observation]:
        """As an :data:`Observer`."""
        ...


_LOOK = 0.5  # seconds


def observe(
    built: Build,
    runs: Sequence[JobRun],
    *,
    ends: Sequence[str],
    waves: Path | None = None,
    waves_of: Sequence[int] = (),
) -> list[Observation]:
    """The observations of all runs, one after the other on one simulator.

    Parameters
    ----------
    built : :class:`Build`
    runs : list of :class:`JobRun`
    ends : list of :class:`str`
        The outputs of the system that are read at the end of a run.
    waves : path or ``None``
        A VCD file for the waves of all runs.
    waves_of : list of :class:`int`
        The nodes that are in it.

    Raises
    ------
    RuntimeError
        If the simulation ends with an error.
    """
    with tempfile.TemporaryDirectory(prefix="fatcube-") as name:
        folder = Path(name)
        results = folder / "results.jsonl"
        job: Job = {
            "nodes": built.nodes,
            "ends": list(ends),
            "counters": list(COUNTERS),
            "lanes": built.lanes,
            "waves": waves and {"file": str(folder / "waves.vcd"), "nodes": list(waves_of)},
            "results": str(results),
            "runs": list(runs),
        }
        (folder / "job.json").write_text(json.dumps(job))
        what = f"running {len(runs)} run{'s' if len(runs) > 1 else ''} on the {built.machine.network.name}"
        with Bar(what, len(runs)) as bar, _counted(results, bar):
            built.run("fatcube.sim.builds.testbench", folder, {"FATCUBE_JOB": str(folder / "job.json")})
        if waves is not None:
            copy_file(folder / "waves.vcd", waves)
        observations = [Observation(**json.loads(line)) for line in results.read_text().splitlines()]
        assert len(observations) == len(runs), f"{len(observations)} of {len(runs)} runs were observed"
        return observations


@contextlib.contextmanager
def _counted(results: Path, bar: Bar) -> Iterator[None]:
    """Within it, the bar counts the lines of a file."""
    ended = threading.Event()

    def count() -> None:
        lines = 0
        while not ended.wait(_LOOK):
            if results.exists():
                now = results.read_bytes().count(b"\n")
                for _ in range(now - lines):
                    bar.advance()
                lines = now

    thread = threading.Thread(target=count, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
