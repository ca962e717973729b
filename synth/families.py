"""All families by name."""

from rtl.parameters import check_choice
from synth import ecp5, gates, gowin, ice40, xilinx

__all__ = ["FAMILIES", "find_family"]


FAMILIES = {module.FAMILY.name: module.FAMILY for module in (ecp5, ice40, xilinx, gowin, gates)}
"""Each :class:`~synth.family.Family` by its name."""


def find_family(name):
    """The :class:`~synth.family.Family` of that name.

    Raises
    ------
    ParameterError
        If there is none.
    """
    return FAMILIES[check_choice("FPGA family", name, FAMILIES)]
