"""Runs on the RTL, and their measurements: `builds/` of simulators, `collectives/`, `traffic/`, and runs on a `board/`.

``builds/native/`` is the harness in C++ and Verilog that connects nodes which are compiled separately.

Imports `schedules`, `noc` and `rtl`. Never here: synthesis.
"""

if __name__ != "fatcube.sim":
    raise ModuleNotFoundError("sim is a package of fatcube: import fatcube.sim", name=__name__)
