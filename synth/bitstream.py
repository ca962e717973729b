"""A network on a board: the project, and, if tools from pip can generate it, the bitstream.

The clock is as fast as place and route allows: the design is routed once to measure its highest frequency, and again
with the fastest clock that leaves the margin, until the last route leaves it.
"""

from collections.abc import Mapping
import dataclasses

from fatcube.groundwork.digest import digest
from fatcube.groundwork.progress import doing
from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import check_integer, check_number
from fatcube.noc.boards.board import BAUD, Board
from fatcube.noc.boards.clocks.clock_source import Setting
from fatcube.noc.boards.project import project_files
from fatcube.noc.boards.top import Top
from fatcube.noc.machines.board_system import BoardSystem
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.synth.memory_budget import check_memories
from fatcube.synth.place_and_route import LOG, Routed, Use, pack, place_and_route
from fatcube.synth.vendor import check_mapping

__all__ = ["LIST", "Build", "Request", "build_board"]


LIST = "board.f"
"""The name of the list of the sources in Verilog."""

_MOST_ROUTES = 6
_FREQUENCY_ERROR = 0.001  # nextpnr keeps periods in whole picoseconds
_BITSTREAMS = (".bit", ".bin", ".fs")


@dataclasses.dataclass(frozen=True)
class Request:
    """The machine for a board, and the options of its project.

    Parameters
    ----------
    board : :class:`Board`
    machine : :class:`Machine` or :class:`TrafficMachine`
    clock_mhz : :class:`float` or ``None``
        The clock, MHz; ``None`` for the fastest that place and route allows, or, in a vendor's project, the board's
        own.
    margin : :class:`float`
        The fraction of the clock by which the routed design must be faster, if place and route chooses the clock.
    baud : :class:`int`
        Bits per second on the serial port.
    seed : :class:`int`
        Seed of place and route. placement : :class:`bool` True if the place of every cell is kept too.

    Raises
    ------
    ParameterError
        If the clock or the rate is not available, or the memories do not fit.
    """

    board: Board
    machine: Machine | TrafficMachine
    clock_mhz: float | None = None
    margin: float = 0.05
    baud: int = BAUD
    seed: int = 1
    placement: bool = False

    def __post_init__(self) -> None:
        check_number("margin", self.margin, minimum=0, maximum=1)
        check_integer("seed", self.seed, minimum=0, maximum=(1 << 31) - 1)
        if isinstance(self.machine, Machine):
            check_memories(self.board, self.machine)
        self.board.bit_cycles(self.first_setting, self.baud)

    @property
    def first_setting(self) -> Setting:
        """The setting of the clock that was given, or that place and route tries first."""
        if self.clock_mhz is None:
            return self.board.fastest(self.board.clock_mhz, self.baud)
        return self.board.nearest(self.clock_mhz)

    def project(self, setting: Setting) -> Mapping[str, str]:
        """The texts of the files of the project with that setting, by name."""
        system = BoardSystem(
            self.machine,
            bit_cycles=self.board.bit_cycles(setting, self.baud),
            about={"board": self.board.name, "clock_hz": float(setting.frequency)},
        )
        # nextpnr does not optimize beyond this frequency, and uses it if it finds no constraint of the clock.
        options = f"--seed {self.seed} --freq {setting.mhz:.6f} {self.board.nextpnr}".strip()
        overrides = {} if self.board.vendor else {"nextpnr_opts": options}
        with doing(f"generating the network for the {self.board.title}"):
            return project_files(Top(self.board, system.shared(), setting), **overrides)


