"""Four buttons, four LEDs and a network between them, on an ULX3S: each press crosses the network and switches an LED.

It needs `pip install '.[board]'` in a clone and no other tool: Yosys and nextpnr come with fatcube. It writes build/top.bit.
"""

from typing import Any

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import io, stream, wiring
from amaranth.lib.cdc import FFSynchronizer
from amaranth.lib.wiring import In, Out

from fatcube import Embedded, Fabric, FlitStream, Hypercube, RoutedNetwork, RouterOptions

NETWORK = RoutedNetwork(Hypercube(2), RouterOptions(width=16))


class Button(wiring.Component):
    """Sends a packet, a header alone, whenever its button goes down.

    Members
    -------
    pressed : :py:`In(1)`
    packets : :py:`Out(FlitStream(width))`

    Parameters
    ----------
    header : :class:`int`
        The flit: a route, and a message id, which this design does not use.
    settle : :class:`int`
        Cycles for which a button must not change before it counts.
    """

    pressed: Signal
    packets: stream.Interface

    def __init__(self, header: int, settle: int) -> None:
        self.header, self.settle = header, settle
        super().__init__({"pressed": In(1), "packets": Out(FlitStream(NETWORK.options.width))})

    def elaborate(self, platform: Any) -> Module:
        m = Module()
        down, still = Signal(), Signal(range(self.settle + 1))
        m.d.comb += [
            self.packets.payload.data.eq(self.header),
            self.packets.payload.last.eq(1),
        ]
        with m.If(self.packets.ready):
            m.d.sync += self.packets.valid.eq(0)
        with m.If(self.pressed == down):
            m.d.sync += still.eq(0)
        with m.Elif(still != self.settle):
            m.d.sync += still.eq(still + 1)
        with m.Else():
            m.d.sync += down.eq(self.pressed)
            with m.If(self.pressed):
                m.d.sync += self.packets.valid.eq(1)
        return m


class Knock(wiring.Component):
    """Processor p has a button and an LED; its button switches the LED of processor 3 - p, two links away.

    Members
    -------
    buttons : :py:`In(4)`
    leds : :py:`Out(4)`

    Parameters
    ----------
    network : :class:`Embedded`
        A fabric of :data:`NETWORK`.
    settle : :class:`int`
        As in :class:`Button`.
    """

    buttons: Signal
    leds: Signal

    def __init__(self, network: Any, settle: int = 250_000) -> None:
        self.network, self.settle = network, settle
        super().__init__({"buttons": In(4), "leds": Out(4)})

    def elaborate(self, platform: Any) -> Module:
        m = Module()
        m.submodules.network = network = self.network
        for processor in range(4):
            [route] = NETWORK.routes(processor, 3 - processor)
            m.submodules[f"button{processor}"] = button = Button(route, self.settle)
            m.d.comb += button.pressed.eq(self.buttons[processor])
            wiring.connect(m, button.packets, network.processors[processor][0].send)

            receive = network.processors[processor][0].receive
            m.d.comb += receive.ready.eq(1)  # a receiver must always take what arrives
            with m.If(receive.valid & receive.payload.last):
                m.d.sync += self.leds[processor].eq(~self.leds[processor])
        return m


class Top(wiring.Component):
    """The design on the board: pins around :class:`Knock`."""

    def __init__(self) -> None:
        super().__init__({})

    def elaborate(self, platform: Any) -> Module:
        m = Module()
        m.submodules.knock = knock = Knock(Embedded(Fabric(NETWORK).shared()))
        pressed = []
        for number in range(4):
            m.submodules[f"button{number}"] = pin = io.Buffer("i", platform.request("button", number, dir="-"))
            pressed.append(pin.i)
        m.submodules.synchronizer = FFSynchronizer(Cat(pressed), knock.buttons)
        for number in range(4):
            m.submodules[f"led{number}"] = pin = io.Buffer("o", platform.request("led", number, dir="-"))
            m.d.comb += pin.o.eq(knock.leds[number])
        return m


def main() -> None:
    """Synthesize, place and route the design, and write the bitstream."""
    from amaranth_boards.ulx3s import ULX3S_85F_Platform

    from fatcube.groundwork.files import write_folder
    from fatcube.synth.place_and_route import pack, place_and_route

    files = dict(ULX3S_85F_Platform().prepare(Top(), "top", emit_src=False).files)
    routed = place_and_route(files, title="ULX3S")
    name, bitstream = pack(files, routed)
    write_folder("build", {name: bitstream})
    print(
        f"build/{name}: place and route reached {routed.fmax_mhz:.1f} MHz, and the clock has {routed.constraint_mhz:g} MHz"
    )


if __name__ == "__main__":
    main()
