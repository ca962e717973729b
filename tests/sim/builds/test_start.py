"""cocotb starts without pytest, and whoever asks for more of it gets the real one."""

import subprocess
import sys

PROGRAM = """
import sys
from fatcube.sim.builds.start import leave_out_pytest

leave_out_pytest()
import cocotb
import cocotb.regression
cocotb.regression.RegressionManager.setup_pytest_assertion_rewriting()
loaded = [name for name, module in sys.modules.items() if name.startswith(("pytest", "_pytest", "pluggy")) and module.__spec__]
assert loaded == [], loaded

import pytest
assert pytest.approx(1.0) == 1.0
import pytest
assert pytest.raises.Exception and pytest.__spec__
from _pytest.config import Config
assert Config.fromdictargs
"""


def test_cocotb_does_without():
    """With the environment that a run has; pytest itself is there afterwards, whole."""
    environment = {"COCOTB_REWRITE_ASSERTION_FILES": ""}
    subprocess.run([sys.executable, "-c", PROGRAM], check=True, env=environment)
