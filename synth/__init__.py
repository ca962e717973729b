"""Synthesis, place and route, and the area and speed that they report.

Imports `noc` and `rtl`. Never here: simulation.
"""

if __name__ != "fatcube.synth":
    raise ModuleNotFoundError("synth is a package of fatcube: import fatcube.synth", name=__name__)
