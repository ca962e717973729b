"""A simulated board: the module on a board, in Verilator, with its serial line on a pseudo-terminal."""

from collections.abc import Iterator
import contextlib
import dataclasses
import functools
from pathlib import Path
import shutil
import subprocess
import tempfile

from fatcube.groundwork.cache import cached_folder
from fatcube.groundwork.progress import doing
from fatcube.groundwork.tool import ToolError
from fatcube.noc.machines.board_system import BoardSystem
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.netlist_verilog import netlist_verilog
from fatcube.noc.shared import netlist_digest
from fatcube.rtl.serial.uart import FEWEST_BIT_CYCLES
from fatcube.sim.board.line import BoardError
from fatcube.sim.builds import verilator

__all__ = ["VirtualBoard", "virtual_board"]


_MAIN = Path(__file__).resolve().parents[1] / "builds" / "native" / "board.cpp"
_ABOUT = {"board": "simulated"}


@dataclasses.dataclass
class VirtualBoard:
    """A simulated board that is running.

    Attributes
    ----------
    port : :class:`str`
        The name of its serial port.
    process : :class:`subprocess.Popen`
    """

    port: str
    process: subprocess.Popen[bytes]

    def press_reset(self) -> None:
        """Press the reset button."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"r")
        self.process.stdin.flush()

    def at_rest(self) -> bool:
        """Return whether no run is in progress and the line is idle, so that the board sends nothing unrequested."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(b"?")
        self.process.stdin.flush()
        return self.process.stdout.readline() == b"at rest\n"


@contextlib.contextmanager
def virtual_board(
    machine: Machine | TrafficMachine, *, bit_cycles: int = FEWEST_BIT_CYCLES, verilog: str | None = None
) -> Iterator[VirtualBoard]:
    """A simulated board with ``machine``, stopped afterwards.

    Parameters
    ----------
    machine : :class:`Machine` or :class:`TrafficMachine`
    bit_cycles : :class:`int`
        Clock cycles per bit of the serial line.
    verilog : :class:`str` or ``None``
        Verilog of a module ``board`` that replaces the generated module, such as its netlist.

    Raises
    ------
    BoardError
        If the simulator cannot be built or does not start.
    ParameterError
        If no board can have this machine.
    """
    try:
        program = _program(machine, bit_cycles, verilog) / "board"
    except ToolError as error:
        raise BoardError(f"the simulated board could not be built: {error}") from error
    process = subprocess.Popen([program, str(bit_cycles)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    try:
        port = process.stdout.readline().decode().strip()
        if not port:
            raise BoardError(f"the simulated board must start, but ended with status {process.wait()}")
        yield VirtualBoard(port, process)
    finally:
        process.stdin.close()
        process.kill()
        process.wait()
        process.stdout.close()


def _program(machine: Machine | TrafficMachine, bit_cycles: int, verilog: str | None) -> Path:
    """A folder with the program ``board``."""
    board = functools.cache(lambda: BoardSystem(machine, bit_cycles=bit_cycles, about=_ABOUT).shared())
    kind = type(machine).__name__
    source = verilog or netlist_digest("board", [kind, machine.to_json(), bit_cycles, _ABOUT], board)

    def make(folder: Path) -> None:
        what = f"a board with the {machine.network.name}"
        with doing(f"compiling {what}"), tempfile.TemporaryDirectory(prefix="fatcube-build-") as name:
            work = Path(name)
            (work / "board.v").write_text(netlist_verilog(board()) if verilog is None else verilog)
            sources = verilator.verilate(work, [work / "board.v"], top="board", prefix="Vboard", waves=False)
            verilator.compile_objects(work, [*sources, _MAIN], what=what)
            verilator.link(work / "board", [*verilator.library(waves=False), work], cocotb=False)
            shutil.copy2(work / "board", folder)

    return cached_folder("virtual-boards", verilator.key(source, _MAIN.read_text()), make)