@dataclasses.dataclass(frozen=True)
class Build:
    """A network on a board.

    Members
    -------
    request : :class:`Request`
    setting : :class:`Setting`
        The setting of the clock.
    routes : :class:`tuple` of pairs of :class:`float`
        The clock that was required, and the one that was reached, MHz, of each route; the last one is valid. Empty for
        a vendor's project.
    utilisation : mapping of :class:`str` to :class:`Use`
        Cells by kind: after place and route, or, for a vendor's project, as Yosys maps it.
    seconds : mapping of :class:`str` to :class:`float`
        Running time of each tool in the last route.
    files : mapping of :class:`str` to :class:`bytes`
        Contents of all files to be written, by name.
    key : :class:`str`
        The digest of the sources among ``files``.
    routed : :class:`Routed` or ``None``
        The result of place and route; ``None`` for a vendor's project.
    """

    request: Request
    setting: Setting
    routes: tuple[tuple[float, float], ...]
    utilisation: Mapping[str, Use]
    seconds: Mapping[str, float]
    files: Mapping[str, bytes]
    key: str
    routed: Routed | None = None

    @property
    def bit_cycles(self) -> int:
        """Clock cycles per bit of the serial line."""
        return self.request.board.bit_cycles(self.setting, self.request.baud)

    @property
    def bitstream(self) -> str | None:
        """The name of the file with the bitstream; ``None`` for a vendor's project."""
        return next((name for name in self.files if name.endswith(_BITSTREAMS)), None)


def build_board(request: Request) -> Build:
    """The project of a network on a board, with its bitstream if tools from pip can generate it.

    Raises
    ------
    ParameterError
        If the network does not fit: the message has the numbers.
    ToolError
        If a tool fails, or place and route does not reach the clock that was given.
    """
    board = request.board
    if board.vendor:
        files = request.project(request.first_setting)
        utilisation, seconds = check_mapping(board, files)
        return Build(request, request.first_setting, (), utilisation, seconds, _written(files), digest(dict(files)))
    setting, files, routed, routes = _given(request) if request.clock_mhz is not None else _fastest(request)
    with doing(f"packing the bitstream for the {board.title}"):
        name, bitstream = pack(files, routed)
    written = {**_written(files), LOG: (routed.folder / LOG).read_bytes(), name: bitstream}
    return Build(request, setting, routes, routed.utilisation, routed.seconds, written, digest(dict(files)), routed)


def _written(files: Mapping[str, str]) -> dict[str, bytes]:
    """The sources, and a list of those in Verilog."""
    verilog = sorted(name for name in files if name.endswith(".v"))
    text = "\n".join(["// Verilog of this board, for the option -f of simulators and synthesis.", *verilog, ""])
    return {name: text.encode() for name, text in {**files, LIST: text}.items()}


_Result = tuple[Setting, Mapping[str, str], Routed, tuple[tuple[float, float], ...]]


def _given(request: Request) -> _Result:
    """The design routed with the clock that was given."""
    setting = request.first_setting
    files, routed = _route(request, setting)
    if routed.fmax_mhz < setting.mhz:
        raise ToolError(
            f"clock must be at most {routed.fmax_mhz:.2f} MHz, which place and route reached with seed {request.seed}, "
            f"not {setting.mhz:.2f}"
        )
    return setting, files, routed, ((setting.mhz, routed.fmax_mhz),)


def _fastest(request: Request) -> _Result:
    """The design, routed until it leaves the margin at the fastest possible clock, or at any clock after the first."""
    setting = request.first_setting
    routes: list[tuple[float, float]] = []
    while len(routes) < _MOST_ROUTES:
        files, routed = _route(request, setting)
        routes.append((setting.mhz, routed.fmax_mhz))
        allowed = routed.fmax_mhz / (1 + request.margin)
        best = request.board.fastest(allowed, request.baud)
        # The first clock is only a starting point; a later one is kept if it leaves the margin.
        if best.frequency == setting.frequency or (len(routes) > 1 and setting.mhz <= allowed):
            return setting, files, routed, tuple(routes)
        setting = best
    tried = ", ".join(f"{asked:.2f} asked and {reached:.2f} reached" for asked, reached in routes)
    raise ToolError(f"place and route reaches no clock with a margin of {request.margin:g} (MHz): {tried}")


def _route(request: Request, setting: Setting) -> tuple[Mapping[str, str], Routed]:
    files = request.project(setting)
    routed = place_and_route(files, title=request.board.title, placement=request.placement)
    # nextpnr computes the clock from the dividers of the PLL.
    if abs(routed.constraint_mhz / setting.mhz - 1) > _FREQUENCY_ERROR:
        raise ToolError(
            f"place and route must compute a clock of {setting.mhz:.3f} MHz, not of {routed.constraint_mhz:.3f}"
        )
    return files, routed
