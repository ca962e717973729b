"""The tests of what is changed, the nearest first, as far as a minute of processor time goes: `make quick`.

    python -m tests.support.quick
    python -m tests.support.quick --since main --list
    python -m tests.support.quick rtl/router.py --budget 20

What is near a file says ``reach.py``. Tests that are changed themselves come first; of those that are equally near, those of
the file's room, and then the cheap ones. What a test costs is what it did in the last whole run, or as ``test_costs.json`` has it, which ``--store``
writes from that run; simulators that are built again come on top. A file that is too dear is left out with all that
come after it; of the nearest ones that are too dear, only the dearest tests are.
"""

import argparse
from collections import defaultdict
from collections.abc import Collection, Sequence
import dataclasses
import json
import os
from pathlib import Path
import subprocess
import sys

from tests.support.costs import RECORD
from tests.support.mutations import QUICK
from tests.support.reach import Reach

__all__ = ["BUDGET", "Choice", "Prices", "choose", "main", "nearest"]


ROOT = Path(__file__).resolve().parents[2]
STORED = Path(__file__).with_name("test_costs.json")
BUDGET = 60.0
"""Seconds of processor time."""
_DEAR = 2.0  # seconds of a test that is stored by itself
_COLLECTED = 0.1  # seconds of a file's imports, beside its tests
_UNKNOWN = 1.0  # seconds of a new file of tests
_SEVERAL = 10.0  # seconds above which two processes are worth their start


@dataclasses.dataclass(frozen=True)
class Prices:
    """Seconds of processor time.

    Members
    -------
    files, tests : dict
        Of each file of tests, with what its tests share, and of those tests that are known by themselves.
    """

    files: dict[str, float]
    tests: dict[str, dict[str, float]]

    @classmethod
    def of_run(cls, tests: dict[str, float], shared: dict[str, float]) -> "Prices":
        """The contents of a run's record."""
        files, each = defaultdict[str, float](float), defaultdict[str, dict[str, float]](dict)
        for name, cost in tests.items():
            file, _, _ = name.partition("::")
            files[file] += cost
            each[file][name] = cost
        for file in files:
            files[file] += _COLLECTED
        for name, cost in shared.items():
            where, _, what = name.partition(", ")
            for file in files:
                if what and where != "tests" and (file == where or file.startswith(f"{where}/")):
                    files[file] += cost
        return cls(dict(files), dict(each))

    @classmethod
    def read(cls, record: Path = RECORD, stored: Path = STORED) -> "Prices":
        """The costs of the last whole run, if it has left a record, and for others the stored ones."""
        known = cls(**json.loads(stored.read_text(encoding="utf-8")))
        if record.is_file():
            run = json.loads(record.read_text(encoding="utf-8"))
            last = cls.of_run(run["tests"], run["shared"])
            return cls(known.files | last.files, known.tests | last.tests)
        return known

    def to_json(self) -> dict[str, dict]:
        """The stored data: the files, and the tests that are dear."""
        tests = {
            file: {name: round(cost, 1) for name, cost in sorted(each.items()) if cost >= _DEAR}
            for file, each in sorted(self.tests.items())
        }
        files = {file: round(cost, 1) for file, cost in sorted(self.files.items())}
        return {"files": files, "tests": {file: each for file, each in tests.items() if each}}

    def of(self, file: str) -> float:
        """Of all tests of a file."""
        return self.files.get(file, _UNKNOWN)

    def within(self, file: str, most: float) -> tuple[float, list[str]]:
        """Of a file without its dearest tests, as many as it takes, and those; it is more if all known ones do not do."""
        cost, dropped = self.of(file), list[str]()
        for name, price in sorted(self.tests.get(file, {}).items(), key=lambda one: -one[1]):
            if cost <= most:
                break
            cost -= price
            dropped.append(name)
        return cost, dropped


@dataclasses.dataclass(frozen=True)
class Choice:
    """Files of tests, tests of them that are left out, seconds expected, and how many other files are left out."""

    files: list[str]
    dropped: list[str]
    seconds: float
    others: int


