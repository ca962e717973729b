"""A source of traffic: packets at random times to random destinations, each with a stamp that identifies it."""

from amaranth.hdl import Array, C, Cat, Module, Mux, Signal, Value
from amaranth.lib import data, enum, fifo, memory, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import check_boolean, check_integer
from fatcube.rtl.endpoint.host import HostBus
from fatcube.rtl.endpoint.monitor import next_signature
from fatcube.rtl.endpoint.traffic import (
    COUNT,
    CYCLE,
    SEQUENCE,
    Request,
    Setup,
    Stamp,
    TraceEntry,
    TrafficRegion,
    Way,
    give_to_host,
    repeated,
    stamp_words,
)
from fatcube.rtl.flit import FlitStream

__all__ = ["BURSTS", "PREPARATION", "TURNAROUND", "Source"]


BURSTS = {"burst_begin": In(32), "burst_end": In(16)}
"""The ports of a source that has bursts."""


PREPARATION = 6
"""The cycles from the creation of a packet to its header, if no other packet is queued before it."""


TURNAROUND = 7
"""The cycles from the tail flit of a request to the header of its reply, if no other reply is queued before it."""


class _State(enum.Enum):
    """The state of the preparation of the next packet."""

    PICK = 0
    LOOK_UP = 1
    NUMBER = 2
    READY = 3


