"""Questions to netlists, which Yosys answers."""

from fatcube.groundwork.yosys import run

__all__ = ["paths"]


def paths(shared):
    """The outputs of a module to which there is a path without a register from one of its inputs, clock aside."""
    registers = " ".join(f":-${name}" for name in ("dff", "dffe", "sdff", "sdffe", "sdffce", "adff")).replace(" ", "")
    log = run(
        [
            "read_rtlil design.il",
            f"hierarchy -check -top {shared.name}",
            "proc",
            "flatten",
            "memory -nomap",
            "memory_map",  # so that a memory that is read without a clock is a path as well
            "opt_clean",
            f"select -list i:* i:clk %d %coe*{registers} o:* %i",
        ],
        files={"design.il": "\n".join(shared.modules().values())},
        outputs=[],
    ).log
    return {line.rpartition("/")[2] for line in log.splitlines() if line.startswith(f"{shared.name}/")}
