"""Yosys of pyosys behind the command line of `yosys`: what Amaranth and edalize ask of it."""

import subprocess
import sys

from amaranth.back import verilog
from amaranth.hdl import Elaboratable, Module, Signal
import pytest

from fatcube import Hypercube, PacketNetwork, RoutedNetwork, RouterOptions

DESIGN = "module top(input a, output b); assign b = ~a; endmodule\n"
#: As edalize writes it.
TCL = """set top top
proc synth {top} {
  prep -top $top
}
yosys -import
source read.tcl
synth $top
if {[info exists other]} { nothing_such }
procs
write_verilog -noattr out.v
"""


def yosys(folder, *arguments, stdin=""):
    """The exit status, output and error output of the command in a folder."""
    command = [sys.executable, "-m", "fatcube.yosys", *arguments]
    done = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "top.v").write_text(DESIGN)
    return tmp_path


def test_version(folder):
    status, out, _ = yosys(folder, "-V")
    assert status == 0 and out.startswith("Yosys 0.") and out.count("\n") == 1


def test_a_script_on_standard_input(folder):
    """Quietly, so that only what it writes is printed; the text of a design may stand in it."""
    script = "read_rtlil <<text\nmodule \\top\n  wire input 1 \\a\nend\ntext\nwrite_rtlil\n"
    status, out, _ = yosys(folder, "-q", "-", stdin=script)
    assert status == 0 and "module \\top" in out and "Executing" not in out
    assert list(folder.iterdir()) == [folder / "top.v"]


def test_files_commands_log_and_output(folder):
    status, out, _ = yosys(folder, "-Q", "-T", "-l", "log", "-p", "prep -top top; stat", "-o", "out.il", "top.v")
    assert status == 0 and "Printing statistics" in out and "Printing statistics" in (folder / "log").read_text()
    assert "module \\top" in (folder / "out.il").read_text()
    (folder / "s.ys").write_text("write_json out.json\n")
    assert yosys(folder, "-s", "s.ys", "top.v")[0] == 0 and (folder / "out.json").exists()


def test_tcl(folder):
    (folder / "read.tcl").write_text("read_verilog {top.v}\n")
    (folder / "script.tcl").write_text(TCL)
    status, _, err = yosys(folder, "-l", "log", "-p", "tcl script.tcl")
    assert status == 0, err
    assert "assign b = ~ a" in (folder / "out.v").read_text() and "PROC pass" in (folder / "log").read_text()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["-p", "no_such_command"], 1, "no_such_command"),
        (["-o", "out.vhd"], 2, "the extension of out.vhd must be one of blif, edif, il, json, sv, v"),
        (["two words.v"], 2, "the name of a file must have no blank, where Yosys ends a word, not 'two words.v'"),
        (["-l", "a log", "top.v"], 2, "the name of a file must have no blank, where Yosys ends a word, not 'a log'"),
        (["top.vhd"], 2, "the extension of top.vhd must be one of blif, il, json, sv, v, ys"),
        (["--synth"], 2, "unrecognized arguments: --synth"),
    ],
)
def test_errors(folder, arguments, status, message):
    found, _, err = yosys(folder, *arguments)
    assert found == status and message in err


def test_amaranth_writes_verilog_with_it(tmp_path, monkeypatch):
    """A design with a network in it, whose routers are elaborated where they stand."""

    class Top(Elaboratable):
        def __init__(self):
            self.ready = Signal()

        def elaborate(self, platform):
            m = Module()
            m.submodules.network = network = PacketNetwork(RoutedNetwork(Hypercube(1), RouterOptions(width=16)))
            m.d.comb += [network.send[0].valid.eq(1), self.ready.eq(network.send[0].ready)]
            return m

    command = tmp_path / "yosys"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m fatcube.yosys "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("YOSYS", str(command))
    monkeypatch.delenv("AMARANTH_USE_YOSYS", raising=False)
    top = Top()
    text = verilog.convert(top, ports=[top.ready], emit_src=False, strip_internal_attrs=True)
    assert text.count("\nmodule ") > 20
    (tmp_path / "top.v").write_text(text)
    assert yosys(tmp_path, "-q", "-p", "hierarchy -check -top top; proc; check -assert", "top.v")[0] == 0
