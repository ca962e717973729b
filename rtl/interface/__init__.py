"""The network interface, a component per file: between the AXI4-Stream of a processor port and the flits of a network.

Here live the stream's signature, the table of routes, ingress, egress, the packet buffer of an ingress that drops packets
which are too long, and the crossing between two clocks. Never here: a topology, how routes are found, the top module.
"""
