"""The parts of a network interface with anything at them, and what must hold of what comes out."""

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Const, Elaboratable, Module, Mux, Signal

from fatcube.rtl.interface.egress import Egress
from fatcube.rtl.interface.ingress import Ingress
from fatcube.rtl.interface.packet_buffer import PacketBuffer
from tests.support.reference_queue import ReferenceQueue

__all__ = ["EgressHarness", "Harness", "IngressHarness", "PacketBufferHarness"]


class Harness(Elaboratable):
    """The common part: an input that keeps the stream rule, and an output from which words are taken at any time.

    Asserted is that the output has what ``queue`` has next, and keeps it until it is taken; that ``wrong``, the event that
    counts packets, comes once for each that it should count; and that nothing waits for ``patience`` cycles in a row in
    which the output is taken: not the sender, not what is queued, and not an event.

    With ``goal``, the only assertion is that not so many packets have come out and so many events been seen.
    """

    def __init__(self, *, patience, goal=None):
        self.patience, self.goal = patience, goal
        self.sync = ClockDomain("sync", reset_less=True)
        self.valid, self.payload, self.ready = Signal(), Signal(self.bits), Signal()

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, self.valid, self.payload, self.ready]

    def _input(self, m, ready):
        """The sender keeps the rule. Returns whether something is taken."""
        m.domains.sync = self.sync
        waiting, offered = Signal(), Signal(self.bits)
        m.d.sync += [waiting.eq(self.valid & ~ready), offered.eq(self.payload)]
        m.d.comb += Assume(~waiting | self.valid & (self.payload == offered))
        return self.valid & ready

    def _check(self, m, *, valid, payload, expected, queue, due, wrong, blocked):
        """Assert. ``due`` is up when an event is to come, ``blocked`` while the sender waits."""
        kept, before = Signal(), Signal(len(payload))
        m.d.sync += [kept.eq(valid & ~self.ready), before.eq(payload)]
        outstanding = Signal(3)
        m.d.sync += outstanding.eq(outstanding + due - wrong)
        if self.goal:
            events = Signal(2)
            m.d.sync += events.eq(events + (wrong & (events != 3)))
            m.d.comb += Assert(~((queue.delivered >= self.goal) & (events >= self.goal)))
            return
        asserted = [
            ~valid | queue.any & (payload == expected),
            ~kept | valid & (payload == before),
            ~(queue.push & queue.full),
            ~wrong | (outstanding != 0),
            outstanding != 7,
            self._in_time(m, blocked),
            self._in_time(m, queue.any & ~valid),
            self._in_time(m, (outstanding != 0) & ~wrong),
        ]
        m.d.comb += Assert(Cat(asserted).all())

    def _in_time(self, m, waits):
        """Assert that ``waits`` is not true for that many cycles in a row in which the output is taken."""
        age = Signal(range(self.patience + 1))
        with m.If(waits & self.ready):
            m.d.sync += age.eq(age + (age != self.patience))
        with m.Else():
            m.d.sync += age.eq(0)
        return age != self.patience


class IngressHarness(Harness):
    """An :class:`Ingress` of three bits and two destinations, of which the second is not there; the header is 0b011."""

    bits = 5  # tdata, tlast, tdest

    def elaborate(self, platform):
        m = Module()
        m.submodules.ingress = of = Ingress(3, route_bits=1, message_bits=1, destinations=2)
        beats = of.s_axis
        m.d.comb += [
            of.routes.eq(of.table.pack([[1], None])),
            of.source.eq(1),
            Cat(beats.tdata, beats.tlast, beats.tdest).eq(self.payload),
            beats.tvalid.eq(self.valid),
            of.send.ready.eq(self.ready),
        ]
        taken = self._input(m, beats.tready)
        # The destination counts in the cycle in which the first beat is offered first.
        looked, known = Signal(), Signal()
        looks = self.valid & ~looked
        with m.If(taken & beats.tlast):
            m.d.sync += looked.eq(0)
        with m.Elif(looks):
            m.d.sync += [looked.eq(1), known.eq(~beats.tdest)]
        entry = Mux(looked, Cat(beats.tdata, beats.tlast), 0b0011)
        queue = ReferenceQueue(m, entry[:4], Const(0, 1), Const(0, 1), depth=3)
        m.d.comb += [
            queue.push.eq(Mux(looked, taken & known, looks & ~beats.tdest)),
            queue.pop.eq(of.send.valid & self.ready),
        ]
        self._check(
            m,
            valid=of.send.valid,
            payload=of.send.payload.as_value(),
            expected=queue.payload,
            queue=queue,
            due=looks & beats.tdest,
            wrong=of.unknown,
            blocked=self.valid & ~beats.tready,
        )
        return m


class EgressHarness(Harness):
    """An :class:`Egress` of three bits, whose message id is the second of them."""

    bits = 4  # data, last

    def elaborate(self, platform):
        m = Module()
        m.submodules.egress = of = Egress(3, route_bits=1, message_bits=1)
        data, last, beats = self.payload[:3], self.payload[3], of.m_axis
        m.d.comb += [
            of.receive.payload.eq(self.payload),
            of.receive.valid.eq(self.valid),
            beats.tready.eq(self.ready),
        ]
        taken = self._input(m, of.receive.ready)
        within, number = Signal(), Signal()
        with m.If(taken):
            m.d.sync += within.eq(~last)
            with m.If(~within):
                m.d.sync += number.eq(data[1])
        queue = ReferenceQueue(m, Cat(number, self.payload), Const(0, 1), Const(0, 1), depth=2)
        m.d.comb += [queue.push.eq(taken & within), queue.pop.eq(beats.tvalid & self.ready)]
        self._check(
            m,
            valid=beats.tvalid,
            payload=Cat(beats.tid, beats.tdata, beats.tlast),
            expected=queue.payload,
            queue=queue,
            due=taken & ~within & last,
            wrong=of.empty,
            blocked=self.valid & ~of.receive.ready,
        )
        return m


class PacketBufferHarness(Harness):
    """A :class:`PacketBuffer` of one bit for packets of two flits at most. What is queued are packets."""

    bits = 2  # data, last

    def elaborate(self, platform):
        m = Module()
        m.submodules.buffer = of = PacketBuffer(1, 2)
        data, last = self.payload
        m.d.comb += [
            of.i.payload.eq(self.payload),
            of.i.valid.eq(self.valid),
            of.o.ready.eq(self.ready),
        ]
        taken = self._input(m, of.i.ready)
        flits, first, second = Signal(2), Signal(), Signal()
        with m.If(taken):
            m.d.sync += flits.eq(Mux(last, 0, flits + (flits != 3)))
            with m.If(flits == 0):
                m.d.sync += first.eq(data)
        # The second bit is there if there is a second flit; the highest is for the queue, which counts packets.
        packet = Cat(Mux(flits == 0, data, first), flits == 1, data, Const(1, 1))
        queue = ReferenceQueue(m, packet, Const(0, 1), Const(0, 1), depth=5)
        leaves = of.o.valid & self.ready
        m.d.comb += [
            queue.push.eq(taken & last & (flits < 2)),
            queue.pop.eq(leaves & (second | ~queue.payload[1])),
        ]
        with m.If(leaves):
            m.d.sync += second.eq(~second & queue.payload[1])
        self._check(
            m,
            valid=of.o.valid,
            payload=of.o.payload.as_value(),
            expected=Mux(second, Cat(queue.payload[2], 1), Cat(queue.payload[0], ~queue.payload[1])),
            queue=queue,
            due=taken & ~last & (flits == 1),
            wrong=of.too_long,
            blocked=self.valid & ~of.i.ready,
        )
        return m
