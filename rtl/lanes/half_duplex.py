"""A half-duplex lane: one set of payload wires, on which packets of both directions take turns."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from fatcube.rtl.lanes.lane_base import Lane, LaneOptions
from fatcube.rtl.lanes.turn_monitor import TurnMonitor

__all__ = ["HalfDuplexLane"]


class HalfDuplexLane(Lane):
    """Gives the payload wires to one direction at a time, for a whole packet.

    Only the payload wires are shared. Flow control has wires of its own in each direction: requests, ready or credits,
    permission, and the answers of circuits. An idle lane keeps its direction. A packet against it waits for a cycle, and
    until the wires have been idle for ``turn_round`` cycles since the last flit. When packets wait at both ends, the
    directions alternate by packet.

    With one virtual channel a packet requests the direction when its header arrives; where a buffer has to hold a whole
    packet, there must also be room for all of it at the other end. It keeps the direction until its tail flit has crossed,
    also while it waits for room; a circuit whose set-up is refused releases it. With several channels the routers request
    the direction when there is room for all of a packet. The lane then withdraws permission, waits until the packets that
    have begun have crossed, and gives permission to the other side.

    Zero-load latency grows by a cycle for each lane that must turn; with several channels, by 4 + 4 ``link_stages``
    cycles, as a request and permission pass registers both ways.

    Parameters
    ----------
    options, counters
        See :class:`Lane`.

    Members
    -------
    The members of :class:`Lane`. ``error_count`` comes from a :class:`TurnMonitor`.
    """

    shares = True

    def __init__(self, options: LaneOptions, *, counters: bool = False) -> None:
        super().__init__(options, counters=counters)
        self.turn_round = options.turn_round

    def elaborate(self, platform: object) -> Module:
        m = Module()
        out, into = [end.out for end in self.ends], [end.into for end in self.ends]
        facing = Signal()  # The end that sends.
        # A flit of the sending end is offered at the other end; it crosses.
        offered = Signal()
        crossing = Signal()
        payload = Mux(facing, out[1].payload.as_value(), out[0].payload.as_value())
        for here, there in ((0, 1), (1, 0)):
            m.d.comb += [into[there].payload.eq(payload), into[there].valid.eq(offered & (facing == here))]
        # Whether no flit has crossed since the lane turned, and the idle cycles of the wires, up to ``turn_round``.
        fresh = Signal()
        idle = Signal(range(self.turn_round + 1), init=self.turn_round)
        rested = Signal()
        m.d.comb += rested.eq(~fresh | (idle == self.turn_round))
        with m.If(crossing):
            m.d.sync += [fresh.eq(0), idle.eq(0)]
        with m.Elif(idle != self.turn_round):
            m.d.sync += idle.eq(idle + 1)
        turn = Signal()
        with m.If(turn):
            m.d.sync += [facing.eq(~facing), fresh.eq(1)]
        several = self.options.virtual_channels > 1
        conflict = (self._by_permission if several else self._by_header)(m, facing, rested, offered, crossing, turn)
        if self.counters:
            self._count(m, conflict)
        return m

    def _by_header(
        self, m: Module, facing: Signal, rested: Signal, offered: Signal, crossing: Signal, turn: Signal
    ) -> Value:
        """Turn for headers that arrive, and return whether a packet waits for one in the other direction."""
        out, into = [end.out for end in self.ends], [end.into for end in self.ends]
        whole = self.options.whole_packets
        asks = [out[here].valid & (into[1 - here].ready if whole else Const(1)) for here in range(2)]
        own, against = Mux(facing, asks[1], asks[0]), Mux(facing, asks[0], asks[1])
        valid, other = Mux(facing, out[1].valid, out[0].valid), Mux(facing, out[0].valid, out[1].valid)
        ready, last = Mux(facing, into[0].ready, into[1].ready), Mux(facing, out[1].payload.last, out[0].payload.last)
        within = Signal()  # a packet has the direction
        m.d.comb += [
            offered.eq(rested & Mux(within, valid, own)),
            crossing.eq(offered & ready),
            *(out[here].ready.eq(self._ready(here, rested & ready & (facing == here))) for here in range(2)),
            turn.eq(against & Mux(within | own, crossing & last, 1)),
        ]
        with m.If(crossing):
            m.d.sync += within.eq(~last)
        if self.options.answers:
            m.d.comb += [out[here].answer.eq(into[1 - here].answer) for here in range(2)]
        if self.options.setup_retry:
            with m.If(Mux(facing, into[0].answer.refused, into[1].answer.refused)):
                m.d.sync += within.eq(0)
        return other & (valid | within)

    def _ready(self, here: int, taken: Value) -> Value:
        """Whether a flit of this end is ``taken``. Where packets are copied, whether there is room if none is offered.

        A packet is copied to several lanes when there is room behind all of them, and requests none before.
        """
        if not (self.options.copies and self.options.whole_packets):
            return taken
        sender, receiver = self.ends[here].out, self.ends[1 - here].into
        return Mux(sender.valid, taken, receiver.ready)

    def _by_permission(
        self, m: Module, facing: Signal, rested: Signal, offered: Signal, crossing: Signal, turn: Signal
    ) -> Value:
        """Turn for packets that wait to begin, and return whether one waits for another in the other direction."""
        out, into = [end.out for end in self.ends], [end.into for end in self.ends]
        own, against = Mux(facing, out[1].wants, out[0].wants), Mux(facing, out[0].wants, out[1].wants)
        holds = Mux(facing, out[1].holds, out[0].holds)
        # packets may begin, and one has sent a flit since the lane turned
        permits = Signal()
        served = Signal()
        m.d.comb += [
            # A valid flit is always taken, so it crosses.
            offered.eq(Mux(facing, out[1].valid, out[0].valid)),
            crossing.eq(offered),
            *(out[here].grant.eq(permits & rested & (facing == here)) for here in range(2)),
            *(out[here].credit.eq(into[1 - here].credit) for here in range(2)),
        ]
        with m.If(turn):
            m.d.sync += served.eq(0)
        with m.Elif(crossing):
            m.d.sync += served.eq(1)
        # The cycles until `holds` shows here whether a packet began before the router lost permission.
        delay = 2 * self.options.link_stages + 1
        settling = Signal(range(delay + 1))
        with m.FSM():
            with m.State("OPEN"):
                m.d.comb += permits.eq(1)
                m.d.sync += settling.eq(delay)
                with m.If(against & (served | ~own)):
                    m.next = "CLOSED"
            with m.State("CLOSED"):
                with m.If(settling != 0):
                    m.d.sync += settling.eq(settling - 1)
                with m.Elif(~holds):
                    m.d.comb += turn.eq(1)
                    m.next = "OPEN"
        return against & (own | holds)

    def _count(self, m: Module, conflict: Value) -> None:
        """Count conflicts, and flits that cross against the rules, from the signals at the ends alone."""
        m.submodules.monitor = monitor = TurnMonitor(self.turn_round)
        m.d.comb += [
            monitor.crossing.eq(Cat(end.into.valid & getattr(end.into, "ready", Const(1)) for end in self.ends)),
            self.error_count.eq(monitor.error_count),
        ]
        m.d.sync += self.conflict_count.eq(self.conflict_count + conflict)
