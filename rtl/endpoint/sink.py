"""A sink of traffic: takes packets, and keeps a scoreboard of their errors and latencies."""

from amaranth.hdl import C, Cat, Module, Mux, Signal, Value
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_boolean, check_integer
from fatcube.rtl.endpoint.host import FROM_HOST, HostBus
from fatcube.rtl.endpoint.latency_records import LatencyRecords
from fatcube.rtl.endpoint.traffic import (
    CYCLE,
    SEQUENCE,
    WINDOW,
    Arrivals,
    Request,
    Setup,
    Stamp,
    TrafficRegion,
    data_of,
    give_to_host,
)
from fatcube.rtl.flit import FlitStream

__all__ = ["Sink"]


class Sink(wiring.Component):
    """Takes packets and classifies them by the stamps and data that :class:`~fatcube.rtl.endpoint.source.Source` gave them.

    A packet is torn if its flits are not all that its stamps tell of, from the first to the last and in order; else
    corrupted if its flits are not of one packet, or data differ from those that follow from their stamps, where the route
    is ignored; else misrouted if it is for another endpoint, and not copied to several; else it is intact. An intact
    packet is doubled if it has arrived before, and reordered if a later packet of its source has arrived before it. A packet
    is lost if a later packet of its source has arrived and it has not: a packet that arrives torn, corrupted or at another
    endpoint is lost too.

    Members
    -------
    stream : :py:`In(FlitStream(width + Stamp(address_bits).size))`
    random : :py:`In(32)`
        A new random number in every cycle.
    setup : :py:`In(Setup)`
    pause : :py:`In(16)`
        Cycles out of 65,536 in which the sink takes no flit.
    histogram_shift : :py:`In(5)`
        The base-2 logarithm of the cycles of a bin.
    measuring : :py:`In(1)`
        Arriving flits are counted.
    request : :py:`Out(stream.Signature(Request(address_bits)))`
        Each intact packet, once, if packets are answered. From two cycles after it is not ready, no flit is taken; what has
        been taken is requested all the same.
    cycle : :py:`In(32)`
        The cycle of the run.
    arrived : :py:`Out(32)`
        All packets, with or without errors.
    delivered : :py:`Out(32)`
        Flits that arrived while ``measuring``.
    torn, corrupted, misrouted, doubled, reordered, lost : :py:`Out(32)`
        Packets.
    late : :py:`Out(32)`
        Packets that arrived more than :data:`WINDOW` behind the latest of their source: either doubled, or reordered and
        already counted as lost.
    measured : :py:`Out(32)`
        Intact packets that were created during measurement, each counted once.
    latency : :py:`Out(48)`
        The sum of the latencies of the measured packets: cycles from creation until the tail flit had arrived.
    longest : :py:`Out(32)`
        The longest latency of a measured packet.
    host : :py:`In(HostBus(host_width))`
        Clears and reads :class:`Arrivals` by source, with the records of copied packets behind the others, and the
        histogram: a bin counts the packets whose latency, divided by the cycles of a bin, is the number of the bin; the
        last bin counts all longer latencies too.

    Parameters
    ----------
    width, route_bits, address_bits, host_width
        See :class:`~fatcube.rtl.endpoint.source.Source`.
    bins : :class:`int`
        Bins of the histogram.
    log : :class:`int`
        Entries of a ring that records when each packet arrived, a power of two; 0 for no such memory.
    pairs : :class:`bool`
        Latencies are also summed by source.
    answered : :class:`bool`
        Packets are answered.
    rates : :class:`bool`
        The settings have the rate of the source, which sinks ignore.
    """

    request: stream.Interface
    stream: stream.Interface
    random: Signal
    setup: data.View
    pause: Signal
    histogram_shift: Signal
    measuring: Signal
    cycle: Signal
    arrived: Signal
    delivered: Signal
    torn: Signal
    corrupted: Signal
    misrouted: Signal
    doubled: Signal
    reordered: Signal
    lost: Signal
    late: Signal
    measured: Signal
    latency: Signal
    longest: Signal
    host: wiring.PureInterface

    def __init__(
        self,
        width: int,
        *,
        route_bits: int,
        address_bits: int,
        bins: int,
        host_width: int,
        log: int = 0,
        pairs: bool = False,
        answered: bool = False,
        rates: bool = False,
    ) -> None:
        self.width = width
        self.route_bits = check_integer("route bits", route_bits, minimum=1)
        self.address_bits = check_integer("address bits", address_bits, minimum=1, maximum=16)
        self.host_width = host_width
        self.bins = check_integer("bins", bins, minimum=2)
        self.log = check_integer("log", log, minimum=0)
        self.pairs = check_boolean("pairs", pairs)
        self.answered = check_boolean("answered", answered)
        counters = ("arrived", "delivered", "torn", "corrupted", "misrouted", "doubled", "reordered", "lost", "late")
        super().__init__(
            {
                "stream": In(FlitStream(width + Stamp(address_bits).size)),
                "random": In(32),
                "setup": In(Setup(rates=check_boolean("rates", rates))),
                "pause": In(16),
                "histogram_shift": In(5),
                "measuring": In(1),
                "cycle": In(CYCLE),
                **({"request": Out(stream.Signature(Request(address_bits)))} if answered else {}),
                **dict.fromkeys(counters, Out(32)),
                "measured": Out(32),
                "latency": Out(48),
                "longest": Out(CYCLE),
                "host": In(HostBus(host_width, TrafficRegion)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        into = self.stream
        came: data.View = Signal(Stamp(self.address_bits))  # of this flit
        stamp: data.View = Signal(Stamp(self.address_bits))  # of the latest one
        taken, ended, ended_in = Signal(), Signal(), Signal(CYCLE)
        within = Signal()
        whole, whole_before = Signal(), Signal()
        sound, sound_before = Signal(), Signal()
        words = data_of(m, came, self.width)
        room = self.request.ready if self.answered else C(1)
        names = [name for name in came.shape().members if name not in ("left", "first")]
        alike = Cat(came[name] == stamp[name] for name in names).all()
        differs = into.payload.data[: self.width] ^ words
        m.d.comb += [
            came.eq(into.payload.data[self.width :]),
            taken.eq(into.valid & into.ready),
            whole.eq(
                Mux(within, whole_before & ~came.first & (came.left == stamp.left - 1), came.first)
                & (into.payload.last == (came.left == 0))
            ),
            sound.eq(
                Mux(within, sound_before & alike, 1)
                & ~differs[self.route_bits :].any()
                & ~(within & differs[: self.route_bits].any())
            ),
        ]
        m.d.sync += [
            into.ready.eq((self.random[8:24] >= self.pause) & room),
            ended.eq(taken & into.payload.last),
            ended_in.eq(self.cycle),
        ]
        with m.If(taken):
            m.d.sync += [
                self.delivered.eq(self.delivered + self.measuring),
                within.eq(~into.payload.last),
                stamp.eq(came),
                whole_before.eq(whole),
                sound_before.eq(sound),
            ]
        self._judge(m, came, stamp, ended=ended, whole=whole_before, sound=sound_before, ended_in=ended_in)
        return m

    def _judge(
        self,
        m: Module,
        came: data.View,
        stamp: data.View,
        *,
        ended: Signal,
        whole: Signal,
        sound: Signal,
        ended_in: Signal,
    ) -> None:
        """Count a packet in the cycle after its tail flit, in which the next one's may come."""
        m.submodules.arrivals = arrivals = memory.Memory(shape=Arrivals(), depth=2 << self.address_bits, init=[])
        write = arrivals.write_port()
        read = arrivals.read_port(transparent_for=[write])
        known, now = read.data, write.data
        ahead = Signal(SEQUENCE)
        back = Signal(SEQUENCE)
        seen = Signal()
        step = Signal(range(WINDOW + 1))
        place = Signal(range(WINDOW))
        first = Signal()  # it is intact, and has not arrived before
        elsewhere = stamp.destination != self.setup.address
        copied, copied_next = (
            (one.destination != self.setup.address) & (one.destination == one.source) for one in (stamp, came)
        )
        m.d.comb += [
            read.addr.eq(Cat(came.source, copied_next)),
            write.addr.eq(Cat(stamp.source, copied)),
            ahead.eq(stamp.sequence - known.expected),
            back.eq(~ahead),  # expected - 1 - sequence
            step.eq(Mux(ahead > WINDOW, WINDOW, ahead)),
            place.eq(back),
            seen.eq(~known.missing.bit_select(place, 1)),
            now.eq(known),
        ]

        def count(counter: Signal, amount: Value | int = 1) -> None:
            m.d.sync += counter.eq(counter + amount)

        with m.If(ended):
            count(self.arrived)
            with m.If(~whole):
                count(self.torn)
            with m.Elif(~sound):
                count(self.corrupted)
            with m.Elif(elsewhere & ~copied):
                count(self.misrouted)
            with m.Elif(~ahead[-1]):
                # The packets in between are missing.
                count(self.lost, ahead)
                missing = (Cat(C(0, WINDOW), ~known.missing) << step)[WINDOW : 2 * WINDOW]
                m.d.comb += [
                    first.eq(1),
                    now.expected.eq(stamp.sequence + 1),
                    now.missing.eq(Cat(C(0, 1), ~missing)),
                ]
            with m.Elif(back >= WINDOW):
                count(self.late)
            with m.Elif(seen):
                count(self.doubled)
            with m.Else():
                count(self.reordered)
                count(self.lost, -1)
                m.d.comb += [
                    first.eq(1),
                    now.missing.eq(known.missing & ~(1 << place)),
                ]
        m.d.comb += write.en.eq(first)
        m.submodules.records = records = LatencyRecords(
            self.address_bits, bins=self.bins, host_width=self.host_width, log=self.log, pairs=self.pairs
        )
        m.d.comb += [
            records.counts.eq(first & stamp.measured),
            records.stamp.eq(stamp),
            records.latency.eq((ended_in - stamp.created)[:CYCLE]),
            records.histogram_shift.eq(self.histogram_shift),
            self.measured.eq(records.measured),
            self.latency.eq(records.total),
            self.longest.eq(records.longest),
            *(getattr(records.host, name).eq(getattr(self.host, name)) for name in FROM_HOST),
            self.host.value.eq(records.host.value),
        ]
        if self.answered:
            m.d.comb += [
                self.request.valid.eq(first),
                self.request.payload.source.eq(stamp.source),
                self.request.payload.created.eq(stamp.created),
                self.request.payload.measured.eq(stamp.measured),
            ]

        give_to_host(m, self.host, TrafficRegion.ARRIVED, read, write)
