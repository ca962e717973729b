"""Runs on the RTL, and the measurements: `builds/` of simulators, `collectives/`, `traffic/`, and runs on a `board/`.

``builds/native/`` is the harness in C++ and Verilog that joins nodes which are compiled by themselves.

Imports `schedules`, `noc` and `rtl`. Never here: synthesis.
"""
