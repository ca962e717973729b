"""An FPGA family, or another target: the commands that map a design to it, and its cells."""

from collections.abc import Callable, Iterable, Mapping, Sequence
import dataclasses
from typing import Any

from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import ParameterError
from fatcube.synth import nextpnr
from fatcube.synth.area import Area, count_cells
from fatcube.synth.mapping import Netlist
from fatcube.synth.programs import extra_of, installed

__all__ = ["Cell", "FF", "Family", "MULTIPLEXER", "RAM", "lut"]


@dataclasses.dataclass(frozen=True)
class Cell:
    """A cell of a netlist.

    Members
    -------
    kind : :class:`str`
        The member of :class:`~fatcube.synth.area.Area` that counts it, or ``"lut"`` and its number of inputs.
    occupies : :class:`int`
        LUTs (or gates) that it takes up.
    """

    kind: str
    occupies: int = 0


def lut(inputs: int) -> Cell:
    """A LUT with ``inputs`` inputs."""
    return Cell(f"lut{inputs}", 1)


FF = Cell("ff")
RAM = Cell("ram")
MULTIPLEXER = Cell("wide_multiplexers")


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Family:
    """A target of synthesis. A new one is a file with such a value, and a line in :data:`fatcube.synth.families.FAMILIES`.

    Members
    -------
    name : :class:`str`
        The name on the command line.
    title : :class:`str`
        The full name. commands : callable Returns the Yosys commands that map a module, given its name and whether LUTs
        may be combined into wider ones.
    plain : :class:`str`
        The Yosys command that a user types, with ``{top}`` for the name of the top module; empty if there is none.
    small : :class:`str`
        The commands of the area flow for a user's script, which leaves pads to the user.
    cells : mapping of :class:`str` to :class:`Cell` or ``None``
        All cell types that a netlist may have; ``None`` for those that are not hardware.
    technology : :class:`str`
        The technology for which Yosys' ``stat`` estimates transistors, for example ``"cmos"``; empty for no estimate.
    architecture : :class:`str`
        The architecture of nextpnr, for example ``"ecp5"`` or ``"himbaechel-gowin"``; empty if this family is not
        placed and routed here.
    options : :class:`tuple` of :class:`str`
        The options of nextpnr. pads : :class:`str` The Yosys command that puts pads at the ports of a flat netlist, if
        nextpnr needs them.
    files : mapping of :class:`str` to :class:`str`
        Names and texts of files that ``options`` name.
    keep_selectors : :class:`bool`
        True if the selectors of a crossbar are mapped separately: see :data:`fatcube.rtl.crossbar.SELECTOR`.
    wide_luts : :class:`bool`
        True if LUTs can be combined into wider ones, so that there are two netlists to be timed.
    few_pins : :class:`bool`
        True if nextpnr needs a pin for every port, so that a device with many ports must be folded to a few.
    unit : :class:`str`
        The unit of the area that networks are compared by.
    """

    name: str
    title: str
    commands: Callable[[str, bool], Sequence[str]]
    cells: Mapping[str, Cell | None]
    plain: str = ""
    small: str = ""
    technology: str = ""
    architecture: str = ""
    options: tuple[str, ...] = ()
    pads: str = ""
    files: Mapping[str, str] = dataclasses.field(default_factory=dict)
    keep_selectors: bool = True
    wide_luts: bool = False
    few_pins: bool = False
    unit: str = "LUTs"

    def measured_area(self, measured: Mapping[str, Any]) -> float | None:
        """The area in :attr:`unit` among what a record has; ``None`` if it has none."""
        return measured.get("comb_equivalents")

    @property
    def unit_key(self) -> str:
        """The unit as a key of JSON."""
        return self.unit.lower().replace(" ", "_")

    @property
    def unit_of_axes(self) -> str:
        """The unit with what it counts, behind the title of an axis."""
        return " (COMB equivalents)" if self.unit == "LUTs" else ""

    @property
    def timed(self) -> bool:
        """True if the speed of a design can be measured here."""
        return bool(self.architecture)

    @property
    def static(self) -> bool:
        """True if the speed is that of the longest path without wires, and of one netlist, from its :attr:`inputs`."""
        return False

    @property
    def inputs(self) -> Mapping[str, str]:
        """Names and texts of the files that :attr:`commands` read."""
        return {}

    def check_installed(self) -> None:
        """Refuse a family without what its area needs, which is always installed for FPGAs."""

    @property
    def packages(self) -> tuple[str, ...]:
        """The Python packages whose versions determine the result of place and route."""
        return ("pyosys", f"yowasp-nextpnr-{self.architecture}") if self.architecture else ("pyosys",)

    @property
    def extra(self) -> str:
        """The extra of fatcube that installs its nextpnr; empty if it is always installed, or there is none."""
        return extra_of(nextpnr.program(self.architecture)) if self.architecture else ""

    def area(self, cells: Mapping[str, int], *, wide_luts: bool = False, transistors: int | None = None) -> Area:
        """The :class:`~fatcube.synth.area.Area` of a netlist, given the number of cells of each type.

        Raises
        ------
        ToolError
            If a cell type is unknown, or the area flow left a multiplexer that it should not have used.
        """
        numbers = count_cells(cells, {name: cell and cell.kind for name, cell in self.cells.items()})
        hardware = {name: number for name, number in sorted(cells.items()) if self.cells[name]}
        if numbers.get("wide_multiplexers") and not wide_luts:
            names = [name for name, cell in self.cells.items() if cell is MULTIPLEXER]
            raise ToolError(
                f"the area flow must leave no {' and no '.join(names)}, not {numbers['wide_multiplexers']} of them"
            )
        luts = {int(kind.removeprefix("lut")): number for kind, number in numbers.items() if kind.startswith("lut")}
        return Area(
            luts=luts,
            **{kind: number for kind, number in numbers.items() if not kind.startswith("lut")},
            comb_equivalents=sum(
                cell.occupies * number for name, number in hardware.items() if (cell := self.cells[name])
            ),
            transistors=transistors,
            cells=hardware,
        )

    def check_place_and_route(self) -> None:
        """Refuse a family that cannot be placed and routed here.

        Raises
        ------
        ParameterError
            If the family has no place and route, or its nextpnr is not installed.
        """
        if not self.architecture:
            raise ParameterError(f"Fmax requires an FPGA family with place and route, not {self.name}")
        if not installed(nextpnr.program(self.architecture)):
            raise ParameterError(
                f"Fmax on the FPGA family {self.name} needs its place and route: "
                f"pip install 'fatcube[{self.extra}]', or leave Fmax out"
            )

    def place_and_route(
        self, netlist: Netlist, *, seeds: Iterable[int] = (1, 2, 3), jobs: int = 1
    ) -> nextpnr.PlaceAndRoute:
        """Place and route a netlist once for each seed.

        The frequency is that of paths from register to register. Paths from and to ports have no meaning here, so the
        device has to be in a :class:`fatcube.synth.wrapper.Registered`.

        Parameters
        ----------
        netlist : :class:`~fatcube.synth.mapping.Netlist`
            A netlist of this family's cells with one clock.
        seeds : sequence of :class:`int`
            Seeds of the placer; their results differ by some per cent.
        jobs : :class:`int`
            Number of seeds that are run in parallel.

        Returns
        -------
        :class:`~fatcube.synth.nextpnr.PlaceAndRoute`

        Raises
        ------
        ToolError
            If the netlist does not fit or cannot be routed, or has not exactly one clock.
        ParameterError
            If there are no seeds, or one is given twice, or ``jobs`` is not a positive integer, or this family cannot
            be placed and routed here.
        """
        self.check_place_and_route()
        return nextpnr.place_and_route(
            self.architecture, netlist, options=self.options, files=self.files, seeds=seeds, jobs=jobs
        )

    def place_and_route_command(self, top: str, seed: int) -> str:
        """The command that places and routes the module ``top`` from one seed, for the record."""
        return " ".join((f"nextpnr-{self.architecture}", *nextpnr.command(self.options, top, seed)))

    def placed_as_today(self, measured: Mapping[str, Any]) -> bool:
        """Whether a router was placed with the rip-up of this family's :attr:`options`, if they have it.

        ``measured`` is what a record has of it; one without ``commands`` is older than rip-up.
        """
        return nextpnr.RIP_UP not in self.options or any(
            nextpnr.RIP_UP in command for command in measured.get("commands") or ()
        )

    def flow_note(self, measured: Iterable[Mapping[str, Any]]) -> str:
        """The sentence for a page with the speed of these routers, if not all were placed as they would be today; else empty."""
        placed = [one for one in measured if one.get("fmax_mhz") is not None]
        old = sum(not self.placed_as_today(one) for one in placed)
        if not old:
            return ""
        which = "All MHz are" if old == len(placed) else f"MHz of {old} of {len(placed)} measurements are"
        return (
            f"{which} without timing-driven rip-up (nextpnr's {nextpnr.RIP_UP}), which new measurements have: 3 % more MHz on "
            "average over five routers."
        )

    def version(self) -> str:
        """The version of nextpnr, for example ``"nextpnr-0.11.1"``."""
        return nextpnr.version(self.architecture)
