"""pytest and the cocotb tests of a file with a bench: collected, run, and nothing said or changed of anyone else's."""

import os
from pathlib import Path
import shutil
import subprocess
import sys

import pytest

import fatcube.testing
from tests.support.hostile import hostile

ROOT = Path(__file__).parents[3]
ICARUS = pytest.mark.skipif(
    None in (shutil.which("iverilog"), shutil.which("vvp")), reason="Icarus Verilog (iverilog) is not installed"
)
COUNTER = """module counter (input clk, output reg [7:0] count = 0);
  always @(posedge clk) count <= count + 1;
endmodule
"""
TESTS = """
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles

from fatcube.testing import Bench

BENCH = Bench(__file__, verilog="counter.v", top="counter")


@cocotb.test()
@cocotb.parametrize(cycles=[3, 5])
async def counts(dut, cycles):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    await ClockCycles(dut.clk, 1)
    before = int(dut.count.value)
    await ClockCycles(dut.clk, cycles)
    assert int(dut.count.value) == before + cycles


@cocotb.test()
async def counts_twice(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    await ClockCycles(dut.clk, 1)
    before = int(dut.count.value)
    await ClockCycles(dut.clk, 4)
    assert int(dut.count.value) == before + 8, f"count is {int(dut.count.value) - before} after 4 edges"


@cocotb.test(skip=True)
async def is_left_out(dut):
    raise AssertionError


def test_of_pytest():
    pass


if __name__ == "__main__":
    BENCH.main()
"""
ANYONES = """
import cocotb


@cocotb.test()
async def not_ours(dut):
    raise AssertionError


def test_of_pytest():
    pass
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "counter.v").write_text(COUNTER)
    (tmp_path / "test_counter.py").write_text(TESTS)
    (tmp_path / "test_anyones.py").write_text(ANYONES)
    return tmp_path


def python(folder, *arguments, **environment):
    """A Python that finds this checkout, in that folder; its exit status and output."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200", **environment}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={name: value for name, value in variables.items() if value is not None},
    )
    return done.returncode, done.stdout + done.stderr


def pytest_of(folder, *arguments, **environment):
    """The options of pytest, which finds the plugin as part of an installed package."""
    return python(folder, "-m", "pytest", "-p", "no:cacheprovider", *arguments, **environment)


def test_each_test_is_one_of_its_own(folder):
    status, out = pytest_of(folder, "--collect-only", "-q")
    assert status == 0
    names = ["counts/cycles=3", "counts/cycles=5", "counts_twice", "is_left_out", "test_of_pytest"]
    assert [line for line in out.splitlines() if "::" in line] == [
        "test_anyones.py::test_of_pytest",
        *(f"test_counter.py::{name}" for name in names),
    ]


@ICARUS
def test_they_run_and_what_fails_keeps_its_waves(folder):
    """In an environment that is set up for other programs."""
    theirs = {**hostile(folder), "PYTHONPATH": str(ROOT)}
    status, out = pytest_of(folder, "test_counter.py", "--simulator", "icarus", "--waves", "-rs", **theirs)
    assert status == 1 and "1 failed, 3 passed, 1 skipped" in out
    assert "count is 4 after 4 edges" in out and f"waves: {folder}/waves/test_counter_counts_twice.fst" in out
    assert [path.name for path in (folder / "waves").iterdir()] == ["test_counter_counts_twice.fst"]


@ICARUS
@pytest.mark.long(stays="tests/fatcube/testing/test_plugin.py::test_they_run_and_what_fails_keeps_its_waves")
def test_they_are_built_once_by_processes_that_run_at_the_same_time(folder):
    status, out = pytest_of(folder, "test_counter.py", "-n", "2", SIM="icarus")
    assert status == 1 and "1 failed, 3 passed, 1 skipped" in out
    assert len([path for path in (folder / ".fatcube" / "testing").iterdir() if not path.name.startswith(".")]) == 1


@ICARUS
def test_without_pytest(folder):
    status, out = python(folder, "test_counter.py", "--simulator", "icarus")
    assert status == 1 and "PASS=2 FAIL=1 SKIP=1" in out
    assert python(folder, "test_counter.py", "counts/cycles=3", SIM="icarus")[0] == 0


@pytest.mark.parametrize(
    ("options", "environment", "message"),
    [
        (["--simulator", "modelsim"], {}, "simulator must be one of verilator, icarus, not 'modelsim'"),
        (
            ["--simulator", "icarus"],
            {"PATH": "/nowhere"},
            "simulator must be verilator where Icarus Verilog (iverilog)",
        ),
        ([], {"PATH": "/nowhere", "CXX": ""}, "a C++ compiler must be installed to simulate with Verilator"),
    ],
)
def test_what_is_missing_is_said_in_a_line(folder, options, environment, message):
    status, out = pytest_of(folder, "test_counter.py", "-k", "twice", *options, "--tb=short", **environment)
    failure = out.partition("FAILURES")[2].partition("short test summary")[0]
    assert status == 1 and message in failure, out
    assert len([line for line in failure.splitlines()[1:] if line.strip(" _=")]) <= 2, failure


def test_a_simulation_that_ends_by_itself_is_a_failure(folder):
    """Not a pass: a file of tests that cannot be imported has none that fails."""
    (folder / "test_counter.py").write_text(
        TESTS.replace("import cocotb\n", "import cocotb\nimport cocotb as c\nif c.is_simulation: import nothing\n", 1)
    )
    if shutil.which("iverilog") is None:
        pytest.skip("Icarus Verilog (iverilog) is not installed")
    status, out = pytest_of(folder, "test_counter.py", "-k", "twice", "--simulator", "icarus")
    assert status == 1 and "the simulation ended without a result" in out and "No module named 'nothing'" in out


def test_options_of_others_are_left_to_them(folder):
    (folder / "conftest.py").write_text(
        'def pytest_addoption(parser):\n    parser.addoption("--waves", action="store", default="theirs")\n'
        '    parser.addoption("--simulator", action="store_true")\n'
    )
    status, out = pytest_of(folder, "test_anyones.py", "--waves", "their own", "--simulator")
    assert status == 0 and "1 passed" in out


def test_the_plugin_imports_nothing_that_takes_long(tmp_path):
    code = "import sys, pytest; before = {*sys.modules}; import fatcube.testing.plugin; print(sorted({*sys.modules} - before))"
    status, out = python(tmp_path, "-c", code)
    assert status == 0
    assert eval(out) == ["fatcube", "fatcube.testing", "fatcube.testing.plugin"]


def test_the_kit_imports_no_amaranth(tmp_path):
    names = ", ".join(fatcube.testing.__all__)
    code = f"import sys; from fatcube.testing import {names}; print([n for n in ('amaranth', 'numpy', 'networkx') if n in sys.modules])"
    assert python(tmp_path, "-c", code) == (0, "[]\n")


def test_every_name_is_there():
    assert all(getattr(fatcube.testing, name).__name__ == name for name in fatcube.testing.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = fatcube.testing.nothing
