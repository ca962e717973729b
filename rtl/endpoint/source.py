"""A source of traffic: packets at random times to random destinations, each with a stamp that identifies it."""

from amaranth.hdl import C, Cat, Module, Mux, Signal, Value
from amaranth.lib import data, fifo, stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_boolean, check_integer
from fatcube.rtl.endpoint.host import FROM_HOST, HostBus
from fatcube.rtl.endpoint.preparation import Preparation
from fatcube.rtl.endpoint.stamped_sender import StampedSender
from fatcube.rtl.endpoint.trace_reader import TraceReader
from fatcube.rtl.endpoint.traffic import CYCLE, Request, Setup, Stamp, TrafficRegion, within_burst
from fatcube.rtl.flit import FlitStream

__all__ = ["BURSTS", "PREPARATION", "TURNAROUND", "Source"]


BURSTS = {"burst_begin": In(32), "burst_end": In(16)}
"""The ports of a source that has bursts."""

PREPARATION = 6
"""The cycles from the creation of a packet to its header, if no other packet is queued before it."""

_TO_SENDER = ("random", "source_pause", "measuring", "cycle")
_FROM_SENDER = ("accepted", "sent", "waited")

TURNAROUND = 7
"""The cycles from the tail flit of a request to the header of its reply, if no other reply is queued before it."""


