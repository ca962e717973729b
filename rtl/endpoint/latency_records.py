"""The latencies of measured packets: their histogram, their sum, the longest, a log, and sums by source."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.endpoint.host import HostBus
from fatcube.rtl.endpoint.traffic import COUNT, CYCLE, LogEntry, PairEntry, Stamp, TrafficRegion, give_to_host

__all__ = ["LatencyRecords"]


class LatencyRecords(wiring.Component):
    """Records the latencies of packets, up to one in each cycle.

    Parameters
    ----------
    address_bits, bins, host_width, log, pairs
        See :class:`~fatcube.rtl.endpoint.sink.Sink`.

    Members
    -------
    counts : :py:`In(1)`
        A packet counts in this cycle.
    stamp : :py:`In(Stamp(address_bits))`
        The stamp of one of its flits.
    latency : :py:`In(32)`
        Its latency.
    measured, total, longest
        ``measured``, ``latency`` and ``longest`` of :class:`~fatcube.rtl.endpoint.sink.Sink`.
    histogram_shift, host
        See :class:`~fatcube.rtl.endpoint.sink.Sink`.
    """

    counts: Signal
    stamp: data.View
    latency: Signal
    histogram_shift: Signal
    measured: Signal
    total: Signal
    longest: Signal
    host: wiring.PureInterface

    def __init__(self, address_bits: int, *, bins: int, host_width: int, log: int = 0, pairs: bool = False) -> None:
        self.address_bits = address_bits
        self.bins = bins
        self.log = log
        self.pairs = pairs
        super().__init__(
            {
                "counts": In(1),
                "stamp": In(Stamp(address_bits)),
                "latency": In(CYCLE),
                "histogram_shift": In(5),
                "measured": Out(32),
                "total": Out(48),
                "longest": Out(CYCLE),
                "host": In(HostBus(host_width, TrafficRegion)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        bin = Signal(range(self.bins))
        scaled = self.latency >> self.histogram_shift
        m.d.comb += bin.eq(Mux(scaled < self.bins, scaled, self.bins - 1))
        self._count(m, bin)
        if self.log:
            self._write_down(m)
        if self.pairs:
            self._add_up(m)
        with m.If(self.counts):
            m.d.sync += [
                self.measured.eq(self.measured + 1),
                self.total.eq(self.total + self.latency),
            ]
            with m.If(self.latency > self.longest):
                m.d.sync += self.longest.eq(self.latency)
        return m

    def _write_down(self, m: Module) -> None:
        """Write a measured packet to the next entry of the log."""
        m.submodules.log = log = memory.Memory(shape=LogEntry(), depth=self.log, init=[])
        write, read = log.write_port(), log.read_port()
        m.d.comb += [
            write.addr.eq(self.measured),
            write.data.source.eq(self.stamp.source),
            write.data.sequence.eq(self.stamp.sequence),
            write.data.created.eq(self.stamp.created),
            write.data.latency.eq(self.latency),
            write.en.eq(self.counts),
        ]
        give_to_host(m, self.host, TrafficRegion.LOG, read, write)

    def _add_up(self, m: Module) -> None:
        """Add a latency to the sum of its source, in the cycle after it has come."""
        m.submodules.pairs = pairs = memory.Memory(shape=PairEntry(), depth=1 << self.address_bits, init=[])
        write = pairs.write_port()
        read = pairs.read_port(transparent_for=[write])
        known, latency = read.data, Signal(CYCLE)
        m.d.comb += [
            read.addr.eq(self.stamp.source),
            write.data.packets.eq(known.packets + 1),
            write.data.latency.eq(known.latency + latency),
            write.data.longest.eq(Mux(latency > known.longest, latency, known.longest)),
        ]
        m.d.sync += latency.eq(self.latency)
        self._write_later(m, TrafficRegion.PAIRS, read, write)

    def _count(self, m: Module, bin: Signal) -> None:
        """Count a latency in its bin, in the cycle after it has come."""
        m.submodules.latencies = latencies = memory.Memory(shape=COUNT, depth=self.bins, init=[])
        write = latencies.write_port()
        read = latencies.read_port(transparent_for=[write])
        m.d.comb += [read.addr.eq(bin), write.data.eq(read.data + 1)]
        self._write_later(m, TrafficRegion.LATENCIES, read, write)

    def _write_later(self, m: Module, region: TrafficRegion, read: memory.ReadPort, write: memory.WritePort) -> None:
        """Write the word that was read for a packet in the cycle after that; the next packet's may be the same one."""
        place, counted = Signal.like(read.addr), Signal()
        m.d.sync += [place.eq(read.addr), counted.eq(self.counts)]
        m.d.comb += [write.addr.eq(place), write.en.eq(counted)]
        give_to_host(m, self.host, region, read, write)
