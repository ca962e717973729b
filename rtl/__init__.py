"""The hardware: one Amaranth component per file, every width, depth and count a checked parameter.

Here live port models, flit and header layouts, buffer, arbiter, crossbar, router, link, processor
and barrier. Never here: a topology, a schedule, a simulator.
"""
