"""Two DMA engines on a 2 × 2 mesh in an Amaranth design: one reads a memory, and the other writes what arrives into its own.

It needs fatcube and no other tool. `python dma.py` runs it in Amaranth's simulator.
"""

from typing import Any

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out
from amaranth.sim import Simulator

from fatcube import Mesh, PacketNetwork, RoutedNetwork, RouterOptions

NETWORK = RoutedNetwork(Mesh(2, d=2), RouterOptions(width=32))
READER, WRITER = 0, 3  # ports at opposite corners
WORDS = [(7 * word + 1) ** 3 for word in range(32)]


class Dma(wiring.Component):
    """A memory, a port that sends it in packets of 8 words, and one that writes what it receives.

    Members
    -------
    start : :py:`In(1)`
        Send the whole memory, from this cycle on.
    done : :py:`Out(1)`
        All words have arrived.

    Parameters
    ----------
    words : list of :class:`int`
        Contents of the sender's memory.
    """

    start: Signal
    done: Signal

    def __init__(self, words: list[int]) -> None:
        self.packets = PacketNetwork(NETWORK)
        self.source = Memory(shape=32, depth=len(words), init=words)
        self.target = Memory(shape=32, depth=len(words), init=[])
        super().__init__({"start": In(1), "done": Out(1)})

    def elaborate(self, platform: Any) -> Module:
        m = Module()
        m.submodules.packets, m.submodules.source, m.submodules.target = self.packets, self.source, self.target
        send, receive = self.packets.send[READER], self.packets.receive[WRITER]

        # The reader: an address that advances with each word that the network takes.
        read = self.source.read_port(domain="comb")
        address, busy = Signal(range(self.source.depth)), Signal()
        m.d.comb += [
            read.addr.eq(address),
            send.valid.eq(busy),
            send.payload.data.eq(read.data),
            send.payload.last.eq(address[:3] == 7),
            send.payload.destination.eq(WRITER),
        ]
        with m.If(self.start):
            m.d.sync += [busy.eq(1), address.eq(0)]
        with m.Elif(send.valid & send.ready):
            m.d.sync += [address.eq(address + 1), busy.eq(address != self.source.depth - 1)]

        # The writer is always ready, as the network requires of a receiver.
        write = self.target.write_port()
        place = Signal(range(self.target.depth))
        m.d.comb += [receive.ready.eq(1), write.en.eq(receive.valid), write.addr.eq(place)]
        m.d.comb += write.data.eq(receive.payload.data)
        with m.If(receive.valid):
            m.d.sync += [place.eq(place + 1), self.done.eq(place == self.target.depth - 1)]
        return m


def run(words: list[int]) -> tuple[list[int], int]:
    """The contents of the writer's memory when all words have arrived, and the cycles that it took."""
    design = Dma(words)
    found: list[int] = []
    cycles = 0

    async def bench(ctx: Any) -> None:
        nonlocal cycles
        ctx.set(design.start, 1)
        await ctx.tick()
        ctx.set(design.start, 0)
        while not ctx.get(design.done):
            await ctx.tick()
            cycles += 1
        found.extend(ctx.get(design.target.data[place]) for place in range(len(words)))

    sim = Simulator(design)
    sim.add_clock(1e-8)
    sim.add_testbench(bench)
    sim.run_until(100e-6)
    return found, cycles


def main() -> None:
    """Copy the memory across the network, and compare it."""
    found, cycles = run(WORDS)
    assert found == WORDS, found
    print(f"{len(found)} words crossed the mesh in {cycles} cycles")


if __name__ == "__main__":
    main()
