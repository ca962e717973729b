# amaranth: UnusedElaboratable=no
"""An interface whose packets come back to it over a register, with the names of a user's ports."""

from amaranth.hdl import Module
from amaranth.lib import wiring

from fatcube.rtl.lanes.link import LinkRegister

__all__ = ["InterfaceLoop"]


class InterfaceLoop(wiring.Component):
    """``interface`` with its streams and ``counts`` outside, and ``send`` joined to ``receive``."""

    def __init__(self, interface, *, routes, source, counts):
        self.interface, self.routes, self.source, self.counts = interface, routes, source, counts
        members = interface.signature.members
        super().__init__({name: members[name] for name in ("s_axis", "m_axis", *counts)})

    def elaborate(self, platform):
        m = Module()
        m.submodules.interface = interface = self.interface
        m.submodules.link = link = LinkRegister(interface.width)
        wiring.connect(m, interface.send, link.i)
        wiring.connect(m, link.o, interface.receive)
        m.d.comb += [
            interface.routes.eq(interface.table.pack(self.routes)),
            interface.source.eq(self.source),
            *(getattr(self, name).eq(getattr(interface, name)) for name in self.counts),
        ]
        wiring.connect(m, wiring.flipped(self.s_axis), interface.s_axis)
        wiring.connect(m, interface.m_axis, wiring.flipped(self.m_axis))
        return m
