"""Simulator builds, the cocotb testbench that runs on them, and the access to what they simulate.

Never here: a schedule, or a pattern of traffic.
"""
