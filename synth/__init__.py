"""Synthesis, place and route, and the area and speed that they report.

Imports `noc` and `rtl`. Never here: simulation.
"""
