"""The words that traffic sources and sinks share: what a packet says of itself, how it is told whole, the host's regions."""

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib import data, enum, memory, wiring

__all__ = ["Setup", "Stamp", "TrafficRegion", "fewest_flits", "give_to_host", "repeated", "stamp_words"]


SEQUENCE = 16  # bits
CYCLE = 32
COUNT = 32


class TrafficRegion(enum.Enum, shape=3):
    """The part of a :class:`~rtl.endpoint.traffic_endpoint.TrafficEndpoint` that the host bus addresses."""

    IDLE = 0  #: Nothing.
    SETUP = 1  #: The only word: :class:`Setup`. Write only.
    ROUTES = 2  #: The ways that packets can take: :class:`~rtl.endpoint.source.Way`. Write only.
    NUMBERED = 3  #: Packets sent to each destination, modulo 65,536. To be cleared before a run.
    #: What has arrived from each source, then, from word 2**address_bits on, of what each copies:
    #: :class:`~rtl.endpoint.sink.Arrivals`. To be cleared before a run.
    ARRIVED = 4
    LATENCIES = 5  #: The histogram of latencies. To be cleared before a run.
    COUNTERS = 6  #: The counters of the source, then those of the sink. Read only.
    USED = 7  #: Packets sent by each way. To be cleared before a run.


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
        The cycle of the run in which it was created.
    measured : :class:`unsigned(1)`
        It was created while the run was measured, so its latency counts.
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
