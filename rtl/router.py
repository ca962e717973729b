"""The router of a fat node: feeds, inputs, an allocator, a crossbar and outputs, wired."""

from collections.abc import Sequence
from typing import Any

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.crossbar import Crossbar
from fatcube.rtl.inputs.retry_pause import DRAW_BITS
from fatcube.rtl.optional_ports import OptionalPorts
from fatcube.rtl.ports import ProcessorPort, inputs_of, outputs_of
from fatcube.rtl.router_counters import COUNTERS
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.rtl.units.channel_units import ChannelUnits
from fatcube.rtl.units.packet_units import PacketUnits
from fatcube.rtl.units.router_units import Placed, RouterUnits

__all__ = ["FatNodeRouter"]


class FatNodeRouter(OptionalPorts):
    """The router of a fat node.

    A header goes from a buffer of this router to one of the next in ``pipeline`` cycles, and one more for each register
    on the lane; one at the port of a processor takes a cycle too. The flits behind it follow one per cycle. All ports are ready/valid streams, except lanes with several
    virtual channels, which have credits. With circuit switching, the payload waits in the first router until the route is
    reserved: see :mod:`fatcube.rtl.inputs.circuit_input`. Decoders, arbiters and crossbar have only the turns in
    ``parameters``. A packet whose header requests another turn, or an output that does not exist, is discarded whole, and
    no other packet is affected. Of a packet to be copied, the copies that are possible are made. A packet that is longer
    than the options allow is ended, as is one whose sender stalls inside it for longer than they allow.

    If outputs always take flits, senders do not pause within packets, no packet has more than L flits, packets are not
    copied, lanes have one virtual channel and the arbiter does not count flits, then a flit stays in front of its buffer for
    at most (n - 1) L + 2 cycles where n inputs reach its output: one packet of each other input is served first. Without a
    timeout, a sender that stalls within a packet holds its output until it continues.

    Parameters
    ----------
    parameters : :class:`RouterParameters`

    Members
    -------
    processors : :py:`Out(ProcessorPort(width)).array(processors, ports)`
        ``processors[p][j]`` is port j of processor p; in Verilog ``processor{p}_send{j}`` and ``processor{p}_receive{j}``.
    lanes : :py:`Out(LanePort(width, virtual_channels, answers)).array(channels, lanes)`
        ``lanes[c][l]`` is lane l to the neighbour on channel c; in Verilog ``channel{c}_lane{l}_in`` and
        ``channel{c}_lane{l}_out``.
    routes : :py:`In(...)`
        Where packets go from here: the :attr:`tables <RouterParameters.tables>` of destinations, the first in the
        lowest bits, or the address of the node (:meth:`RouteComputation.address`). Constant. Only if headers have destinations.
    number : :py:`In(16)`
        The number of the router, unique in the network. Only with circuits that are retried: it varies their pauses.
    error : :py:`Out(1)`
        1 for one cycle when a packet is discarded (its header requests a turn that does not exist) or cut (its length, a
        stop), in the cycle after. It is an event, not a count: errors of several packets in the same cycle give one pulse,
        and those of two cycles in a row one of two cycles. The router reports each packet at most once. A register.
    flit_count : :py:`Out(32)`
        Flits that left the router since reset; only with ``counters``.
    conflict_count : :py:`Out(32)`
        Cycles in which an input waited for an output that another packet had; only with ``counters``.
    error_count : :py:`Out(32)`
        Packets that were discarded or cut: each packet counts once, also if there are several in one cycle; only with
        ``counters``.
    """

    processors: Sequence[Sequence[Any]]
    lanes: Sequence[Sequence[Any]]
    routes: Signal
    error: Signal
    number: Signal
    flit_count: Signal
    conflict_count: Signal
    error_count: Signal

    def __init__(self, parameters: RouterParameters) -> None:
        self.parameters = parameters
        super().__init__(
            {
                "error": Out(1),
                "processors": Out(ProcessorPort(parameters.options.width)).array(
                    parameters.processors, parameters.ports
                ),
                "lanes": Out(parameters.options.lane_port).array(parameters.channels, parameters.lanes),
                "routes": In(parameters.routes_bits),
                "number": In(DRAW_BITS * (parameters.options.setup_retry > 0)),
                **dict.fromkeys(COUNTERS, Out(32 * parameters.counters)),
            },
            without=parameters.absent_ports,
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        make = self._units()
        entries = [make.entries(number) for number in make.sources]
        reports = sum(len(entry.error) for some in entries for entry in some.values())
        m.submodules.allocator = allocator = make.allocator()
        m.submodules.crossbar = crossbar = Crossbar(self.parameters.options.width, len(make.sources), allocator.sources)
        m.submodules.counters = counters = make.counters(len(make.sources) + reports)
        name, beside = make.beside()
        m.submodules[name] = beside
        placed = Placed[Any, Any](allocator, beside, entries)
        for source in range(len(make.sources)):
            self._add_input(m, make, placed, source)
            m.d.comb += crossbar.i[source].eq(placed.inputs[source].flit.data)
        for index in range(len(self.parameters.outputs)):
            self._add_output(m, make, placed, index)
            m.d.comb += [
                crossbar.select(index).eq(allocator.select(index)),
                placed.outputs[index].flit.data.eq(crossbar.o[index]),
            ]
        make.wire(m, self, placed)
        units = [unit for some, unit in zip(entries, placed.inputs) for unit in (*some.values(), unit)]
        m.d.comb += [
            counters.errors.eq(Cat(unit.error for unit in units)),
            counters.sent.eq(Cat(unit.sent for unit in placed.outputs)),
            counters.conflict.eq(allocator.conflict),
            self.error.eq(counters.error),
            *(getattr(self, name).eq(getattr(counters, name)) for name in COUNTERS),
        ]
        return m

    def _units(self) -> RouterUnits[Any, Any]:
        """The maker of the units, by the dialogue between inputs, allocator and outputs."""
        return (ChannelUnits if self.parameters.options.virtual_channels > 1 else PacketUnits)(self.parameters)

    def _add_input(self, m: Module, make: RouterUnits[Any, Any], placed: Placed[Any, Any], source: int) -> None:
        """Add an input and the units in front of it: flits go from a port through entries and feed to the input."""
        number = make.sources[source]
        entering = wiring.flipped(inputs_of(self)[number])
        for name, entry in placed.entries[source].items():
            m.submodules[f"{name}{number}"] = entry
            wiring.connect(m, entering, entry.i)
            entering = entry.o
        m.submodules[f"feed{number}"] = feed = make.feed(number)
        wiring.connect(m, entering, feed.i)
        m.submodules[f"input{number}"] = unit = make.input(source)
        for out, into in zip(feed.o, unit.i, strict=True):
            wiring.connect(m, out, into)
        wiring.connect(m, unit.allocator, placed.allocator.input(source))
        m.d.comb += unit.routes.eq(self.routes[make.routes(source)])
        placed.feeds.append(feed)
        placed.inputs.append(unit)

    def _add_output(self, m: Module, make: RouterUnits[Any, Any], placed: Placed[Any, Any], index: int) -> None:
        """Add an output and the units behind it: flits go from the crossbar through output and registers to a port."""
        number, allocator = self.parameters.outputs[index], placed.allocator
        m.submodules[f"output{number}"] = unit = make.output(number)
        wiring.connect(m, allocator.output(index), unit.allocator)
        # Allocators compute the same function, so synthesis shares the logic.
        tails = Cat(placed.inputs[source].flit.last for source in allocator.sources[index])
        m.d.comb += unit.flit.last.eq((allocator.grant(index) & tails).any())
        leaving = unit.o
        for stage, register in enumerate(make.registers(number)):
            m.submodules[f"register{number}_{stage}"] = register
            wiring.connect(m, leaving, register.i)
            leaving = register.o
        wiring.connect(m, leaving, wiring.flipped(outputs_of(self)[number]))
        placed.outputs.append(unit)
