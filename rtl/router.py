"""The router of a fat node: input units, an allocator and a crossbar, wired."""

from collections import defaultdict
from collections.abc import Callable, Sequence
import functools
import operator
from typing import Any

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from rtl.allocator import Allocator, AllocatorBase
from rtl.arbiters import ARBITERS
from rtl.channel_allocator import ChannelAllocator
from rtl.circuit import DRAW_BITS, CircuitInput
from rtl.circuit_draws import Draws
from rtl.credits import CreditCounter
from rtl.crossbar import Crossbar
from rtl.ejection import Ejection
from rtl.flit import FlitLayout, FlitStream
from rtl.injection import Injection
from rtl.input_unit import InputUnit
from rtl.limited_input import LimitedInput
from rtl.link import LinkRegister
from rtl.multicast_allocator import MulticastAllocator
from rtl.router_parameters import RouterParameters

__all__ = ["COUNTERS", "FatNodeRouter"]


COUNTERS = ("flit_count", "conflict_count", "error_count")
"""The counters of a router, of 32 bits each."""

PATIENCE = 2
"""The longest packets that can pass while a packet has the turn at its outputs, with copies and virtual cut-through."""


class FatNodeRouter(wiring.Component):
    """The router of a fat node.

    A header goes from a buffer of this router to one of the next in ``pipeline`` cycles, and one more for each register
    on the lane; the flits behind it follow one per cycle. All ports are ready/valid streams, but lanes with several
    virtual channels, which have credits: a flit waits where it is until there is room. With circuit switching, payload
    waits in the first router until the way is reserved: see :mod:`rtl.circuit`. Turns that are not in ``parameters`` are
    left out of decoders, arbiters and crossbar; a packet whose header asks for one of them, or for an output that is not
    there, is discarded whole, and nothing else is. Of a packet to be copied, the copies that can be made are. A packet
    that is longer than the options allow is ended, as is one whose processor stops inside it for longer.

    Where outputs always take, inputs do not pause within a packet and no packet has more than L flits, a flit stays in
    front of its buffer for at most (n - 1) L + 2 cycles, unless the arbiter counts flits, if packets are not copied,
    lanes have one virtual channel and n inputs reach its output: a packet of each other input goes first. A source that
    pauses within a packet holds its output as long as it likes, if there is no timeout.

    Parameters
    ----------
    parameters : :class:`RouterParameters`

    Members
    -------
    processor{p}_send{j} : :py:`In(FlitStream(width))`
        From port j of processor p.
    processor{p}_receive{j} : :py:`Out(FlitStream(width))`
        To port j of processor p.
    channel{c}_lane{l}_in : :py:`In(LaneSignature(width, virtual_channels, answers))`
        From the neighbour on channel c.
    channel{c}_lane{l}_out : :py:`Out(LaneSignature(width, virtual_channels, answers))`
        To the neighbour on channel c.
    routes : :py:`In(...)`
        Where packets go from here: the :attr:`tables <RouterParameters.tables>` of destinations, the first in the
        lowest bits, or the address of the node (:meth:`RouteComputation.address`). Constant. Only if headers have destinations.
    number : :py:`In(16)`
        The number of the router, another one at each. Only with circuits that are tried again: pauses follow from it.
    error : :py:`Out(1)`
        In the cycle before, one or more headers asked for a turn that is not there, or packets were ended. It is no count:
        several errors of one cycle are one pulse, and those of two cycles in a row are one pulse of two cycles. A register.
    flit_count : :py:`Out(32)`
        Flits that left the router since reset; only with ``counters``.
    conflict_count : :py:`Out(32)`
        Cycles in which an input waited for an output that another packet had; only with ``counters``.
    error_count : :py:`Out(32)`
        Packets whose header asked for a turn that is not there, or that were ended: one for each, also if several come in
        one cycle; only with ``counters``.
    """

    routes: Signal
    error: Signal
    number: Signal
    flit_count: Signal
    conflict_count: Signal
    error_count: Signal

    def __init__(self, parameters: RouterParameters) -> None:
        self.parameters = parameters
        width = parameters.options.width
        members = {"error": Out(1)}
        for p in range(parameters.processors):
            for j in range(parameters.ports):
                members[f"processor{p}_send{j}"] = In(FlitStream(width))
                members[f"processor{p}_receive{j}"] = Out(FlitStream(width))
        for c in range(parameters.channels):
            for l in range(parameters.lanes):
                members[f"channel{c}_lane{l}_in"] = In(parameters.lane)
                members[f"channel{c}_lane{l}_out"] = Out(parameters.lane)
        if parameters.destinations:
            members["routes"] = In(parameters.routes_bits)
        if parameters.options.setup_retry:
            members["number"] = In(DRAW_BITS)
        if parameters.counters:
            members |= dict.fromkeys(COUNTERS, Out(32))
        super().__init__(members)

    def _ports(self, processor_way: str, lane_way: str) -> list[Any]:
        """The ports one way, by the number of their input or output."""
        return [getattr(self, name) for name in self.parameters.port_names(processor_way, lane_way)]

    def elaborate(self, platform: object) -> Module:
        m = Module()
        inputs, outputs = self._ports("send", "in"), self._ports("receive", "out")
        parameters = self.parameters
        options, layout, targets = parameters.options, parameters.header, parameters.targets
        several = options.virtual_channels > 1

        # Each virtual channel of a lane is an input of its own, as is each packet that waits at a processor's port: the
        # number of that port, and its own number there.
        channels = [
            (number, channel) for number in range(len(inputs)) for channel in range(parameters.input_units(number))
        ]
        reach = [
            [index for index, target in enumerate(targets) if target.output in parameters.reach(number)]
            for number, _ in channels
        ]
        allocator: AllocatorBase
        if layout.multicast:
            processors = range(parameters.processor_ports)
            cut_through = options.switching == "virtual-cut-through"
            allocator = MulticastAllocator(
                reach,
                len(outputs),
                copying=processors,
                stages=options.pipeline,
                roomy=range(len(processors), len(outputs)) if cut_through else (),
                patience=PATIENCE * options.longest_packet if cut_through else 0,
            )
        elif several:
            allocator = ChannelAllocator(
                reach,
                targets,
                stages=options.pipeline,
                arbiter=ARBITERS[options.arbiter],
                whole=options.switching == "virtual-cut-through",
            )
        else:
            allocator = Allocator(
                reach,
                len(outputs),
                stages=options.pipeline,
                arbiter=ARBITERS[options.arbiter],
                releases=options.setup_retry > 0,
            )
        m.submodules.allocator = allocator
        m.submodules.crossbar = crossbar = Crossbar(options.width, len(channels), allocator.sources)

        headers, errors, lasts = [], [], []
        circuits: list[CircuitInput] = []
        injected: dict[int, list[Any]] = defaultdict(list)
        for source, (number, channel) in enumerate(channels):
            from_processor = number < parameters.processor_ports
            unit: InputUnit | LimitedInput | CircuitInput = InputUnit(
                options.width,
                options.buffer_depth,
                memory=options.buffer_memory,
                outputs=[layout.selector(targets[index].output, targets[index].channels[0]) for index in reach[source]],
                selector_bits=layout.selector_bits,
                selectors=options.hops + from_processor,
                destination_bits=layout.route_bits if layout.destinations else None,
                routes_bits=parameters.routes_bits if parameters.route_computation is not None else None,
                decode=self._computed(number, channel, reach[source]),
                mask_bits=len(outputs) if layout.multicast and from_processor else 0,
                restarts=options.setup_retry > 0 and not from_processor,
            )
            with_credits = several and not from_processor
            timeout = options.stop_timeout if from_processor else 0
            # A packet is cut where it begins; with circuits, a header can come over a lane and be dropped again.
            if (options.longest_packet or timeout) and (from_processor or not options.answers):
                unit = LimitedInput(
                    unit,
                    switching=options.switching,
                    longest=options.longest_packet,
                    timeout=timeout,
                    credits=with_credits,
                )
            if options.answers:
                unit = CircuitInput(
                    unit,
                    ends=[targets[index].output < parameters.processor_ports for index in reach[source]],
                    first=from_processor,
                    retry=options.setup_retry,
                )
                circuits.append(unit)
            m.submodules[f"input{number}_{channel}" if several else f"input{number}"] = unit
            if parameters.route_computation is not None:
                m.d.comb += unit.routes.eq(self.routes)
            elif parameters.tables:
                table = parameters.tables.index((number, 0 if from_processor else channel % options.channel_classes))
                m.d.comb += unit.routes.eq(self.routes.word_select(table, parameters.table_bits))
            if with_credits:
                self._take(m, inputs[number], channel, unit)
            elif options.injection_channels > 1:
                injected[number].append(unit)
            else:
                wiring.connect(m, wiring.flipped(inputs[number]), unit.i)
            m.d.comb += [
                allocator.port("valid", source).eq(unit.valid),
                allocator.port("last", source).eq(unit.last if isinstance(unit, CircuitInput) else unit.flit.last),
                allocator.port("requests", source).eq(unit.requests),
                allocator.port("discard", source).eq(unit.discard),
                unit.advance.eq(allocator.port("advance", source)),
                crossbar.i[source].eq(unit.flit.data),
            ]
            lasts.append(unit.flit.last)
            headers.append(unit.header)
            errors.append(unit.error)
        if layout.multicast or options.longest_packet or options.stop_timeout:
            # They settle late in the cycle.
            latched = Signal(len(errors))
            m.d.sync += latched.eq(Cat(errors))
            m.d.comb += self.error.eq(latched.any())
        else:
            m.d.sync += self.error.eq(Cat(errors).any())
        for number, units in injected.items():
            m.submodules[f"injection{number}"] = injection = Injection(options.width, len(units))
            wiring.connect(m, wiring.flipped(inputs[number]), injection.i)
            m.d.comb += injection.idle.eq(Cat(~unit.valid for unit in units))
            for place, unit in enumerate(units):
                wiring.connect(m, getattr(injection, f"o{place}"), unit.i)

        sent = []
        answers: list[list[Value]] = [[Const(0)] for _ in circuits]
        for number, output in enumerate(outputs):
            is_lane = number >= parameters.processor_ports
            port: Any = wiring.flipped(output)
            for stage in range(options.link_stages if is_lane else 0):
                register = LinkRegister(options.width, options.virtual_channels, options.answers)
                m.submodules[f"register{number}_{stage}"] = register
                wiring.connect(m, register.o, port)
                port = register.i
            flit = Signal(FlitLayout(options.width), name=f"flit{number}")
            m.d.comb += [
                crossbar.select(number).eq(allocator.port("select", number)),
                flit.data.eq(crossbar.o[number]),
                # Allocators look at the same, so synthesis makes one of both.
                flit.last.eq(
                    (allocator.port("grant", number) & Cat(lasts[source] for source in allocator.sources[number])).any()
                ),
            ]
            if several and is_lane:
                self._send(m, port, flit, number, allocator)
                sent.append(port.valid)
                continue
            if options.ejection_channels > 1:
                self._eject(m, port, flit, number, allocator)
                sent.append(port.valid & port.ready)
                continue
            m.d.comb += [
                port.payload.eq(flit),
                port.valid.eq(allocator.port("offer", number)),
                allocator.port("ready", number).eq(port.ready),
            ]
            if options.answers and is_lane:
                for source, holds in zip(allocator.sources[number], allocator.port("grant", number)):
                    answers[source].append(Mux(holds, port.answer, 0))
            if layout.multicast and is_lane:
                # The copy that leaves here keeps this lane's selector, and those behind it. Only a processor's has others.
                header = (
                    allocator.port("grant", number)
                    & Cat(
                        headers[source] if channels[source][0] < parameters.processor_ports else Const(0)
                        for source in allocator.sources[number]
                    )
                ).any()
                kept = Cat(flit.data[layout.branch(number - parameters.processor_ports)], flit.data[layout.beyond])
                with m.If(header):
                    m.d.comb += port.payload.data[: len(kept)].eq(kept)
            sent.append(port.valid & port.ready)

        for source, circuit in enumerate(circuits):
            m.d.comb += circuit.answered.eq(functools.reduce(operator.or_, answers[source]))
        if options.setup_retry:
            self._retry(m, circuits, allocator)
        if parameters.counters:
            m.d.sync += [
                self.flit_count.eq(self.flit_count + sum(sent)),
                self.error_count.eq(self.error_count + sum(errors)),
            ]
            with m.If(allocator.conflict):
                m.d.sync += self.conflict_count.eq(self.conflict_count + 1)
        return m

    def _computed(
        self, number: int, channel: int, reach: Sequence[int]
    ) -> Callable[[Value, Value], list[Value]] | None:
        """What finds the target, of those that are in reach, for a destination; ``None`` if routes are not computed."""
        parameters = self.parameters
        route_computation, classes = parameters.route_computation, parameters.options.channel_classes
        if route_computation is None:
            return None
        # Dimension order has one class for each class of messages, which a packet keeps, as it keeps its lane.
        from_processor = number < parameters.processor_ports
        own_class = parameters.message_class(number % parameters.ports) if from_processor else channel % classes
        own_lane = parameters.own_lane(number)

        def decode(destination: Value, address: Value) -> list[Value]:
            home, directions = route_computation.directions(address, destination)

            def leads(output: int, channel_class: int) -> Value:
                if output < parameters.processor_ports:
                    return home & (destination[: route_computation.output_bits] == output)
                way, lane = divmod(output - parameters.processor_ports, parameters.lanes)
                return directions[way] if (lane, channel_class) == (own_lane, own_class) else Const(0)

            targets = (parameters.targets[index] for index in reach)
            return [leads(target.output, target.channels[0] % classes) for target in targets]

        return decode

    def _retry(self, m: Module, circuits: Sequence[CircuitInput], allocator: AllocatorBase) -> None:
        """Free the outputs of set-ups that are refused, and draw the pauses until they are tried again."""
        m.submodules.draws = draws = Draws(self.parameters.processor_ports)
        m.d.comb += draws.number.eq(self.number)
        for source, circuit in enumerate(circuits):
            m.d.comb += [
                circuit.held.eq(allocator.port("held", source)),
                allocator.port("release", source).eq(circuit.release),
            ]
            if circuit.first:
                m.d.comb += circuit.draw.eq(draws.draw(source))

    def _take(self, m: Module, lane: Any, channel: int, unit: InputUnit | LimitedInput | CircuitInput) -> None:
        """Take the flits of one virtual channel of a lane, and give a credit back for each that has left its buffer."""
        m.d.comb += [
            unit.i.payload.data.eq(lane.payload.data),
            unit.i.payload.last.eq(lane.payload.last),
            unit.i.valid.eq(lane.valid & (lane.payload.channel == channel)),
        ]
        left = unit.left if isinstance(unit, LimitedInput) else unit.valid & unit.advance
        m.d.sync += lane.credit[channel].eq(left)

    def _eject(self, m: Module, port: Any, flit: data.View, number: int, allocator: AllocatorBase) -> None:
        """Deliver to a port of a processor what comes on several channels."""
        options = self.parameters.options
        m.submodules[f"ejection{number}"] = ejection = Ejection(
            options.width, options.ejection_channels, depth=options.buffer_depth, memory=options.buffer_memory
        )
        wiring.connect(m, ejection.o, port)
        m.d.comb += [
            ejection.flit.eq(flit),
            ejection.channel.eq(allocator.port("channel", number)),
            ejection.valid.eq(allocator.port("offer", number)),
            allocator.port("ready", number).eq(ejection.ready),
        ]
        if options.switching == "virtual-cut-through":
            m.d.comb += allocator.port("whole", number).eq(-1)  # Receivers always take.

    def _send(self, m: Module, lane: Any, flit: data.View, number: int, allocator: AllocatorBase) -> None:
        """Send a flit on the virtual channel whose turn it is, among those that have room at the other end."""
        channel, options = allocator.port("channel", number), self.parameters.options
        cut_through = options.switching == "virtual-cut-through"
        m.d.comb += [
            lane.payload.data.eq(flit.data),
            lane.payload.last.eq(flit.last),
            lane.payload.channel.eq(channel),
            lane.valid.eq(allocator.port("offer", number)),
        ]
        for index in range(options.virtual_channels):
            credits = CreditCounter(options.buffer_depth, longest=options.longest_packet or 1)
            m.submodules[f"credits{number}_{index}"] = credits
            if cut_through:
                m.d.comb += allocator.port("whole", number)[index].eq(credits.whole)
            m.d.comb += [
                credits.sent.eq(lane.valid & (channel == index)),
                credits.returned.eq(lane.credit[index]),
                allocator.port("ready", number)[index].eq(credits.room),
            ]
