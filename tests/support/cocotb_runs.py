"""Any Amaranth design as Verilog under cocotb, on Verilator."""

from amaranth.back import rtlil

from fatcube.groundwork import yosys
from fatcube.sim.builds.build import Build
from fatcube.testing.simulators import Design, built

__all__ = ["built_verilog", "run_cocotb"]


_TO_VERILOG = [
    "read_rtlil design.il",
    "proc -noopt",
    "pmuxtree",
    "memory_collect",
    "flatten",
    "write_verilog -norename design.v",
]


def run_cocotb(design, test_module, folder, *, ports):
    """Runs the tests of ``test_module`` on ``design`` in ``folder``; raises ``RuntimeError`` if one fails.

    Parameters
    ----------
    design : elaboratable
        Its module has the name ``system``.
    ports : list of signals
        The ports of that module, by the names of the signals.
    """
    text = rtlil.convert(design, name="system", ports=ports, emit_src=False)
    run = yosys.run(_TO_VERILOG, files={"design.il": text}, outputs=["design.v"])
    built_verilog(run.outputs["design.v"], folder).run(test_module, folder, {})


def built_verilog(text, folder, *, visible=("*",)):
    """The :class:`Build` of Verilog whose top module has the name ``system``, built if it is not yet.

    ``visible`` are the signals of that module that a test can find.
    """
    file = folder / "design.v"
    file.write_text(text)
    design = Design(sources=(file,), top="system", visible={"system": list(visible)})
    return Build(None, built(design, "verilator"), "verilator-flat")
