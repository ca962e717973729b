"""Sources, sinks and monitors of every kind against each other, and against those of cocotbext-axi."""

import pytest

from tests.support.cocotb_runs import built_verilog

pytest.importorskip("cocotbext.axi", reason="the peer's models of AXI4-Stream are not installed")
from tests.support.kit_wires import WIRES


@pytest.mark.parametrize("packets", [300, pytest.param(100_000, marks=pytest.mark.long)])
def test_ends_agree(tmp_path, packets):
    built_verilog(WIRES, tmp_path).run("tests.support.kit_wires", tmp_path, {"KIT_PACKETS": str(packets)})
