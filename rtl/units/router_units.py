"""The units of a router: which unit stands at which place, for every kind of router."""

import abc
import dataclasses
from typing import Any, Generic, TypeVar

from amaranth.hdl import Module
from amaranth.lib import wiring

from fatcube.rtl.allocators.allocator_base import AllocatorBase
from fatcube.rtl.inputs.entry import Entry
from fatcube.rtl.inputs.feed import Feed
from fatcube.rtl.inputs.input import Input
from fatcube.rtl.lanes.link import LinkRegister
from fatcube.rtl.outputs.output import Output
from fatcube.rtl.router_counters import RouterCounters
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.rtl.switching import Switching

__all__ = ["Placed", "RouterUnits"]


InputT = TypeVar("InputT", bound=Input)
OutputT = TypeVar("OutputT", bound=Output)


@dataclasses.dataclass
class Placed(Generic[InputT, OutputT]):
    """The units of a router, in the order of its inputs and of its outputs.

    Members
    -------
    allocator : :class:`AllocatorBase`
    beside : :class:`wiring.Component`
        The unit that only routers of this dialogue have.
    entries : list of dict
        For each input, the units between its port and its feed by name, as flits pass them.
    feeds : list of :class:`Feed`
    inputs : list of :class:`Input`
    outputs : list of :class:`Output`
    """

    allocator: AllocatorBase
    beside: Any
    entries: list[dict[str, Entry]]
    feeds: list[Feed] = dataclasses.field(default_factory=list)
    inputs: list[InputT] = dataclasses.field(default_factory=list)
    outputs: list[OutputT] = dataclasses.field(default_factory=list)


class RouterUnits(abc.ABC, Generic[InputT, OutputT]):
    """Makes the units of a router; a subclass for each dialogue between inputs, allocator and outputs.

    A subclass reads the options of a router, and the unit that an option selects implements it.
    :class:`~fatcube.rtl.router.FatNodeRouter` wires the units, and reads no option.

    Parameters
    ----------
    parameters : :class:`RouterParameters`
    """

    def __init__(self, parameters: RouterParameters) -> None:
        self.parameters = parameters
        #: The inputs of the crossbar, as the numbers of their ports.
        self.sources = parameters.inputs
        self._options = parameters.options
        self._cut_through = parameters.options.switching == Switching.VIRTUAL_CUT_THROUGH

    @abc.abstractmethod
    def allocator(self) -> AllocatorBase:
        """The allocator."""

    @abc.abstractmethod
    def beside(self) -> tuple[str, wiring.Component]:
        """The unit that only routers of this dialogue have, and its name."""

    @abc.abstractmethod
    def entries(self, number: int) -> dict[str, Entry]:
        """The units between a port and its feed by name, in the order in which flits pass them."""

    @abc.abstractmethod
    def feed(self, number: int) -> Feed:
        """The feed between a port and its input."""

    @abc.abstractmethod
    def input(self, source: int) -> InputT:
        """An input of the crossbar, by its number among :attr:`sources`."""

    @abc.abstractmethod
    def output(self, number: int) -> OutputT:
        """An output, without the registers of the lane behind it."""

    @abc.abstractmethod
    def routes(self, source: int) -> slice:
        """The bits of the router's tables or address that an input uses."""

    @abc.abstractmethod
    def wire(self, m: Module, router: Any, placed: Placed[InputT, OutputT]) -> None:
        """Wire what only routers of this dialogue have."""

    def registers(self, number: int) -> list[LinkRegister]:
        """The registers between an output and its port, as its flits pass them."""
        options = self._options
        if self._from_processor(number):
            return [LinkRegister(options.width) for _ in range(options.ejection_stages)]
        lane = options.width, options.virtual_channels, options.answers, options.shared_lanes
        return [LinkRegister(*lane) for _ in range(options.link_stages)]

    def counters(self, errors: int) -> RouterCounters:
        """The counters of flits, conflicts and errors, which have ``errors`` sources.

        Errors of packets with limits, of copies and of routers with channels settle late.
        """
        options = self._options
        limits = options.longest_packet > 0 or options.stop_timeout > 0
        late = options.virtual_channels > 1 or options.copies or limits
        return RouterCounters(errors, len(self.parameters.outputs), late=late, counted=self.parameters.counters)

    def _from_processor(self, number: int) -> bool:
        """Whether a port is that of a processor."""
        return number < self.parameters.processor_ports
