"""Verilog for people: modules, wires and processes with the names and the structure that they have in Python."""

from fatcube.noc.verilog.design import to_verilog

__all__ = ["to_verilog"]
