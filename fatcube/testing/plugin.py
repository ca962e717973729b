"""The pytest plugin: each cocotb test of a file that has a :class:`~fatcube.testing.bench.Bench` is a test of its own.

It is an entry point, ``pytest11``, as only such a plugin can have options without a conftest.py beside each generated file. So
pytest loads it wherever fatcube is installed. That costs other people nothing: this module imports nothing but pytest, it looks
at a file only if that has imported ``fatcube.testing.bench``, and leaves an option that is taken to its owner.
"""

from collections.abc import Generator, Iterator
import os
from pathlib import Path
import sys
from typing import Any

import pytest

__all__ = ["SimulatedTest"]

_BENCH = "fatcube.testing.bench"


_OPTIONS: dict[str, dict[str, Any]] = {
    "--simulator": {
        "metavar": "NAME",
        "help": "verilator, which is the default, or icarus; $SIM if not given.",
    },
    "--waves": {"action": "store_true", "help": "Keep the waves of tests that fail."},
}


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(parser: Any) -> Generator[None, None, None]:
    """Add the options that no other plugin has added; this runs after all of them."""
    try:
        return (yield)
    finally:
        group = parser.getgroup("fatcube", "cocotb tests of generated Verilog (fatcube)")
        for flag, how in _OPTIONS.items():
            _, unknown = parser.parse_known_and_unknown_args([flag, "value"])
            if flag in unknown:
                group.addoption(flag, dest=f"fatcube_{flag[2:]}", **how)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: object) -> list[pytest.Item] | None:
    """The tests of a cocotb test in a file that has a bench; nothing of any other."""
    if _BENCH not in sys.modules or not hasattr(obj, "generate_tests"):
        return None
    bench = next((one for one in vars(collector.obj).values() if _is_bench(one)), None)
    if bench is None:
        return None
    return [*_items(collector, bench, obj)]


def _is_bench(value: object) -> bool:
    return isinstance(value, sys.modules[_BENCH].Bench)


def _items(collector: Any, bench: Any, tests: Any) -> Iterator[pytest.Item]:
    code = tests.func.__code__
    for test in tests.generate_tests():
        if test.module == collector.obj.__name__:  # not one that is imported from another file
            yield SimulatedTest.from_parent(
                collector, name=test.name, bench=bench, line=code.co_firstlineno, skip=test.skip
            )


class SimulatedTest(pytest.Item):
    """A cocotb test, in a simulation of its own."""

    def __init__(self, *, bench: Any, line: int, skip: bool, **options: Any) -> None:
        super().__init__(**options)
        self._bench, self._line = bench, line
        if skip:
            self.add_marker(pytest.mark.skip("cocotb leaves it out"))

    def runtest(self) -> None:
        """Build the design, if it is not built yet, and run the test."""
        from fatcube.testing.bench import BenchFailure

        simulator = self.config.getoption("fatcube_simulator", None) or os.environ.get("SIM") or "verilator"
        waves = bool(self.config.getoption("fatcube_waves", False))
        results, log, kept = self._bench.run([self.name], simulator=simulator, waves=waves)
        [result] = results
        self.add_report_section("call", "log", log)
        if result.failure is not None:
            raise BenchFailure(result.failure + (f"\nwaves: {kept}" if kept is not None else ""))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """The message of a test that failed, without a traceback of ours."""
        from fatcube.testing.bench import BenchFailure

        if isinstance(excinfo.value, BenchFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the test stands."""
        return self.path, self._line - 1, self.name
