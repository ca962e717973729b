"""All families by name."""

from groundwork.validation import check_choice
from synth.families import ecp5, gates, gowin, ice40, xilinx
from synth.families.family import Family

__all__ = ["FAMILIES", "find_family"]


FAMILIES = {module.FAMILY.name: module.FAMILY for module in (ecp5, ice40, xilinx, gowin, gates)}
"""Each :class:`~synth.families.family.Family` by its name."""


def find_family(name: str) -> Family:
    """The :class:`~synth.families.family.Family` with this name.

    Raises
    ------
    ParameterError
        If no family has this name.
    """
    return FAMILIES[check_choice("FPGA family", name, FAMILIES)]
