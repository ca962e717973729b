"""Xilinx 7-series: area only."""

from fatcube.synth.families.family import FF, MULTIPLEXER, RAM, Cell, Family, lut

__all__ = ["FAMILY"]


def _commands(top: str, wide_luts: bool) -> list[str]:
    """The Yosys commands, without pads and clock buffer: ports end in the fabric."""
    return [f"synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -nowidelut -top {top}"]


# LUTs of a 7-series slice that each memory takes (7 Series CLB user guide, distributed RAM).
_memories = {
    "RAM32M": 4,
    "RAM64M": 4,
    "RAM32X1D": 2,
    "RAM64X1D": 2,
    "RAM128X1D": 4,
    "RAM32X1S": 1,
    "RAM64X1S": 1,
    "RAM128X1S": 2,
    "RAM256X1S": 4,
    "SRL16E": 1,
    "SRLC32E": 1,
}

FAMILY = Family(
    name="xilinx",
    title="Xilinx 7-series",
    commands=_commands,
    plain="synth_xilinx -top {top}",
    small="setattr -mod -unset keep_hierarchy *; synth_xilinx -flatten -nowidelut -top {top}",
    cells={
        **{f"LUT{inputs}": lut(inputs) for inputs in range(1, 7)},
        "INV": lut(1),
        **{f"FD{kind}E{clock}": FF for kind in "RSCP" for clock in ("", "_1")},
        "RAMB18E1": RAM,
        "RAMB36E1": RAM,
        **{f"MUXF{inputs}": MULTIPLEXER for inputs in (7, 8)},
        "CARRY4": Cell("carry"),  # its LUTs are cells of their own
        **{name: Cell("distributed_ram", luts) for name, luts in _memories.items()},
        **dict.fromkeys(("IBUF", "OBUF", "BUFG")),  # pads and a clock buffer, if there are any
        "$scopeinfo": None,
    },
    # The selectors are made for LUTs of four inputs; LUTs of this family have six.
    keep_selectors=False,
)
"""The family."""
