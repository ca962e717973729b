"""Block diagrams of generated networks: a block for each router, with the ports of its processors.

Never here: what is not in the description of the network, except for the places of its nodes.
"""
