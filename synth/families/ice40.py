"""Lattice iCE40, an HX8K. It has no RAM made of LUTs: deeper buffers become flip-flops or block RAM."""

from fatcube.synth.families.family import FF, RAM, Cell, Family, lut

__all__ = ["FAMILY"]


def _commands(top: str, wide_luts: bool) -> list[str]:
    return [f"synth_ice40 -top {top}"]


FAMILY = Family(
    name="ice40",
    title="Lattice iCE40",
    commands=_commands,
    plain="synth_ice40 -top {top}",
    small="synth_ice40 -top {top}",
    cells={
        "SB_LUT4": lut(4),
        **{
            f"SB_DFF{clock}{kind}": FF
            for clock in ("", "N")
            for kind in ("", "E", "SR", "R", "SS", "S", "ESR", "ER", "ESS", "ES")
        },
        **{f"SB_RAM40_4K{edges}": RAM for edges in ("", "NR", "NW", "NRNW")},
        # A carry cell shares a logic cell with the LUT of the sum. The few logic cells whose LUT stays empty (at a
        # carry that ends in the fabric) are known after placement only.
        "SB_CARRY": Cell("carry"),
        "$scopeinfo": None,
    },
    architecture="ice40",
    options=("--hx8k", "--package", "ct256", "--freq", "100", "--timing-allow-fail"),
    few_pins=True,
)
"""The family."""
