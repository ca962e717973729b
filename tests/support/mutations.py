"""Small errors put into the sources, one at a time, each of which a quick test must find.

    python -m tests.support.mutations
    python -m tests.support.mutations --only credits --count 20
    python -m tests.support.mutations --only credits --list

Each mutant stands in a copy of the sources, with a cache of its own, and meets the tests that `make test` runs of its
file; ``mutations.toml`` says which these are. One that they all pass has survived: either a test is missing, or the
program does the same with it, which ``mutations.toml`` then has to say with the reason. Such equivalents are no mutants,
and what is said there of a line that is no more is an error. The exit status is 1 if too few are killed.

The choice is random and repeatable: it depends on the seed and on the changed lines, and not on the others.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
import contextlib
import dataclasses
import json
import os
from pathlib import Path
import queue
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from typing import Any

from tests.support.asleep import Watch, of_session
from tests.support.mutants import Mutant, mutants_of

__all__ = ["Copy", "Table", "chosen", "main", "output_of"]


ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_suffix(".toml")
LEAST = 0.96
"""The part of the mutants that must be killed."""
QUICK = "not grid and not long and not prove"
"""The tests that `make test` runs."""
_MEMORY = 8 << 30  # bytes of a process: a mutant must not take the machine's


@dataclasses.dataclass(frozen=True)
class Table:
    """The files to mutate.

    Members
    -------
    tests : dict
        For each file the files of tests that it meets, both relative to the root.
    equivalents : dict
        For each mutant, by path and by the lines before and after, why the program does the same with it.
    """

    tests: dict[str, list[str]]
    equivalents: dict[tuple[str, str, str], str]

    @classmethod
    def read(cls, path: Path) -> "Table":
        """The table in a TOML file."""
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        equivalents = {}
        for path_of, entries in content.get("equivalent", {}).items():
            for entry in entries:
                if not entry["reason"].strip():
                    raise ValueError(f"equivalent mutant of {path_of} must have a reason: {entry['after']}")
                equivalents[path_of, entry["before"], entry["after"]] = entry["reason"]
        return cls(content["tests"], equivalents)

    def candidates(self, root: Path, paths: Iterable[str]) -> dict[str, list[Mutant]]:
        """All mutants of each of these files, without the equivalents.

        Raises
        ------
        ValueError
            If an equivalent is none of the mutants.
        """
        found = {path: mutants_of(path, (root / path).read_bytes()) for path in paths}
        known = {(mutant.path, mutant.before, mutant.after) for mutants in found.values() for mutant in mutants}
        for path, before, after in self.equivalents:
            if path in found and (path, before, after) not in known:
                raise ValueError(f"equivalent mutant of {path} must be one of its mutants, not {before!r} -> {after!r}")
        return {
            path: [one for one in mutants if (path, one.before, one.after) not in self.equivalents]
            for path, mutants in found.items()
        }


def chosen(candidates: dict[str, list[Mutant]], count: int, seed: int) -> list[Mutant]:
    """A choice among the mutants: of each file in proportion to the square root of how many it has, but at least one."""
    weights = {path: len(mutants) ** 0.5 for path, mutants in candidates.items() if mutants}
    total, taken = sum(weights.values()), Counter[str]()
    for _ in range(min(count, sum(map(len, candidates.values())))):
        open_ones = [path for path in weights if taken[path] < len(candidates[path])]
        taken[max(open_ones, key=lambda path: weights[path] / total * count - taken[path])] += 1
    return [
        mutant
        for path in candidates
        for mutant in sorted(candidates[path], key=lambda mutant: mutant.order(seed))[: taken[path]]
    ]


class Copy:
    """A copy of the sources in which tests run, and which no run leaves changed.

    Members
    -------
    output : str
        What the tests printed in the last run.
    """

    def __init__(self, root: Path, folder: Path, *, options: Sequence[str] = ("-x", "-m", QUICK)) -> None:
        self._root, self._folder, self._options = root, folder / "sources", options
        self._scratch = folder / "scratch"
        self._process: subprocess.Popen[bytes] | None = None
        self.stopped = False
        shutil.copytree(
            root, self._folder, symlinks=True, ignore=shutil.ignore_patterns(".*", "__pycache__", "build", "dist")
        )

    def run(self, tests: Sequence[str], *, mutant: Mutant | None = None, seconds: float = 3600) -> tuple[str, float]:
        """How the tests end, "passed", "failed", "timeout" or "no tests", and the seconds that they took."""
        with contextlib.ExitStack() as stack:
            if mutant is not None:
                stack.enter_context(self._changed(mutant))
            # Nothing of one run is there for another one: results, examples of failures, temporary files.
            self._scratch.mkdir()
            stack.callback(shutil.rmtree, self._scratch, ignore_errors=True)
            return self._pytest(tests, seconds, keep_compiled=mutant is None)

    def stop(self) -> None:
        """End the tests that run, and run no more."""
        self.stopped = True
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    @contextlib.contextmanager
    def _changed(self, mutant: Mutant) -> Iterator[None]:
        file = self._folder / mutant.path
        whole = file.read_bytes()
        # A compiled module is known by second and size of its source, which a mutant may share.
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
            compiled.unlink()
        file.write_bytes(mutant.applied_to(whole))
        try:
            yield
        finally:
            file.write_bytes(whole)

    def _pytest(self, tests: Sequence[str], seconds: float, *, keep_compiled: bool) -> tuple[str, float]:
        command = [sys.executable, "-m", "pytest", *self._options, "-q", "-p", "no:cacheprovider", "-W", "ignore"]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self._folder),
            "FATCUBE_CACHE": str(self._scratch / "cache"),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self._scratch / "examples"),
            "TMPDIR": str(self._scratch),
            "PYTHONHASHSEED": "0",
            "COLUMNS": "1000",  # names of tests are written whole
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        if not keep_compiled:
            environment["PYTHONDONTWRITEBYTECODE"] = "1"

        def limit() -> None:
            # Processor time, as others may have the machine; it is that of each process by itself.
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.RLIM_INFINITY))

        begin = time.monotonic()
        with subprocess.Popen(
            [*command, *tests],
            cwd=self._folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limit,
        ) as process:
            self._process = process
            try:
                if self.stopped:
                    return "stopped", 0.0
                output = output_of(process, seconds)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                self._process = None
        took = time.monotonic() - begin
        if output is None or process.returncode == -signal.SIGXCPU:
            return "timeout", took
        self.output = output.decode(errors="replace")
        return {0: "passed", 5: "no tests"}.get(process.returncode, "failed"), took


def output_of(process: "subprocess.Popen[bytes]", seconds: float) -> bytes | None:
    """The output of a session until it ends, or ``None`` if all of it has slept for ``seconds``, as in a deadlock.

    A process that waits for the processor, as others have it, does not sleep.
    """
    watch = Watch(lambda: of_session(process.pid))
    while True:
        try:
            return process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            if watch.asleep(seconds):
                return None


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The fate of a mutant, ``failed``, ``timeout`` or ``passed``, and the seconds that it took."""

    mutant: Mutant
    ending: str
    seconds: float

    @property
    def killed(self) -> bool:
        """Whether a test has found it."""
        return self.ending != "passed"

    def to_json(self) -> dict[str, Any]:
        """The outcome as it stands in a record."""
        mutant = self.mutant
        return {
            **{name: getattr(mutant, name) for name in ("path", "line", "before", "after")},
            "outcome": self.ending,
            "seconds": round(self.seconds, 1),
        }


