"""Documents generated with the Verilog: the comment at its head, its description as JSON, and integration files.

Never here: hardware. All statements about it are derived from the network.
"""
