"""The latencies of measured packets: their histogram, their sum, the longest, a log, and sums by source."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.endpoint.host import HostBus
from fatcube.rtl.endpoint.traffic import COUNT, CYCLE, LogEntry, PairEntry, Stamp, TrafficRegion, give_to_host

__all__ = ["LatencyRecords"]


class LatencyRecords(wiring.Component):
    """Records the latencies of packets, at most one in each other cycle.

    Parameters
    ----------
    address_bits, bins, host_width, log, pairs
        See :class:`~fatcube.rtl.endpoint.sink.Sink`.

    Members
    -------
    counts : :py:`In(1)`
        A packet counts in this cycle.
    stamp : :py:`In(Stamp(address_bits))`
        Its stamp, which is valid from the cycle before on.
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
        self._time(m)
        if self.log:
            self._write_down(m)
        if self.pairs:
            self._add_up(m)
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
        """Add a latency to the sum of its source. The stamp is valid for a cycle before the packet is counted."""
        m.submodules.pairs = pairs = memory.Memory(shape=PairEntry(), depth=1 << self.address_bits, init=[])
        write, read = pairs.write_port(), pairs.read_port()
        known = read.data
        m.d.comb += [
            read.addr.eq(self.stamp.source),
            write.addr.eq(self.stamp.source),
            write.data.packets.eq(known.packets + 1),
            write.data.latency.eq(known.latency + self.latency),
            write.data.longest.eq(Mux(self.latency > known.longest, self.latency, known.longest)),
            write.en.eq(self.counts),
        ]
        give_to_host(m, self.host, TrafficRegion.PAIRS, read, write)

    def _time(self, m: Module) -> None:
        """Count a latency. The next latency is counted after the bin is written."""
        m.submodules.latencies = latencies = memory.Memory(shape=COUNT, depth=self.bins, init=[])
        write, read = latencies.write_port(), latencies.read_port()
        bin = Signal(range(self.bins))
        counted = Signal(range(self.bins))
        again = Signal()
        scaled = self.latency >> self.histogram_shift
        m.d.comb += [
            bin.eq(Mux(scaled < self.bins, scaled, self.bins - 1)),
            read.addr.eq(bin),
            write.addr.eq(counted),
            write.data.eq(read.data + 1),
            write.en.eq(again),
        ]
        m.d.sync += [
            again.eq(self.counts),
            counted.eq(bin),
        ]
        give_to_host(m, self.host, TrafficRegion.LATENCIES, read, write)
        with m.If(self.counts):
            m.d.sync += [
                self.measured.eq(self.measured + 1),
                self.total.eq(self.total + self.latency),
            ]
            with m.If(self.latency > self.longest):
                m.d.sync += self.longest.eq(self.latency)