def _meet(root: Path, table: Table, mutants: Sequence[Mutant], jobs: int) -> Iterator[Outcome]:
    """The fate of each mutant, in the order in which it is known.

    Raises
    ------
    RuntimeError
        If the tests fail without any mutant.
    """
    with tempfile.TemporaryDirectory(prefix="fatcube-mutants-") as name:
        every = [Copy(root, Path(name) / str(job)) for job in range(jobs)]
        copies: queue.SimpleQueue[Copy] = queue.SimpleQueue()
        for copy in every:
            copies.put(copy)
        outcomes: queue.SimpleQueue[Outcome | BaseException] = queue.SimpleQueue()

        def of_file(path: str) -> None:
            copy = copies.get()
            try:
                ending, took = copy.run(table.tests[path])
                if ending != "passed":
                    raise RuntimeError(f"tests of {path} must pass without a mutant, and {ending}:\n{copy.output}")
                for mutant in mutants:
                    if mutant.path == path and not copy.stopped:
                        ended = copy.run(table.tests[path], mutant=mutant, seconds=20 + 3 * took)
                        outcomes.put(Outcome(mutant, *ended))
            except BaseException as error:
                outcomes.put(error)
            finally:
                copies.put(copy)

        paths = list(dict.fromkeys(mutant.path for mutant in mutants))
        with ThreadPoolExecutor(jobs) as workers:
            try:
                for path in paths:
                    workers.submit(of_file, path)
                for _ in mutants:
                    outcome = outcomes.get()
                    if isinstance(outcome, BaseException):
                        raise outcome
                    yield outcome
            finally:
                # Also after Ctrl-C or SIGTERM nothing runs on.
                for copy in every:
                    copy.stop()
                workers.shutdown(cancel_futures=True)


