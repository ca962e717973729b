"""The network: validated parameters, topologies as graphs, routes, the routers composed, Verilog, the price.

Imports `rtl`. Never here: a schedule, a testbench.
"""

# The topologies that schedule files and the command line know by name.
from noc import topologies  # noqa: F401
