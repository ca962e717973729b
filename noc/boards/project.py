"""The project of a board: all input files of the tools for its chip, from the templates of its platform."""

from collections.abc import Mapping
from typing import Any

from fatcube.groundwork import yosys
from fatcube.noc.boards.top import Top

__all__ = ["NAME", "project_files"]


NAME = "top"
"""The name of the top module, and of the files that are made of it."""


def project_files(top: Top, **overrides: str) -> Mapping[str, str]:
    """The texts of the files of the project, by name; ``build_top.sh`` among them, which runs the tools.

    Parameters
    ----------
    top : :class:`Top`
    overrides : :class:`str`
        Values for the templates of Amaranth's platform, for example ``nextpnr_opts="--seed 1"``.

    Raises
    ------
    ParameterError
        If amaranth-boards is not installed, or the design cannot be written.
    """
    platform = top.board.make_platform()
    if top.board.vendor:
        platform = _with_rtlil(type(platform))()
    plan = platform.prepare(top, NAME, emit_src=False, **overrides)
    files: dict[str, str] = dict(plan.files)
    # The file is empty here; it serves to debug Amaranth.
    files.pop(f"{NAME}.debug.v", None)
    if top.board.vendor:
        files[f"{NAME}.v"] = _verilog(files[f"{NAME}.v"])
    return files


def _with_rtlil(platform: type[Any]) -> type[Any]:
    """A platform with RTLIL in place of Verilog.

    For Verilog, Amaranth would call a program named ``yosys``, which need not be installed.
    """

    class WithRtlil(platform):
        @property
        def file_templates(self) -> dict[str, str]:
            return {
                name: text.replace("{{emit_verilog()}}", "{{emit_rtlil()}}")
                for name, text in super().file_templates.items()
            }

    return WithRtlil


def _verilog(text: str) -> str:
    """The Verilog of an RTLIL text as Amaranth writes it, with a Verilog comment as its first line."""
    comment, _, design = text.partition("\n")
    attributes = " ".join(f"-remove {name}" for name in ("generator", "top", "src", "amaranth.hierarchy"))
    verilog = yosys.run(
        [
            "read_rtlil design.il",
            "proc -nomux -norom",
            "memory_collect",
            f"attrmap {attributes}",
            f"attrmap -modattr {attributes}",
            "write_verilog -norename design.v",
        ],
        files={"design.il": design},
        outputs=["design.v"],
    ).outputs["design.v"]
    return f"{comment}\n{verilog}"
