"""The network: validated parameters, topologies as graphs, routes, the routers composed, Verilog, the price.

`topologies/` and `routing/` have a file for each, `machines/` are networks that run, `descriptions/` are what is generated
beside Verilog, and `boards/` has a file for each board.

Imports `rtl`. Never here: a schedule, a testbench.
"""

# The topologies that schedule files and the command line know by name.
from noc import topologies  # noqa: F401
