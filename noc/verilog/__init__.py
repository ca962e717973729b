"""Verilog for people: modules, wires and processes with the names and the structure that they have in Python."""

from fatcube.noc.verilog.design import Written, to_verilog, written

__all__ = ["Written", "to_verilog", "written"]
