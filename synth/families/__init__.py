"""All families by name."""

from fatcube.groundwork.validation import check_choice
from fatcube.synth.families import ecp5, gates, gowin, ice40, xilinx
from fatcube.synth.families.family import Family

__all__ = ["FAMILIES", "find_family"]


FAMILIES = {module.FAMILY.name: module.FAMILY for module in (ecp5, ice40, xilinx, gowin, gates)}
"""Each :class:`~fatcube.synth.families.family.Family` by its name."""


def find_family(name: str) -> Family:
    """The :class:`~fatcube.synth.families.family.Family` with this name.

    Raises
    ------
    ParameterError
        If no family has this name.
    """
    return FAMILIES[check_choice("FPGA family", name, FAMILIES)]
