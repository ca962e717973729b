"""A router with circuits and anything at its inputs that keeps to the answers, and what must hold of payload and answers."""

from amaranth.asserts import AnySeq
from amaranth.hdl import Assume, Cat, Const, Module, Mux, Signal

from tests.support.router_harness import RouterHarness

__all__ = ["CircuitRouterHarness", "RetryRouterHarness", "any_pause"]


def any_pause(self, platform):
    """A pause that lasts as long as it likes, with whatever is drawn."""
    m = Module()
    m.d.sync += self.resting.eq(self.refused | self.resting & AnySeq(1))
    return m


class CircuitRouterHarness(RouterHarness):
    """Assertions of :class:`RouterHarness`, and on the answers, where blocked set-ups wait.

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
        last = payload[-1]
        taken, within, legal, waiting = valid & stream.ready, Signal(), Signal(), Signal()
        answer = stream.answer.granted
        reached = self._is_legal(number)
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
        tag = self._sender(payload)
        crosses, within, source = stream.valid & self.ready[number], Signal(), Signal.like(tag)
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


class RetryRouterHarness(CircuitRouterHarness):
    """Assertions of :class:`RouterHarness`, and on the answers, where blocked set-ups are refused.

    Assumed is besides that a lane answers a header that has gone over it, once and not before the next cycle, and that
    nothing comes over a lane before its header has been answered. Pauses before a header is sent again are anything.

    Asserted is besides

    - that nothing leaves over a lane between a header and its answer, and after a refusal a header is next;
    - that what an input of a processor has sent stays in front until it is granted, and is sent again if it is refused;
    - that a header that came over a lane is granted there in the cycle after it has left to a processor, or after it was
      granted on the lane that it left by; that one for no output is granted once, and that no other is ever granted;
    - that it is refused in the cycle after it was refused on the lane that it left by, or if it has not left for as many
      cycles as a set-up may wait, and in no other.
    """

    def __init__(self, parameters, **claim):
        super().__init__(parameters, **claim)
        count = parameters.crossbar_ports
        self.refusals = [Signal(name=f"refusal{number}") for number in range(count)]
        self.refusal_due = [Signal(name=f"refusal_due{number}") for number in range(count)]
        self.crossed = [Signal(name=f"crossed{number}") for number in range(count)]  # unanswered, over a lane
        self.dropped = [Signal(name=f"dropped{number}") for number in range(count)]  # refused here
        self.refusal_reasons = [[] for _ in range(count)]
        self.crossings = [[] for _ in range(count)]

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [*super().ports, *self.refusals[self.first_lane :]]

    def _refused(self, stream):
        return stream.answer.refused if hasattr(stream, "answer") else Const(0)

    def _is_refused(self, number):
        return self.refusals[number] if number >= self.first_lane else Const(0)

    def _leaves(self, m, index, number, queue, crosses):
        if number < self.first_lane:
            return crosses
        # A header stays until it is answered; a refused one only if it will be sent again from here.
        answered = self.answers[number] | (self.refusals[number] if index >= self.first_lane else Const(0))
        mine = self.crossed[index] & (queue.destination == number)
        self.asserted.append(~(crosses & self.crossed[index]))
        return crosses & ~queue.header | mine & answered

    def _input(self, m, number, stream):
        queues = RouterHarness._input(self, m, number, stream)
        queue = next(iter(queues.values()))
        crossed = self.crossed[number]
        if number < self.first_lane:
            return queues
        payload, valid = self.payload[number], self.valid[number]
        last = payload[-1]
        retry = self.parameters.options.setup_retry
        taken, within, legal, waiting = valid & stream.ready, Signal(), Signal(), Signal()
        # From the cycle in which the header is in front, which is the next one, to that in which the answer is there.
        waited = Signal(range(retry + 2))
        granted, refused = stream.answer.granted, stream.answer.refused
        reached = self._is_legal(number)
        m.d.comb += Assume(~(waiting & valid))
        with m.If(taken):
            m.d.sync += within.eq(~last)
        with m.If(taken & ~within):
            m.d.sync += [waiting.eq(1), legal.eq(reached), waited.eq(0)]
        with m.Else():
            with m.If(granted | refused):
                m.d.sync += waiting.eq(0)
            with m.If(refused):
                m.d.sync += within.eq(0)
            with m.If(waited != retry + 1):
                m.d.sync += waited.eq(waited + 1)
        due, refusal_due = Signal(), Signal()
        m.d.sync += [due.eq(self.due[number]), refusal_due.eq(self.refusal_due[number])]
        m.d.comb += self.dropped[number].eq(refused & ~refusal_due)
        queue.pops.append(self.dropped[number])
        self.asserted += [
            Mux(waiting & ~legal, ~due, granted == due) & (waiting | ~granted),
            ~refusal_due | refused,
            ~self.dropped[number]
            | waiting & legal & (waited == retry + 1) & ~crossed & ~due & queue.any & queue.header,
            ~(granted & refused),
        ]
        return queues

    def _output(self, m, number, stream, queues):
        RouterHarness._output(self, m, number, stream, queues)
        payload = stream.payload.as_value()
        tag = self._sender(payload)
        crosses, within, source = stream.valid & self.ready[number], Signal(), Signal.like(tag)
        reserves = crosses & ~within
        with m.If(crosses):
            m.d.sync += within.eq(~payload[-1])
        with m.If(reserves):
            m.d.sync += source.eq(tag)
        if number < self.first_lane:
            granted, refused, whose, begins = reserves, Const(0), tag, Const(0)
        else:
            granted, refused, waits = self.answers[number], self.refusals[number], Signal()
            m.d.comb += [
                stream.answer.granted.eq(granted),
                stream.answer.refused.eq(refused),
                Assume(~(granted | refused) | waits),
                Assume(~(granted & refused)),
            ]
            with m.If(reserves):
                m.d.sync += waits.eq(1)
            with m.Elif(granted | refused):
                m.d.sync += waits.eq(0)
            with m.If(refused):
                m.d.sync += within.eq(0)
            self.asserted.append(~(waits & stream.valid))
            whose, begins = source, reserves
        for index in range(len(self.due)):
            self.reasons[index].append(granted & (whose == index))
            self.refusal_reasons[index].append(refused & (whose == index))
            self.crossings[index].append(begins & (tag == index))
        if number == len(self.due) - 1:
            for index in range(len(self.due)):
                m.d.comb += [
                    self.due[index].eq(Cat(self.reasons[index]).any()),
                    self.refusal_due[index].eq(Cat(self.refusal_reasons[index]).any()),
                ]
                with m.If(Cat(self.crossings[index]).any()):
                    m.d.sync += self.crossed[index].eq(1)
                with m.Elif(self.due[index] | self.refusal_due[index]):
                    m.d.sync += self.crossed[index].eq(0)
