"""The units of a router with virtual channels: which kind of unit is used at which port."""

from collections.abc import Callable
import functools
from typing import Any

from amaranth.hdl import Cat, Module, Value
from amaranth.utils import ceil_log2

from fatcube.rtl.allocators.channel_allocator import ChannelAllocator, Target
from fatcube.rtl.arbiters import ARBITERS
from fatcube.rtl.arbiters.arbiter import Arbiter
from fatcube.rtl.arbiters.round_robin import PairwiseRoundRobinArbiter, RoundRobinArbiter
from fatcube.rtl.inputs.channel_input import ChannelInput
from fatcube.rtl.inputs.channel_watch import ChannelWatch
from fatcube.rtl.inputs.entry import Entry
from fatcube.rtl.inputs.entry_guard import EntryGuard
from fatcube.rtl.inputs.feed import CreditFeed, DirectFeed, Feed
from fatcube.rtl.inputs.injection import Injection
from fatcube.rtl.inputs.room_gate import RoomGate
from fatcube.rtl.inputs.route import Route
from fatcube.rtl.outputs.channel_output import ChannelOutput
from fatcube.rtl.outputs.credit import CreditOutput
from fatcube.rtl.outputs.ejection import Ejection
from fatcube.rtl.outputs.held import HeldOutput
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.rtl.switching import Switching
from fatcube.rtl.units.router_units import Placed, RouterUnits

__all__ = ["ChannelUnits", "patience"]


_SIDE_BY_SIDE = 2
"""Factor on the depth of the buffers of packets side by side at a processor: accepted traffic depends on their depth."""

_KEEPS = 8
"""The least depth of buffers with which packets keep outputs: there is hardly ever much room in shallower ones."""

_PATIENCE = 16
"""Cycles for each channel of a lane from one look of the watch to the next, rounded up to a power of two: a header waits for so
many others even if none is passed over."""

_PAIRWISE = 8
"""The most inputs of an output with which its arbiter compares pairs."""


def patience(options: RouterOptions) -> int:
    """Cycles from one look of the watch of a router to the next."""
    return _PATIENCE << ceil_log2(options.virtual_channels)


