"""`make prove` and `make test`, ended by SIGTERM or Ctrl-C, leave no process that they started, and no temporary file."""

import os
from pathlib import Path
import re
import signal
import sys

import psutil
import pytest

from tests.support.children import HANG, child, until

ROOT = Path(__file__).parents[1]
#: A proof that takes hours: a binomial formula, bit by bit.
PROOF = """
from amaranth.hdl import Assert, Module, Signal
import pytest
from tests.support.prove import prove


@pytest.mark.prove
def test_that_does_not_end():
    m, a, b, x, y = Module(), *(Signal(16, name=name) for name in "abxy")
    m.d.sync += [x.eq(a), y.eq(b)]
    m.d.comb += Assert(((x + y) * (x + y))[:32] == (x * x + y * y + 2 * (x * y))[:32])
    prove(m, ports=[a, b])
"""


def marked(folder):
    """The command lines of processes that a run in this folder started, known by their environment."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("ENDED") == str(folder) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.cmdline())
        except psutil.Error:
            continue
    return found


@pytest.mark.parametrize("how", ["make", "pytest", pytest.param("terminal", marks=pytest.mark.long)])
def test_no_prover_is_left(tmp_path, how):
    """Signalled: make alone, as by `kill`; pytest alone; or all that a terminal's Ctrl-C comes to."""
    (tmp_path / "tmp").mkdir()
    proof = tmp_path / "test_proof.py"
    proof.write_text(PROOF)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "MAKE"))} | {
        "ENDED": str(tmp_path),
        "TMPDIR": str(tmp_path / "tmp"),
        "PYTEST_DEBUG_TEMPROOT": str(tmp_path),
        "PYTEST_ADDOPTS": f"-c {ROOT / 'pyproject.toml'} --rootdir {ROOT} -p no:cacheprovider {proof}",
    }
    made = Path(sys.prefix, "testing")  # which need not be there, where the tests are run without make
    with (
        open(tmp_path / "out", "w+") as out,
        child(
            *("make", "prove", f"VENV={sys.prefix}", "-o", made),
            cwd=ROOT,
            env=environment,
            start_new_session=True,
            stdout=out,
            stderr=out,
        ) as process,
    ):
        # All processes are looked at only when there is what the prover reads, as that takes as long as the start of one.
        until(lambda: [*(tmp_path / "tmp").glob("*/*/yosys-abc-*")], process)
        until(lambda: any("yosys-abc" in line[0] for line in marked(tmp_path) if line), process)
        if how == "make":
            process.send_signal(signal.SIGTERM)
        elif how == "terminal":
            os.killpg(process.pid, signal.SIGINT)
        else:
            below = psutil.Process(process.pid).children(recursive=True)
            [pytest_itself] = [one for one in below if one.cmdline()[1:3] == ["-m", "pytest"]]
            pytest_itself.terminate()
        assert process.wait(HANG) != 0
        assert marked(tmp_path) == []
    assert list((tmp_path / "tmp").iterdir()) == []


def test_make_starts_nothing_that_could_outlive_it():
    """Every line that runs tests, or a tool that starts others, is contained."""
    rules = re.findall(r"^(\w[\w-]*):.*\n((?:\t.*\n)+)", Path(ROOT, "Makefile").read_text(), re.MULTILINE)
    lines = {
        name: [line.strip() for line in recipe.splitlines() if "$(MAKE)" not in line]
        for name, recipe in rules
        if name not in ("reproduce", "bench", "clean")  # The first two end what they start by themselves.
    }
    assert {"daily", "long", "lint", "test-all", "prove", "fuzz", "soak"} <= lines.keys()
    assert [line for recipe in lines.values() for line in recipe if not line.startswith("$(ALONE) ")] == []
