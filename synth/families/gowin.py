"""Gowin, the GW1N-9C of a GW1NR-LV9QN88PC6/I5."""

from fatcube.synth.families.family import FF, MULTIPLEXER, RAM, Cell, Family, lut

__all__ = ["FAMILY"]


_PADS = "iopadmap -bits -inpad IBUF O:I -outpad OBUF I:O"


def _commands(top: str, wide_luts: bool) -> list[str]:
    """The Yosys commands, without pads: ports end in the fabric."""
    return [f"synth_gowin -family gw1n -noiopads{'' if wide_luts else ' -nowidelut'} -top {top}"]


FAMILY = Family(
    name="gowin",
    title="Gowin GW1N",
    commands=_commands,
    plain="synth_gowin -top {top}",
    small="synth_gowin -nowidelut -top {top}",
    cells={
        **{f"LUT{inputs}": lut(inputs) for inputs in range(1, 5)},
        **{f"MUX2_LUT{inputs}": MULTIPLEXER for inputs in range(5, 9)},
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
        "IBUF": None,  # pads, if there are any
        "OBUF": None,
        "$scopeinfo": None,
    },
    architecture="himbaechel-gowin",
    options=(
        "--device",
        "GW1NR-LV9QN88PC6/I5",
        "--vopt",
        "family=GW1N-9C",
        "--vopt",
        "cst=pins.cst",
        "--freq",
        "100",
        "--timing-allow-fail",
    ),
    # This nextpnr accepts no port without a pad, and no pad without a pin. The choice of pins affects no path between
    # registers.
    pads=_PADS,
    files={"pins.cst": 'IO_LOC "clk" 52;\nIO_LOC "rst" 4;\nIO_LOC "i" 25;\nIO_LOC "o" 26;\n'},
    wide_luts=True,
    few_pins=True,
)
"""The family."""
