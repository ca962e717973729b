"""The trace of a traffic source: a memory of the packets to create, read in order."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.endpoint.host import HostBus
from fatcube.rtl.endpoint.traffic import CYCLE, TraceEntry, TrafficRegion

__all__ = ["TraceReader"]


class TraceReader(wiring.Component):
    """Shows the next packet of a trace. An entry of all ones in ``cycle`` ends it.

    Parameters
    ----------
    entries : :class:`int`
        Entries of the memory.
    host_width : :class:`int`
        Data bits of the host bus.

    Members
    -------
    take : :py:`In(1)`
        The packet is taken.
    cycle : :py:`In(32)`
        The cycle of the run.
    entry : :py:`Out(TraceEntry())`
        The next packet.
    waiting : :py:`Out(1)`
        It is there, and its cycle has come: one cycle later than possible, so that the delay from creation to sending is the
        same as with a queue.
    over : :py:`Out(1)`
        There is no next packet.
    read : :py:`Out(32)`
        The number of packets that were taken.
    host : :py:`In(HostBus(host_width))`
        Writes the entries.
    """

    take: Signal
    cycle: Signal
    entry: data.View
    waiting: Signal
    over: Signal
    read: Signal
    host: wiring.PureInterface

    def __init__(self, entries: int, *, host_width: int) -> None:
        self.entries = entries
        super().__init__(
            {
                "take": In(1),
                "cycle": In(CYCLE),
                "entry": Out(TraceEntry()),
                "waiting": Out(1),
                "over": Out(1),
                "read": Out(32),
                "host": In(HostBus(host_width, TrafficRegion)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.memory = trace = memory.Memory(shape=TraceEntry(), depth=self.entries, init=[])
        write, read = trace.write_port(), trace.read_port()
        number = Signal(range(self.entries))
        m.d.comb += [
            read.addr.eq(number + self.take),
            self.entry.eq(read.data),
            self.over.eq(self.entry.cycle.all()),
            self.waiting.eq(~self.over & (self.cycle > self.entry.cycle + 1)),
            write.addr.eq(self.host.word),
            write.data.eq(self.host.data),
            write.en.eq(self.host.select & self.host.write & (self.host.region == TrafficRegion.TRACE)),
        ]
        with m.If(self.take):
            m.d.sync += [
                number.eq(number + 1),
                self.read.eq(self.read + 1),
            ]
        return m
