"""The router of a fat node: feeds, inputs, an allocator, a crossbar and outputs, wired."""

from collections.abc import Sequence
import functools
import operator
from typing import Any

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.channel_wiring import wire_channels
from fatcube.rtl.crossbar import Crossbar
from fatcube.rtl.inputs.input import Input
from fatcube.rtl.inputs.retry_pause import DRAW_BITS
from fatcube.rtl.optional_ports import OptionalPorts
from fatcube.rtl.ports import ProcessorPort, inputs_of, outputs_of
from fatcube.rtl.router_counters import COUNTERS
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.rtl.router_units import RouterUnits

__all__ = ["FatNodeRouter"]


class FatNodeRouter(OptionalPorts):
    """The router of a fat node.

    A header goes from a buffer of this router to one of the next in ``pipeline`` cycles, and one more for each register
    on the lane; the flits behind it follow one per cycle. All ports are ready/valid streams, except lanes with several
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
        if self.parameters.options.virtual_channels > 1:
            wire_channels(m, self, self.parameters)
            return m
        units = RouterUnits(self.parameters)
        m.submodules.allocator = allocator = units.allocator()
        m.submodules.crossbar = crossbar = Crossbar(
            self.parameters.options.width, len(units.sources), allocator.sources
        )
        m.submodules.counters = counters = units.counters()
        m.submodules.draws = draws = units.draws()
        m.d.comb += [
            draws.number.eq(self.number),
            counters.conflict.eq(allocator.conflict),
            self.error.eq(counters.error),
            *(getattr(self, name).eq(getattr(counters, name)) for name in COUNTERS),
        ]

        inputs: list[Input] = []
        ports = inputs_of(self)
        for number in self.parameters.inputs:
            port = ports[number]
            m.submodules[f"feed{number}"] = feed = units.feed(number)
            wiring.connect(m, wiring.flipped(port), feed.i)
            source = len(inputs)
            m.submodules[f"input{number}"] = unit = units.input(source)
            inputs.append(unit)
            [out] = feed.o
            wiring.connect(m, out, unit.i)
            m.d.comb += [
                feed.answer.eq(unit.answer),
                unit.routes.eq(self.routes[units.routes(source)]),
                unit.held.eq(allocator.port("held", source)),
                unit.draw.eq(draws.draw(source)),
                unit.advance.eq(allocator.port("advance", source)),
                allocator.port("valid", source).eq(unit.valid),
                allocator.port("last", source).eq(unit.last),
                allocator.port("requests", source).eq(unit.requests),
                allocator.port("discard", source).eq(unit.discard),
                allocator.port("release", source).eq(unit.release),
                crossbar.i[source].eq(unit.flit.data),
                counters.errors[source].eq(unit.error),
            ]

        answers: list[list[Value]] = [[] for _ in inputs]
        ports = outputs_of(self)
        for index, number in enumerate(self.parameters.outputs):
            m.submodules[f"output{number}"] = unit = units.output(number)
            grant, sources = allocator.port("grant", index), allocator.sources[index]
            m.d.comb += [
                crossbar.select(index).eq(allocator.port("select", index)),
                unit.flit.data.eq(crossbar.o[index]),
                # Allocators compute the same function, so synthesis shares the logic.
                unit.flit.last.eq((grant & Cat(inputs[source].flit.last for source in sources)).any()),
                unit.copied.eq((grant & Cat(inputs[source].copied for source in sources)).any()),
                unit.offer.eq(allocator.port("offer", index)),
                allocator.port("ready", index).eq(unit.ready),
                counters.sent[index].eq(unit.sent),
            ]
            for source, holds in zip(sources, grant):
                answers[source].append(Mux(holds, unit.answer, 0))
            leaving = unit.o
            for stage, register in enumerate(units.registers(number)):
                m.submodules[f"register{number}_{stage}"] = register
                wiring.connect(m, leaving, register.i)
                leaving = register.o
            wiring.connect(m, leaving, wiring.flipped(ports[number]))

        for unit, answer in zip(inputs, answers):
            m.d.comb += unit.answered.eq(functools.reduce(operator.or_, answer))
        return m
