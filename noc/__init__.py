"""The network: validated parameters, topologies as graphs, routes, the routers composed, Verilog, the price.

Imports `rtl`. Never here: a schedule, a testbench.
"""
