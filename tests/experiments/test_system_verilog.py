# amaranth: UnusedElaboratable=no
"""Components in SystemVerilog, elaborated, between registers, and through the flow of ours."""

import json

from amaranth.back import rtlil
import pytest

from experiments.peers.system_verilog import SystemVerilogComponent, elaborate
from fatcube.groundwork import yosys
from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import ParameterError
from fatcube.synth.families.ecp5 import FAMILY as ecp5
from fatcube.synth.mapping import map_design
from fatcube.synth.measure import synthesize
from fatcube.synth.wrapper import registered_design

# Structs, a package, an unpacked array and an active-low reset: what plain Verilog does not have.
ADDER = """
package words; typedef struct packed { logic valid; logic [3:0] data; } word_t; endpackage
module adder import words::*; #(parameter int extra = 1) (
  input logic clk_i, input logic rst_ni, input word_t a_i, input word_t [1:0] b_i, output word_t sum_o, output logic [2:0] last_o
);
  logic [2:0] kept [1:0];
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) kept <= '{default: 3'(extra)};
    else kept <= '{kept[0], {a_i.valid, b_i[1].valid, b_i[0].valid}};
  always_comb begin
    sum_o.valid = a_i.valid & b_i[0].valid & b_i[1].valid;
    sum_o.data = a_i.data + (b_i[0].data ^ b_i[1].data);
  end
  assign last_o = kept[1];
  initial begin $display("only simulators say this"); assert (extra > 0); end
endmodule
"""


@pytest.fixture
def adder(tmp_path):
    (tmp_path / "adder.sv").write_text(ADDER)
    return elaborate([tmp_path / "adder.sv"], top="adder", parameters={"extra": 2})


def measured(module):
    return SystemVerilogComponent(module, clock="clk_i", reset="rst_ni", reset_active_low=True)


def test_ports_are_those_of_the_module(adder):
    assert adder.inputs == {"clk_i": 1, "rst_ni": 1, "a_i": 5, "b_i": 10}
    assert adder.outputs == {"sum_o": 5, "last_o": 3}
    assert adder.unread_inputs == adder.constant_outputs == 0
    assert set(measured(adder).signature.members) == {"a_i", "b_i", "sum_o", "last_o"}


def test_text_does_not_depend_on_the_folder(tmp_path, adder):
    (tmp_path / "a folder").mkdir()
    (tmp_path / "a folder" / "adder.sv").write_text(ADDER)
    assert elaborate([tmp_path / "a folder" / "adder.sv"], top="adder", parameters={"extra": 2}) == adder


def test_bits_that_lead_nowhere_are_counted(tmp_path):
    (tmp_path / "a.sv").write_text(
        "module a(input clk, input rst, input [3:0] i, output [5:0] o); logic r;"
        "always_ff @(posedge clk) if (rst) r <= 0; else r <= i[0]; assign o = {3'b101, 1'bx, i[1], r}; endmodule"
    )
    module = elaborate([tmp_path / "a.sv"], top="a")
    assert (module.unread_inputs, module.constant_outputs) == (2, 4)


def test_module_behaves_as_written(adder):
    """Proved against the module in a wrapper by hand: clock, reset and each port lead where they should."""
    wrapper = """
    module gold(input clk, input rst, input [4:0] a_i, input [9:0] b_i, output [4:0] sum_o, output [2:0] last_o);
      adder #(.extra(2)) adder(.clk_i(clk), .rst_ni(!rst), .a_i, .b_i, .sum_o, .last_o);
    endmodule
    """
    yosys.run(
        [
            "read_slang --top gold gold.sv",
            "delete t:$check t:$print",
            "read_rtlil gate.il",
            "setattr -mod -unset top *",  # flatten removes all but the top
            "proc",
            "flatten",
            "async2sync",
            "miter -equiv -flatten gold gate miter",
            "sat -verify -tempinduct -prove trigger 0 -set-at 1 in_rst 1 -seq 1 miter",
        ],
        files={"gate.il": rtlil.convert(measured(adder), name="gate") + adder.rtlil, "gold.sv": ADDER + wrapper},
    )


def test_register_stands_at_each_input_and_output(adder):
    """Found in the netlist that is placed: from a port one meets only flip-flops."""
    design = registered_design(measured(adder), name="adder", modules=adder.rtlil)
    module = json.loads(map_design(design, family=ecp5).json)["modules"]["registered_adder"]
    at = {}
    for cell in module["cells"].values():
        for port, bits in cell["connections"].items():
            for bit in bits:
                at.setdefault(bit, set()).add((cell["type"], port))
    ports = {name: [at.get(bit, set()) for bit in port["bits"]] for name, port in module["ports"].items()}
    assert {name: len(bits) for name, bits in ports.items()} == {
        "clk": 1,
        "rst": 1,
        "a_i": 5,
        "b_i": 10,
        "sum_o": 5,
        "last_o": 3,
    }
    for name in ("a_i", "b_i"):
        assert all(found and {port for _, port in found} <= {"DI", "M"} for found in ports[name]), name
        assert all({cell for cell, _ in found} == {"TRELLIS_FF"} for found in ports[name]), name
    for name in ("sum_o", "last_o"):
        assert all(("TRELLIS_FF", "Q") in found for found in ports[name]), name
    # Those of the ports, and those that the adder itself has.
    assert sum(cell["type"] == "TRELLIS_FF" for cell in module["cells"].values()) == 5 + 10 + 5 + 3 + 6


def test_area_is_of_the_bare_module(adder):
    area = synthesize(measured(adder), name="adder", modules=adder.rtlil, fmax=False).area
    assert area.ff == 6
    # 4 for the exclusive or, 1 for the valid bit, and 4 full adders, of which a carry cell has two.
    assert area.comb_equivalents == area.lut4 + 2 * area.carry > 4


def test_product_is_made_of_luts(tmp_path):
    (tmp_path / "a.sv").write_text(
        "module a(input clk, input rst, input [2:0] a, input [2:0] b, output [5:0] o); assign o = a * b;"
        "logic unused; always_ff @(posedge clk) if (rst) unused <= 0; endmodule"
    )
    module = elaborate([tmp_path / "a.sv"], top="a")
    area = synthesize(
        SystemVerilogComponent(module, clock="clk", reset="rst"), name="a", modules=module.rtlil, fmax=False
    ).area
    assert area.comb_equivalents > 6
    assert set(area.cells) <= {"LUT4", "CCU2C"}


def test_error_of_slang_is_the_message(tmp_path):
    (tmp_path / "a.sv").write_text("module a(input b); always_comb c = b; endmodule")
    with pytest.raises(ToolError, match="a.sv:1: ERROR: use of undeclared identifier 'c'"):
        elaborate([tmp_path / "a.sv"], top="a")


@pytest.mark.parametrize("clock, reset", [("clock", "rst_ni"), ("clk_i", "a_i"), ("clk_i", "sum_o")])
def test_clock_and_reset_must_be_inputs_of_one_bit(adder, clock, reset):
    with pytest.raises(ParameterError, match="of adder must be one of its inputs of one bit, not '"):
        SystemVerilogComponent(adder, clock=clock, reset=reset)
