"""The area of a mapped design."""

from collections.abc import Mapping
import dataclasses
from typing import Any

from fatcube.groundwork.tool import ToolError

__all__ = ["Area", "count_cells"]


_OF_LIBRARIES = ("um2", "register_um2", "nand2_equivalents")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Area:
    """The area of a design on one family. All members count cells, and are 0 for cells that the family does not have.

    Members
    -------
    luts : mapping of :class:`int` to :class:`int`
        LUTs that hold logic, by their number of inputs.
    ff : :class:`int`
        Flip-flops.
    ram : :class:`int`
        Block RAMs.
    carry : :class:`int`
        Carry cells.
    distributed_ram : :class:`int`
        RAM cells made of LUTs.
    wide_multiplexers : :class:`int`
        Multiplexers that combine LUTs into wider ones; 0 in the area flow.
    gates : :class:`int`
        Gates, if the target is made of gates.
    comb_equivalents : :class:`int`
        LUTs (or gates) that the design occupies: those that hold logic, and those in carry and distributed RAM cells.
    transistors : :class:`int` or ``None``
        Transistors of all gates and flip-flops, as Yosys estimates them for CMOS.
    um2, register_um2 : :class:`float` or ``None``
        Area of all standard cells, and of the flip-flops among them, µm²; ``None`` on an FPGA.
    nand2_equivalents : :class:`float` or ``None``
        The area in units of the smallest NAND gate of two inputs of the library.
    cells : mapping of :class:`str` to :class:`int`
        The family's own cells by type.
    """

    luts: Mapping[int, int]
    ff: int
    ram: int = 0
    carry: int = 0
    distributed_ram: int = 0
    wide_multiplexers: int = 0
    gates: int = 0
    comb_equivalents: int
    transistors: int | None = None
    um2: float | None = None
    register_um2: float | None = None
    nand2_equivalents: float | None = None
    cells: Mapping[str, int]

    @property
    def lut4(self) -> int:
        """LUTs of four inputs."""
        return self.luts.get(4, 0)

    @property
    def lut(self) -> int:
        """LUTs of all sizes."""
        return sum(self.luts.values())

    def __mul__(self, copies: int) -> "Area":
        """The area of ``copies`` copies."""

        def times(value: Any) -> Any:
            if isinstance(value, Mapping):
                return {name: copies * number for name, number in value.items()}
            return None if value is None else copies * value

        return Area(**{field.name: times(getattr(self, field.name)) for field in dataclasses.fields(self)})

    def __add__(self, other: "Area") -> "Area":
        """The area of both."""

        def together(one: Any, two: Any) -> Any:
            if isinstance(one, Mapping):
                return {name: one.get(name, 0) + two.get(name, 0) for name in (*one, *(two.keys() - one.keys()))}
            return None if one is None else one + two

        fields = dataclasses.fields(self)
        return Area(**{field.name: together(getattr(self, field.name), getattr(other, field.name)) for field in fields})

    def to_json(self) -> dict[str, Any]:
        """The area as in a result record (docs/reference/result-records.md)."""
        stored = dataclasses.asdict(self)
        if self.um2 is None:
            stored = {name: value for name, value in stored.items() if name not in _OF_LIBRARIES}
        return {
            **stored,
            "lut4": self.lut4,
            "luts": {str(inputs): number for inputs, number in self.luts.items()},
        }


def count_cells(cells: Mapping[str, int], kinds: Mapping[str, str | None]) -> dict[str, int]:
    """Sum ``cells`` (numbers by cell type) by kind, where ``kinds`` gives the kind of each type.

    A type of kind ``None`` is not hardware. Returns a mapping with a number for every kind.

    Raises
    ------
    ToolError
        If ``kinds`` does not have the type of a cell, which would be missing in the area.
    """
    numbers = {kind: 0 for kind in kinds.values() if kind is not None}
    for cell, number in cells.items():
        if cell not in kinds:
            raise ToolError(f"the netlist has {number} cells of type {cell}, whose area is unknown")
        kind = kinds[cell]
        if kind is not None:
            numbers[kind] += number
    return numbers
