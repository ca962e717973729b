"""The words that traffic sources and sinks share: what a packet says of itself, how it is told whole, the host's regions."""

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib import data, enum, memory, wiring

__all__ = [
    "LogEntry",
    "PairEntry",
    "Request",
    "Setup",
    "Stamp",
    "TraceEntry",
    "TrafficRegion",
    "Way",
    "fewest_flits",
    "give_to_host",
    "repeated",
    "stamp_words",
]


SEQUENCE = 16  # bits
CYCLE = 32
COUNT = 32


class TrafficRegion(enum.Enum, shape=4):
    """The part of a :class:`~fatcube.rtl.endpoint.traffic_endpoint.TrafficEndpoint` that the host bus addresses."""

    IDLE = 0  #: Nothing.
    SETUP = 1  #: The only word: :class:`Setup`. Write only.
    ROUTES = 2  #: The ways that packets can take: :class:`Way`. Write only.
    NUMBERED = 3  #: Packets sent to each destination, modulo 65,536. To be cleared before a run.
    #: What has arrived from each source, then, from word 2**address_bits on, of what each copies:
    #: :class:`~fatcube.rtl.endpoint.sink.Arrivals`. To be cleared before a run.
    ARRIVED = 4
    LATENCIES = 5  #: The histogram of latencies. To be cleared before a run.
    COUNTERS = 6  #: The counters of the source, then those of the sink. Read only.
    USED = 7  #: Packets sent by each way. To be cleared before a run.
    TRACE = 8  #: The packets to create, in order: :class:`TraceEntry`; behind them one of ones. Write only, if there is one.
    LOG = 9  #: The packets that arrived, in order: :class:`LogEntry`, as many as were measured. Read only, if there is one.
    PAIRS = 10  #: :class:`PairEntry` by source. To be cleared before a run, if there are any.
    LANES = 11  #: The flits that crossed each lane while the run was measured. Read only, of a node that counts them.


class Setup(data.StructLayout):
    """What tells an endpoint from all others.

    Members
    -------
    seed : :class:`unsigned(32)`
        The state that its random numbers begin with; not 0.
    address : :class:`unsigned(16)`
        Its number among the endpoints.
    ways : :class:`unsigned(16)`
        The entries of its table of ways that it picks from.
    """

    def __init__(self) -> None:
        super().__init__({"seed": 32, "address": 16, "ways": 16})


class Way(data.StructLayout):
    """A way that packets can take.

    Members
    -------
    route : :class:`unsigned(route_bits)`
        The route in the header.
    destination : :class:`unsigned(address_bits)`
        The endpoint that it leads to; that of the source itself if packets are copied to several.
    flits : :class:`unsigned(16)`
        Flits of its packets; 0 for as many as those of all. With 1, a packet is a header alone, whose message id is the
        low bits of its destination.
    unnumbered : :class:`unsigned(1)`
        Its packets have no number among those to the destination: none is to arrive, or they are headers alone.
    """

    def __init__(self, route_bits: int, address_bits: int) -> None:
        super().__init__({"route": route_bits, "destination": address_bits, "flits": 16, "unnumbered": 1})


class TraceEntry(data.StructLayout):
    """A packet that a source is to create.

    Members
    -------
    cycle : :class:`unsigned(32)`
        The cycle of the run in which it is created. All ones: there is none, and none follows.
    way : :class:`unsigned(16)`
        The entry of the source's table of ways.
    """

    def __init__(self) -> None:
        super().__init__({"cycle": CYCLE, "way": 16})


class LogEntry(data.StructLayout):
    """A packet that arrived at a sink, intact and for the first time.

    Members
    -------
    source, sequence : :class:`unsigned(16)`
        The endpoint that it is from, and its number among the packets from there, modulo 65,536.
    created, latency : :class:`unsigned(32)`
        The cycle in which it was created, and the cycles from then until its last flit had arrived.
    """

    def __init__(self) -> None:
        super().__init__({"source": 16, "sequence": SEQUENCE, "created": CYCLE, "latency": CYCLE})


class PairEntry(data.StructLayout):
    """The measured packets that arrived from one source.

    Members
    -------
    packets, longest : :class:`unsigned(32)`
        How many, and the longest of their latencies.
    latency : :class:`unsigned(48)`
        The sum of their latencies.
    """

    def __init__(self) -> None:
        super().__init__({"packets": 32, "longest": CYCLE, "latency": 48})


class Request(data.StructLayout):
    """A packet that arrived and is to be answered.

    Members
    -------
    source : :class:`unsigned(address_bits)`
        The endpoint that it is from.
    created, measured
        As in its :class:`Stamp`; they become those of the reply, whose latency is that of both.
    """

    def __init__(self, address_bits: int) -> None:
        super().__init__({"source": address_bits, "created": CYCLE, "measured": 1})


class Stamp(data.StructLayout):
    """The words behind the header of a packet, which say what it is.

    Members
    -------
    destination, source : :class:`unsigned(address_bits)`
        The endpoint that it is for, and the one that it is from. If these are the same, it is copied to several other endpoints.
    sequence : :class:`unsigned(16)`
        Its number among the packets from that source to that destination, from 0, modulo 65,536.
    flits : :class:`unsigned(16)`
        Its flits, all told.
    created : :class:`unsigned(32)`
        The cycle of the run in which it was created; of a reply, that of the request.
    measured : :class:`unsigned(1)`
        That was while the run was measured, so its latency counts.
    """

    def __init__(self, address_bits: int) -> None:
        super().__init__(
            {
                "destination": address_bits,
                "source": address_bits,
                "sequence": SEQUENCE,
                "flits": 16,
                "created": CYCLE,
                "measured": 1,
            }
        )


def stamp_words(width: int, address_bits: int) -> int:
    """The words of ``width`` bits that a :class:`Stamp` takes."""
    return -(-Stamp(address_bits).size // width)


def fewest_flits(width: int, address_bits: int) -> int:
    """The flits of the shortest packet: a header, a :class:`Stamp`, and the signature of its words."""
    return 1 + stamp_words(width, address_bits) + 1


def repeated(value: Value, width: int) -> Value:
    """``value`` over and over, in ``width`` bits."""
    return Cat([value] * -(-width // len(value)))[:width]


def give_to_host(
    m: Module, host: wiring.PureInterface, region: TrafficRegion, read: memory.ReadPort, write: memory.WritePort
) -> None:
    """Let the host read and write a memory as ``region``, through ports that are used otherwise while it does not."""
    asked = Signal(name=f"asked_{region.name.lower()}")
    selected = host.select & (host.region == region)
    m.d.sync += asked.eq(selected)
    with m.If(selected):
        m.d.comb += [
            read.addr.eq(host.word),
            write.addr.eq(host.word),
            write.en.eq(host.write),
            write.data.eq(host.data),
        ]
    with m.If(asked):
        m.d.comb += host.value.eq(read.data)
