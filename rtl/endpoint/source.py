"""A source of traffic: packets at random times to random destinations, each with a stamp to know it by."""

from amaranth.hdl import Array, Cat, Module, Mux, Signal, Value
from amaranth.lib import data, enum, fifo, memory, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from groundwork.validation import check_integer
from rtl.endpoint.host import HostBus
from rtl.endpoint.monitor import next_signature
from rtl.endpoint.traffic import (
    COUNT,
    CYCLE,
    SEQUENCE,
    Setup,
    Stamp,
    TrafficRegion,
    give_to_host,
    repeated,
    stamp_words,
)
from rtl.flit import FlitStream

__all__ = ["PREPARATION", "Source", "Way"]


PREPARATION = 6
"""The cycles from the creation of a packet to its header, where no other packet is before it."""


class Way(data.StructLayout):
    """A way that packets can take.

    Members
    -------
    route : :class:`unsigned(route_bits)`
        The route in the header.
    destination : :class:`unsigned(address_bits)`
        The endpoint that it leads to; that of the source itself if packets are copied to several.
    flits : :class:`unsigned(16)`
        Flits of its packets; 0 for as many as those of all. With 1, a packet is a header alone, whose message id is the
        low bits of its destination.
    unnumbered : :class:`unsigned(1)`
        Its packets have no number among those to the destination: none is to arrive, or they are headers alone.
    """

    def __init__(self, route_bits: int, address_bits: int) -> None:
        super().__init__({"route": route_bits, "destination": address_bits, "flits": 16, "unnumbered": 1})


class _State(enum.Enum):
    """How far the next packet is prepared."""

    PICK = 0
    LOOK_UP = 1
    NUMBER = 2
    READY = 3


class Source(wiring.Component):
    """Creates packets, keeps them in a queue, and sends them one after the other.

    In every cycle of ``creating`` a packet is created with probability ``rate`` / 65,536, unless the table has no ways;
    its way is one of those, each as likely as any. A packet is a header with the low bits of its sequence number as
    message id, its :class:`Stamp` in words of the flit, random words, and the signature of all words behind the header;
    one that has fewer flits than that is cut short.

    Members
    -------
    stream : :py:`Out(FlitStream(width))`
    random : :py:`In(32)`
        Another number in every cycle.
    setup : :py:`In(Setup)`
    rate : :py:`In(16)`
        Packets per 65,536 cycles.
    packet_flits : :py:`In(16)`
        Flits of a packet, at least :func:`~rtl.endpoint.traffic.fewest_flits`.
    source_pause : :py:`In(16)`
        Cycles of 65,536 in which nothing is offered behind the header of a packet.
    creating : :py:`In(1)`
        Packets are created.
    measuring : :py:`In(1)`
        What is created or sent counts.
    cycle : :py:`In(32)`
        The cycle of the run.
    idle : :py:`Out(1)`
        Nothing is left to be sent.
    offered : :py:`Out(32)`
        Packets created while measuring, those for which the queue had no room among them.
    refused : :py:`Out(32)`
        Packets for which the queue had no room, at any time.
    accepted : :py:`Out(32)`
        Flits sent while measuring.
    sent : :py:`Out(32)`
        Packets whose header was sent, at any time.
    waited : :py:`Out(48)`
        Cycles from the creation of a packet until its header was sent, summed over those created while measuring.
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
    host_width : :class:`int`
        Data bits of the host bus.
    """

    stream: stream.Interface
    random: Signal
    setup: data.View
    rate: Signal
    packet_flits: Signal
    source_pause: Signal
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
    ) -> None:
        self.width = width
        self.route_bits = check_integer("route bits", route_bits, minimum=1)
        self.message_bits = check_integer("message bits", message_bits, minimum=0)
        self.address_bits = check_integer("address bits", address_bits, minimum=1, maximum=16)
        self.ways = check_integer("ways", ways, minimum=1, maximum=1 << 16)
        self.queue = check_integer("queue", queue, minimum=2)
        super().__init__(
            {
                "stream": Out(FlitStream(width)),
                "random": In(32),
                "setup": In(Setup()),
                "rate": In(16),
                "packet_flits": In(16),
                "source_pause": In(16),
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

        # A packet is created: of what it is, only the cycle is kept, and whether it is measured.
        m.submodules.queue = queue = fifo.SyncFIFOBuffered(width=CYCLE + 1, depth=self.queue)
        created = Signal()
        m.d.comb += [
            created.eq(self.creating & (self.random[:16] < self.rate) & self.setup.ways.any()),
            queue.w_data.eq(Cat(self.cycle, self.measuring)),
            queue.w_en.eq(created),
        ]
        with m.If(created):
            m.d.sync += self.offered.eq(self.offered + self.measuring)
            with m.If(~queue.w_rdy):
                m.d.sync += self.refused.eq(self.refused + 1)

        # The next packet is prepared while one is sent: its way is picked, looked up, and numbered.
        state = Signal(_State)
        way, picked = Signal.like(read_way.data), Signal.like(read_way.addr)
        stamp = Signal(Stamp(self.address_bits))
        start = Signal()
        m.d.comb += [
            read_way.addr.eq((self.random[16:] * self.setup.ways) >> 16),
            read_number.addr.eq(read_way.data.destination),
            write_number.addr.eq(stamp.destination),
            write_number.data.eq(read_number.data + 1),
            read_used.addr.eq(picked),
            write_used.addr.eq(picked),
            write_used.data.eq(read_used.data + 1),
        ]
        with m.Switch(state):
            with m.Case(_State.PICK):
                with m.If(queue.r_rdy):
                    m.d.comb += queue.r_en.eq(1)
                    m.d.sync += [
                        Cat(stamp.created, stamp.measured).eq(queue.r_data),
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
        m.d.comb += self.idle.eq((state == _State.PICK) & ~queue.r_rdy & ~sending)

        give_to_host(m, self.host, TrafficRegion.NUMBERED, read_number, write_number)
        give_to_host(m, self.host, TrafficRegion.USED, read_used, write_used)
        m.d.comb += [
            write_way.addr.eq(self.host.word),
            write_way.data.eq(self.host.data),
            write_way.en.eq(self.host.select & self.host.write & (self.host.region == TrafficRegion.ROUTES)),
        ]
        return m

    def _send(self, m: Module, *, ready: Value, way: data.View, stamp: data.View, start: Signal) -> Signal:
        """Send one packet after the other: the next one when it is ``ready``, which ``start`` takes.

        The value says that a packet is under way.
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
