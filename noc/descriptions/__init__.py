"""What is generated beside Verilog: the comment at its head, its description as JSON, and files to integrate it.

Never here: hardware. What is said of it is derived from the network that it is made of.
"""
