"""The topologies that schedule files and the command line know by name: a file a family.

Never here: what holds for all of them, which is `noc.topology`.
"""
