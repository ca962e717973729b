"""Verilog testbenches with clocks of their own, run on Verilator or on Icarus Verilog without Python in the simulator."""

from collections.abc import Sequence
import dataclasses
from pathlib import Path
import subprocess
import tempfile

from fatcube.groundwork.progress import doing
from fatcube.groundwork.tool import Call, run_tools
from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.sim.builds import build, verilator

__all__ = ["SIMULATORS", "Ended", "check_sources", "run_testbench"]

SIMULATORS = ("verilator", "icarus")
_VERILATOR = "--cc --main --timing -Wno-fatal -Wno-WIDTH --x-assign fast --x-initial fast".split()


@dataclasses.dataclass(frozen=True)
class Ended:
    """The end of a testbench.

    Parameters
    ----------
    printed : :class:`str`
        Its output.
    status : :class:`int`
        The exit status of the simulator.
    """

    printed: str
    status: int

    @property
    def reported(self) -> bool:
        """Whether it printed a line that begins with PASS or FAIL."""
        return any(line.startswith(("PASS", "FAIL")) for line in self.printed.splitlines())

    @property
    def passed(self) -> bool:
        """Whether it printed a line that begins with PASS, and none that begins with FAIL, and its exit status is 0."""
        lines = self.printed.splitlines()
        failed = any(line.startswith("FAIL") for line in lines)
        return self.status == 0 and not failed and any(line.startswith("PASS") for line in lines)


def run_testbench(sources: Sequence[Path], *, simulator: str = "verilator") -> Ended:
    """Compile Verilog with a testbench at its top, and run it to its end.

    Parameters
    ----------
    sources : sequence of :class:`Path`
        The files; one of their modules is instantiated by no other one, and is the testbench.
    simulator : :class:`str`
        One of :data:`SIMULATORS`. ``"verilator"`` needs a C++ compiler, ``"icarus"`` Icarus Verilog.

    Raises
    ------
    ParameterError
        If a file is missing, or the simulator is unknown or not installed.
    ToolError
        If the simulator or the compiler refuses the Verilog.
    """
    check_sources(sources, simulator=simulator)
    with tempfile.TemporaryDirectory(prefix="fatcube-build-") as name:
        work, files = Path(name), [source.resolve() for source in sources]
        program = [str(work / "testbench")]
        if simulator == "icarus":
            command = ("iverilog", "-g2012", "-grelative-include", "-o", program[0], *map(str, files))
            run_tools([Call("Icarus Verilog", command, folder=work)])
            program.insert(0, "vvp")
        else:
            with doing("compiling the testbench"):
                made = verilator.verilate(work, files, top=None, prefix="Vtb", options=_VERILATOR)
                verilator.compile_objects(work, made, what="the testbench")
                verilator.link(Path(program[0]), [*verilator.library(timing=True), work], cocotb=False)
            program.append("+verilator+quiet")  # no report on the simulation behind what the testbench prints
        with doing("running the testbench"):
            done = subprocess.run(program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    return Ended(done.stdout.decode(errors="replace"), done.returncode)


def check_sources(sources: Sequence[Path], *, simulator: str = "verilator") -> None:
    """Check that the simulator can be used here, and that the files are there.

    Raises
    ------
    ParameterError
        If a file is missing, or the simulator is unknown or not installed.
    """
    check_choice("simulator", simulator, SIMULATORS)
    build.check_simulator(simulator)
    for source in sources:
        if not source.is_file():
            raise ParameterError(f"source must be a file of Verilog, not {str(source)!r}")
