"""Gowin, the GW1N: area only."""

from synth.families.family import FF, RAM, Cell, Family, lut

__all__ = ["FAMILY"]


def _commands(top: str, wide_luts: bool) -> list[str]:
    """Ports end in the fabric: no pads."""
    return [f"synth_gowin -family gw1n -noiopads -nowidelut -top {top}"]


FAMILY = Family(
    name="gowin",
    title="Gowin GW1N",
    commands=_commands,
    cells={
        **{f"LUT{inputs}": lut(inputs) for inputs in range(1, 5)},
        **{
            f"DFF{clock}{kind}": FF
            for clock in ("", "N")
            for kind in ("", "E", "S", "SE", "R", "RE", "P", "PE", "C", "CE")
        },
        **dict.fromkeys(("SP", "SPX9", "SDPB", "SDPX9B", "DPB", "DPX9B"), RAM),
        "ALU": Cell("carry", 1),  # a LUT in another mode
        **{f"RAM16SDP{width}": Cell("distributed_ram", width) for width in (1, 2, 4)},
        "GND": None,
        "VCC": None,
        "GSR": None,  # the reset of the whole chip, which Yosys always adds
        "$scopeinfo": None,
    },
)
"""The family."""
