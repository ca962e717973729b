"""The processor time of each test, as a plugin of pytest, and what the last whole run cost.

    python -m tests.support.costs

A test is charged what its process and the children that it waited for have used, whatever else the machine is doing.
What others share is charged to what is shared: a fixture of a module or a session to that fixture, and a simulator or
another folder of the cache, where the test's own process makes it, to the build. A run ends with the total and the
dearest tests; the command prints all above two seconds of the last run that left a record, and the costs by folder.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
import contextlib
import dataclasses
import json
import os
from pathlib import Path
import sys
import time
import tomllib

import pytest

from fatcube.groundwork import cache

__all__ = ["Costs", "Purse", "above", "by_folder", "main", "name_of", "spent"]


ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "build" / "costs.json"
LIST = Path(__file__).with_name("dear_tests.toml")
"""The tests that cost more than :data:`DEAR`, each with the reason why no cheaper one finds the same."""
DEAR = 3.0
"""Seconds of processor time above which a test has to be in the list."""
SHOWN = 2.0
"""Seconds above which the command shows a test."""
_DEAREST = 20
_BUILDS = ("parts", "tops", "library", "headers", "builds", "verilator-flat", "icarus", "simulators")
"""Kinds of folders of the cache that are builds of simulators."""


def spent() -> float:
    """Seconds of processor time that this process and the children that it waited for have used."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Purse:
    """Charges processor time to names, each second once: what is charged within another charge is not part of that."""

    def __init__(self) -> None:
        self.costs: defaultdict[str, float] = defaultdict(float)
        self._within = [0.0]

    @contextlib.contextmanager
    def charge(self, name: str):
        """Within it, what is used is charged to ``name``."""
        begin = spent()
        self._within.append(0.0)
        try:
            yield
        finally:
            whole = spent() - begin
            self.costs[name] += whole - self._within.pop()
            self._within[-1] += whole


@dataclasses.dataclass
class Costs:
    """The costs of a run, in seconds of processor time.

    Members
    -------
    tests, shared : dict
        By the names of tests, and of the fixtures and builds that several use.
    workers : list of float
        All that each process used that ran tests, collection included.
    makers : dict
        The seconds of the builds that each test has made, which are among the shared ones.
    builds : list of str
        The folders of simulators that the run has put into the cache.
    empty : bool
        Whether the cache had no builds at first.
    """

    tests: dict[str, float] = dataclasses.field(default_factory=dict)
    shared: dict[str, float] = dataclasses.field(default_factory=dict)
    workers: list[float] = dataclasses.field(default_factory=list)
    makers: dict[str, float] = dataclasses.field(default_factory=dict)
    builds: list[str] = dataclasses.field(default_factory=list)
    empty: bool = False

    @property
    def total(self) -> float:
        """All processor time of the run."""
        return sum(self.workers)

    def add(self, charged: dict[str, float], shared: Iterable[str], makers: dict[str, float], worker: float) -> None:
        """Count what a process charged, of which some names are ``shared``, what its tests built, and all that it used."""
        shared = set(shared)
        for name, cost in charged.items():
            where = self.shared if name in shared else self.tests
            where[name] = where.get(name, 0.0) + cost
        self.makers |= makers
        self.workers.append(worker)

    def lines(self, listed: Iterable[str]) -> list[str]:
        """The lines at the end of a run; ``listed`` are the tests that may be dear."""
        kinds = Counter(build.split("/")[0] for build in self.builds)
        made = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items())) or "none"
        lines = [
            f"{self.total:.0f} s of processor time in {len(self.workers)} processes: {sum(self.tests.values()):.0f} s in "
            f"{len(self.tests)} tests, {sum(self.shared.values()):.0f} s in what they share; builds made: {made}"
        ]
        dearest = sorted([*self.tests.items(), *self.shared.items()], key=lambda one: -one[1])
        lines += [f"{cost:7.1f} s  {name}" for name, cost in dearest[:_DEAREST] if cost >= 0.5]
        known = tuple(listed)
        missing = [name for name, cost in above(self.tests, DEAR) if not name.startswith(known)]
        if missing:
            lines.append(f"above {DEAR:g} s and without a reason in {LIST.relative_to(ROOT)}: {', '.join(missing)}")
        return lines


def above(costs: dict[str, float], least: float) -> list[tuple[str, float]]:
    """The names that cost at least so many seconds, the dearest first."""
    return sorted(((name, cost) for name, cost in costs.items() if cost >= least), key=lambda one: -one[1])


def by_folder(costs: dict[str, float]) -> list[tuple[str, float]]:
    """The costs of tests by the folder of their file, two levels deep, the dearest first."""
    folders: defaultdict[str, float] = defaultdict(float)
    for name, cost in costs.items():
        file, _, _ = name.partition("::")
        folders["/".join(file.split("/")[1:-1][:2]) or file] += cost
    return above(folders, 0.0)


