"""Any Amaranth design as Verilog under cocotb, on Verilator."""

import shutil

from amaranth.back import rtlil

from groundwork import yosys
from groundwork.cache import cached_folder
from sim.builds import verilator
from sim.builds.build import Build

__all__ = ["built_verilog", "run_cocotb"]


_TO_VERILOG = [
    "read_rtlil design.il",
    "proc -noopt",
    "pmuxtree",
    "memory_collect",
    "flatten",
    "write_verilog -norename design.v",
]
_ALL_SIGNALS = '`verilator_config\npublic_flat_rw -module "system" -var "*"\n'


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
    built_verilog(run.outputs["design.v"], folder, public=_ALL_SIGNALS).run(test_module, folder, {})


def built_verilog(text, folder, *, public):
    """The :class:`Build` of Verilog whose top module has the name ``system``, built in ``folder`` if it is not yet.

    ``public`` is the configuration that says which signals a test can find.
    """

    def make(built):
        work = folder / "build"
        work.mkdir()
        sources = [work / "control.vlt", work / "design.v"]
        for source, content in zip(sources, (public, text)):
            source.write_text(content)
        made = verilator.verilate(work, sources, top="system", prefix="Vtop", waves=False)
        main = verilator.home("cocotb") / verilator.COCOTB_MAIN
        verilator.compile_objects(work, [*made, main], what="a design of a test")
        verilator.link(work / "system", [*verilator.library(waves=False), work])
        shutil.copy2(work / "system", built)

    return Build(None, cached_folder("designs", verilator.key(text, public), make), "verilator-flat")
