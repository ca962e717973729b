"""The AXI4-Streams at the ports of a network: their options, and how long packets take through the interfaces there.

Never here: hardware, or a network.
"""
