"""Files by which other people's tools take a generated network, made from its description: a file per kind.

Never here: hardware, and anything that the description of the network does not say.
"""
