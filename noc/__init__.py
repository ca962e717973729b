"""The network: validated parameters, topologies as graphs, routes, the routers composed, Verilog, the price.

`topologies/` and `routing/` have a file for each topology and routing, `machines/` the networks with processors that
run, `descriptions/` the documents that are generated with the Verilog, and `boards/` a file for each board.

Imports `rtl`. Never here: a schedule, a testbench.
"""

if __name__ != "fatcube.noc":
    raise ModuleNotFoundError("noc is a package of fatcube: import fatcube.noc", name=__name__)

# The topologies that schedule files and the command line know by name.
from fatcube.noc import topologies  # noqa: F401
