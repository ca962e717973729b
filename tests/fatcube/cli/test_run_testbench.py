"""`fatcube run-testbench`: how a testbench in Verilog ends, on both simulators."""

import re
import shutil

import pytest

from tests.support.commands import run

TESTBENCH = """\
`timescale 1ns / 1ps
module adder(input wire [7:0] a, output wire [7:0] more);
  assign more = a + 8'd1;
endmodule
module adder_tb;
  reg clk = 0;
  reg [7:0] a = 0;
  wire [7:0] more;
  adder dut(.a(a), .more(more));
  always #5 clk = ~clk;
  always @(posedge clk) begin
    a <= more;
    if (a == 8'd20) begin
      END
      $finish;
    end
  end
endmodule
"""
#: What stands at the end of the testbench, what is printed, and the exit status of the command.
ENDS = {
    "passes": ('$display("PASS: %0d words", a);', "PASS: 20 words", 0),
    "fails": ('$display("PASS: so far"); $display("FAIL: word %0d", a);', "FAIL: word 20", 1),
    "says nothing": ('$display("done");', "done", 1),
    "ends with a status": ('$display("PASS: so far"); $fatal;', "PASS: so far", 1),
}


def ended(monkeypatch, capsys, tmp_path, end, simulator):
    text, printed, wanted = ENDS[end]
    (tmp_path / "adder.v").write_text(TESTBENCH.replace("END", text))
    status, out, err = run(monkeypatch, capsys, "run-testbench", tmp_path / "adder.v", "--simulator", simulator)
    assert (status, printed in out.splitlines()) == (wanted, True), (out, err)
    assert ("begins with PASS or FAIL" in err) == (end == "says nothing")


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="iverilog is not installed")
@pytest.mark.parametrize("end", ENDS)
def test_the_end_on_icarus(monkeypatch, capsys, tmp_path, end):
    ended(monkeypatch, capsys, tmp_path, end, "icarus")


@pytest.mark.parametrize(
    "end",
    [
        "ends with a status",
        *(
            pytest.param(
                end,
                marks=pytest.mark.long(
                    stays="tests/fatcube/cli/test_run_testbench.py::test_the_end_on_verilator[ends with a status]"
                ),
            )
            for end in ("passes", "fails", "says nothing")
        ),
    ],
)
def test_the_end_on_verilator(monkeypatch, capsys, tmp_path, end):
    """Catches delays that are left out, and a status that is lost; it needs a C++ compiler alone."""
    monkeypatch.delenv("MAKEFLAGS", raising=False)
    ended(monkeypatch, capsys, tmp_path, end, "verilator")


def test_bad_input_costs_one_line(monkeypatch, capsys, tmp_path):
    missing = tmp_path / "missing.v"
    assert run(monkeypatch, capsys, "run-testbench", missing) == (
        2,
        "",
        f"fatcube: source must be a file of Verilog, not '{missing}'\n",
    )
    (tmp_path / "wrong.v").write_text("no Verilog\n")
    status, out, err = run(monkeypatch, capsys, "--quiet", "run-testbench", tmp_path / "wrong.v")
    assert (status, out) == (1, "") and "syntax error" in err and err.count("\n") == 1


HAVING_ICARUS = pytest.mark.skipif(shutil.which("iverilog") is None, reason="iverilog is not installed")
SIMULATORS = [pytest.param("icarus", marks=HAVING_ICARUS), "verilator"]


@pytest.mark.parametrize("simulator", SIMULATORS)
@pytest.mark.parametrize("where", ["current folder", "folder of the file"])
def test_a_design_around_the_template_of_a_network_is_found(monkeypatch, capsys, tmp_path, simulator, where):
    """Catches an included file, and a module in a file of its name, that are searched for in one folder alone."""
    sources, others = tmp_path / "sources", tmp_path / "other files"
    sources.mkdir()
    others.mkdir()
    there = others if where == "current folder" else sources
    arguments = f"generate network --topology hypercube -d 1 --interface axi4-stream --with template --name pair -o {sources}/pair.v"
    assert run(monkeypatch, capsys, *arguments.split())[0] == 0
    for name in ("pair_instance.v", "pair.v"):
        (sources / name).rename(there / name)
    lines = [
        "module top;",
        '`include "pair_instance.v"',
        'initial $display("PASS: %0d", $bits(error));',
        "endmodule",
        "",
    ]
    (sources / "top.v").write_text("\n".join(lines))
    monkeypatch.chdir(others)
    status, out, err = run(monkeypatch, capsys, "run-testbench", sources / "top.v", "--simulator", simulator)
    assert (status, out) == (0, "PASS: 2\n"), err


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_a_missing_design_is_named(monkeypatch, capsys, tmp_path, simulator):
    (tmp_path / "top.v").write_text("module top;\n  none it();\nendmodule\n")
    call = ("--quiet", "run-testbench", tmp_path / "top.v", "--simulator", simulator)
    wanted = f"fatcube: {tmp_path}/top.v:2: the module none is in none of these files; give the file that has it, too\n"
    assert run(monkeypatch, capsys, *call) == (1, "", wanted)


def test_a_design_without_testbench_is_refused(monkeypatch, capsys, tmp_path):
    path = tmp_path / "mesh.v"
    path.write_text("// module top;\nmodule mesh(input a);\nendmodule\nmodule node(a /* () */);\nendmodule\n")
    wanted = f"fatcube: files must have a testbench, a module without ports; the modules of {path} have ports\n"
    assert run(monkeypatch, capsys, "run-testbench", path, "--dry-run") == (2, "", wanted)


@pytest.mark.parametrize(
    "head",
    ["top;", "top();", "automatic top #(parameter W = (1)) ( );", "top import some::*;", "top `PORTS;", "\\top! ;"],
)
def test_no_testbench_is_taken_for_a_design(monkeypatch, capsys, tmp_path, head):
    path = tmp_path / "top.v"
    path.write_text(f"module mesh(input a);\nendmodule\nmodule {head}\nendmodule\n")
    assert run(monkeypatch, capsys, "run-testbench", path, "--dry-run")[0] == 0


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="iverilog is not installed")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no Verilog\n", ":1: syntax error"),
        ('module top;\n`include "none.v"\nendmodule\n', r":\d: Include file none\.v not found"),
    ],
)
def test_the_error_of_icarus_is_the_message(monkeypatch, capsys, tmp_path, text, said):
    path = tmp_path / "wrong.v"
    path.write_text(text)
    call = ("--quiet", "run-testbench", path, "--simulator", "icarus")
    status, out, err = run(monkeypatch, capsys, *call)
    assert (status, out) == (1, "") and re.fullmatch(f"fatcube: {re.escape(str(path))}{said}\n", err), err


def test_iverilog_is_another_name_of_icarus(monkeypatch, capsys, tmp_path):
    status, _, err = run(monkeypatch, capsys, "run-testbench", tmp_path / "any.v", "--simulator", "iverilog")
    assert status == 2 and err.endswith("did you mean icarus?\n")
