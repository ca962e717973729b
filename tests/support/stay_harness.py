"""A router whose lanes have virtual channels, with busy neighbours, and how long a flit may stay in it."""

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Elaboratable, Module, Mux, Signal
import pytest

from rtl.channel_units import ChannelUnits
from rtl.router import FatNodeRouter
from tests.support.feeds import ports

__all__ = ["StayHarness"]


class StayHarness(Elaboratable):
    """Asserted is that no flit is in front of its buffer for ``patience`` cycles.

    Assumed is that no packet has more than ``longest`` flits; that a processor, once it has begun to send a packet, sends a
    flit whenever it can, and always takes one; that a lane, once it has begun to send a packet, waits for a cycle at most
    when there is room, and returns credits in the next cycle. What begins when, and where to, is anything.
    """

    def __init__(self, parameters, *, longest, patience):
        self.parameters = parameters
        self.longest = longest
        self.patience = patience
        self.router = FatNodeRouter(parameters)
        self.sync = ClockDomain("sync", reset_less=True)
        count, options = parameters.crossbar_ports, parameters.options
        self.channels = options.virtual_channels
        self.valid = [Signal(name=f"valid{number}") for number in range(count)]
        self.payload = [Signal(options.width + 1, name=f"payload{number}") for number in range(count)]
        self.channel = [Signal(range(self.channels), name=f"channel{number}") for number in range(count)]

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, *self.valid, *self.payload, *self.channel]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.router, units = elaborated(self.router, platform)
        self.in_time = []
        inputs, outputs = ports(self.router)
        for number, (into, out) in enumerate(zip(inputs, outputs)):
            if number < self.parameters.processor_ports:
                self._processor(m, number, into, out, units[number])
            else:
                self._lane(m, number, into, out, units[number])
        m.d.comb += Assert(Cat(self.in_time).all())
        return m

    def _processor(self, m, number, into, out, unit):
        valid, payload = self.valid[number], self.payload[number]
        waiting, offered = Signal(), Signal(len(payload))
        m.d.sync += [waiting.eq(valid & ~into.ready), offered.eq(payload)]
        m.d.comb += [
            into.valid.eq(valid),
            into.payload.eq(payload),
            out.ready.eq(1),
            Assume(~waiting | valid & (payload == offered)),
        ]
        within = self._packets(m, number, valid, valid & into.ready)
        m.d.comb += Assume(~within | valid)
        self._stay(m, unit, 0)

    def _lane(self, m, number, into, out, unit):
        valid, payload, depth = self.valid[number], self.payload[number], self.parameters.options.buffer_depth
        m.d.comb += [
            into.valid.eq(valid),
            Cat(into.payload.data, into.payload.last).eq(payload),
            into.payload.channel.eq(self.channel[number]),
            Assume(self.channel[number] < self.channels),
        ]
        for channel in range(self.channels):
            sent = valid & (self.channel[number] == channel)
            within = self._packets(m, number, sent, sent)
            on_the_way, stands, stood = Signal(range(depth + 1)), Signal(), Signal()
            m.d.sync += [on_the_way.eq(on_the_way + sent - into.credit[channel]), stood.eq(stands)]
            room = on_the_way != depth
            m.d.comb += [stands.eq(within & ~sent & room), Assume(~sent | room), Assume(~stands | ~stood)]
            m.d.sync += out.credit[channel].eq(out.valid & (out.payload.channel == channel))
            self._stay(m, unit, channel)

    def _packets(self, m, number, valid, taken):
        """A packet has begun and not ended."""
        within, flits, last = Signal(), Signal(range(self.longest)), self.payload[number][-1]
        m.d.comb += Assume(~valid | last | (flits != self.longest - 1))
        with m.If(taken):
            m.d.sync += [within.eq(~last), flits.eq(Mux(last, 0, flits + 1))]
        return within

    def _stay(self, m, unit, channel):
        stay = Signal(range(self.patience + 1))
        with m.If(unit.left[channel] | unit.idle[channel]):
            m.d.sync += stay.eq(0)
        with m.Elif(stay != self.patience):
            m.d.sync += stay.eq(stay + 1)
        self.in_time.append(stay != self.patience)


def elaborated(router, platform):
    """A router, elaborated, and its inputs by the numbers of their ports."""
    units = {}

    def recorded(self, source):
        units[self.sources[source]] = unit = made(self, source)
        return unit

    made = ChannelUnits.input
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ChannelUnits, "input", recorded)
        return router.elaborate(platform), units
