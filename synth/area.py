"""What a mapped design costs."""

import dataclasses

from synth.mapping import map_design
from noc.tool import ToolError

__all__ = ["Area", "count_cells", "measure_area"]


@dataclasses.dataclass(frozen=True)
class Area:
    """The area of a design on an FPGA whose logic is LUTs of four inputs. All members count cells.

    Members
    -------
    lut4 : :class:`int`
        LUTs of four inputs that hold logic.
    ff : :class:`int`
        Flip-flops.
    ram : :class:`int`
        Block RAMs.
    carry : :class:`int`
        Carry cells.
    distributed_ram : :class:`int`
        Cells of RAM that are made of LUTs.
    wide_multiplexers : :class:`int`
        Multiplexers that join LUTs to wider ones; none in the area flow.
    comb_equivalents : :class:`int`
        LUTs that the design occupies: ``lut4``, and what carry and distributed RAM cells take.
    """

    lut4: int
    ff: int
    ram: int
    carry: int
    distributed_ram: int
    wide_multiplexers: int
    comb_equivalents: int


def count_cells(cells, kinds):
    """Adds up ``cells`` (numbers by cell type) by kind, where ``kinds`` gives the kind of each type.

    A type of kind ``None`` is no hardware. Returns a mapping with a number for every kind.

    Raises
    ------
    ToolError
        If there is a cell of a type that ``kinds`` does not have: it would be missing in the area.
    """
    numbers = {kind: 0 for kind in kinds.values() if kind is not None}
    for cell, number in cells.items():
        if cell not in kinds:
            raise ToolError(f"the netlist has {number} cells of type {cell}, whose area is unknown")
        if kinds[cell] is not None:
            numbers[kinds[cell]] += number
    return numbers


def measure_area(design, *, family, wide_luts=False):
    """The area of ``design`` on ``family`` (a module such as :mod:`synth.ecp5`).

    Parameters
    ----------
    design : :class:`~synth.mapping.Design`
        A component as it is, without registers around it.
    wide_luts : :class:`bool`
        Whether LUTs are joined to wider ones, which is fast, but no measure of size (DESIGN section 7).

    Raises
    ------
    ToolError
        If Yosys refuses the design, or there is a cell whose area is unknown.
    """
    netlist = map_design(design, family=family, wide_luts=wide_luts)
    return family.area(netlist.cells, wide_luts=wide_luts)
