"""A router with circuits and anything at its inputs that keeps to the answers, and what must hold of payload and answers."""

from amaranth.hdl import Assume, Cat, Mux, Signal

from tests.support.router_harness import RouterHarness

__all__ = ["CircuitRouterHarness"]


class CircuitRouterHarness(RouterHarness):
    """What :class:`RouterHarness` says of any router, and of the answers, where blocked set-ups wait.

    Assumed is besides that a lane answers a header with payload that has gone over it, once and not before the next cycle,
    and that no payload comes over a lane before its header has been answered.

    Asserted is besides

    - that nothing leaves over a lane between a header with payload and its answer;
    - that a header with payload that came over a lane is answered there in the cycle after it has left to a processor, or
      after its answer has come from the lane that it left by; that one for no output is answered once; and that no other
      answer is ever given.
    """

    def __init__(self, parameters, **claim):
        super().__init__(parameters, **claim)
        self.first_lane = parameters.processor_ports
        count = parameters.crossbar_ports
        self.answers = [Signal(name=f"answer{number}") for number in range(count)]
        self.due = [Signal(name=f"due{number}") for number in range(count)]  # an answer of the next cycle
        self.reasons = [[] for _ in range(count)]

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [*super().ports, *self.answers[self.first_lane :]]

    def _input(self, m, number, stream):
        queues = super()._input(m, number, stream)
        if number < self.first_lane:
            return queues
        payload, valid = self.payload[number], self.valid[number]
        data, last = payload[:-1], payload[-1]
        taken, within, legal, waiting = valid & stream.ready, Signal(), Signal(), Signal()
        answer = stream.answer.granted
        reached = Cat(
            data[: self.parameters.header.selector_bits] == output for output in self.parameters.reach(number)
        ).any()
        m.d.comb += Assume(~(waiting & valid))
        with m.If(taken):
            m.d.sync += within.eq(~last)
        with m.If(taken & ~within & ~last):
            m.d.sync += [waiting.eq(1), legal.eq(reached)]
        with m.Elif(answer):
            m.d.sync += waiting.eq(0)
        due = Signal()
        m.d.sync += due.eq(self.due[number])
        self.asserted.append(Mux(waiting & ~legal, ~due, answer == due) & (waiting | ~answer))
        return queues

    def _output(self, m, number, stream, queues):
        super()._output(m, number, stream, queues)
        payload = stream.payload.as_value()
        bits = len(self.due).bit_length()
        tag = payload[self.parameters.header.route_bits :][: max(1, (len(self.due) - 1).bit_length())]
        crosses, within, source = stream.valid & self.ready[number], Signal(), Signal(bits)
        reserves = crosses & ~within & ~payload[-1]
        with m.If(crosses):
            m.d.sync += within.eq(~payload[-1])
        with m.If(crosses & ~within):
            m.d.sync += source.eq(tag)
        if number < self.first_lane:
            reason, whose = reserves, tag
        else:
            answer, waits = self.answers[number], Signal()
            m.d.comb += [stream.answer.granted.eq(answer), Assume(~answer | waits)]
            with m.If(reserves):
                m.d.sync += waits.eq(1)
            with m.Elif(answer):
                m.d.sync += waits.eq(0)
            self.asserted.append(~(waits & stream.valid))
            reason, whose = answer, source
        for index, reasons in enumerate(self.reasons):
            reasons.append(reason & (whose == index))
        if number == len(self.due) - 1:
            m.d.comb += [due.eq(Cat(reasons).any()) for due, reasons in zip(self.due, self.reasons)]
