"""The layouts that traffic sources and sinks share: the stamp of a flit, the host's regions, and the words in them.

In a machine with traffic the flits of the network are wider by a :class:`Stamp`, which is above their data and identifies
the flit. No router reads it: the route in a header is lowest. So a packet can be a header alone, in flits
of any width, and the data are those of a network without stamps.
"""

from amaranth.hdl import C, Cat, Module, Mux, Signal, Value
from amaranth.lib import data, enum, memory, wiring

__all__ = [
    "Arrivals",
    "WINDOW",
    "LogEntry",
    "PairEntry",
    "Request",
    "Setup",
    "Stamp",
    "TraceEntry",
    "TrafficRegion",
    "Way",
    "data_of",
    "give_to_host",
    "within_burst",
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
    #: :class:`~fatcube.rtl.endpoint.sink.Arrivals` by source, and, from word 2**address_bits on, by source of copied
    #: packets. To be cleared before a run.
    ARRIVED = 4
    LATENCIES = 5  #: The histogram of latencies. To be cleared before a run.
    COUNTERS = 6  #: The counters of the source, then those of the sink. Read only.
    USED = 7  #: Packets sent by each way. To be cleared before a run.
    TRACE = 8  #: A ring of the packets to create, in order: :class:`TraceEntry`. Write only, if present.
    LOG = 9  #: A ring of the measured packets in order of arrival: :class:`LogEntry`. Read only, if present.
    PAIRS = 10  #: :class:`PairEntry` by source. To be cleared before a run, if present.
    LANES = 11  #: The flits that crossed each lane while the run was measured. Read only, of a node that counts them.
    GIVEN = 12  #: The packets that have been put into the ring ``TRACE``, modulo 2**32. Write only, if present.
    TAKEN = 13  #: The packets that the source has taken, where registers can be read where they lie.
    LOGGED = 14  #: The packets that have been put into the ring ``LOG``, likewise.


class Setup(data.StructLayout):
    """The settings that are individual to an endpoint.

    Members
    -------
    seed : :class:`unsigned(32)`
        The initial state of its random number generator; not 0.
    address : :class:`unsigned(16)`
        Its number among the endpoints.
    ways : :class:`unsigned(16)`
        The number of entries of its table of ways from which it chooses.
    rate : :class:`unsigned(16)`
        Packets per 65,536 cycles, only with ``rates``.

    Parameters
    ----------
    rates : :class:`bool`
        Sources have rates of their own.
    """

    def __init__(self, *, rates: bool = False) -> None:
        super().__init__({"seed": 32, "address": 16, "ways": 16, **({"rate": 16} if rates else {})})


class Way(data.StructLayout):
    """A way that packets can take.

    Members
    -------
    route : :class:`unsigned(route_bits)`
        The route in the header.
    destination : :class:`unsigned(address_bits)`
        The endpoint that it leads to; the source itself if packets are copied to several endpoints.
    flits : :class:`unsigned(16)`
        Flits of its packets; 0 for the common packet length.
    unnumbered : :class:`unsigned(1)`
        Its packets get no sequence number for the destination: they are not expected to arrive.
    """

    def __init__(self, route_bits: int, address_bits: int) -> None:
        super().__init__({"route": route_bits, "destination": address_bits, "flits": 16, "unnumbered": 1})


class TraceEntry(data.StructLayout):
    """A packet that a source is to create.

    Members
    -------
    cycle : :class:`unsigned(32)`
        The cycle of the run in which it is created, modulo 2**32.
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
        The source endpoint, and the number of the packet among the packets from there, modulo 65,536.
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
        The number of these packets, and the longest of their latencies.
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
        Copied from its :class:`Stamp` into the reply, whose latency thus covers both request and reply.
    """

    def __init__(self, address_bits: int) -> None:
        super().__init__({"source": address_bits, "created": CYCLE, "measured": 1})


class Stamp(data.StructLayout):
    """The bits above the data of a flit, which say what it is.

    Members
    -------
    destination, source : :class:`unsigned(address_bits)`
        The destination and source endpoints. If they are the same, the packet is copied to several other endpoints.
    sequence : :class:`unsigned(16)`
        The number of its packet among those from this source to this destination, from 0, modulo 65,536.
    left : :class:`unsigned(16)`
        The flits of the packet behind this one.
    first : :class:`unsigned(1)`
        It is the header.
    created : :class:`unsigned(32)`
        The cycle of the run in which the packet was created; for a reply, the cycle in which the request was created.
    measured : :class:`unsigned(1)`
        The packet was created while the run was measured, so its latency counts.
    """

    def __init__(self, address_bits: int) -> None:
        super().__init__(
            {
                "destination": address_bits,
                "source": address_bits,
                "sequence": SEQUENCE,
                "left": 16,
                "first": 1,
                "created": CYCLE,
                "measured": 1,
            }
        )


def data_of(m: Module, stamp: data.View, width: int) -> Value:
    """The data of the flit with this stamp, of which the route in a header takes the lowest bits.

    They are pseudo-random, so a sink knows what they must be: the hash "one at a time" of 32 bits at a time, repeated, and
    rotated by five more bits each time. Source: R. Jenkins, "Hash functions", Dr. Dobb's Journal (September 1997).
    """
    parts = Cat(stamp.sequence, stamp.left), stamp.created, Cat(stamp.source, stamp.destination)
    state: Value = C(0, 32)
    for number, part in enumerate((*parts, Cat(stamp.first, stamp.measured))):
        added, mixed = Signal(32, name=f"added{number}"), Signal(32, name=f"mixed{number}")
        m.d.comb += [added.eq((state + part)[:32] * 1025), mixed.eq(added ^ added >> 6)]
        state = mixed
    ninefold, last = Signal(32), Signal(32)
    m.d.comb += [ninefold.eq(state * 9), last.eq((ninefold ^ ninefold >> 11) * 32769)]
    return Cat(last.rotate_left(5 * index) for index in range(-(-width // 32)))[:width]


WINDOW = 64
"""The number of latest packets of each source for which a sink records whether they have arrived."""


class Arrivals(data.StructLayout):
    """The record of arrivals from one source: either of the packets for this sink alone, or of the copied packets.

    Members
    -------
    expected : :class:`unsigned(16)`
        The sequence number after the highest that has arrived.
    missing : :class:`unsigned(32)`
        Bit i is set if packet ``expected`` - 1 - i has not arrived.
    """

    def __init__(self) -> None:
        super().__init__({"expected": SEQUENCE, "missing": WINDOW})


def give_to_host(
    m: Module, host: wiring.PureInterface, region: TrafficRegion, read: memory.ReadPort, write: memory.WritePort
) -> None:
    """Let the host read and write a memory as ``region``, through ports that other logic uses between these accesses."""
    asked = Signal(name=f"asked_{region.name.lower()}")
    selected = host.select & (host.region == region)
    m.d.sync += asked.eq(selected)
    with m.If(selected):
        m.d.comb += [
            read.addr.eq(host.word),
            read.en.eq(1),
            write.addr.eq(host.word),
            write.en.eq(host.write),
            write.data.eq(host.data),
        ]
    with m.If(asked):
        m.d.comb += host.value.eq(read.data)


def within_burst(m: Module, random: Value, creating: Value, begins: Value, ends: Value) -> Signal:
    """Add a register that is 1 within a burst, while packets are created.

    A burst begins with probability ``begins`` / 2**32 in a cycle, and ends with probability ``ends`` / 65,536.
    """
    within = Signal(name="within_burst")
    # The end of a burst is independent of the bits for the creation of a packet and of the high bits for its way.
    with m.If(creating):
        m.d.sync += within.eq(Mux(within, ~(random[16:][::-1] < ends), random < begins))
    return within
