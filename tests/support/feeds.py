"""Packets, and what feeds them into a router."""

from fatcube.rtl.ports import inputs_of, outputs_of
from fatcube.rtl.router import FatNodeRouter
from tests.support.streams import Sink, Source, cycles, simulate, until


def ports(router):
    """The streams into a router and those out of it, in the order of their numbers."""
    return inputs_of(router), outputs_of(router)


class Feed:
    """One router with a source on every input that has packets and a sink on every output."""

    def __init__(self, of, packets, stalls=None):
        self.router = FatNodeRouter(of)
        inputs, outputs = ports(self.router)
        self.sources = {number: Source(inputs[number], some) for number, some in packets.items()}
        self.sinks = [
            Sink(stream, stall=(stalls or {}).get(number, 0), seed=number, name=f"output {number}")
            for number, stream in enumerate(outputs)
        ]

    def run(self, duration, then=(), *, rest=None):
        """Runs for that many cycles, and returns the counters of flits and of conflicts; ``errors`` is the other one.

        With ``rest``, it runs for so many cycles after everything has gone in, and at most for ``duration``.

        With each of ``then``, further packets for the same inputs, it runs for as many cycles more.
        """
        counts = []

        async def testbench(ctx):
            if rest is None:
                await cycles(ctx, duration)
            else:
                await until(ctx, lambda: all(source.done for source in self.sources.values()), most=duration, rest=rest)
            for further in then:
                for number, some in further.items():
                    for packet in some:
                        self.sources[number].add(packet)
                await cycles(ctx, duration)
            counts.extend([ctx.get(self.router.flit_count), ctx.get(self.router.conflict_count)])
            self.errors = ctx.get(self.router.error_count)

        simulate(self.router, testbench, *self.sources.values(), *self.sinks)
        return counts


def packet(of, output, payload):
    """A packet to one output from any input, in every model."""
    return [of.header.pack([(output,)] if of.header.copies else [output], 0), *payload]


def lane_packet(of, output, payload):
    """The header from a lane: in model b there is a selector where a processor has a mask."""
    return [output, *payload] if of.header.copies else packet(of, output, payload)


def packet_from(number, of, output, payload):
    """The header from input ``number``."""
    return (packet if number < of.processor_ports else lane_packet)(of, output, payload)
