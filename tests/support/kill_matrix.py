"""Which cases of a dear family of tests find which of some planted bugs, and the fewest that find all of them.

    python -m tests.support.kill_matrix [--only TEXT]

``kill_matrix.toml`` has the families and, for each, bugs in modules that it is there for. Each bug stands in a copy of the
sources, where all cases of the family meet it, those that `make long` runs included; ``kill_matrix.json`` is what came of it.
The cases that stay in `make test` are a greedy cover: always the one that finds most of what is not found yet. That every bug
is still found by a case of `make test` is tested by tests/test_kill_matrix.py.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
import dataclasses
import json
from pathlib import Path
import subprocess
import sys
import tempfile
import tomllib

from tests.support.mutants import Mutant
from tests.support.mutations import Copy

__all__ = ["MATRIX", "Bug", "Family", "cover", "families", "main", "matrix"]


ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_suffix(".toml")
MATRIX = Path(__file__).with_suffix(".json")
_ALL = "not grid and not prove"


@dataclasses.dataclass(frozen=True)
class Bug:
    """A bug: ``old``, which stands once in ``file``, is ``new`` in its place."""

    file: str
    old: str
    new: str

    def mutant(self, root: Path) -> Mutant:
        """The bug as a mutant of the sources under ``root``.

        Raises
        ------
        ValueError
            If the old text is not there, or not once.
        """
        source = (root / self.file).read_bytes()
        if source.count(self.old.encode()) != 1:
            raise ValueError(f"a bug must be of a text that stands once in {self.file}, not {self.old!r}")
        start = source.index(self.old.encode())
        return Mutant(self.file, 0, start, start + len(self.old.encode()), self.new, self.old, self.new)


@dataclasses.dataclass(frozen=True)
class Family:
    """The cases of a test: all whose names begin with ``tests``."""

    tests: str
    bugs: tuple[Bug, ...]


def families(file: Path = TABLE) -> list[Family]:
    """The families in the table."""
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    return [Family(one["tests"], tuple(Bug(**bug) for bug in one["bug"])) for one in content["family"]]


def cover(killed: Sequence[Iterable[str]]) -> list[str]:
    """The cases that find all bugs that any finds, given those that find each: always the one that finds most of the rest."""
    left, kept = [set(cases) for cases in killed if cases], list[str]()
    while left:
        names = sorted(set().union(*left))
        kept.append(max(names, key=lambda name: sum(name in cases for cases in left)))
        left = [cases for cases in left if kept[-1] not in cases]
    return kept


def failed(output: str, cases: Iterable[str]) -> list[str]:
    """The cases that a run says have failed."""
    lines = [line.partition(" ")[2] for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return [case for case in cases if any(line == case or line.startswith(f"{case} - ") for line in lines)]


def _cases(root: Path, tests: str) -> list[str]:
    """The names of all cases of a family."""
    command = [sys.executable, "-m", "pytest", "-o", "addopts=--import-mode=importlib", "--collect-only", "-q"]
    file = tests.partition("::")[0]
    printed = subprocess.run([*command, "-m", _ALL, file], cwd=root, capture_output=True, text=True, check=True).stdout
    return [line for line in printed.splitlines() if line.startswith(tests)]


def matrix(root: Path, some: Iterable[Family]) -> dict[str, object]:
    """For each family its cases, for each bug which of them find it, and the cases of the cover."""
    found: dict[str, object] = {}
    with tempfile.TemporaryDirectory(prefix="fatcube-matrix-") as name:
        copy = Copy(root, Path(name), options=("-m", _ALL, "--tb=no", "-rfE"))
        for family in some:
            cases = _cases(root, family.tests)
            ending, seconds = copy.run([family.tests])
            if ending != "passed":
                raise RuntimeError(f"{family.tests} must pass without a bug, and {ending}:\n{copy.output}")
            killed = []
            for bug in family.bugs:
                ending, took = copy.run([family.tests], mutant=bug.mutant(root), seconds=60 + 5 * seconds)
                killed.append(
                    failed(copy.output, cases) if ending == "failed" else cases if ending == "timeout" else []
                )
                print(f"{len(killed[-1]):4} of {len(cases)} cases  {took:5.0f} s  {bug.file}: {bug.new}", flush=True)
            found[family.tests] = {
                "cases": cases,
                "bugs": [
                    {**dataclasses.asdict(bug), "found_by": [cases.index(case) for case in some_cases]}
                    for bug, some_cases in zip(family.bugs, killed)
                ],
                "cover": cover(killed),
            }
            print(f"{family.tests}: {len(cases)} cases, {len(cover(killed))} find all:", *cover(killed), sep="\n    ")
    return found


def unfound(measured: Mapping[str, dict], kept: Iterable[str]) -> list[str]:
    """The bugs of a matrix that no case in ``kept`` finds; families of which nothing is in it are not looked at."""
    kept = set(kept)
    files = {name.partition("::")[0] for name in kept}
    return [
        f"{tests}: {bug['file']}: {bug['new']}"
        for tests, family in measured.items()
        if tests.partition("::")[0] in files
        for bug in family["bugs"]
        if not any(family["cases"][case] in kept for case in bug["found_by"])
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.kill_matrix", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="only families that have this in their name")
    given = parser.parse_args(arguments)
    before = json.loads(MATRIX.read_text(encoding="utf-8")) if MATRIX.exists() else {}
    measured = matrix(ROOT, [one for one in families() if given.only in one.tests])
    together = before | measured
    content = {one.tests: together[one.tests] for one in families() if one.tests in together}
    MATRIX.write_text(json.dumps(content, separators=(",", ":"), indent=0) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
