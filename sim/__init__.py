"""Runs of schedules on the RTL: simulator builds, a cocotb testbench, and the measurements.

Imports `schedules`, `noc` and `rtl`. Never here: synthesis.
"""