def nearest(reach: Reach, changed: Collection[str], prices: Prices) -> dict[str, int]:
    """The files of tests that some files reach, with their distances, in the order in which they are to run."""

    def order(test: str) -> tuple[bool, int, bool, float, str]:
        return (test not in changed, *found[test], prices.of(test), test)

    found: dict[str, tuple[int, bool]] = {}
    for path in changed:
        room = path.partition("/")[0]
        for test, steps in reach.distances([path]).items():
            here = (steps, not test.startswith(f"tests/{room}/"))
            found[test] = min(here, found.get(test, here))
    return {test: found[test][0] for test in sorted(found, key=order)}


def choose(distances: dict[str, int], prices: Prices, budget: float) -> Choice:
    """The tests that the budget is enough for, from files in order."""
    chosen = Choice([], [], 0.0, len(distances))
    for test, steps in distances.items():
        seconds, dropped = prices.within(test, budget - chosen.seconds)
        if chosen.seconds + seconds > budget or (dropped and steps > min(distances.values())):
            break
        chosen = Choice([*chosen.files, test], [*chosen.dropped, *dropped], chosen.seconds + seconds, chosen.others - 1)
    return chosen


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return [name for name in done.stdout.split("\0") if name]


def _changed(since: str) -> list[str]:
    """The files that differ from where the present revision left another one, and new ones.

    Raises
    ------
    ValueError
        If there is no such revision.
    """
    try:
        _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{since}^{{commit}}")
        differing = _git("diff", "--merge-base", "--name-only", "--no-renames", "-z", since)
    except subprocess.CalledProcessError:
        raise ValueError(f"--since must be a revision, not {since!r}") from None
    return sorted({*differing, *_git("ls-files", "--others", "--exclude-standard", "-z")})


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _said(changed: Sequence[str], choice: Choice) -> str:
    line = (
        f"quick: {_counted(len(choice.files), 'test file')} of {_counted(len(changed), 'changed file')}, "
        f"{choice.seconds:.0f} s expected"
    )
    left = [_counted(len(choice.dropped), "dear test")] * bool(choice.dropped)
    left += [_counted(choice.others, "other test file")] * bool(choice.others)
    return f"{line}; left out, and run by make test: {' and '.join(left)}" if left else line


def _run(choice: Choice) -> int:
    processes = ["-n", "2", "--dist", "loadgroup"] if choice.seconds > _SEVERAL else []
    dropped = [f"--deselect={name}" for name in choice.dropped]
    # The record is of whole runs.
    environment = {name: value for name, value in os.environ.items() if name != "FATCUBE_COSTS"}
    command = [sys.executable, "-m", "pytest", "-m", QUICK, *processes, *dropped, *choice.files]
    status = subprocess.call(command, cwd=ROOT, env=environment)
    return 0 if status == 5 else status  # where all tests of a file are long


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is that of the tests, and 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.quick", description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", metavar="FILE", help="files whose tests run, if not those that are changed")
    parser.add_argument(
        "--since", default="HEAD", metavar="REV", help="revision that changes are against (%(default)s)"
    )
    parser.add_argument("--budget", type=float, default=BUDGET, metavar="SECONDS", help="processor time (%(default)g)")
    parser.add_argument("--list", action="store_true", help="show the test files and their distances, and run nothing")
    parser.add_argument("--store", action="store_true", help=f"keep the costs of the last run in {STORED.name}")
    given = parser.parse_args(arguments)
    prices = Prices.read()
    if given.store:
        STORED.write_text(json.dumps(prices.to_json(), indent=1) + "\n", encoding="utf-8")
        return 0
    try:
        changed = [os.path.relpath(name, ROOT) for name in given.files] or _changed(given.since)
        if missing := [name for name in given.files if not Path(name).is_file()]:
            raise ValueError(f"FILE must be a file, not {missing[0]!r}")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if not changed:
        print("quick: nothing is changed")
        return 0
    reach = Reach(ROOT, gone=changed)
    distances = nearest(reach, changed, prices)
    distances = {test: steps for test, steps in distances.items() if (ROOT / test).is_file()}
    choice = choose(distances, prices, given.budget)
    if given.list:
        for test in choice.files:
            print(f"{distances[test]:2} steps {prices.of(test):6.1f} s  {test}")
        print("".join(f"without {name}\n" for name in choice.dropped), end="")
    print(_said(changed, choice), flush=True)
    return _run(choice) if choice.files and not given.list else 0


if __name__ == "__main__":
    sys.exit(main())
