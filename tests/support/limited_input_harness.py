"""An input at which packets have limits, with anything at it, and what must hold of the flits that leave."""

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Elaboratable, Module, Mux, Signal

from fatcube.rtl.inputs.input_unit import InputUnit
from fatcube.rtl.inputs.limited_input import LimitedInput
from tests.support.reference_queue import ReferenceQueue

__all__ = ["LimitedInputHarness"]


class LimitedInputHarness(Elaboratable):
    """A :class:`LimitedInput` of two bits and one output, whose headers have a bit 0 if they are for it.

    Assumed is that the sender keeps the stream rule, and that what is offered leaves when anybody likes, or at once if it
    is of a packet for no output. Asserted is

    - what is offered is the oldest flit that came in and has not left, of those that count: of each packet so many as it
      may have, of which the last is marked as such. So nothing of them is lost, and nothing of the rest leaks;
    - or, where nothing is left of a packet whose sender has stopped for as long as it may, a last flit of zeros, and
      nothing more is taken before that has left;
    - what is offered stays until it leaves, is said to be a header if it is one, and requests the output if, and only if,
      it is a header for it;
    - ``error`` is there in the cycle in which a header for no output leaves, or the flit that ends another packet before its
      own last one, and in no other: once for a packet;
    - with store-and-forward, a header for the output is offered only if the last flit of its packet that counts is there,
      or its sender has stopped;
    - with virtual cut-through, a header comes in only if the longest packet fits, and the flits that count follow without
      having to wait.

    With ``patience``, the only assertion is that nothing waits for so many cycles in a row in which what is offered leaves:
    not the sender, and not what has come in, with store-and-forward from the last flit of a packet on, nor the end of a
    packet whose sender has stopped.

    With ``goal``, the only assertion is that not so many packets have been delivered and so many ended.
    """

    def __init__(self, *, depth=3, switching="wormhole", longest=0, timeout=0, patience=None, goal=None):
        self.depth, self.switching, self.longest, self.timeout = depth, switching, longest, timeout
        self.patience, self.goal = patience, goal
        unit = InputUnit(2, depth, outputs=[0], selector_bits=1)
        self.input = LimitedInput(
            unit, switching=switching, longest=longest, timeout=timeout, gated=switching == "virtual-cut-through"
        )
        self.sync = ClockDomain("sync", reset_less=True)
        self.valid, self.payload, self.ready = Signal(), Signal(3), Signal()

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, self.valid, self.payload, self.ready]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.input = of = self.input
        data, last = self.payload[:-1], self.payload[-1]
        m.d.comb += [
            of.i[0].valid.eq(self.valid),
            of.i[0].payload.eq(self.payload),
            of.allocator.advance.eq(~of.allocator.valid | of.allocator.discard | self.ready),
        ]
        waiting, offered = Signal(), Signal(3)
        m.d.sync += [waiting.eq(self.valid & ~of.i[0].ready), offered.eq(self.payload)]
        m.d.comb += Assume(~waiting | self.valid & (self.payload == offered))

        # What comes in: of the packet, the flits up to now, so many as count, and whether it was ended.
        taken = self.valid & of.i[0].ready
        within, ended = Signal(), Signal()
        flits = Signal(range(self.longest + 1)) if self.longest else 0
        cut = (flits == self.longest - 1) & ~last if self.longest else 0
        counts = ~ended & (flits != self.longest if self.longest else 1)
        queue = ReferenceQueue(m, Cat(data, last | cut), Cat(cut), ~within, depth=self.depth)
        leaves = of.allocator.valid & of.allocator.advance
        m.d.comb += [queue.push.eq(taken & counts), queue.pop.eq(leaves & queue.any)]
        with m.If(taken):
            m.d.sync += within.eq(~last)
            with m.If(last):
                m.d.sync += ended.eq(0)
            if self.longest:
                m.d.sync += flits.eq(Mux(last, 0, flits + (flits != self.longest)))

        stopped, made_up = 0, 0
        if self.timeout:
            idle, stopped, made_up = Signal(range(self.timeout + 1)), Signal(), Signal()
            m.d.comb += [
                stopped.eq(within & counts & (idle == self.timeout)),
                made_up.eq(of.allocator.valid & ~queue.any),
            ]
            with m.If(taken):
                m.d.sync += idle.eq(0)
            with m.Elif(within & ~self.valid & of.i[0].ready & (idle != self.timeout)):
                m.d.sync += idle.eq(idle + 1)
            with m.If(leaves & made_up):
                m.d.sync += ended.eq(1)

        # What leaves.
        going_on, illegal, error = Signal(), Signal(), Signal()
        payload = of.flit.as_value()
        front = of.allocator.valid & queue.any
        is_illegal = Mux(queue.header, queue.payload[0], illegal)
        with m.If(leaves):
            m.d.sync += going_on.eq(~of.flit.last)
        with m.If(front & queue.header):
            m.d.sync += illegal.eq(queue.payload[0])
        ends = front & queue.destination | made_up  # A packet, before its own last flit.
        begins = front & queue.header
        reported = Mux(begins, queue.payload[0], illegal)
        m.d.comb += error.eq(leaves & (ends & ~reported | begins & queue.payload[0]))
        kept, before = Signal(), Signal(3)
        m.d.sync += [kept.eq(of.allocator.valid & ~of.allocator.advance), before.eq(payload)]
        asserted = [
            ~front | (payload == queue.payload) & (queue.header == ~going_on) & (of.header == queue.header),
            front | ~of.allocator.valid | made_up & stopped & going_on & (payload == 0b100) & ~of.i[0].ready,
            ~kept | of.allocator.valid & (payload == before),
            ~front | (of.allocator.discard == is_illegal) & (of.allocator.requests == queue.header & ~is_illegal),
            of.allocator.valid | of.allocator.discard | (of.allocator.requests == 0),
            of.error == error,
            ~(queue.push & queue.full),
        ]
        if self.longest:
            left = Signal(range(self.longest + 1))
            with m.If(leaves):
                m.d.sync += left.eq(Mux(of.flit.last, 0, left + 1))
            asserted.append(left < self.longest)
        # That the last flit of a packet is there: there are as many in the queue as have come less those that have left.
        whole, packets = Signal(), Signal(range(self.depth + 1))
        m.d.sync += packets.eq(
            packets + (queue.push & (last | cut)) - (queue.pop & queue.payload[-1]),
        )
        m.d.comb += whole.eq(packets != 0)
        if self.switching == "store-and-forward":
            asserted.append(~front | ~queue.header | is_illegal | whole | stopped)
        if self.switching == "virtual-cut-through":
            held = Signal(range(self.depth + 1))
            m.d.sync += held.eq(held + taken - of.left)
            asserted += [
                ~(taken & ~within) | (held + self.longest <= self.depth),
                # Not while the packet is being ended for its sender's stop.
                ~(within & counts) | of.i[0].ready | stopped,
            ]
        if self.patience:
            asserted = [
                self._in_time(m, self.valid & ~of.i[0].ready),
                self._in_time(
                    m, (whole | stopped if self.switching == "store-and-forward" else queue.any) & ~of.allocator.valid
                ),
                self._in_time(m, stopped),
            ]
        if self.goal:
            delivered, endings = Signal(range(self.goal + 1)), Signal(range(self.goal + 1))
            with m.If(leaves & of.flit.last & ~of.allocator.discard & (delivered != self.goal)):
                m.d.sync += delivered.eq(delivered + 1)
            with m.If(leaves & ends & (endings != self.goal)):
                m.d.sync += endings.eq(endings + 1)
            m.d.comb += Assert(~((delivered == self.goal) & (endings == self.goal)))
        else:
            m.d.comb += Assert(Cat(asserted).all())
        return m

    def _in_time(self, m, waits):
        """Assert that ``waits`` is not true for that many cycles in a row in which the offered flits leave."""
        age = Signal(range(self.patience + 1))
        with m.If(waits & self.ready):
            m.d.sync += age.eq(age + (age != self.patience))
        with m.Else():
            m.d.sync += age.eq(0)
        return age != self.patience
