"""Lattice ECP5, an LFE5U-85F of speed grade 6."""

from fatcube.synth.families.family import FF, MULTIPLEXER, RAM, Cell, Family, lut
from fatcube.synth.nextpnr import RIP_UP

__all__ = ["FAMILY"]


def _commands(top: str, wide_luts: bool) -> list[str]:
    """The Yosys commands; without wide LUTs, they are the area flow (docs/reference/result-records.md)."""
    return [f"synth_ecp5 -top {top}" if wide_luts else f"synth_ecp5 -nowidelut -top {top}"]


FAMILY = Family(
    name="ecp5",
    title="Lattice ECP5",
    commands=_commands,
    plain="synth_ecp5 -top {top}",
    small="synth_ecp5 -nowidelut -top {top}",
    cells={
        "LUT4": lut(4),
        "TRELLIS_FF": FF,
        "DP16KD": RAM,
        "CCU2C": Cell("carry", 2),
        # Four LUTs for the 16x4 data and two for the write port.
        "TRELLIS_DPR16X4": Cell("distributed_ram", 6),
        "PFUMX": MULTIPLEXER,
        "L6MUX21": MULTIPLEXER,
        "$scopeinfo": None,  # the name of a module that was flattened
    },
    architecture="ecp5",
    # The package is given, so that a new default of nextpnr changes nothing; none of its pins is used.
    # Out of context: ports end in the fabric, so thousands of them fit, and no register is placed near a pin.
    # The placement does not depend on the target: nextpnr optimizes the worst path whatever it is, and 50, 200 and 500 MHz
    # gave the same. With rip-up the wires do: those that miss it are laid again, and where many do, the worst of them. It gave
    # 2.8 % more MHz over five routers with three seeds each (14 of 15 were faster), and takes 1.4 to 2.4 times as long.
    options=(
        "--85k",
        "--package",
        "CABGA381",
        "--speed",
        "6",
        "--out-of-context",
        "--freq",
        "200",
        "--timing-allow-fail",
        RIP_UP,
    ),
    wide_luts=True,
)
"""The family."""