def _shown(mutant: Mutant) -> str:
    return f"    {mutant.path}:{mutant.line}\n    - {mutant.before}\n    + {mutant.after}"


def _report(outcomes: Sequence[Outcome], equivalents: int) -> list[str]:
    """The lines that say how many were killed of each file and in all, and which were not."""
    lines = ["", "survivors:" if not all(one.killed for one in outcomes) else "no survivors"]
    lines += [_shown(one.mutant) for one in outcomes if not one.killed]
    lines.append("")
    for path in dict.fromkeys(one.mutant.path for one in outcomes):
        of_file = [one for one in outcomes if one.mutant.path == path]
        lines.append(f"{sum(one.killed for one in of_file):4} of {len(of_file):3}  {path}")
    killed = sum(one.killed for one in outcomes)
    by_time = sum(one.ending == "timeout" for one in outcomes)
    lines.append(
        f"{killed:4} of {len(outcomes):3}  killed, {killed / len(outcomes):.1%}; at least {LEAST:.0%} must be "
        f"({by_time} by their time; not counted: {equivalents} that the table says are equivalent)"
    )
    return lines


def main(arguments: Iterable[str] | None = None) -> int:
    """Run the command; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.mutations", description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="of the choice of mutants (%(default)s)")
    parser.add_argument("--count", type=int, default=300, help="mutants (%(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only files that have this in their path")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time (%(default)s)")
    parser.add_argument("--list", action="store_true", help="show the mutants, and run nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what became of each mutant")
    parser.add_argument("--root", type=Path, default=ROOT, help="the sources, if not these")
    parser.add_argument("--table", type=Path, default=TABLE, help="the files and their tests, if not mutations.toml")
    given = parser.parse_args(None if arguments is None else list(arguments))

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    table = Table.read(given.table)
    candidates = table.candidates(given.root, [path for path in table.tests if given.only in path])
    mutants = chosen(candidates, given.count, given.seed)
    if not mutants:
        parser.error(f"--only must be part of the path of a file in the table, not {given.only!r}")
    if given.list:
        print("\n".join(map(_shown, mutants)))
        return 0
    outcomes = []
    for number, outcome in enumerate(_meet(given.root, table, mutants, given.jobs), 1):
        outcomes.append(outcome)
        how = {"failed": "killed", "timeout": "killed by its time", "passed": "SURVIVED"}.get(
            outcome.ending, outcome.ending
        )
        print(f"{number:3} of {len(mutants)}  {outcome.seconds:5.1f} s  {how}", flush=True)
        print(_shown(outcome.mutant), flush=True)
    outcomes.sort(key=lambda one: mutants.index(one.mutant))
    equivalents = sum(path in candidates for path, _, _ in table.equivalents)
    print("\n".join(_report(outcomes, equivalents)))
    if given.json:
        given.json.write_text(json.dumps([one.to_json() for one in outcomes], indent=1) + "\n", encoding="utf-8")
    return int(sum(one.killed for one in outcomes) < LEAST * len(outcomes))


if __name__ == "__main__":
    sys.exit(main())
