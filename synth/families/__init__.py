"""All families by name."""

from fatcube.groundwork.validation import check_choice
from fatcube.synth.families import ecp5, gates, gowin, ice40, osu018, xilinx
from fatcube.synth.families.family import Family

__all__ = ["FAMILIES", "find_family"]


FAMILIES = {module.FAMILY.name: module.FAMILY for module in (ecp5, ice40, xilinx, gowin, gates, osu018)}
"""Each :class:`~fatcube.synth.families.family.Family` by its name."""


def find_family(name: str | Family) -> Family:
    """The :class:`~fatcube.synth.families.family.Family` with this name; a family itself, as of a user's library, is returned.

    Raises
    ------
    ParameterError
        If no family has this name.
    """
    if isinstance(name, Family):
        return name
    return FAMILIES[check_choice("FPGA family", name, FAMILIES)]
