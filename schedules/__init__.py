"""Collectives, and the schedules of their transfers: the checker, bounds, constructions and the search.

Imports `noc` and `rtl`. Never here: hardware.
"""

if __name__ != "fatcube.schedules":
    raise ModuleNotFoundError("schedules is a package of fatcube: import fatcube.schedules", name=__name__)