class ChannelUnits(RouterUnits[ChannelInput, ChannelOutput]):
    """Makes the units of a router whose lanes have virtual channels.

    Parameters
    ----------
    parameters : :class:`RouterParameters`
    """

    def __init__(self, parameters: RouterParameters) -> None:
        super().__init__(parameters)
        self._targets = [
            Target(parameters.outputs.index(target.output), target.channels) for target in parameters.targets
        ]
        #: For each input, the numbers of the targets that it can reach.
        self.reach = [
            sorted({index for one in range(self._classes(number)) for index in parameters.reached(number, one)})
            for number in self.sources
        ]

    def allocator(self) -> ChannelAllocator:
        """The allocator."""
        options, parameters = self._options, self.parameters
        lanes = [index for index, number in enumerate(parameters.outputs) if not self._from_processor(number)]
        return ChannelAllocator(
            self.reach,
            self._targets,
            arbiter=self._arbiter(),
            whole=self._cut_through or options.shared_lanes,
            keeps=options.buffer_depth >= _KEEPS,
            asks=lanes if options.shared_lanes else (),
        )

    def _arbiter(self) -> type[Arbiter]:
        arbiter = ARBITERS[self._options.arbiter]
        few = max(len(reached) for reached in self.reach) <= _PAIRWISE * self._options.channel_classes
        return PairwiseRoundRobinArbiter if arbiter is RoundRobinArbiter and few else arbiter

    def entries(self, number: int) -> dict[str, Entry]:
        """The guard that enforces the limits of packets, and the gate of virtual cut-through, at ports of processors."""
        options, entries = self._options, dict[str, Entry]()
        if not self._from_processor(number):
            return entries
        if options.longest_packet or options.stop_timeout:
            entries["guard"] = EntryGuard(options.width, longest=options.longest_packet, timeout=options.stop_timeout)
        # Packets side by side need no gate, as they begin in empty buffers.
        if self._cut_through and options.injection_channels == 1:
            entries["gate"] = RoomGate(options.width, depth=options.buffer_depth, longest=options.longest_packet)
        return entries

    def feed(self, number: int) -> Feed:
        """The unit that distributes the flits of a port to the channels of its input."""
        options, channels = self._options, self.parameters.input_units(number)
        if not self._from_processor(number):
            return CreditFeed(options.width, channels, options.shared_lanes)
        return DirectFeed(options.width) if channels == 1 else Injection(options.width, channels)

    def input(self, source: int) -> ChannelInput:
        """An input of the crossbar."""
        parameters, options, layout = self.parameters, self._options, self.parameters.header
        number = self.sources[source]
        channels = parameters.input_units(number)
        side_by_side = _SIDE_BY_SIDE if self._from_processor(number) and channels > 1 else 1
        targets = [self._targets[index] for index in self.reach[source]]
        outputs, fixed = self.outputs(source), all(len(target.channels) == 1 for target in self._targets)
        return ChannelInput(
            options.width,
            options.buffer_depth * side_by_side,
            memory=options.buffer_memory,
            channels=channels,
            route=self._route(source, layout.selector_bits),
            outputs=[outputs.index(target.output) for target in targets],
            rooms=[self._channels(parameters.outputs[output]) for output in outputs],
            most=0 if fixed else max(map(self._channels, parameters.outputs)),
            fixed=[target.channels[0] for target in targets] if fixed else None,
            stages=options.pipeline,
            whole=options.switching == Switching.STORE_AND_FORWARD,
        )

    def beside(self) -> tuple[str, ChannelWatch]:
        """The unit that marks which channel of an input is urgent."""
        channels = [self.parameters.input_units(number) for number in self.sources]
        return "watch", ChannelWatch(channels, patience=patience(self._options))

    def outputs(self, source: int) -> list[int]:
        """The outputs that an input can reach, as indices of those that the router has, in order."""
        return sorted({self._targets[index].output for index in self.reach[source]})

    def output(self, number: int) -> ChannelOutput:
        """An output, without the registers of the lane behind it."""
        options, channels = self._options, self._channels(number)
        if not self._from_processor(number):
            return CreditOutput(
                options.width,
                channels,
                depth=options.buffer_depth,
                longest=options.longest_packet or 1,
                permission=options.shared_lanes,
            )
        if channels == 1:
            return HeldOutput(options.width)
        return Ejection(
            options.width, channels, depth=_SIDE_BY_SIDE * options.buffer_depth, memory=options.buffer_memory
        )

    def routes(self, source: int) -> slice:
        """All bits: an input decodes headers of several classes."""
        return slice(0, self.parameters.routes_bits)

    def wire(self, m: Module, router: Any, placed: Placed[ChannelInput, ChannelOutput]) -> None:
        """Wire the watchdog, the flow control of the units in front of the inputs, and the room behind the outputs."""
        watch = placed.beside
        for source, (feed, unit) in enumerate(zip(placed.feeds, placed.inputs)):
            m.d.comb += [
                feed.idle.eq(unit.idle),
                feed.left.eq(unit.left),
                watch.port("left", source).eq(unit.left),
                watch.port("idle", source).eq(unit.idle),
                unit.urgent.eq(watch.port("urgent", source)),
            ]
            for entry in placed.entries[source].values():
                m.d.comb += [entry.left.eq(unit.left), entry.legal.eq(unit.legal)]
            for number, index in enumerate(self.outputs(source)):
                m.d.comb += unit.room(number).eq(placed.allocator.output(index).room)

    def _classes(self, number: int) -> int:
        """The classes of the channels of an input."""
        return 1 if self._from_processor(number) else self._options.channel_classes

    def _channels(self, number: int) -> int:
        """The channels of an output."""
        options = self._options
        return options.ejection_channels if self._from_processor(number) else options.virtual_channels

    def _route(self, source: int, selector_bits: int) -> Route:
        """How an input decodes headers: for each class of its channels, as tables and computed routes go by the class."""
        parameters, layout = self.parameters, self.parameters.header
        number = self.sources[source]
        targets = [parameters.targets[index] for index in self.reach[source]]
        selectors = [layout.selector(target.output, target.channels[0]) for target in targets]
        classes = range(self._classes(number))
        of_class = [[self.reach[source].index(index) for index in parameters.reached(number, one)] for one in classes]
        if not layout.destinations:
            behind = layout.hops + self._from_processor(number) - 1
            return Route(
                bits=selector_bits,
                decode=[functools.partial(_selected, selectors, selector_bits)],
                targets=[range(len(selectors))],
                shift=selector_bits,
                kept=behind * selector_bits,
            )
        if parameters.route_computation is not None:
            decode = [self._computed(source, one) for one in classes]
        else:
            first = [parameters.tables.index((number, one)) * parameters.table_bits for one in classes]
            decode = [
                functools.partial(_looked_up, selectors, selector_bits, slice(low, low + parameters.table_bits))
                for low in first
            ]
        return Route(bits=layout.route_bits, decode=decode, targets=of_class, known_bits=parameters.routes_bits)

    def _computed(self, source: int, own_class: int) -> Callable[[Value, Value], Value]:
        """The function that finds the target for a destination among the targets in reach."""
        parameters, number = self.parameters, self.sources[source]
        if self._from_processor(number):
            own_class = parameters.message_class(number % parameters.ports)
        targets = [parameters.targets[index] for index in self.reach[source]]
        own = {"own_lane": parameters.own_lane(number), "own_class": own_class}
        return lambda destination, address: Cat(parameters.ways_to(targets, destination, address, **own))


def _selected(selectors: list[int], bits: int, route: Value, known: Value) -> Value:
    """A bit for each selector: a header has it."""
    return Cat(route[:bits] == selector for selector in selectors)


def _looked_up(selectors: list[int], bits: int, table: slice, destination: Value, known: Value) -> Value:
    """A bit for each selector: a table has it for the destination of a header."""
    found = known[table].word_select(destination, bits)
    return Cat(found == selector for selector in selectors)
