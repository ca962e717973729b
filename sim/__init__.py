"""Runs of schedules and of traffic on the RTL: simulator builds, a cocotb testbench, and the measurements.

``native/`` is the harness in C++ and Verilog that joins nodes which are compiled by themselves.

Imports `schedules`, `noc` and `rtl`. Never here: synthesis.
"""
