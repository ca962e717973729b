"""The check of a vendor's project without the vendor's tool: Yosys maps it to the cells of the chip."""

from collections.abc import Mapping
import dataclasses
import json
import re
import time

from fatcube.groundwork import yosys
from fatcube.groundwork.progress import doing
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.boards.board import Board
from fatcube.noc.boards.project import NAME
from fatcube.synth.place_and_route import Use

__all__ = ["check_mapping"]


@dataclasses.dataclass(frozen=True)
class _Chip:
    """The mapping by Yosys to a family of chips.

    Members
    -------
    command : :class:`str`
        The Yosys command.
    luts, registers : :class:`str`
        Patterns of the names of these cells.
    memories : mapping of :class:`str` to :class:`float`
        Number of block memories in a cell, by its name.
    known : :class:`str`
        Verilog of modules of the vendor's that Yosys does not know, each with the prefix ``known_`` to its name.
    """

    command: str
    luts: str
    registers: str
    memories: Mapping[str, float]
    known: str = ""


# Yosys knows some of these modules too, but with fewer ports.
_QUARTUS = """
module known_altera_std_synchronizer #(parameter depth = 3) (input clk, reset_n, din, output dout);
  reg [depth-1:0] stages;
  always @(posedge clk or negedge reset_n) if (!reset_n) stages <= 0; else stages <= {stages, din};
  assign dout = stages[depth-1];
endmodule
module known_altera_std_synchronizer_bundle #(parameter depth = 3, width = 1) (
  input clk, reset_n, input [width-1:0] din, output [width-1:0] dout
);
  genvar i;
  generate for (i = 0; i < width; i = i + 1) begin : bits
    known_altera_std_synchronizer #(.depth(depth)) bit_ (clk, reset_n, din[i], dout[i]);
  end endgenerate
endmodule
module known_altiobuf_in #(parameter enable_bus_hold = "", number_of_channels = 1, use_differential_mode = "") (
  input [number_of_channels-1:0] datain, output [number_of_channels-1:0] dataout
);
  assign dataout = datain;
endmodule
module known_altiobuf_out #(
  parameter enable_bus_hold = "", number_of_channels = 1, use_differential_mode = "", use_oe = ""
) (input [number_of_channels-1:0] datain, oe, output [number_of_channels-1:0] dataout);
  assign dataout = datain;
endmodule
"""
_CHIPS = {
    "xilinx": _Chip(
        "synth_xilinx -family xc7 -flatten",
        r"LUT\d",
        r"FD.E(_1)?",
        {"RAMB36E1": 1, "RAMB18E1": 0.5},
    ),
    "intel": _Chip(
        "synth_intel_alm -family cyclonev",
        r"MISTRAL_(ALUT\d|ALUT_ARITH|NOT)",
        r"MISTRAL_FF",
        {"MISTRAL_M10K": 1},
        _QUARTUS,
    ),
}


def check_mapping(board: Board, files: Mapping[str, str]) -> tuple[Mapping[str, Use], Mapping[str, float]]:
    """The use of the chip's LUTs, registers and block memories, as Yosys maps the project, and the seconds that it took.

    Raises
    ------
    ParameterError
        If the project needs more than the chip has: the message has the numbers.
    ToolError
        If Yosys refuses the sources.
    """
    chip = _CHIPS[board.family]
    begun = time.monotonic()
    with doing(f"mapping the design to the {board.title}"):
        sources = {**files, f"{NAME}.v": _with_known(files[f"{NAME}.v"], chip), "known.v": chip.known}
        finished = yosys.run(
            [
                *(f"read_verilog {name}" for name in sources if name.endswith(".v")),
                f"{chip.command} -top {NAME}",
                "tee -q -o cells.json stat -json",
            ],
            files=sources,
            outputs=["cells.json"],
        )
    cells: Mapping[str, int] = json.loads(finished.outputs["cells.json"])["design"]["num_cells_by_type"]

    def matching(pattern: str) -> int:
        return sum(number for name, number in cells.items() if re.fullmatch(pattern, name))

    utilisation = {
        "LUT": Use(matching(chip.luts), board.luts),
        "register": Use(matching(chip.registers), None),
        "block memory": Use(
            sum(chip.memories.get(name, 0) * number for name, number in cells.items()), board.block_memories
        ),
    }
    over = [
        f"{use} {kind}" for kind, use in utilisation.items() if use.available is not None and use.used > use.available
    ]
    if over:
        raise ParameterError(f"network must fit on the {board.title}, but needs {', '.join(over)}")
    return utilisation, {"mapping": time.monotonic() - begun}


def _with_known(text: str, chip: _Chip) -> str:
    """The top module with the ``known_`` modules in place of the vendor's."""
    for name in re.findall(r"^module known_(\w+)", chip.known, re.MULTILINE):
        text = re.sub(rf"\b{name}\b(?= #?\()", f"known_{name}", text)
    return text
