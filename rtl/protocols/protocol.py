"""A protocol of processor ports as data: the names of its signals by role, of its clocks and counters, and its name for tools."""

from collections.abc import Iterator, Mapping
import dataclasses
import enum
from typing import Self

__all__ = ["HANDSHAKE", "Protocol", "Role", "StreamSignal"]


class Role(enum.Enum):
    """The purpose of a signal of a stream, in any protocol."""

    PAYLOAD = enum.auto()
    """A flit: a word and, above it, whether it is the last of its packet."""
    DATA = enum.auto()
    """A word of a packet."""
    LAST = enum.auto()
    """Whether that is the last word of its packet, 1 bit."""
    DESTINATION = enum.auto()
    SOURCE = enum.auto()
    KEEP = enum.auto()
    """The bytes of the word that count, a bit for each."""
    USER = enum.auto()
    """What the user sends with the last word."""
    VALID = enum.auto()
    """The transmitter offers something, 1 bit."""
    READY = enum.auto()
    """The receiver takes it, 1 bit: the one signal that the receiver drives."""


HANDSHAKE = (Role.VALID, Role.READY)
"""The signals that do not move with a word."""

_OF_ONE_BIT = dict.fromkeys((Role.LAST, *HANDSHAKE), 1)


@dataclasses.dataclass(frozen=True)
class StreamSignal:
    """A signal of a stream.

    Members
    -------
    role : :class:`Role`
    name : :class:`str`
        Its name in the protocol.
    meaning : :class:`str`
        The comment beside its ports.
    """

    role: Role
    name: str
    meaning: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Protocol:
    """The two streams of each port of a processor, their clocks, resets and counters.

    Endpoints are the ports of all processors, numbered processor by processor. In what depends on them, ``{endpoint}`` stands
    for the number, and ``{processor}`` and ``{port}`` for those of the processor and of its port.

    Members
    -------
    name : :class:`str`
        Its name in flags and descriptions.
    signals : tuple of :class:`StreamSignal`
        The signals that a stream can have, in the order of the ports.
    streams : (:class:`str`, :class:`str`)
        The names of the stream into the network and of the one out of it.
    streams_by_name : (:class:`str`, :class:`str`)
        The names of both for an endpoint with a name, which stands for ``{endpoint}`` there, and in the names of its clock and
        counters.
    names : mapping of :class:`int` to :class:`str`
        The names of endpoints that have any.
    joint : :class:`str`
        The text between the name of a stream and that of a signal, by default that of Amaranth.
    clock, reset : :class:`str`
        The ports with the clock of the network, of which the rising edge counts, and with its synchronous reset; by default
        those of a domain of Amaranth's.
    reset_level : :class:`int`
        The level at which resets are active.
    own : :class:`str`
        The prefix of the clock and the reset of an endpoint that has its own; empty if none has.
    counters : mapping of :class:`str` to :class:`str`
        The meanings of the counters of each endpoint, by name.
    counters_of_bytes : mapping of :class:`str` to :class:`str`
        The further ones where packets are byte-exact.
    bus : tuple of :class:`str` or ``None``
        The vendor, library, name and version of its bus definition in IP-XACT, which has the names of signals in capitals;
        ``None`` if there is none.
    others : mapping of :class:`int` to :class:`Protocol`
        The protocols of the endpoints that have another one, with the names and the clock of this one.
    """

    name: str
    signals: tuple[StreamSignal, ...]
    streams: tuple[str, str]
    streams_by_name: tuple[str, str] = ("", "")
    names: Mapping[int, str] = dataclasses.field(default_factory=dict[int, str])
    joint: str = "__"
    clock: str = "clk"
    reset: str = "rst"
    reset_level: int = 1
    own: str = ""
    counters: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    counters_of_bytes: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    bus: tuple[str, str, str, str] | None = None
    others: Mapping[int, "Protocol"] = dataclasses.field(default_factory=dict[int, "Protocol"])

    def named(self, names: Mapping[int, str]) -> Self:
        """This protocol where these endpoints have names."""
        others = {endpoint: other.named(names) for endpoint, other in self.others.items()}
        return dataclasses.replace(self, names=names, others=others)

    def but(self, others: Mapping[int, "Protocol"]) -> Self:
        """This protocol where these endpoints have others, in the clock and the reset of the network."""
        of_network = {"clock": self.clock, "reset": self.reset, "reset_level": self.reset_level, "names": self.names}
        there = {endpoint: dataclasses.replace(other, **of_network) for endpoint, other in others.items()}
        return dataclasses.replace(self, others=there)

    def at(self, endpoint: int) -> "Protocol":
        """The protocol of an endpoint: this one, if it is none of the others."""
        return self.others.get(endpoint, self)

    def label(self, endpoint: int) -> str:
        """The name of an endpoint, or its number."""
        return self.names.get(endpoint, str(endpoint))

    def streams_of(self, endpoint: int, ports_per_processor: int = 1) -> tuple[str, str]:
        """The names of the streams of an endpoint, into the network and out of it."""
        processor, port = divmod(endpoint, ports_per_processor)
        there = self.at(endpoint)
        streams = there.streams_by_name if endpoint in self.names else there.streams
        into, out = (name.format(endpoint=self.label(endpoint), processor=processor, port=port) for name in streams)
        return into, out

    def renamed(self, ports_per_processor: int = 1) -> dict[str, str]:
        """The ports of the endpoints with names, by the ports that they would have without."""
        plain = self.named({})
        return {
            usual: name
            for endpoint in self.names
            for usual, name in zip(
                plain.ports_of(endpoint, ports_per_processor), self.ports_of(endpoint, ports_per_processor), strict=True
            )
        }

    def ports(self, stream: str) -> dict[Role, str]:
        """The ports by role of a stream of this protocol that has all signals, in their order."""
        return {signal.role: f"{stream}{self.joint}{signal.name}" for signal in self.signals}

    def port(self, stream: str, role: Role) -> str:
        """The port of a stream with that role, whether the stream has one or not."""
        return self.ports(stream)[role]

    def own_clock(self, endpoint: int) -> tuple[str, str]:
        """The ports with the clock and the reset of an endpoint that has its own; those of the network if it never has."""
        own = self.at(endpoint).own.format(endpoint=self.label(endpoint))
        return f"{own}{self.clock}", f"{own}{self.reset}"

    def clocks(self, endpoint: int | None = None) -> dict[str, str]:
        """The ports with the clock and the reset of the network, or with those of an endpoint, each with its meaning."""
        names, of = (
            (self.own_clock(endpoint), " of this port") if endpoint is not None else ((self.clock, self.reset), "")
        )
        level = "high" if self.reset_level else "low"
        return dict(zip(names, (f"clock{of}, rising edge", f"reset{of}, synchronous, active {level}")))

    def ports_of(self, endpoint: int, ports_per_processor: int = 1) -> dict[str, str]:
        """The ports that an endpoint can have, each with its meaning."""
        there = self.at(endpoint)
        meanings = [signal.meaning for signal in there.signals]
        streams = (there.ports(stream).values() for stream in self.streams_of(endpoint, ports_per_processor))
        counters = {**there.counters, **there.counters_of_bytes}
        return {
            **{port: meaning for ports in streams for port, meaning in zip(ports, meanings)},
            **(self.clocks(endpoint) if there.own else {}),
            **{self.counter(name, endpoint): meaning for name, meaning in counters.items()},
        }

    def counter(self, name: str, endpoint: int) -> str:
        """The port of a counter of an endpoint."""
        return f"{name}_{self.label(endpoint)}"

    def counter_names(self, *, byte_exact: bool) -> tuple[str, ...]:
        """The counters of each endpoint with this protocol, where packets are byte-exact or not."""
        return (*self.counters, *(self.counters_of_bytes if byte_exact else ()))

    def sized(self, bits: Mapping[Role, int]) -> Iterator[tuple[StreamSignal, int]]:
        """The signals of a stream with their bits, of which ``bits`` has those of all that are not always of one bit."""
        sizes = _OF_ONE_BIT | dict(bits)
        return ((signal, size) for signal in self.signals if (size := sizes.get(signal.role, 0)))
