"""The routers: input units, an allocator and a crossbar, wired; and the router of a fat node."""

from amaranth.hdl import Cat, Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.allocator import Allocator, MulticastAllocator
from rtl.arbiters import ARBITERS
from rtl.crossbar import Crossbar
from rtl.flit import FlitLayout, FlitStream
from rtl.input_unit import InputUnit
from rtl.link import LinkRegister

__all__ = ["FatNodeRouter"]


class FatNodeRouter(wiring.Component):
    """The router of a fat node.

    A flit goes from a buffer of this router to one of the next in ``pipeline`` cycles. Ready/valid streams
    everywhere: a flit waits where it is until there is room, and none is dropped. Turns that are not in
    ``parameters`` are left out of decoders, arbiters and crossbar.

    Parameters
    ----------
    parameters : :class:`RouterParameters`

    Members
    -------
    processor{p}_send{j} : :py:`In(FlitStream(width))`
        From port j of processor p.
    processor{p}_receive{j} : :py:`Out(FlitStream(width))`
        To port j of processor p.
    channel{c}_lane{l}_in : :py:`In(FlitStream(width))`
        From the neighbour on channel c.
    channel{c}_lane{l}_out : :py:`Out(FlitStream(width))`
        To the neighbour on channel c.
    flit_count : :py:`Out(32)`
        Flits that left the router since reset; only with ``counters``.
    conflict_count : :py:`Out(32)`
        Cycles in which an input waited for an output that another packet had; only with ``counters``.
    """

    def __init__(self, parameters):
        self.parameters = parameters
        width = parameters.options.width
        members = {}
        for p in range(parameters.processors):
            for j in range(parameters.ports):
                members[f"processor{p}_send{j}"] = In(FlitStream(width))
                members[f"processor{p}_receive{j}"] = Out(FlitStream(width))
        for c in range(parameters.channels):
            for l in range(parameters.lanes):
                members[f"channel{c}_lane{l}_in"] = In(FlitStream(width))
                members[f"channel{c}_lane{l}_out"] = Out(FlitStream(width))
        if parameters.counters:
            members["flit_count"] = Out(32)
            members["conflict_count"] = Out(32)
        super().__init__(members)

    def _streams(self, send, receive, enter, leave):
        parameters = self.parameters
        names = [f"processor{p}_{{}}{j}" for p in range(parameters.processors) for j in range(parameters.ports)]
        lanes = [f"channel{c}_lane{l}_{{}}" for c in range(parameters.channels) for l in range(parameters.lanes)]
        return (
            [getattr(self, name.format(send)) for name in names]
            + [getattr(self, name.format(enter)) for name in lanes],
            [getattr(self, name.format(receive)) for name in names]
            + [getattr(self, name.format(leave)) for name in lanes],
        )

    def elaborate(self, platform):
        m = Module()
        inputs, outputs = self._streams("send", "receive", "in", "out")
        parameters = self.parameters
        options, layout = parameters.options, parameters.header
        reach = [parameters.reach(number) for number in range(parameters.crossbar_ports)]
        allocator = (
            MulticastAllocator(reach, len(outputs))
            if layout.multicast
            else Allocator(reach, len(outputs), arbiter=ARBITERS[options.arbiter])
        )
        m.submodules.allocator = allocator
        m.submodules.crossbar = crossbar = Crossbar(options.width + 1, len(inputs), allocator.sources)

        headers = []
        for number, stream in enumerate(inputs):
            from_processor = number < parameters.processor_ports
            unit = InputUnit(
                options.width,
                options.buffer_depth,
                outputs=reach[number],
                selector_bits=layout.selector_bits,
                selectors=options.hops + from_processor,
                fast=options.fast_buffers,
                mask=layout.multicast and from_processor,
            )
            m.submodules[f"input{number}"] = unit
            wiring.connect(m, wiring.flipped(stream), unit.i)
            m.d.comb += [
                getattr(allocator, f"valid{number}").eq(unit.valid),
                getattr(allocator, f"last{number}").eq(unit.flit.last),
                getattr(allocator, f"requests{number}").eq(unit.requests),
                unit.advance.eq(getattr(allocator, f"advance{number}")),
                crossbar.i[number].eq(unit.flit),
            ]
            headers.append(unit.header)

        sent = []
        for number, stream in enumerate(outputs):
            port = stream
            if options.pipeline == 2:
                m.submodules[f"register{number}"] = register = LinkRegister(options.width)
                wiring.connect(m, register.o, wiring.flipped(stream))
                port = register.i
            flit = FlitLayout(options.width)(crossbar.o[number])
            m.d.comb += [
                getattr(crossbar, f"grant{number}").eq(getattr(allocator, f"grant{number}")),
                port.payload.eq(flit),
                port.valid.eq(getattr(allocator, f"offer{number}")),
                getattr(allocator, f"ready{number}").eq(port.ready),
            ]
            if layout.multicast and number >= parameters.processor_ports:
                # The copy that leaves here keeps this lane's selector only.
                header = (
                    getattr(allocator, f"grant{number}") & Cat(headers[source] for source in allocator.sources[number])
                ).any()
                branch = layout.branch(number - parameters.processor_ports)
                with m.If(header):
                    m.d.comb += port.payload.data[: layout.selector_bits].eq(flit.data[branch])
            sent.append(port.valid & port.ready)

        if parameters.counters:
            m.d.sync += self.flit_count.eq(self.flit_count + sum(sent))
            with m.If(allocator.conflict):
                m.d.sync += self.conflict_count.eq(self.conflict_count + 1)
        return m