class Source(wiring.Component):
    """Creates packets, keeps them in a queue, and sends them one after the other.

    In every cycle of ``creating`` a packet is created with probability ``rate`` / 65,536, unless the table has no ways;
    its way is chosen from the table with equal probabilities. With ``bursts``, packets are created within a burst only: a
    cycle outside a burst begins one with probability ``burst_begin`` / 2**32, and a cycle of a burst ends it with
    probability ``burst_end`` / 65,536. With a ``trace``, packets are read from a ring instead, and wait in it.
    With ``answers``, requests that have arrived are answered before anything else is sent: the way of a reply is the table
    entry whose number is the requesting endpoint. :class:`Preparation` numbers packets, and a :class:`StampedSender` makes
    their flits.

    Members
    -------
    stream : :py:`Out(FlitStream(width + Stamp(address_bits).size))`
    random : :py:`In(32)`
        A new random number in every cycle.
    setup : :py:`In(Setup)`
    rate : :py:`In(16)`
        Packets per 65,536 cycles. With ``rates``, those of ``setup`` count instead.
    packet_flits : :py:`In(16)`
        Flits of a packet.
    source_pause : :py:`In(16)`
        Cycles out of 65,536 in which no flit is offered behind the header of a packet.
    burst_begin, burst_end : :py:`In(32)`, :py:`In(16)`
        With ``bursts`` only.
    request : :py:`In(stream.Signature(Request(address_bits)))`
        The requests that are to be answered: while it is ready and in the two cycles behind, each is taken. With ``answers``
        only.
    creating : :py:`In(1)`
        Packets are created.
    measuring : :py:`In(1)`
        Packets that are created, and flits that are sent, are counted.
    cycle : :py:`In(32)`
        The cycle of the run.
    idle : :py:`Out(1)`
        There is nothing more to send.
    offered : :py:`Out(32)`
        Packets created while ``measuring``, including packets for which the queue had no room, but no replies.
    refused : :py:`Out(32)`
        Packets for which the queue had no room, at any time.
    accepted : :py:`Out(32)`
        Flits sent while ``measuring``.
    sent : :py:`Out(32)`
        Packets whose header was sent, at any time.
    waited : :py:`Out(48)`
        Cycles from the creation of a packet until its header was sent, summed over the measured packets.
    host : :py:`In(HostBus(host_width))`
        Writes :class:`ways <Way>`, clears and reads the numbers of packets sent to each destination and by each way.

    Parameters
    ----------
    width : :class:`int`
        Bits of the data of a flit.
    route_bits : :class:`int`
        Bits of the route in a header, which is lowest in it.
    address_bits : :class:`int`
        Bits of the number of an endpoint.
    ways : :class:`int`
        Entries of the table of ways.
    queue : :class:`int`
        Packets that can wait to be sent.
    bursts : :class:`bool`
        Packets come in bursts.
    trace : :class:`int`
        Entries of the ring of the packets to create, a power of two; 0 to create packets at random.
    answers : :class:`int`
        Requests that can wait to be answered; 0 for no answers.
    rates : :class:`bool`
        The source has a rate of its own, in its settings.
    host_width : :class:`int`
        Data bits of the host bus.
    """

    request: stream.Interface
    stream: stream.Interface
    random: Signal
    setup: data.View
    rate: Signal
    packet_flits: Signal
    source_pause: Signal
    burst_begin: Signal
    burst_end: Signal
    creating: Signal
    measuring: Signal
    cycle: Signal
    idle: Signal
    offered: Signal
    refused: Signal
    accepted: Signal
    sent: Signal
    waited: Signal
    host: wiring.PureInterface

    def __init__(
        self,
        width: int,
        *,
        route_bits: int,
        address_bits: int,
        ways: int,
        queue: int,
        host_width: int,
        bursts: bool = False,
        trace: int = 0,
        answers: int = 0,
        rates: bool = False,
    ) -> None:
        self.width = width
        self.route_bits = check_integer("route bits", route_bits, minimum=1)
        self.address_bits = check_integer("address bits", address_bits, minimum=1, maximum=16)
        self.ways = check_integer("ways", ways, minimum=1, maximum=1 << 16)
        self.queue = check_integer("queue", queue, minimum=2)
        self.bursts = check_boolean("bursts", bursts)
        self.trace = check_integer("trace", trace, minimum=0)
        self.answers = check_integer("answers", answers, minimum=0)
        self.rates = check_boolean("rates", rates)
        super().__init__(
            {
                "stream": Out(FlitStream(width + Stamp(address_bits).size)),
                "random": In(32),
                "setup": In(Setup(rates=rates)),
                **dict.fromkeys(("rate", "packet_flits", "source_pause"), In(16)),
                **(BURSTS if bursts else {}),
                **({"request": In(stream.Signature(Request(address_bits)))} if answers else {}),
                **dict.fromkeys(("creating", "measuring"), In(1)),
                "cycle": In(CYCLE),
                "idle": Out(1),
                **dict.fromkeys(("offered", "refused", "accepted", "sent"), Out(32)),
                "waited": Out(48),
                "host": In(HostBus(host_width, TrafficRegion)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.preparation = preparation = Preparation(
            route_bits=self.route_bits,
            address_bits=self.address_bits,
            ways=self.ways,
            host_width=len(self.host.data),
        )
        m.submodules.sender = sender = StampedSender(
            self.width, route_bits=self.route_bits, address_bits=self.address_bits
        )
        wiring.connect(m, wiring.flipped(self.stream), sender.stream)
        create = self._from_trace if self.trace else self._answers_first if self.answers else self._at_random
        waiting, over, created, way = create(m, preparation.take)
        m.d.comb += [
            preparation.waiting.eq(waiting),
            Cat(preparation.created, preparation.measured).eq(created),
            preparation.way.eq(way),
            preparation.address.eq(self.setup.address),
            preparation.packet_flits.eq(self.packet_flits),
            preparation.start.eq(sender.start),
            *(getattr(sender, name).eq(getattr(preparation, name)) for name in ("ready", "route", "stamp")),
            *(getattr(sender, name).eq(getattr(self, name)) for name in _TO_SENDER),
            *(getattr(self, name).eq(getattr(sender, name)) for name in _FROM_SENDER),
            self.idle.eq(over & preparation.empty & ~sender.sending),
            *(getattr(preparation.host, name).eq(getattr(self.host, name)) for name in FROM_HOST),
            self.host.value.eq(preparation.host.value),
        ]
        return m

    def _at_random(self, m: Module, take: Signal) -> tuple[Value, Value, Value, Value]:
        """Whether a packet waits, whether none does, the next packet's creation cycle and measured bit, and its way.

        The queue holds only the creation cycle and the measured bit of each packet.
        """
        m.submodules.queue = queue = fifo.SyncFIFOBuffered(width=CYCLE + 1, depth=self.queue)
        created = Signal()
        rate = self.setup.rate if self.rates else self.rate
        bursts = within_burst(m, self.random, self.creating, self.burst_begin, self.burst_end) if self.bursts else C(1)
        m.d.comb += [
            created.eq(self.creating & (self.random[:16] < rate) & self.setup.ways.any() & bursts),
            queue.w_data.eq(Cat(self.cycle, self.measuring)),
            queue.w_en.eq(created),
            queue.r_en.eq(take),
        ]
        with m.If(created):
            m.d.sync += self.offered.eq(self.offered + self.measuring)
            with m.If(~queue.w_rdy):
                m.d.sync += self.refused.eq(self.refused + 1)
        return queue.r_rdy, ~queue.r_rdy, queue.r_data, (self.random[16:] * self.setup.ways) >> 16

    def _answers_first(self, m: Module, take: Signal) -> tuple[Value, Value, Value, Value]:
        """Return the values of :meth:`_at_random`, where replies have priority over packets that are created at random."""
        request = Request(self.address_bits)
        # Behind the last one that there is room for, two more can come: packets of one flit that are taken already.
        m.submodules.answers = answers = fifo.SyncFIFOBuffered(width=request.size, depth=self.answers + 2)
        other = Signal()
        waiting, over, created, way = self._at_random(m, other)
        m.d.comb += [
            answers.w_data.eq(self.request.payload),
            answers.w_en.eq(self.request.valid),
            self.request.ready.eq(answers.level < self.answers),
            answers.r_en.eq(take),
            other.eq(take & ~answers.r_rdy),
        ]
        asked = request(answers.r_data)
        return (
            answers.r_rdy | waiting,
            ~answers.r_rdy & over,
            Mux(answers.r_rdy, Cat(asked.created, asked.measured), created),
            Mux(answers.r_rdy, asked.source, way),
        )

    def _from_trace(self, m: Module, take: Signal) -> tuple[Value, Value, Value, Value]:
        """Return the values of :meth:`_at_random` for a trace, all of whose packets are measured."""
        m.submodules.trace = trace = TraceReader(self.trace, host_width=len(self.host.data))
        m.d.comb += [
            trace.take.eq(take),
            trace.cycle.eq(self.cycle),
            self.offered.eq(trace.read),
            *(getattr(trace.host, name).eq(getattr(self.host, name)) for name in FROM_HOST),
        ]
        return trace.waiting, trace.over, Cat(trace.entry.cycle, C(1)), trace.entry.way