def reasons() -> dict[str, str]:
    """The reason of each test that may be dear, by the beginning of its name."""
    return tomllib.loads(LIST.read_text(encoding="utf-8"))["reasons"] if LIST.exists() else {}


def _builds() -> set[str]:
    folder = cache.cache_folder()
    return {f"{kind}/{entry.name}" for kind in _BUILDS for entry in (folder / kind).glob("*") if entry.name[:1] != "."}


def _module(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def name_of(item: pytest.Item) -> str:
    """The name of a test without the group that pytest-xdist appends."""
    group = item.get_closest_marker("xdist_group")
    return item.nodeid if group is None else item.nodeid.removesuffix(f"@{group.kwargs.get('name', *group.args[:1])}")


class _Plugin:
    """Charges the tests of this process, and in the process that starts others adds up all of them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._purse, self._shared = Purse(), set[str]()
        self._running, self._makers = "", defaultdict[str, float](float)
        self._costs = Costs()
        self._file = os.environ.pop("FATCUBE_COSTS", "")  # a run that a test starts does not write over it
        self._before = _builds()
        self._made = cache._unfinished
        cache._unfinished = self._building

    @property
    def _a_worker(self) -> bool:
        return hasattr(self._config, "workerinput")

    def _charge(self, name: str, *, shared: bool = False):
        if shared:
            self._shared.add(name)
        return self._purse.charge(name)

    @contextlib.contextmanager
    def _building(self, folder: Path):
        name = f"build of {folder.name}"
        before = self._purse.costs[name]
        with self._charge(name, shared=True), self._made(folder) as aside:
            yield aside
        self._makers[self._running] += self._purse.costs[name] - before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item):
        self._running = name_of(item)
        with self._charge(name_of(item)):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        with self._charge(name_of(item)):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item, nextitem):
        # With the last test of a module its fixtures end, and children of theirs are waited for.
        last = nextitem is None or _module(nextitem) != _module(item)
        name = name_of(item) if not last else f"{_module(item) if nextitem else 'session'}, end of fixtures"
        with self._charge(name, shared=last):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef, request):
        if fixturedef.scope == "function":
            return (yield)
        where = fixturedef.baseid or "session"
        with self._charge(f"{where}, fixture {fixturedef.argname}", shared=True):
            return (yield)

    def pytest_sessionfinish(self, session):
        mine = [dict(self._purse.costs), sorted(self._shared), dict(self._makers)]
        if self._a_worker:
            self._config.workeroutput["costs"] = [*mine, spent()]
            return
        # Workers are children, which have been waited for: what they used is theirs.
        self._costs.add(*mine, time.process_time() if self._costs.workers else spent())
        self._costs.builds = sorted(_builds() - self._before)
        self._costs.empty = not self._before

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error):
        with contextlib.suppress(AttributeError, KeyError):
            self._costs.add(*node.workeroutput["costs"])

    def pytest_terminal_summary(self, terminalreporter):
        if self._a_worker or not self._costs.workers:
            return
        terminalreporter.section("processor time")
        for line in self._costs.lines(reasons()):
            terminalreporter.write_line(line)
        if self._file:
            Path(self._file).parent.mkdir(parents=True, exist_ok=True)
            Path(self._file).write_text(json.dumps(dataclasses.asdict(self._costs), indent=1) + "\n", encoding="utf-8")

    def pytest_unconfigure(self):
        cache._unfinished = self._made


def register(config: pytest.Config) -> None:
    """Add the plugin to a run of pytest."""
    config.pluginmanager.register(_Plugin(config), "costs")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the record of the last run; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.costs", description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, nargs="?", default=RECORD, help="the record (%(default)s)")
    parser.add_argument("--least", type=float, default=SHOWN, help="seconds above which a test is shown (%(default)s)")
    given = parser.parse_args(arguments)
    if not given.file.exists():
        print(f"no run has left its costs in {given.file}: `make test` does", file=sys.stderr)
        return 2
    costs = Costs(**json.loads(given.file.read_text(encoding="utf-8")))
    print("\n".join(costs.lines(reasons())[:1]))
    print("the cache was empty" if costs.empty else "the cache had builds of earlier runs")
    print("\nminutes  folder")
    for folder, cost in by_folder(costs.tests):
        print(f"{cost / 60:7.2f}  {folder}")
    print("\nseconds  tests, and what they share")
    for name, cost in above(costs.tests | costs.shared, given.least):
        print(f"{cost:7.1f}  {name}")
    print("\nseconds  builds, by the tests that were the first to need them")
    for name, cost in above(costs.makers, given.least / 2):
        print(f"{cost:7.1f}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
