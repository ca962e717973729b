"""Verilog testbenches with clocks of their own, run on Verilator or on Icarus Verilog without Python in the simulator."""

from collections.abc import Iterator, Sequence
import contextlib
import dataclasses
from pathlib import Path
import re
import subprocess
import tempfile

from fatcube.groundwork.progress import doing
from fatcube.groundwork.tool import Call, ToolError, run_tools
from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.sim.builds import build, verilator

__all__ = ["SIMULATORS", "Ended", "check_sources", "run_testbench"]

SIMULATORS = ("verilator", "icarus")
_VERILATOR = "--cc --main --timing -Wno-fatal -Wno-WIDTH --x-assign fast --x-initial fast".split()
_MISSING = re.compile(r"(\S+\.\w+:\d+):.*(?:Cannot find file containing module: '|Unknown module type: )([^'\s]+)")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_MODULE = re.compile(r"\b(?:module|program)\s+(?:(?:automatic|static)\s+)?(\\\S+|\w+)([^;]*);")
_NO_PORTS = re.compile(r"\s*(?:#\s*\(.*\))?\s*(?:\(\s*\))?\s*", re.DOTALL)


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
        The files; one of their modules is instantiated by no other one, and is the testbench. The current folder and those
        of the files are searched for what they include, and for further modules, in files of their names.
    simulator : :class:`str`
        One of :data:`SIMULATORS`. ``"verilator"`` needs a C++ compiler, ``"icarus"`` Icarus Verilog.

    Raises
    ------
    ParameterError
        If a file is missing, or none has a testbench, or the simulator is unknown or not installed.
    ToolError
        If the simulator or the compiler refuses the Verilog, or a module of the design is in no file.
    """
    check_sources(sources, simulator=simulator)
    with tempfile.TemporaryDirectory(prefix="fatcube-build-") as name:
        work, files = Path(name), [source.resolve() for source in sources]
        program = [str(work / "testbench")]
        folders = dict.fromkeys([Path.cwd(), *(source.absolute().parent for source in sources)])
        if simulator == "icarus":
            there = (f"{option}{folder}" for folder in folders for option in ("-I", "-y"))
            command = ("iverilog", "-g2012", "-grelative-include", *there, "-o", program[0], *map(str, files))
            with _missing_modules():
                run_tools([Call("Icarus Verilog", command, folder=work)])
            program.insert(0, "vvp")
        else:
            with doing("compiling the testbench"):
                options = [*_VERILATOR, *(f"-I{folder}" for folder in folders)]  # -I is for modules, too
                with _missing_modules():
                    made = verilator.verilate(work, files, top=None, prefix="Vtb", options=options)
                verilator.compile_objects(work, made, what="the testbench")
                verilator.link(Path(program[0]), [*verilator.library(timing=True), work], cocotb=False)
            program.append("+verilator+quiet")  # no report on the simulation behind what the testbench prints
        with doing("running the testbench"):
            done = subprocess.run(program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    return Ended(done.stdout.decode(errors="replace"), done.returncode)


def check_sources(sources: Sequence[Path], *, simulator: str = "verilator") -> None:
    """Check that the simulator can be used here, that the files are there, and that one may have a testbench.

    Raises
    ------
    ParameterError
        If a file is missing, or all modules have ports, or the simulator is unknown or not installed.
    """
    check_choice("simulator", simulator, SIMULATORS)
    build.check_simulator(simulator)
    for source in sources:
        if not source.is_file():
            raise ParameterError(f"source must be a file of Verilog, not {str(source)!r}")
    texts = [source.read_text(errors="replace") for source in sources]
    if all(map(_only_ports, texts)):
        named = ", ".join(map(str, sources))
        raise ParameterError(f"files must have a testbench, a module without ports; the modules of {named} have ports")


def _only_ports(text: str) -> bool:
    """Whether Verilog has modules, and all of them have ports; not where a macro or an included file may say otherwise."""
    bare = _COMMENT.sub(" ", text)
    heads = [head for _, head in _MODULE.findall(bare)]
    unsure = re.compile("`|import")  # of a head that is more than its text
    return (
        bool(heads)
        and "`include" not in bare
        and not any(unsure.search(one) or _NO_PORTS.fullmatch(one) for one in heads)
    )


@contextlib.contextmanager
def _missing_modules() -> Iterator[None]:
    """Within it, a simulator's error on a module that is in no file ends with the advice to give its file."""
    try:
        yield
    except ToolError as error:
        if found := _MISSING.search(error.log):
            where, module = found.groups()
            text = f"{where}: the module {module} is in none of these files; give the file that has it, too"
            raise ToolError(text, log=error.log) from None
        raise
