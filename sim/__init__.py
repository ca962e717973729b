"""Real runs: cocotb testbenches, simulator builds, and what is measured in them.

Imports `schedules`, `noc` and `rtl`. Never here: synthesis.
"""
