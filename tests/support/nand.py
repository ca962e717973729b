"""A target of synthesis that fatcube does not have: what somebody writes who adds one."""

from fatcube.synth.families.family import FF, Cell, Family


def _commands(top: str, wide_luts: bool) -> list[str]:
    return [
        f"synth -flatten -top {top}",
        "dfflegalize -cell $_DFF_P_ 01",
        "abc -g NAND",
        "opt_clean",
        "delete t:$scopeinfo",
    ]


FAMILY = Family(
    name="nand",
    title="NAND gates of two inputs",
    commands=_commands,
    cells={"$_NAND_": Cell("gates", 1), "$_NOT_": Cell("gates", 1), "$_DFF_P_": FF},
    technology="cmos",
)
