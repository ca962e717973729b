"""Mapping of generated Verilog as by a user of Yosys: with the plain command, or with the script beside the file."""

import dataclasses
import re

from fatcube.groundwork.validation import check_choice
from fatcube.synth.area import Area
from fatcube.synth.families import FAMILIES
from fatcube.synth.families.family import Family
from fatcube.synth.mapping import Design
from fatcube.synth.measure import measure_area

__all__ = ["SCRIPTS", "plain_area", "script", "script_area", "script_name"]


SCRIPTS = tuple(family.name for family in FAMILIES.values() if family.small)
"""The names of the families for which there is a :func:`script`."""


def script(family: str, *, verilog: str, top: str) -> str:
    """The Yosys script that maps a file like the area flow.

    Parameters
    ----------
    family : :class:`str`
        One of :data:`SCRIPTS`.
    verilog : :class:`str`
        The name of the file of Verilog, in the folder where Yosys is started.
    top : :class:`str`
        Its top module.

    Raises
    ------
    ParameterError
        If there is no script for that family.
    """
    target = FAMILIES[check_choice("family of a script", family, SCRIPTS)]
    netlist = re.sub(r"\.\w+$", "", verilog) + f".{family}.json"
    return "\n".join(
        [
            f"# {target.title}: yosys {script_name(verilog, family)}",
            f'read_verilog "{verilog}"',
            target.small.format(top=top),
            f'write_json "{netlist}"',
            "",
        ]
    )


def script_name(verilog: str, family: str) -> str:
    """The name of the script beside a file of Verilog: ``router.ecp5.ys`` beside ``router.v``."""
    return re.sub(r"\.\w+$", "", verilog) + f".{family}.ys"


def plain_area(text: str, top: str, *, family: Family) -> Area:
    """The area of Verilog mapped by the plain command of ``family``, ``synth_ecp5`` with the top module and no options.

    Raises
    ------
    ToolError
        If Yosys refuses it, or the area of a cell is unknown.
    """
    return _area(text, top, family, family.plain)


def script_area(text: str, top: str, *, family: Family) -> Area:
    """The area of Verilog mapped by the :func:`script` of ``family``."""
    return _area(text, top, family, family.small)


def _area(text: str, top: str, family: Family, command: str) -> Area:
    typed = dataclasses.replace(family, commands=lambda top, wide_luts: [command.format(top=top)])
    return measure_area(Design(text, top, "verilog"), family=typed, wide_luts=True)
