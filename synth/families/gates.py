"""A count of gates and transistors for no particular technology: inverting CMOS gates of up to four inputs."""

from fatcube.synth.families.family import FF, Cell, Family

__all__ = ["FAMILY"]


def _commands(top: str, wide_luts: bool) -> list[str]:
    return [
        f"synth -flatten -top {top}",
        "dfflegalize -cell $_DFF_P_ 01",  # reset and enable of a flip-flop are gates, too
        "abc -g cmos4",
        "opt_clean",
        # The names of flattened modules are not hardware, and `stat` knows no cost of them.
        "delete t:$scopeinfo",
    ]


FAMILY = Family(
    name="gates",
    title="gates (CMOS, technology-neutral)",
    commands=_commands,
    cells={
        **{f"$_{gate}_": Cell("gates", 1) for gate in ("NOT", "NAND", "NOR", "AOI3", "OAI3", "AOI4", "OAI4")},
        "$_DFF_P_": FF,
    },
    technology="cmos",
    unit="gates",
)
"""The family."""
