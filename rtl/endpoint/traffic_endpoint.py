"""A source and a sink of traffic for one port of a router."""

from amaranth.hdl import Array, Module, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.endpoint.host import HostBus
from fatcube.rtl.endpoint.sink import Sink
from fatcube.rtl.endpoint.source import BURSTS, Source
from fatcube.rtl.endpoint.traffic import CYCLE, Request, Setup, Stamp, TrafficRegion
from fatcube.rtl.endpoint.xorshift import Xorshift
from fatcube.rtl.flit import FlitStream

__all__ = ["COUNTERS", "TrafficEndpoint"]


_SOURCE_COUNTERS = ("offered", "refused", "accepted", "sent", "waited")
_SINK_COUNTERS = (
    *("arrived", "delivered", "torn", "corrupted", "misrouted", "doubled", "reordered", "lost", "late"),
    *("measured", "latency", "longest"),
)
COUNTERS = (*_SOURCE_COUNTERS, *_SINK_COUNTERS)
"""The counters of a source and of a sink, in the order of their words on the host bus."""


class TrafficEndpoint(wiring.Component):
    """A :class:`Source` and a :class:`Sink` with one address and one generator of random numbers.

    Members
    -------
    send : :py:`Out(FlitStream(width + Stamp(address_bits).size))`
    receive : :py:`In(FlitStream(width + Stamp(address_bits).size))`
    rate, packet_flits, source_pause, pause, histogram_shift, creating, measuring, cycle
        See :class:`Source` and :class:`Sink`.
    burst_begin, burst_end
        See :class:`Source`. With ``bursts`` only.
    asked : :py:`Out(stream.Signature(Request(address_bits)))`
    request : :py:`In(stream.Signature(Request(address_bits)))`
        The packets that the sink has taken, and the requests that the source is to answer. With ``answers`` only.
    running : :py:`In(1)`
        The random number generator runs; before a run it is held at the seed.
    idle : :py:`Out(1)`
        There is nothing more to send.
    active : :py:`Out(1)`
        A flit is sent or received in this cycle.
    host : :py:`In(HostBus(host_width, TrafficRegion))`

    Parameters
    ----------
    width, route_bits, address_bits, ways, queue, bins, host_width, bursts, trace, log, pairs, answers, rates
        See :class:`Source` and :class:`Sink`.
    """

    send: stream.Interface
    receive: stream.Interface
    rate: Signal
    packet_flits: Signal
    source_pause: Signal
    pause: Signal
    histogram_shift: Signal
    creating: Signal
    measuring: Signal
    cycle: Signal
    burst_begin: Signal
    burst_end: Signal
    asked: stream.Interface
    request: stream.Interface
    running: Signal
    idle: Signal
    active: Signal
    host: wiring.PureInterface

    def __init__(
        self,
        width: int,
        *,
        route_bits: int,
        address_bits: int,
        ways: int,
        queue: int,
        bins: int,
        host_width: int,
        bursts: bool = False,
        trace: int = 0,
        log: int = 0,
        pairs: bool = False,
        answers: int = 0,
        rates: bool = False,
    ) -> None:
        self.source = Source(
            width,
            route_bits=route_bits,
            address_bits=address_bits,
            ways=ways,
            queue=queue,
            host_width=host_width,
            bursts=bursts,
            trace=trace,
            answers=answers,
            rates=rates,
        )
        self.sink = Sink(
            width,
            route_bits=route_bits,
            address_bits=address_bits,
            bins=bins,
            host_width=host_width,
            log=log,
            pairs=pairs,
            answered=answers > 0,
            rates=rates,
        )
        request = stream.Signature(Request(address_bits))
        flits = FlitStream(width + Stamp(address_bits).size)
        super().__init__(
            {
                "send": Out(flits),
                "receive": In(flits),
                "rate": In(16),
                "packet_flits": In(16),
                "source_pause": In(16),
                "pause": In(16),
                "histogram_shift": In(5),
                **(BURSTS if bursts else {}),
                **({"asked": Out(request), "request": In(request)} if answers else {}),
                "running": In(1),
                "creating": In(1),
                "measuring": In(1),
                "cycle": In(CYCLE),
                "idle": Out(1),
                "active": Out(1),
                "host": In(HostBus(host_width, TrafficRegion)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        host = self.host
        m.submodules.source = source = self.source
        m.submodules.sink = sink = self.sink
        m.submodules.random = random = Xorshift()
        setup: data.View = Signal(Setup(rates=self.source.rates), reset_less=True)  # it is loaded, as memories are
        wiring.connect(m, source.stream, wiring.flipped(self.send))
        wiring.connect(m, wiring.flipped(self.receive), sink.stream)
        if self.source.answers:
            wiring.connect(m, sink.request, wiring.flipped(self.asked))
            wiring.connect(m, wiring.flipped(self.request), source.request)
        bursts = BURSTS if self.source.bursts else ()
        for part, names in (
            (source, ("rate", "packet_flits", "source_pause", *bursts, "creating", "measuring", "cycle")),
            (sink, ("pause", "histogram_shift", "measuring", "cycle")),
        ):
            m.d.comb += [
                *(getattr(part, name).eq(getattr(self, name)) for name in names),
                part.random.eq(random.value),
                part.setup.eq(setup),
                *(
                    getattr(part.host, name).eq(getattr(host, name))
                    for name in part.host.signature.members
                    if name != "value"
                ),
            ]
        m.d.comb += [
            random.seed.eq(setup.seed),
            random.run.eq(self.running),
            self.idle.eq(source.idle),
            self.active.eq((self.send.valid & self.send.ready) | (self.receive.valid & self.receive.ready)),
        ]

        with m.If(host.select & host.write & (host.region == TrafficRegion.SETUP)):
            m.d.sync += setup.eq(host.data)
        counters: list[Value] = [getattr(source, name) for name in _SOURCE_COUNTERS]
        counters += [getattr(sink, name) for name in _SINK_COUNTERS]
        counted = Signal(48)
        m.d.sync += counted.eq(0)
        with m.If(host.select & (host.region == TrafficRegion.COUNTERS)):
            m.d.sync += counted.eq(Array(counters)[host.word[: (len(COUNTERS) - 1).bit_length()]])
        m.d.comb += host.value.eq(source.host.value | sink.host.value | counted)
        return m
