"""Collectives, and the schedules of their transfers: the checker, bounds, constructions and the search.

Imports `noc` and `rtl`. Never here: hardware.
"""

if __name__ != "fatcube.schedules":
    raise ModuleNotFoundError("schedules is a package of fatcube: import fatcube.schedules", name=__name__)

# The collectives that schedule files and the command line know by name.
from fatcube.schedules import collectives  # noqa: F401
