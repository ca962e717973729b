"""A network of packets in an Amaranth design: port 3 sends packets to all other ports, and these send them back.

It needs fatcube and no other tool. It writes echo.v, for simulators.
"""

from pathlib import Path
from typing import Any

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import Out

from fatcube import Hypercube, PacketNetwork, RoutedNetwork, RouterOptions, Shared, to_verilog

NETWORK = RoutedNetwork(Hypercube(2), RouterOptions(width=16))
SENDER = 3
WORDS = 4  # of a packet


class Echo(wiring.Component):
    """Port 3 sends a packet to each of the other ports in turn, and these send every packet back to its sender.

    Members
    -------
    returned : :py:`Out(16)`
        Packets that came back to port 3.
    total : :py:`Out(16)`
        The sum of their words.
    """

    returned: Signal
    total: Signal

    def __init__(self) -> None:
        self.packets = PacketNetwork(NETWORK)
        super().__init__({"returned": Out(16), "total": Out(16)})

    def elaborate(self, platform: Any) -> Module:
        m = Module()
        m.submodules.packets = packets = self.packets
        word, destination = Signal(range(WORDS)), Signal(range(4))
        send, receive = packets.send[SENDER], packets.receive[SENDER]
        m.d.comb += [
            send.valid.eq(destination != SENDER),
            send.payload.data.eq(word + 1),
            send.payload.last.eq(word == WORDS - 1),
            send.payload.destination.eq(destination),
            receive.ready.eq(1),
        ]
        with m.If(send.valid & send.ready):
            m.d.sync += word.eq(word + 1)  # and from the last one to 0
            with m.If(send.payload.last):
                m.d.sync += destination.eq(destination + 1)
        with m.If(receive.valid):
            m.d.sync += [
                self.total.eq(self.total + receive.payload.data),
                self.returned.eq(self.returned + receive.payload.last),
            ]
        for port in range(SENDER):
            back, arriving = packets.send[port], packets.receive[port]
            m.d.comb += [
                back.valid.eq(arriving.valid),
                back.payload.data.eq(arriving.payload.data),
                back.payload.last.eq(arriving.payload.last),
                back.payload.destination.eq(arriving.payload.source),
                arriving.ready.eq(back.ready),
            ]
        return m


def main() -> None:
    """Write the Verilog of the design, with that of the network in it."""
    design = Echo()
    Path("echo.v").write_text(to_verilog(Shared(design, "echo", uses=[design.packets.shared])), encoding="utf-8")


if __name__ == "__main__":
    main()
