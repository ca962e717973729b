"""Netlists of FPGA cells for a simulator: what synthesis makes of a design, with the models that Yosys has of the cells."""

from importlib.util import find_spec
from pathlib import Path
import re

from fatcube.groundwork import yosys

__all__ = ["FAMILIES", "gate_netlist"]


FAMILIES = {
    # All of it, block memories among them.
    "ice40": ("synth_ice40", (), ("SB_LUT4", "SB_DFF", "SB_RAM40_4K")),
    # There is no model of its block memories. What would be put into them stands beside the netlist as it was written.
    "ecp5": (
        "synth_ecp5",
        (
            "proc",
            "flatten",
            "memory -nomap",
            "submod -name memories t:$mem_v2 r:SIZE>=32 %i",
            "select memories",
            "write_verilog -selected memories.v",
            "select -clear",
            "blackbox memories",
        ),
        ("LUT4", "TRELLIS_FF", "CCU2C"),
    ),
}
"""The command that maps a design to a family, what comes before it, and cells that there must be."""


def gate_netlist(verilog, *, top, family):
    """Verilog of ``top`` in cells of the family, with all that a simulator needs besides."""
    command, before, cells = FAMILIES[family]
    run = yosys.run(
        [
            "read_verilog design.v",
            f"hierarchy -top {top}",
            *before,
            f"{command} -top {top}",
            "write_verilog -noattr netlist.v",
        ],
        files={"design.v": verilog},
        outputs=["netlist.v", *(["memories.v"] if before else [])],
    )
    netlist = run.outputs["netlist.v"]
    for cell in cells:
        assert f"  {cell}" in netlist, f"there is no {cell} in the netlist"
    for cell in ("DP16KD", "PDPW16KD"):
        assert f"  {cell} " not in netlist, f"{cell} has no model"
    return "\n".join([netlist, run.outputs.get("memories.v", ""), _models(family)])


def _models(family):
    """The text of the models, with what it includes in its place."""
    share = Path(find_spec("pyosys").origin).parent / "share" / family
    text = (share / "cells_sim.v").read_text()
    text = re.sub('`include "(.*)"', lambda found: (share / found[1]).read_text(), text)
    return f"`define NO_INCLUDES\n{text}"
