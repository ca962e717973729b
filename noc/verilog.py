"""Verilog of a router, a fabric or a system, each distinct module once."""

import tempfile
from pathlib import Path

from noc.yosys import run_yosys

__all__ = ["to_verilog"]


# What `verilator --lint-only -Wall` says of every Verilog that Yosys writes; README, "Lint".
_WAIVERS = [
    "/* verilator lint_off DECLFILENAME */",  # One file holds all modules.
    "/* verilator lint_off PROCASSINIT */",   # Registers have an initial value and a reset.
    "/* verilator lint_off UNUSEDSIGNAL */",  # Yosys keeps the carry out and other high bits of a result.
    "/* verilator lint_off WIDTHEXPAND */",   # Yosys writes constants in as few bits as they need.
    "/* verilator lint_off WIDTHTRUNC */",    # Yosys writes a comparison with zero as a logical not.
]


def to_verilog(shared, *, comment=""):
    """The Verilog text of a :class:`Shared` component and of all that it uses.

    ``comment`` is put before it, each line as a Verilog comment.
    """
    modules = shared.modules()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "design.il", Path(folder) / "design.v"
        source.write_text("\n".join(modules.values()))
        run_yosys([
            f"read_rtlil {source}",
            f"hierarchy -check -top {shared.name}",
            # Message memories are loaded before they are read: thousands of zeros would only be text.
            "delete t:$meminit_v2",
            "proc -norom -noopt",
            "memory_collect",
            *(f"setattr -mod -set keep_hierarchy 1 {name}" for name in modules),
            "flatten -separator _",
            "opt_clean -purge",
            f"write_verilog -norename -noattr {target}",
        ])
        text = target.read_text()
    lines = [f"// {line}".rstrip() for line in comment.splitlines()]
    return "\n".join([*lines, *_WAIVERS, text])
