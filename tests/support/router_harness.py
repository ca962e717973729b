"""A router with anything at its inputs, and what must hold at its outputs."""

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Const, Elaboratable, Module, Mux, Signal
from amaranth.utils import ceil_log2

from fatcube.rtl.router import FatNodeRouter
from tests.support.feeds import ports
from tests.support.reference_queue import ReferenceQueue

__all__ = ["RouterHarness"]


class RouterHarness(Elaboratable):
    """A router, a reference queue of the flits in it for each input, and assertions.

    Assumed is that inputs keep the stream rule and the longest packet, if there is one, and that a header says above its route by which input it comes: routers
    do not look at these bits, so nothing is lost by that, and it is known whose packet comes out. Routes are anything.

    Asserted is

    - what an output offers is what it must be next: the oldest flit of the input whose packet it is, for that output,
      with its header as the next router must see it. So no flit is lost in between, doubled, reordered, misrouted or
      changed, no packet is interleaved with another, and nothing comes out of a packet for no output;
    - an output keeps the stream rule;
    - no more flits are in the router for an input than its buffer holds, so none is lost for good while others follow.

    In model b a packet of a processor must come out of every output of its mask that it can reach, each by itself; with
    virtual cut-through it begins to leave over a lane only if there was room behind it.

    With ``longest``, outputs always take, and inputs do not pause within packets of at most so many flits; then no flit
    stays in front of its buffer for more than ``patience`` cycles.

    With ``goal``, the only assertion is that not every input has had so many packets delivered: its failure shows that
    the assumptions leave room for that.
    """

    def __init__(self, parameters, *, longest=None, patience=None, goal=None):
        self.parameters = parameters
        self.longest, self.patience, self.goal = longest, patience, goal
        self.router = FatNodeRouter(parameters)
        self.sync = ClockDomain("sync", reset_less=True)
        count, width = parameters.crossbar_ports, parameters.options.width
        self.valid = [Signal(name=f"valid{number}") for number in range(count)]
        self.payload = [Signal(width + 1, name=f"payload{number}") for number in range(count)]
        self.ready = [Signal(name=f"ready{number}") for number in range(count)]

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, *self.valid, *self.payload, *self.ready]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.router = self.router
        inputs, outputs = ports(self.router)
        self.asserted, self.in_time = [], []
        # For each input, the queue of the flits for each output; only copies need one for each.
        queues = [self._input(m, number, stream) for number, stream in enumerate(inputs)]
        for number, stream in enumerate(outputs):
            self._output(m, number, stream, queues)
        every = {id(queue): queue for some in queues for queue in some.values()}.values()
        for queue in every:
            m.d.comb += queue.pop.eq(Cat(queue.pops).any())
        if self.goal:
            m.d.comb += Assert(~Cat(queue.delivered == self.goal for queue in every).all())
        else:
            m.d.comb += Assert(Cat(self.in_time if self.longest else self.asserted).all())
        return m

    def _input(self, m, number, stream):
        layout, options = self.parameters.header, self.parameters.options
        valid, payload = self.valid[number], self.payload[number]
        data, last = payload[:-1], payload[-1]
        m.d.comb += [stream.valid.eq(valid), stream.payload.eq(payload)]
        self._stream_rule(m, valid, stream.ready, payload, Assume)

        within = Signal()
        taken = valid & stream.ready
        m.d.comb += Assume(within | (self._sender(payload) == number))
        with m.If(taken):
            m.d.sync += within.eq(~last)
        with m.If(self._refused(stream)):
            m.d.sync += within.eq(0)
        if options.longest_packet:
            length = Signal(range(options.longest_packet + 1))
            m.d.comb += Assume(~valid | last | (length < options.longest_packet - 1))
            with m.If(taken):
                m.d.sync += length.eq(Mux(last, 0, length + 1))
        if layout.copies and number < self.parameters.processor_ports:
            return self._copies(m, number, within, taken)
        legal, going = Signal(), Signal(range(self.parameters.crossbar_ports))
        selector = data[: layout.selector_bits]
        is_legal, destination = Signal(), Signal.like(going)
        m.d.comb += [
            is_legal.eq(Mux(within, legal, self._is_legal(number))),
            destination.eq(Mux(within, going, selector)),
        ]
        # Of a header the selector of this router is shifted out, if others follow.
        selectors = layout.hops + (number < self.parameters.processor_ports)
        kept = (selectors - 1) * layout.selector_bits
        shifted = Cat(data[layout.selector_bits : layout.selector_bits + kept], data[kept:])
        expected = Cat(Mux(within, data, shifted), last)
        with m.If(taken):
            m.d.sync += [legal.eq(is_legal), going.eq(destination)]

        queue = ReferenceQueue(m, expected, destination, ~within, depth=options.buffer_depth)
        m.d.comb += queue.push.eq(taken & is_legal)
        self.asserted.append(~(queue.push & queue.full & ~queue.pop))
        if self.longest:
            flits, age = Signal(range(self.longest + 1)), Signal(range(self.patience + 2))
            m.d.comb += Assume((~within | valid) & ((flits < self.longest - 1) | last | ~valid))
            with m.If(taken):
                m.d.sync += flits.eq(Mux(last, 0, flits + 1))
            with m.If(queue.pop | ~queue.any):
                m.d.sync += age.eq(0)
            with m.Elif(age <= self.patience):
                m.d.sync += age.eq(age + 1)
            self.in_time.append(age < self.patience)
        return dict.fromkeys(range(self.parameters.crossbar_ports), queue)

    def _copies(self, m, number, within, taken):
        """The queues of an input whose headers have a mask: what must come out of each output by itself."""
        layout, options = self.parameters.header, self.parameters.options
        data, last = self.payload[number][:-1], self.payload[number][-1]
        reach = self.parameters.reach(number)
        going = Signal(len(reach))
        mask = Mux(within, going, Cat(data[output] for output in reach))
        with m.If(taken):
            m.d.sync += going.eq(mask)
        queues = {}
        for index, output in enumerate(reach):
            header = data
            if output >= self.parameters.processor_ports:
                branch = data[layout.branch(output - self.parameters.processor_ports)]
                kept = Cat(branch, data[layout.beyond])
                header = Cat(kept, data[len(kept) :])
            expected = Cat(Mux(within, data, header), last)
            queues[output] = queue = ReferenceQueue(
                m, expected, Const(output, _bits(self)), ~within, depth=options.buffer_depth
            )
            m.d.comb += queue.push.eq(taken & mask[index])
            self.asserted.append(~(queue.push & queue.full & ~queue.pop))
        return queues

    def _output(self, m, number, stream, queues):
        ready = self.ready[number]
        m.d.comb += stream.ready.eq(ready)
        if self.longest:
            m.d.comb += Assume(ready)
        payload = stream.payload.as_value()
        self._stream_rule(m, stream.valid, ready, payload, lambda condition: self.asserted.append(condition))
        within, source = Signal(), Signal(_bits(self))
        current = Mux(within, source, self._sender(payload))
        right = []
        for index, some in enumerate(queues):
            if number not in some:
                continue
            queue, mine = some[number], stream.valid & (current == index)
            right.append(
                mine
                & queue.any
                & (queue.destination == number)
                & (queue.header == ~within)
                & (queue.payload == payload)
            )
            queue.pops.append(self._leaves(m, index, number, queue, mine & ready))
        self.asserted.append(~stream.valid | Cat(right).any())
        with m.If(stream.valid & ready):
            m.d.sync += [within.eq(~payload[-1]), source.eq(current)]
        with m.If(self._is_refused(number)):
            m.d.sync += within.eq(0)
        options = self.parameters.options
        cuts_through = options.switching == "virtual-cut-through"
        if self.parameters.header.copies and cuts_through and number >= self.parameters.processor_ports:
            # Two cycles before, or one if a header passes at once, the lane was ready and nothing was offered to it.
            room, roomy, offered = Signal(), Signal(), Signal()
            m.d.sync += [room.eq(ready & ~stream.valid), roomy.eq(room), offered.eq(stream.valid & ~ready)]
            self.asserted.append(~stream.valid | within | offered | roomy | (room if options.pipeline == 1 else 0))

    def _sender(self, payload):
        """The input by which a header says that it came."""
        return payload[self.parameters.header.route_bits :][: _bits(self)]

    def _is_legal(self, number):
        """A header at the input ``number`` is for an output that this reaches."""
        selector = self.payload[number][: self.parameters.header.selector_bits]
        return Cat(selector == output for output in self.parameters.reach(number)).any()

    def _refused(self, stream):
        """The packet that comes in on ``stream`` has ended with its header."""
        return Const(0)

    def _is_refused(self, number):
        """The checks for all that has left by the output ``number``."""
        return Const(0)

    def _leaves(self, m, index, number, queue, crosses):
        """The oldest flit of the input ``index`` has left for good, if this says by which output it ``crosses``."""
        return crosses

    def _stream_rule(self, m, valid, ready, payload, say):
        waiting, offered = Signal(), Signal(len(payload))
        m.d.sync += [waiting.eq(valid & ~ready), offered.eq(payload)]
        said = say(~waiting | valid & (payload == offered))
        if said is not None:
            m.d.comb += said


def _bits(harness):
    return max(1, ceil_log2(harness.parameters.crossbar_ports))
