"""The units that a router is made of: which kind stands at which port."""

from collections.abc import Callable, Mapping

from amaranth.hdl import Const, Value

from rtl.allocators.allocator import Allocator
from rtl.allocators.allocator_base import AllocatorBase
from rtl.allocators.channel_allocator import ChannelAllocator, Target
from rtl.allocators.multicast_allocator import MulticastAllocator
from rtl.arbiters import ARBITERS
from rtl.inputs.circuit_draws import Draws
from rtl.inputs.circuit_input import CircuitInput
from rtl.inputs.feed import CreditFeed, DirectFeed, Feed
from rtl.inputs.injection import Injection
from rtl.inputs.input import Input
from rtl.inputs.input_unit import InputUnit
from rtl.inputs.limited_input import LimitedInput
from rtl.lanes.link import LinkRegister
from rtl.outputs.credit import CreditOutput
from rtl.outputs.direct import CopyOutput, DirectOutput
from rtl.outputs.ejection import Ejection
from rtl.outputs.output import Output
from rtl.router_counters import RouterCounters
from rtl.router_parameters import RouterParameters
from rtl.switching import Switching

__all__ = ["RouterUnits"]


_PATIENCE = 2
"""The longest packets that can pass while a packet has the turn at its outputs, with copies and virtual cut-through."""


