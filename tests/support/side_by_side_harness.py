"""Injection and ejection of packets side by side at one port, each alone, with anything at their ports."""

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Const, Elaboratable, Module, Mux, Signal

from fatcube.rtl.inputs.injection import Injection
from fatcube.rtl.outputs.ejection import Ejection
from tests.support.reference_queue import ReferenceQueue

__all__ = ["EjectionHarness", "InjectionHarness"]

_WIDTH = 2


class InjectionHarness(Elaboratable):
    """The inputs for the packets of a port, of which any may be idle and any may take a flit in every cycle.

    Assumed is that the stream in keeps the stream rule. Asserted is that

    - a flit is offered to one input at most, the one to which the header of its packet was offered, and that was the first
      idle one then;
    - it is offered if it is in a packet that has been, or an input is idle, and as it came in;
    - what is offered stays until it is taken, and leaves the stream in if, and only if, it is taken.

    With ``goal``, the only assertion is that not every input has had so many packets.
    """

    def __init__(self, inputs=2, *, goal=None):
        self.inputs, self.goal = inputs, goal
        self.sync = ClockDomain("sync", reset_less=True)
        self.valid, self.payload = Signal(), Signal(_WIDTH + 1)
        self.idle, self.ready = Signal(inputs), Signal(inputs)

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, self.valid, self.payload, self.idle, self.ready]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.injection = of = Injection(_WIDTH, self.inputs)
        outs = of.o
        m.d.comb += [of.i.valid.eq(self.valid), of.i.payload.eq(self.payload), of.idle.eq(self.idle)]
        m.d.comb += [out.ready.eq(ready) for out, ready in zip(outs, self.ready)]
        waiting, before = Signal(), Signal.like(self.payload)
        m.d.sync += [waiting.eq(self.valid & ~of.i.ready), before.eq(self.payload)]
        m.d.comb += Assume(~waiting | self.valid & (self.payload == before))

        offered = Cat(out.valid for out in outs)
        kept = Signal(self.inputs)  # What was offered and not taken.
        owner = Signal(self.inputs)  # The input of the packet whose next flit is to come, or zero.
        last = self.payload[-1]
        takes = offered & self.ready
        m.d.sync += kept.eq(offered & ~self.ready)
        with m.If(offered.any()):
            m.d.sync += owner.eq(Mux(takes.any() & last, 0, offered))
        lowest = self.idle & (~self.idle + 1)[: self.inputs]
        expected = Mux(owner.any(), owner, lowest)
        right = [
            offered == Mux(self.valid, expected, 0),
            (kept & ~offered) == 0,
            of.i.ready == (Mux(self.valid, takes, expected & self.ready) != 0),
            *(~out.valid | (out.payload.as_value() == self.payload) for out in outs),
        ]
        if self.goal:
            counts = [Signal(range(self.goal + 1), name=f"packets{number}") for number in range(self.inputs)]
            for count, taken in zip(counts, takes & last.replicate(self.inputs)):
                with m.If(count != self.goal):
                    m.d.sync += count.eq(count + taken)
            m.d.comb += Assert(~Cat(count == self.goal for count in counts).all())
        else:
            m.d.comb += Assert(Cat(right).all())
        return m


class EjectionHarness(Elaboratable):
    """The channels of an output to a port, of which flits may come on any that is ready, in every cycle.

    Assumed is that flits have the number of their channel in the lowest bits, by which they are known again, and come only if
    there was room for them a cycle before. Asserted is that

    - a flit comes only if there is room for it in its buffer, and may come two cycles after one has left;
    - what is offered is the oldest flit of its channel, of the packet that has begun if there is one, and there is an offer
      whenever such a flit is there: so nothing is lost, doubled, reordered or changed, and no packet is interleaved;
    - what is offered stays until it is taken.

    With ``longest``, packets have at most so many flits; then, while a flit is in front of its channel, fewer than
    ``patience`` of other channels are delivered.

    With ``goal``, the only assertion is that not every channel has had so many packets delivered.
    """

    def __init__(self, channels=2, *, depth=2, longest=None, patience=None, goal=None):
        self.channels, self.depth = channels, depth
        self.longest, self.patience, self.goal = longest, patience, goal
        self.sync = ClockDomain("sync", reset_less=True)
        self.valid, self.payload, self.ready = Signal(), Signal(_WIDTH + 1), Signal()

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, self.valid, self.payload, self.ready]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.ejection = of = Ejection(_WIDTH, self.channels, depth=self.depth)
        channel = self.payload[: len(of.allocator.channel)]
        allowed = Signal(self.channels, init=-1)
        m.d.comb += [
            of.allocator.offer.eq(self.valid),
            of.flit.eq(self.payload),
            of.allocator.channel.eq(channel),
            of.o.ready.eq(self.ready),
            Assume(channel < self.channels),
            Assume(~self.valid | allowed.bit_select(channel, 1)),
        ]
        sent = Signal(self.channels)
        m.d.comb += sent.bit_select(channel, 1).eq(self.valid)
        m.d.sync += allowed.eq(of.allocator.room & (~sent | of.allocator.more))
        offered = of.o.payload.as_value()
        at, leaves = offered[: len(of.allocator.channel)], Signal()
        m.d.comb += leaves.eq(of.o.valid & self.ready)
        within, owner = Signal(), Signal.like(at)
        kept, before = Signal(), Signal.like(offered)
        m.d.sync += [kept.eq(of.o.valid & ~self.ready), before.eq(offered)]
        with m.If(of.o.valid):
            m.d.sync += [within.eq(~(leaves & offered[-1])), owner.eq(at)]
        fronts, right, delivered = Signal(self.channels), [], []
        for number in range(self.channels):
            queue = ReferenceQueue(m, self.payload, Const(0, 1), Const(0, 1), depth=self.depth)
            m.d.comb += [
                queue.push.eq(self.valid & (channel == number)),
                queue.pop.eq(leaves & (at == number)),
                fronts[number].eq(queue.any),
            ]
            calm = Signal(2, name=f"calm{number}")  # cycles in which no flit came or left
            moved = queue.push | queue.pop
            with m.If(moved):
                m.d.sync += calm.eq(0)
            with m.Elif(calm != 2):
                m.d.sync += calm.eq(calm + 1)
            right += [
                ~(queue.push & queue.full),
                (calm != 2) | (allowed[number] == ~queue.full),
                ~(of.o.valid & (at == number)) | queue.any & (offered == queue.payload),
            ]
            delivered.append(queue.delivered)
        right += [
            of.o.valid == Mux(within, fronts.bit_select(owner, 1), fronts.any()),
            ~within | ~of.o.valid | (at == owner),
            ~kept | of.o.valid & (offered == before),
        ]
        if self.longest:
            flits = Signal(range(self.longest + 1))
            with m.If(leaves):
                m.d.sync += flits.eq(Mux(offered[-1], 0, flits + 1))
            m.d.comb += Assume(~of.o.valid | offered[-1] | (flits < self.longest - 1))
            right = []
            for number in range(self.channels):
                passed = Signal(range(self.patience + 1), name=f"passed{number}")
                with m.If(~fronts[number] | leaves & (at == number)):
                    m.d.sync += passed.eq(0)
                with m.Elif(leaves & (passed != self.patience)):
                    m.d.sync += passed.eq(passed + 1)
                right.append(passed < self.patience)
        if self.goal:
            m.d.comb += Assert(~Cat(count == self.goal for count in delivered).all())
        else:
            m.d.comb += Assert(Cat(right).all())
        return m
