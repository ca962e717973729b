"""The hardware: one Amaranth component per file, every width, depth and count a checked parameter.

Here live port models, flit and header layouts, buffer, crossbar and router; in folders of their own the units that a
router is made of (inputs, outputs, lanes, allocators, arbiters), the network interface, the protocols of processors' ports
as data, and the processors, barrier and monitors that only runs need. Never here: a topology, a schedule, a simulator.
"""

if __name__ != "fatcube.rtl":
    raise ModuleNotFoundError("rtl is a package of fatcube: import fatcube.rtl", name=__name__)