class RouterUnits:
    """Makes the units of a router. Each option of a router is asked for here, and done in the unit that it selects.

    Parameters
    ----------
    parameters : :class:`RouterParameters`

    Attributes
    ----------
    sources : list of tuple of :class:`int`
        The inputs of the crossbar, as the number of the port and the number behind that: each virtual channel of a lane
        is an input of its own, as is each packet that waits at a port of a processor.
    """

    def __init__(self, parameters: RouterParameters) -> None:
        self.parameters = parameters
        self._options = parameters.options
        self._cut_through = parameters.options.switching == Switching.VIRTUAL_CUT_THROUGH
        self.sources = [
            (number, channel) for number in parameters.inputs for channel in range(parameters.input_units(number))
        ]
        #: For each of them, the numbers of the targets that it can reach.
        self._reach = [
            [index for index, target in enumerate(parameters.targets) if target.output in parameters.reach(number)]
            for number, _ in self.sources
        ]

    def allocator(self) -> AllocatorBase:
        """The allocator: by whether packets are copied, and whether lanes have virtual channels."""
        parameters, options = self.parameters, self._options
        outputs = len(parameters.outputs)
        if parameters.header.multicast:
            processors = range(parameters.processor_ports)
            lanes = range(len(processors), outputs)
            return MulticastAllocator(
                self._reach,
                outputs,
                copying=processors,
                stages=options.pipeline,
                roomy=lanes if self._cut_through else (),
                patience=_PATIENCE * options.longest_packet if self._cut_through else 0,
            )
        arbiter = ARBITERS[options.arbiter]
        if options.virtual_channels > 1:
            return ChannelAllocator(
                self._reach,
                [Target(parameters.outputs.index(target.output), target.channels) for target in parameters.targets],
                stages=options.pipeline,
                arbiter=arbiter,
                whole=self._cut_through or options.shared_lanes,
                asks=options.shared_lanes,
            )
        return Allocator(
            self._reach,
            outputs,
            stages=options.pipeline,
            arbiter=arbiter,
            releases=options.setup_retry > 0,
        )

    def feed(self, number: int) -> Feed:
        """What stands between a port and its inputs."""
        parameters, options = self.parameters, self._options
        inputs = parameters.input_units(number)
        if inputs == 1:
            return DirectFeed(options.width, parameters.answers(number))
        if number < parameters.processor_ports:
            return Injection(options.width, inputs)
        return CreditFeed(options.width, inputs, options.shared_lanes)

    def input(self, source: int) -> Input:
        """An input of the crossbar: its buffer, and around it the limits of packets, and circuits."""
        parameters, options = self.parameters, self._options
        number, _ = self.sources[source]
        from_processor = number < parameters.processor_ports
        unit: InputUnit | LimitedInput = self._buffer(source)
        timeout = options.stop_timeout if from_processor else 0
        # A packet is cut where it begins; with circuits, a header can come over a lane and be dropped again.
        if (options.longest_packet or timeout) and (from_processor or not options.answers):
            unit = LimitedInput(
                unit,
                switching=options.switching,
                longest=options.longest_packet,
                timeout=timeout,
                gated=self._gated(from_processor),
            )
        if not options.answers:
            return unit
        ends = [parameters.targets[index].output < parameters.processor_ports for index in self._reach[source]]
        return CircuitInput(
            unit, ends=ends, first=from_processor, retry=options.setup_retry, yields=options.shared_lanes
        )

    def _gated(self, from_processor: bool) -> bool:
        """Whether an input takes a header only with room for the longest packet. With credits its sender sees to that."""
        options = self._options
        if options.virtual_channels > 1 and not from_processor:
            return False
        return self._cut_through or options.whole_packets and options.shared_lanes and not from_processor

    def _buffer(self, source: int) -> InputUnit:
        """The buffer of an input, and what decodes the routes of headers in it."""
        parameters, options, layout = self.parameters, self._options, self.parameters.header
        number, channel = self.sources[source]
        from_processor = number < parameters.processor_ports
        targets = [parameters.targets[index] for index in self._reach[source]]
        return InputUnit(
            options.width,
            options.buffer_depth,
            memory=options.buffer_memory,
            outputs=[layout.selector(target.output, target.channels[0]) for target in targets],
            selector_bits=layout.selector_bits,
            selectors=options.hops + from_processor,
            destination_bits=layout.route_bits if layout.destinations else None,
            routes_bits=parameters.routes_bits if parameters.route_computation is not None else None,
            decode=self._computed(number, channel, source),
            mask_bits=parameters.crossbar_ports if layout.multicast and from_processor else 0,
            restarts=options.setup_retry > 0 and not from_processor,
        )

    def routes(self, source: int) -> slice:
        """The bits of what the router knows of destinations that an input looks at: all, its table, or none."""
        parameters = self.parameters
        if not parameters.tables:
            return slice(0, parameters.routes_bits)
        number, channel = self.sources[source]
        own_class = 0 if number < parameters.processor_ports else channel % self._options.channel_classes
        first = parameters.tables.index((number, own_class)) * parameters.table_bits
        return slice(first, first + parameters.table_bits)

    def output(self, number: int) -> Output:
        """An output, without the registers of the lane behind it."""
        parameters, options = self.parameters, self._options
        is_lane = number >= parameters.processor_ports
        if is_lane and options.virtual_channels > 1:
            longest = options.longest_packet or 1
            return CreditOutput(
                options.width,
                options.virtual_channels,
                depth=options.buffer_depth,
                longest=longest,
                permission=options.shared_lanes,
            )
        if not is_lane and options.ejection_channels > 1:
            return Ejection(
                options.width, options.ejection_channels, depth=options.buffer_depth, memory=options.buffer_memory
            )
        if is_lane and parameters.header.multicast:
            return CopyOutput(parameters.header, number - parameters.processor_ports)
        return DirectOutput(options.width, parameters.answers(number))

    def registers(self, number: int) -> list[LinkRegister]:
        """The registers between an output and its port, as its flits pass them."""
        options = self._options
        stages = options.link_stages if number >= self.parameters.processor_ports else 0
        lane = options.width, options.virtual_channels, options.answers, options.shared_lanes
        return [LinkRegister(*lane) for _ in range(stages)]

    def draws(self) -> Draws:
        """The random numbers of the inputs at which circuits are set up again: those of processors."""
        return Draws(self.parameters.processor_ports if self._options.setup_retry else 0)

    def counters(self) -> RouterCounters:
        """The count of flits, conflicts and errors. Errors of packets with limits and of copies settle late."""
        options = self._options
        late = self.parameters.header.multicast or options.longest_packet > 0 or options.stop_timeout > 0
        return RouterCounters(
            len(self.sources), len(self.parameters.outputs), late=late, counted=self.parameters.counters
        )

    def _computed(self, number: int, channel: int, source: int) -> Callable[[Value, Value], list[Value]] | None:
        """What finds the target, of those that are in reach, for a destination; ``None`` if routes are not computed."""
        parameters = self.parameters
        route_computation, classes = parameters.route_computation, self._options.channel_classes
        if route_computation is None:
            return None
        # Dimension order has one class for each class of messages, which a packet keeps, as it keeps its lane.
        from_processor = number < parameters.processor_ports
        own_class = parameters.message_class(number % parameters.ports) if from_processor else channel % classes
        own_lane = parameters.own_lane(number)
        targets = [parameters.targets[index] for index in self._reach[source]]

        def leads(output: int, channel_class: int, destination: Value, home: Value, ways: Mapping[int, Value]) -> Value:
            if output < parameters.processor_ports:
                return home & (destination[: route_computation.output_bits] == output)
            way, lane = divmod(output - parameters.processor_ports, parameters.lanes)
            return ways[way] if (lane, channel_class) == (own_lane, own_class) else Const(0)

        def decode(destination: Value, address: Value) -> list[Value]:
            home, ways = route_computation.directions(address, destination)
            return [leads(one.output, one.channels[0] % classes, destination, home, ways) for one in targets]

        return decode
