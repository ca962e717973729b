"""A router whose lanes have virtual channels, with anything at its inputs, and what must hold at its outputs."""

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Const, Elaboratable, Module, Mux, Signal
from amaranth.utils import ceil_log2
import pytest

from fatcube.rtl.inputs.channel_watch import ChannelWatch
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.units.channel_units import ChannelUnits
from tests.support.feeds import ports
from tests.support.reference_queue import ReferenceQueue

__all__ = ["SMALLEST", "ChannelRouterHarness"]


SMALLEST = {
    "processors": 1,
    "channels": 1,
    "turns": "all",
    "virtual_channels": 2,
    "buffer_depth": 3,
    "width": 4,
    "injection_channels": 1,
    "ejection_channels": 1,
}
"""A processor and a lane of two channels, which may turn back: the least with which two sources want one channel."""


class ChannelRouterHarness(Elaboratable):
    """A router of several virtual channels, a reference queue for each source of flits, and assertions.

    A source is an input from a processor, or a virtual channel of a lane. Assumed is that processors keep the stream rule,
    that lanes keep the credit rule both ways (a flit only with a credit, a credit only for a flit), and that a header says
    above its route of which source it is. Routes are anything. Asserted is

    - what an output offers is what it must be next: on each channel, the oldest flit of the source whose packet it is, for
      that output and that channel's class, with its header as the next router must see it;
    - an output to a processor keeps the stream rule, and a lane never has more flits of a channel on the way than the
      buffer at its other end holds;
    - the credit of a flit comes in the cycle after it has left its buffer, and no other does; that a flit is dropped is seen
      inside the router, and it is one of a packet for no output. So no buffer holds more than it can.

    With ``goal``, the only assertion is that not every source has had so many packets delivered. Any channels are urgent at any
    time.
    """

    def __init__(self, parameters, *, goal=None):
        self.parameters = parameters
        self.goal = goal
        self.router = FatNodeRouter(parameters)
        self.sync = ClockDomain("sync", reset_less=True)
        count, options = parameters.crossbar_ports, parameters.options
        self.channels = options.virtual_channels
        self.sources = [
            (number, channel)
            for number in range(count)
            for channel in range(self.channels if number >= parameters.processor_ports else 1)
        ]
        self.source_bits = ceil_log2(len(self.sources))
        self.valid = [Signal(name=f"valid{number}") for number in range(count)]
        self.payload = [Signal(options.width + 1, name=f"payload{number}") for number in range(count)]
        # Of a lane, the channel of the flit that comes, and the credits for those that have left.
        self.channel = [Signal(range(self.channels), name=f"channel{number}") for number in range(count)]
        self.ready = [Signal(self.channels, name=f"ready{number}") for number in range(count)]
        self.urgent = [Signal(self.channels, name=f"urgent{number}") for number in range(count)]

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, *self.valid, *self.payload, *self.channel, *self.ready, *self.urgent]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.router, self.units = _elaborated(self.router, self.urgent, platform)
        inputs, outputs = ports(self.router)
        self.asserted, self.queues = [], []
        for number, port in enumerate(inputs):
            if number < self.parameters.processor_ports:
                valid, payload = self.valid[number], self.payload[number]
                m.d.comb += [port.valid.eq(valid), port.payload.eq(payload)]
                m.d.comb += Assume(_stream_rule(m, valid, port.ready, payload))
                self._source(m, number, 0, valid, valid & port.ready)
            else:
                self._lane(m, number, port)
        for number, port in enumerate(outputs):
            if number < self.parameters.processor_ports:
                self._to_processor(m, number, port)
            else:
                self._to_lane(m, number, port)
        for queue, dropped in self.queues:
            self.asserted.append(~dropped | queue.any & ~queue.destination[-1])
            m.d.comb += queue.pop.eq(Cat(queue.pops).any() | dropped)
        if self.goal:
            m.d.comb += Assert(~Cat(queue.delivered == self.goal for queue, _ in self.queues).all())
        else:
            m.d.comb += Assert(Cat(self.asserted).all())
        return m

    def _source(self, m, number, channel, valid, taken):
        """The queue of one source of flits; that a flit leaves its buffer."""
        layout, options = self.parameters.header, self.parameters.options
        payload = self.payload[number]
        data, last = payload[:-1], payload[-1]
        within, selector, is_legal = Signal(), Signal(layout.selector_bits), Signal()
        tag = data[layout.route_bits :][: self.source_bits]
        m.d.comb += Assume(~valid | within | (tag == self.sources.index((number, channel))))
        legal = Cat(
            data[: layout.selector_bits] == layout.selector(output, group)
            for output in self.parameters.reach(number)
            for group in range(options.channel_classes if output >= self.parameters.processor_ports else 1)
        ).any()
        with m.If(taken):
            m.d.sync += within.eq(~last)
            with m.If(~within):
                m.d.sync += [selector.eq(data), is_legal.eq(legal)]
        selectors = layout.hops + (number < self.parameters.processor_ports)
        kept = (selectors - 1) * layout.selector_bits
        shifted = Cat(data[layout.selector_bits : layout.selector_bits + kept], data[kept:])
        destination = Mux(within, Cat(selector, is_legal), Cat(data[: layout.selector_bits], legal))
        queue = ReferenceQueue(
            m, Cat(Mux(within, data, shifted), last), destination, ~within, depth=options.buffer_depth
        )
        m.d.comb += queue.push.eq(taken)
        self.asserted.append(~(queue.push & queue.full & ~queue.pop))
        self.queues.append((queue, self.units[number].dropped[channel]))
        if longest := options.longest_packet:
            flits = Signal(range(longest + 1))
            m.d.comb += Assume(~valid | last | (flits < longest - 1))
            with m.If(taken):
                m.d.sync += flits.eq(Mux(last, 0, flits + 1))
        return queue.pop

    def _lane(self, m, number, port):
        depth, valid, channel = self.parameters.options.buffer_depth, self.valid[number], self.channel[number]
        m.d.comb += [port.valid.eq(valid), Cat(port.payload.data, port.payload.last).eq(self.payload[number])]
        m.d.comb += [port.payload.channel.eq(channel), Assume(channel < self.channels)]
        for each in range(self.channels):
            taken = valid & (channel == each)
            leaves = self._source(m, number, each, taken, taken)
            credit, out = Signal(), Signal(range(depth + 1))
            m.d.sync += [credit.eq(leaves), out.eq(out + taken - port.credit[each])]
            m.d.comb += Assume(~taken | (out != depth))
            self.asserted.append(port.credit[each] == credit)

    def _right(self, output, target, within, source, payload, offered):
        """A flit that is ``offered`` is right: and who it must be of loses it, if it is taken."""
        current = Mux(within, source, payload[self.parameters.header.route_bits :][: self.source_bits])
        right = []
        for index, (number, _) in enumerate(self.sources):
            if output not in self.parameters.reach(number):
                continue
            queue, mine = self.queues[index][0], offered & (current == index)
            right.append(
                mine
                & queue.any
                & (queue.destination == Cat(Const(target, len(queue.destination) - 1), Const(1)))
                & (queue.header == ~within)
                & (queue.payload == payload)
            )
            yield queue, mine
        self.asserted.append(~offered | Cat(right).any())

    def _to_processor(self, m, number, port):
        ready, payload = self.ready[number][0], port.payload.as_value()
        m.d.comb += port.ready.eq(ready)
        self.asserted.append(_stream_rule(m, port.valid, ready, payload))
        # A flit leaves its buffer when it is offered for the first time.
        within, source, kept, new = Signal(), Signal(self.source_bits), Signal(), Signal()
        m.d.sync += kept.eq(port.valid & ~ready)
        m.d.comb += new.eq(port.valid & ~kept)
        for queue, mine in self._right(number, number, within, source, payload, new):
            queue.pops.append(mine)
        with m.If(new):
            m.d.sync += within.eq(~payload[-1])
            with m.If(~within):
                m.d.sync += source.eq(payload[self.parameters.header.route_bits :])

    def _to_lane(self, m, number, port):
        options, layout = self.parameters.options, self.parameters.header
        payload = Cat(port.payload.data, port.payload.last)
        m.d.comb += port.credit.eq(self.ready[number])
        self.asserted.append(~port.valid | (port.payload.channel < self.channels))
        for channel in range(self.channels):
            sent = port.valid & (port.payload.channel == channel)
            target = layout.selector(number, channel % options.channel_classes)
            within, source = Signal(), Signal(self.source_bits)
            for queue, mine in self._right(number, target, within, source, payload, sent):
                queue.pops.append(mine)
            with m.If(sent):
                m.d.sync += within.eq(~payload[-1])
                with m.If(~within):
                    m.d.sync += source.eq(payload[layout.route_bits :])
            out, credit = Signal(range(options.buffer_depth + 1)), self.ready[number][channel]
            m.d.sync += out.eq(out + sent - credit)
            m.d.comb += Assume(~credit | (out != 0))
            self.asserted.append(~sent | (out != options.buffer_depth))


def _elaborated(router, urgent, platform):
    """A router, elaborated, and its inputs by the numbers of their ports. Any channels of theirs are urgent at any time."""
    units = {}

    def recorded(self, source):
        units[self.sources[source]] = unit = made(self, source)
        return unit

    made = ChannelUnits.input
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ChannelUnits, "input", recorded)
        patched.setattr(
            ChannelUnits, "beside", lambda units: ("watch", _Anything([len(one) for one in urgent], urgent))
        )
        module = router.elaborate(platform)
    return module, units


class _Anything(ChannelWatch):
    """A watch for which any channels are urgent at any time."""

    def __init__(self, channels, urgent):
        self._urgent = urgent
        super().__init__(channels, patience=2)

    def elaborate(self, platform):
        m = Module()
        for number, urgent in enumerate(self._urgent):
            m.d.comb += self.port("urgent", number).eq(urgent)
        return m


def _stream_rule(m, valid, ready, payload):
    """An offer that is not taken is repeated."""
    waiting, offered = Signal(), Signal(len(payload))
    m.d.sync += [waiting.eq(valid & ~ready), offered.eq(payload)]
    return ~waiting | valid & (payload == offered)
