"""A router with anything at its lanes, and what it offers to processors: for proofs."""

from amaranth.asserts import AnySeq
from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Elaboratable, Module, Signal, Value
from amaranth.lib import wiring

from fatcube.rtl.router import FatNodeRouter
from tests.support.feeds import ports

__all__ = ["OfferHarness"]


class OfferHarness(Elaboratable):
    """A router of any kind whose processors take whenever they like.

    Assumed is that processors keep the stream rule, that lanes with virtual channels carry a flit only with a credit, and that
    a lane with circuits answers a header once, and carries nothing between a header and its answer. All else that comes in
    over lanes is anything: flits, room, answers and permissions.

    Asserted is that what is offered to a processor is offered, with its payload, until it is taken. With ``goal``, the only
    assertion is that nothing is ever offered to all processors at once.
    """

    def __init__(self, parameters, *, goal=False):
        self.parameters = parameters
        self.goal = goal
        self.router = FatNodeRouter(parameters)
        self.sync = ClockDomain("sync", reset_less=True)

    @property
    def ports(self):
        """The clock."""
        return [self.sync.clk]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.router = self.router
        count, options = self.parameters.processor_ports, self.parameters.options
        inputs, outputs = ports(self.router)
        for port in [*inputs, *outputs]:
            _anything(m, port)
        for port in inputs[:count]:
            m.d.comb += Assume(_stays(m, port))
        if options.virtual_channels > 1:
            for port in inputs[count:]:
                self._credits(m, port)
        if options.answers:
            for port in inputs[count:]:
                waits = self._unanswered(m, port, port.answer)
                m.d.comb += Assume(~(waits & port.valid))
            for port in outputs[count:]:
                answer = port.answer.as_value()
                waits = self._unanswered(m, port, port.answer)
                m.d.comb += Assume((answer & (answer - 1)[: len(answer)] == 0) & (waits | (answer == 0)))
        if self.goal:
            m.d.comb += Assert(~Cat(port.valid for port in outputs[:count]).all())
        else:
            m.d.comb += Assert(Cat(_stays(m, port) for port in outputs[:count]).all())
        return m

    def _credits(self, m, port):
        depth = self.parameters.options.buffer_depth
        m.d.comb += Assume(port.payload.channel < self.parameters.options.virtual_channels)
        for channel, credit in enumerate(port.credit):
            taken, out = port.valid & (port.payload.channel == channel), Signal(range(depth + 1))
            m.d.sync += out.eq(out + taken - credit)
            m.d.comb += Assume(~taken | (out != depth))

    def _unanswered(self, m, port, answer):
        """A header has gone over a lane that has not been answered; without retries one alone is not."""
        within, waits, crosses, last = Signal(), Signal(), port.valid & port.ready, port.payload.as_value()[-1]
        with m.If(crosses):
            m.d.sync += within.eq(~last)
        with m.If(crosses & ~within & (1 if self.parameters.options.setup_retry else ~last)):
            m.d.sync += waits.eq(1)
        with m.Elif(answer.as_value().any()):
            m.d.sync += waits.eq(0)
        if self.parameters.options.setup_retry:
            with m.If(answer.refused):
                m.d.sync += within.eq(0)
        return waits


def _anything(m, port):
    """Drive what the router reads."""
    for _, member, value in port.signature.flatten(port):
        if member.flow is wiring.In:
            value = Value.cast(value)
            m.d.comb += value.eq(AnySeq(len(value)))


def _stays(m, port):
    """True while an offer that is not taken is repeated."""
    payload = port.payload.as_value()
    waiting, offered = Signal(), Signal(len(payload))
    m.d.sync += [waiting.eq(port.valid & ~port.ready), offered.eq(payload)]
    return ~waiting | port.valid & (payload == offered)
