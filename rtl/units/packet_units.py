"""The units of a router with one channel on each lane: which kind of unit is used at which port."""

from collections.abc import Callable
import functools
import operator
from typing import Any

from amaranth.hdl import Cat, Module, Mux, Value

from fatcube.rtl.allocators.allocator import Allocator
from fatcube.rtl.allocators.copying_allocator import CopyingAllocator
from fatcube.rtl.allocators.packet_allocator import PacketAllocator
from fatcube.rtl.arbiters import ARBITERS
from fatcube.rtl.inputs.circuit_draws import Draws
from fatcube.rtl.inputs.circuit_input import CircuitInput
from fatcube.rtl.inputs.entry import Entry
from fatcube.rtl.inputs.feed import DirectFeed
from fatcube.rtl.inputs.input_unit import InputUnit
from fatcube.rtl.inputs.limited_input import LimitedInput
from fatcube.rtl.inputs.packet_input import PacketInput
from fatcube.rtl.outputs.direct import CopyOutput, DirectOutput
from fatcube.rtl.outputs.packet_output import PacketOutput
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.rtl.units.router_units import Placed, RouterUnits

__all__ = ["PacketUnits"]


_PATIENCE = 2
"""The longest packets that can pass while a packet has the turn at its outputs, with copies and virtual cut-through."""


class PacketUnits(RouterUnits[PacketInput, PacketOutput]):
    """Makes the units of a router whose lanes have one channel.

    Parameters
    ----------
    parameters : :class:`RouterParameters`
    """

    def __init__(self, parameters: RouterParameters) -> None:
        super().__init__(parameters)
        #: For each input, the numbers of the targets that it can reach.
        self._reach = [
            [index for index, target in enumerate(parameters.targets) if target.output in parameters.reach(number)]
            for number in self.sources
        ]

    def allocator(self) -> PacketAllocator:
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

    def input(self, source: int) -> PacketInput:
        """An input of the crossbar: its buffer, and around it the limits of packets, and circuits."""
        parameters, options = self.parameters, self._options
        number = self.sources[source]
        from_processor = self._from_processor(number)
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
        from_processor = self._from_processor(number)
        targets = [parameters.targets[index] for index in self._reach[source]]
        return InputUnit(
            options.width,
            options.buffer_depth,
            memory=options.buffer_memory,
            outputs=[layout.selector(target.output, target.channels[0]) for target in targets],
            selector_bits=layout.selector_bits,
            selectors=layout.hops + from_processor,
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

    def output(self, number: int) -> PacketOutput:
        """An output, without the registers of the lane behind it."""
        parameters, options = self.parameters, self._options
        if parameters.header.copies and not self._from_processor(number):
            return CopyOutput(parameters.header, number - parameters.processor_ports)
        return DirectOutput(options.width, parameters.answers(number))

    def beside(self) -> tuple[str, Draws]:
        """The random numbers of the inputs at which circuits are set up again: those of processors."""
        return "draws", Draws(self.parameters.processor_ports if self._options.setup_retry else 0)

    def entries(self, number: int) -> dict[str, Entry]:
        """No units: inputs have the limits of packets behind their buffers."""
        return {}

    def wire(self, m: Module, router: Any, placed: Placed[PacketInput, PacketOutput]) -> None:
        """Wire the random numbers of circuits, answers, and what copies keep of a header."""
        draws = placed.beside
        m.d.comb += draws.number.eq(router.number)
        answers: list[list[Value]] = [[] for _ in placed.inputs]
        for index, unit in enumerate(placed.outputs):
            grant, sources = placed.allocator.grant(index), placed.allocator.sources[index]
            # Allocators compute the same function, so synthesis shares the logic.
            copied = (grant & Cat(placed.inputs[source].copied for source in sources)).any()
            m.d.comb += unit.copied.eq(copied)
            for source, holds in zip(sources, grant):
                answers[source].append(Mux(holds, unit.answer, 0))
        for source, (feed, unit) in enumerate(zip(placed.feeds, placed.inputs)):
            m.d.comb += [
                feed.answer.eq(unit.answer),
                unit.answered.eq(functools.reduce(operator.or_, answers[source])),
                unit.draw.eq(draws.draw(source)),
            ]

    def _computed(self, number: int, source: int) -> Callable[[Value, Value], list[Value]] | None:
        """The function that finds the target for a destination among those in reach; ``None`` if routes are not computed."""
        parameters = self.parameters
        if parameters.route_computation is None:
            return None
        targets = [parameters.targets[index] for index in self._reach[source]]
        return functools.partial(parameters.ways_to, targets, own_lane=parameters.own_lane(number))
