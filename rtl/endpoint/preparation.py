"""The unit of a traffic source that prepares packets: it looks up their ways, and numbers them."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.endpoint.host import HostBus
from fatcube.rtl.endpoint.traffic import COUNT, CYCLE, SEQUENCE, Stamp, TrafficRegion, Way, give_to_host

__all__ = ["Preparation"]


_STAGES = 3


class Preparation(wiring.Component):
    """Prepares packets in three stages, one in each cycle if they are short.

    Behind one that is long enough for that, the next is picked when that one begins, so that a reply that comes in meanwhile
    goes first.

    Parameters
    ----------
    route_bits, address_bits, ways, host_width
        See :class:`~fatcube.rtl.endpoint.source.Source`.

    Members
    -------
    waiting : :py:`In(1)`
        There is a packet to pick.
    created, measured, way : :py:`In(32)`, :py:`In(1)`, :py:`In(16)`
        Its cycle of creation, whether it was created while measuring, and the entry of the table of ways that it takes.
    take : :py:`Out(1)`
        It is picked in this cycle.
    address, packet_flits : :py:`In(16)`
        The address of the source, and the flits of packets whose ways do not say how many.
    ready : :py:`Out(1)`
        A packet is prepared.
    route, stamp : :py:`Out(route_bits)`, :py:`Out(Stamp(address_bits))`
        Its route, and the stamp of its header.
    start : :py:`In(1)`
        It is taken.
    empty : :py:`Out(1)`
        No packet is being prepared, or is ready.
    host : :py:`In(HostBus(host_width))`
        Writes ways, clears and reads the numbers of packets sent to each destination and by each way.
    """

    waiting: Signal
    created: Signal
    measured: Signal
    way: Signal
    take: Signal
    address: Signal
    packet_flits: Signal
    ready: Signal
    route: Signal
    stamp: data.View
    start: Signal
    empty: Signal
    host: wiring.PureInterface

    def __init__(self, *, route_bits: int, address_bits: int, ways: int, host_width: int) -> None:
        self.route_bits = route_bits
        self.address_bits = address_bits
        self.ways = ways
        super().__init__(
            {
                "waiting": In(1),
                "created": In(CYCLE),
                "measured": In(1),
                "way": In(16),
                "take": Out(1),
                "address": In(16),
                "packet_flits": In(16),
                "ready": Out(1),
                "route": Out(route_bits),
                "stamp": Out(Stamp(address_bits)),
                "start": In(1),
                "empty": Out(1),
                "host": In(HostBus(host_width, TrafficRegion)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.ways = ways = memory.Memory(
            shape=Way(self.route_bits, self.address_bits), depth=self.ways, init=[]
        )
        m.submodules.numbered = numbered = memory.Memory(shape=SEQUENCE, depth=1 << self.address_bits, init=[])
        m.submodules.used = used = memory.Memory(shape=COUNT, depth=self.ways, init=[])
        write_way, read_way = ways.write_port(), ways.read_port()
        write_number, write_used = numbered.write_port(), used.write_port()
        read_number = numbered.read_port(transparent_for=[write_number])
        read_used = used.read_port(transparent_for=[write_used])

        # The packet whose way is looked up, that which is numbered, and that which is ready; each may be a long one.
        looked_up, numbering = Signal(), Signal()
        is_long, long_numbered, long_ready = Signal(), Signal(), Signal()
        onward, ready_next = Signal(), Signal()  # the second stage takes a packet, and the third
        picked, number = Signal.like(read_way.addr), Signal.like(read_way.addr)
        fresh, known = Signal(CYCLE + 1), Signal(CYCLE + 1)
        way: data.View = Signal.like(read_way.data)
        length, flits = Signal(16), Signal(16)
        m.d.comb += [
            length.eq(Mux(read_way.data.flits.any(), read_way.data.flits, self.packet_flits)),
            is_long.eq(length > _STAGES),
            ready_next.eq(~self.ready | self.start),
            onward.eq(~numbering | ready_next),
            read_way.en.eq(~looked_up | onward),
            read_way.addr.eq(self.way),
            self.take.eq(
                self.waiting
                & read_way.en
                & ~(looked_up & is_long | numbering & long_numbered | self.ready & long_ready)
            ),
            read_number.en.eq(onward),
            read_number.addr.eq(read_way.data.destination),
            write_number.addr.eq(way.destination),
            write_number.data.eq(read_number.data + 1),
            write_number.en.eq(numbering & ready_next & ~way.unnumbered),
            read_used.en.eq(onward),
            read_used.addr.eq(picked),
            write_used.addr.eq(number),
            write_used.data.eq(read_used.data + 1),
            write_used.en.eq(numbering & ready_next),
            self.empty.eq(~(looked_up | numbering | self.ready)),
        ]
        with m.If(read_way.en):
            m.d.sync += [looked_up.eq(self.take), picked.eq(self.way), fresh.eq(Cat(self.created, self.measured))]
        with m.If(onward):
            m.d.sync += [numbering.eq(looked_up), long_numbered.eq(is_long)]
            m.d.sync += [way.eq(read_way.data), number.eq(picked), flits.eq(length), known.eq(fresh)]
        with m.If(ready_next):
            m.d.sync += [
                self.ready.eq(numbering),
                long_ready.eq(long_numbered),
                self.route.eq(way.route),
                self.stamp.destination.eq(way.destination),
                self.stamp.source.eq(self.address),
                self.stamp.sequence.eq(read_number.data),
                self.stamp.left.eq(flits - 1),
                self.stamp.first.eq(1),
                Cat(self.stamp.created, self.stamp.measured).eq(known),
            ]

        give_to_host(m, self.host, TrafficRegion.NUMBERED, read_number, write_number)
        give_to_host(m, self.host, TrafficRegion.USED, read_used, write_used)
        m.d.comb += [
            write_way.addr.eq(self.host.word),
            write_way.data.eq(self.host.data),
            write_way.en.eq(self.host.select & self.host.write & (self.host.region == TrafficRegion.ROUTES)),
        ]
        return m