class Source(wiring.Component):
    """Creates packets, keeps them in a queue, and sends them one after the other.

    In every cycle of ``creating`` a packet is created with probability ``rate`` / 65,536, unless the table has no ways;
    its way is chosen from the table with equal probabilities. With ``bursts``, packets are created within a burst only: a
    cycle outside a burst begins one with probability ``burst_begin`` / 2**32, and a cycle of a burst ends it with
    probability ``burst_end`` / 65,536. With a ``trace``, packets are read from the trace memory instead, and wait in it.
    With ``answers``, requests that have arrived are answered before anything else is sent: the way of a reply is the table
    entry whose number is the requesting endpoint. A packet is a header with the low bits of its sequence number as message
    id, its :class:`Stamp` divided into flits, random words, and the signature of all words behind the header; a packet
    with fewer flits than these is truncated.

    Members
    -------
    stream : :py:`Out(FlitStream(width))`
    random : :py:`In(32)`
        A new random number in every cycle.
    setup : :py:`In(Setup)`
    rate : :py:`In(16)`
        Packets per 65,536 cycles.
    packet_flits : :py:`In(16)`
        Flits of a packet, at least :func:`~fatcube.rtl.endpoint.traffic.fewest_flits`.
    source_pause : :py:`In(16)`
        Cycles out of 65,536 in which no flit is offered behind the header of a packet.
    burst_begin : :py:`In(32)`
    burst_end : :py:`In(16)`
        With ``bursts`` only.
    request : :py:`In(stream.Signature(Request(address_bits)))`
        The requests that are to be answered. With ``answers`` only.
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
        Bits of a flit.
    route_bits : :class:`int`
        Bits of the route in a header, which is lowest in it.
    message_bits : :class:`int`
        Bits of the message id above it.
    address_bits : :class:`int`
        Bits of the number of an endpoint.
    ways : :class:`int`
        Entries of the table of ways.
    queue : :class:`int`
        Packets that can wait to be sent.
    bursts : :class:`bool`
        Packets come in bursts.
    trace : :class:`int`
        Entries of a memory of the packets to create, plus one; 0 to create packets at random.
    answers : :class:`int`
        Requests that can wait to be answered; 0 for no answers.
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
        message_bits: int,
        address_bits: int,
        ways: int,
        queue: int,
        host_width: int,
        bursts: bool = False,
        trace: int = 0,
        answers: int = 0,
    ) -> None:
        self.width = width
        self.route_bits = check_integer("route bits", route_bits, minimum=1)
        self.message_bits = check_integer("message bits", message_bits, minimum=0)
        self.address_bits = check_integer("address bits", address_bits, minimum=1, maximum=16)
        self.ways = check_integer("ways", ways, minimum=1, maximum=1 << 16)
        self.queue = check_integer("queue", queue, minimum=2)
        self.bursts = check_boolean("bursts", bursts)
        self.trace = check_integer("trace", trace, minimum=0)
        self.answers = check_integer("answers", answers, minimum=0)
        super().__init__(
            {
                "stream": Out(FlitStream(width)),
                "random": In(32),
                "setup": In(Setup()),
                "rate": In(16),
                "packet_flits": In(16),
                "source_pause": In(16),
                **(BURSTS if bursts else {}),
                **({"request": In(stream.Signature(Request(address_bits)))} if answers else {}),
                "creating": In(1),
                "measuring": In(1),
                "cycle": In(CYCLE),
                "idle": Out(1),
                "offered": Out(32),
                "refused": Out(32),
                "accepted": Out(32),
                "sent": Out(32),
                "waited": Out(48),
                "host": In(HostBus(host_width, TrafficRegion)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.ways = ways = memory.Memory(
            shape=Way(self.route_bits, self.address_bits), depth=self.ways, init=[]
        )
        m.submodules.numbered = numbered = memory.Memory(shape=SEQUENCE, depth=1 << self.address_bits, init=[])
        write_way, read_way = ways.write_port(), ways.read_port()
        write_number, read_number = numbered.write_port(), numbered.read_port()
        m.submodules.used = used = memory.Memory(shape=COUNT, depth=self.ways, init=[])
        write_used, read_used = used.write_port(), used.read_port()

        take = Signal()
        create = self._from_trace if self.trace else self._answers_first if self.answers else self._at_random
        waiting, over, next_created, next_way = create(m, take)

        # The next packet is prepared while one is sent: its way is picked, looked up, and numbered.
        state = Signal(_State)
        way, picked = Signal.like(read_way.data), Signal.like(read_way.addr)
        stamp = Signal(Stamp(self.address_bits))
        start = Signal()
        m.d.comb += [
            read_way.addr.eq(next_way),
            read_number.addr.eq(read_way.data.destination),
            write_number.addr.eq(stamp.destination),
            write_number.data.eq(read_number.data + 1),
            read_used.addr.eq(picked),
            write_used.addr.eq(picked),
            write_used.data.eq(read_used.data + 1),
        ]
        with m.Switch(state):
            with m.Case(_State.PICK):
                with m.If(waiting):
                    m.d.comb += take.eq(1)
                    m.d.sync += [
                        Cat(stamp.created, stamp.measured).eq(next_created),
                        stamp.source.eq(self.setup.address),
                        picked.eq(read_way.addr),
                        state.eq(_State.LOOK_UP),
                    ]
            with m.Case(_State.LOOK_UP):
                m.d.sync += [
                    way.eq(read_way.data),
                    stamp.destination.eq(read_way.data.destination),
                    stamp.flits.eq(Mux(read_way.data.flits.any(), read_way.data.flits, self.packet_flits)),
                    state.eq(_State.NUMBER),
                ]
            with m.Case(_State.NUMBER):
                m.d.comb += [
                    write_number.en.eq(~way.unnumbered),
                    write_used.en.eq(1),
                ]
                m.d.sync += [
                    stamp.sequence.eq(read_number.data),
                    state.eq(_State.READY),
                ]
            with m.Case(_State.READY):
                with m.If(start):
                    m.d.sync += state.eq(_State.PICK)
        sending = self._send(m, ready=state == _State.READY, way=way, stamp=stamp, start=start)
        m.d.comb += self.idle.eq((state == _State.PICK) & over & ~sending)

        give_to_host(m, self.host, TrafficRegion.NUMBERED, read_number, write_number)
        give_to_host(m, self.host, TrafficRegion.USED, read_used, write_used)
        m.d.comb += [
            write_way.addr.eq(self.host.word),
            write_way.data.eq(self.host.data),
            write_way.en.eq(self.host.select & self.host.write & (self.host.region == TrafficRegion.ROUTES)),
        ]
        return m

    def _at_random(self, m: Module, take: Signal) -> tuple[Value, Value, Value, Value]:
        """Whether a packet waits, whether none does, the next packet's creation cycle and measured bit, and its way.

        The queue holds only the creation cycle and the measured bit of each packet.
        """
        m.submodules.queue = queue = fifo.SyncFIFOBuffered(width=CYCLE + 1, depth=self.queue)
        created = Signal()
        m.d.comb += [
            created.eq(self.creating & (self.random[:16] < self.rate) & self.setup.ways.any() & self._in_burst(m)),
            queue.w_data.eq(Cat(self.cycle, self.measuring)),
            queue.w_en.eq(created),
            queue.r_en.eq(take),
        ]
        with m.If(created):
            m.d.sync += self.offered.eq(self.offered + self.measuring)
            with m.If(~queue.w_rdy):
                m.d.sync += self.refused.eq(self.refused + 1)
        return queue.r_rdy, ~queue.r_rdy, queue.r_data, (self.random[16:] * self.setup.ways) >> 16

    def _in_burst(self, m: Module) -> Value:
        """Whether a burst is in progress; always 1 without ``bursts``."""
        if not self.bursts:
            return C(1)
        within = Signal()
        # The end of a burst is independent of the bits for the creation of a packet and of the high bits for its way.
        ends = self.random[16:][::-1] < self.burst_end
        with m.If(self.creating):
            m.d.sync += within.eq(Mux(within, ~ends, self.random < self.burst_begin))
        return within

    def _answers_first(self, m: Module, take: Signal) -> tuple[Value, Value, Value, Value]:
        """Return the values of :meth:`_at_random`, where replies have priority over packets that are created at random."""
        request = Request(self.address_bits)
        m.submodules.answers = answers = fifo.SyncFIFOBuffered(width=request.size, depth=self.answers)
        other = Signal()
        waiting, over, created, way = self._at_random(m, other)
        m.d.comb += [
            answers.w_data.eq(self.request.payload),
            answers.w_en.eq(self.request.valid),
            self.request.ready.eq(answers.w_rdy),
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
        m.submodules.trace = trace = memory.Memory(shape=TraceEntry(), depth=self.trace, init=[])
        write, read = trace.write_port(), trace.read_port()
        number, over = Signal(range(self.trace)), Signal()
        m.d.comb += [
            read.addr.eq(number),
            over.eq(read.data.cycle.all()),
            write.addr.eq(self.host.word),
            write.data.eq(self.host.data),
            write.en.eq(self.host.select & self.host.write & (self.host.region == TrafficRegion.TRACE)),
        ]
        with m.If(take):
            m.d.sync += [
                number.eq(number + 1),
                self.offered.eq(self.offered + 1),
            ]
        # One cycle later than possible, so that the delay from creation to sending is the same as with a queue.
        waiting = ~over & (self.cycle > read.data.cycle + 1)
        return waiting, over, Cat(read.data.cycle, C(1)), read.data.way

    def _send(self, m: Module, *, ready: Value, way: data.View, stamp: data.View, start: Signal) -> Signal:
        """Send one packet after the other: the next one when it is ``ready``; ``start`` takes it.

        The value returned is 1 while a packet is being sent.
        """
        words = stamp_words(self.width, self.address_bits)
        out = self.stream
        header = Signal(self.width)
        sent_stamp = Signal(words * self.width)
        created, measured = Signal(CYCLE), Signal()
        filler = Signal(32, init=1)
        flit, last, end = Signal(16), Signal(16), Signal()
        signature = Signal(self.width)
        sending, rests = Signal(), Signal()
        message = Mux(way.flits == 1, way.destination, stamp.sequence)
        stamped = Array(sent_stamp.word_select(word, self.width) for word in range(words))
        m.d.comb += [
            end.eq(flit == last),
            start.eq(ready & (~sending | out.valid & out.ready & end)),
            rests.eq(self.random[12:28] < self.source_pause),
            out.payload.last.eq(end),
        ]
        with m.If(flit == 0):
            m.d.comb += out.payload.data.eq(header)
        with m.Elif(end):
            m.d.comb += out.payload.data.eq(signature)
        with m.Elif(flit <= words):
            m.d.comb += out.payload.data.eq(stamped[(flit - 1)[: max(1, ceil_log2(words))]])
        with m.Else():
            m.d.comb += out.payload.data.eq(repeated(filler, self.width))

        with m.If(out.valid & out.ready):
            m.d.sync += [
                flit.eq(flit + 1),
                filler.eq(self.random | 1),
                signature.eq(next_signature(signature, out.payload.data)),
                self.accepted.eq(self.accepted + self.measuring),
            ]
            with m.If(flit == 0):
                m.d.sync += [
                    signature.eq(0),
                    self.sent.eq(self.sent + 1),
                ]
                with m.If(measured):
                    m.d.sync += self.waited.eq(self.waited + (self.cycle - created)[:CYCLE])
        with m.If(~out.valid | out.ready):
            m.d.sync += out.valid.eq(sending & ~rests)
            with m.If(out.valid & end):
                m.d.sync += [out.valid.eq(0), sending.eq(0)]
        with m.If(start):
            m.d.sync += [
                out.valid.eq(1),
                sending.eq(1),
                flit.eq(0),
                last.eq(stamp.flits - 1),
                header.eq(Cat(way.route, message[: self.message_bits])),
                sent_stamp.eq(stamp),
                created.eq(stamp.created),
                measured.eq(stamp.measured),
            ]
        return sending
