"""The units of a router with one channel on each lane: which kind of unit is used at which port."""

from collections.abc import Callable
import functools

from amaranth.hdl import Value

from fatcube.rtl.allocators.allocator import Allocator
from fatcube.rtl.allocators.allocator_base import AllocatorBase
from fatcube.rtl.allocators.copying_allocator import CopyingAllocator
from fatcube.rtl.arbiters import ARBITERS
from fatcube.rtl.inputs.circuit_draws import Draws
from fatcube.rtl.inputs.circuit_input import CircuitInput
from fatcube.rtl.inputs.feed import DirectFeed
from fatcube.rtl.inputs.input import Input
from fatcube.rtl.inputs.input_unit import InputUnit
from fatcube.rtl.inputs.limited_input import LimitedInput
from fatcube.rtl.lanes.link import LinkRegister
from fatcube.rtl.outputs.direct import CopyOutput, DirectOutput
from fatcube.rtl.outputs.output import Output
from fatcube.rtl.router_counters import RouterCounters
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.rtl.switching import Switching

__all__ = ["RouterUnits"]


_PATIENCE = 2
"""The longest packets that can pass while a packet has the turn at its outputs, with copies and virtual cut-through."""


class RouterUnits:
    """Makes the units of a router without virtual channels; :class:`~fatcube.rtl.channel_units.ChannelUnits` makes the others.

    This class reads each option of a router, and the unit that the option selects implements it.

    Parameters
    ----------
    parameters : :class:`RouterParameters`

    Attributes
    ----------
    sources : list of :class:`int`
        The inputs of the crossbar, as the numbers of their ports.
    """

    def __init__(self, parameters: RouterParameters) -> None:
        self.parameters = parameters
        self._options = parameters.options
        self._cut_through = parameters.options.switching == Switching.VIRTUAL_CUT_THROUGH
        self.sources = parameters.inputs
        #: For each of them, the numbers of the targets that it can reach.
        self._reach = [
            [index for index, target in enumerate(parameters.targets) if target.output in parameters.reach(number)]
            for number in self.sources
        ]

    def allocator(self) -> AllocatorBase:
        """The allocator: by whether packets are copied."""
        parameters, options = self.parameters, self._options
        outputs = len(parameters.outputs)
        if parameters.header.copies:
            processors = range(parameters.processor_ports)
            lanes = range(len(processors), outputs)
            return CopyingAllocator(
                self._reach,
                outputs,
                copying=processors,
                stages=options.pipeline,
                roomy=lanes if self._cut_through else (),
                patience=_PATIENCE * options.longest_packet if self._cut_through else 0,
            )
        return Allocator(
            self._reach,
            outputs,
            stages=options.pipeline,
            arbiter=ARBITERS[options.arbiter],
            releases=options.setup_retry > 0,
        )

    def feed(self, number: int) -> DirectFeed:
        """The feed between a port and its input."""
        return DirectFeed(self._options.width, self.parameters.answers(number))

    def input(self, source: int) -> Input:
        """An input of the crossbar: its buffer, and around it the limits of packets, and circuits."""
        parameters, options = self.parameters, self._options
        number = self.sources[source]
        from_processor = number < parameters.processor_ports
        unit: InputUnit | LimitedInput = self._buffer(source)
        timeout = options.stop_timeout if from_processor else 0
        # A packet is cut where it begins; with circuits, a header can arrive over a lane and be dropped again.
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
        """Whether an input takes a header only with room for the longest packet."""
        options = self._options
        return self._cut_through or options.whole_packets and options.shared_lanes and not from_processor

    def _buffer(self, source: int) -> InputUnit:
        """The buffer of an input, with the decoder of the routes of headers."""
        parameters, options, layout = self.parameters, self._options, self.parameters.header
        number = self.sources[source]
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
            decode=self._computed(number, source),
            mask_bits=parameters.crossbar_ports if layout.copies and from_processor else 0,
            restarts=options.setup_retry > 0 and not from_processor,
        )

    def routes(self, source: int) -> slice:
        """The bits of the router's tables or address that an input uses: all, its own table, or none."""
        parameters = self.parameters
        if not parameters.tables:
            return slice(0, parameters.routes_bits)
        first = parameters.tables.index((self.sources[source], 0)) * parameters.table_bits
        return slice(first, first + parameters.table_bits)

    def output(self, number: int) -> Output:
        """An output, without the registers of the lane behind it."""
        parameters, options = self.parameters, self._options
        if number >= parameters.processor_ports and parameters.header.copies:
            return CopyOutput(parameters.header, number - parameters.processor_ports)
        return DirectOutput(options.width, parameters.answers(number))

    def registers(self, number: int) -> list[LinkRegister]:
        """The registers between an output and its port, as its flits pass them."""
        options = self._options
        stages = options.link_stages if number >= self.parameters.processor_ports else 0
        return [LinkRegister(options.width, answers=options.answers) for _ in range(stages)]

    def draws(self) -> Draws:
        """The random numbers of the inputs at which circuits are set up again: those of processors."""
        return Draws(self.parameters.processor_ports if self._options.setup_retry else 0)

    def counters(self) -> RouterCounters:
        """The count of flits, conflicts and errors. Errors of packets with limits and of copies settle late."""
        options = self._options
        late = self.parameters.header.copies or options.longest_packet > 0 or options.stop_timeout > 0
        return RouterCounters(
            len(self.sources), len(self.parameters.outputs), late=late, counted=self.parameters.counters
        )

    def _computed(self, number: int, source: int) -> Callable[[Value, Value], list[Value]] | None:
        """The function that finds the target for a destination among those in reach; ``None`` if routes are not computed."""
        parameters = self.parameters
        if parameters.route_computation is None:
            return None
        targets = [parameters.targets[index] for index in self._reach[source]]
        return functools.partial(parameters.ways_to, targets, own_lane=parameters.own_lane(number))
