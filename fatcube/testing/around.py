"""Sources and sinks at all ports of a generated network or router, with a scoreboard: a testbench around it, in one object.

The design may be the top module, or an instance anywhere in a larger design whose own logic is not connected to its ports.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
import functools
import itertools
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Combine

from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.protocols.flits import FLITS
from fatcube.rtl.protocols.protocol import Role
from fatcube.testing.axi import AxiSink, AxiSource
from fatcube.testing.description import Description, Route
from fatcube.testing.ends import Monitor, Pausing, Source, high, now
from fatcube.testing.flits import FlitSink, FlitSource, HeaderSink, HeaderSource
from fatcube.testing.packet import Packet
from fatcube.testing.pauses import periodic_pauses, random_pauses
from fatcube.testing.scoreboard import Scoreboard
from fatcube.testing.standing import standing_lanes
from fatcube.testing.turns import SENDERS, check_turns, packets_each, some_of

__all__ = ["STILL", "Around", "AxiAround", "FlitsAround", "random_words"]

__tracebackhide__ = True

STILL = 2000
"""Cycles in which no word moves after which packets count as lost, by default: far more than a packet needs."""

_RESET = 20  # cycles of each clock
_AFTER = 100  # cycles, in which a packet that arrives twice does so


def random_words(pick: random.Random, count: int, width: int) -> list[int]:
    """A list of ``count`` random words of ``width`` bits."""
    return [pick.getrandbits(width) for _ in range(count)]


class Around:
    """Sources, sinks, clocks and resets of a design, and the packets under way in it.

    Attributes
    ----------
    sources, sinks : list
        By the number of their ports.
    scoreboard : :class:`Scoreboard`
        Is told of every packet that is sent by :meth:`send`, and of every one that arrives.
    """

    def __init__(self, entity: Any, about: Description, scoreboard: Scoreboard) -> None:
        self.entity = entity
        self.about = about
        self.scoreboard = scoreboard
        self.sources: list[Source] = []
        self.sinks: list[Monitor] = []
        self._names: list[Hashable] = []
        self._clocks: list[Any] = []
        self._resets: list[Any] = []
        self._active = 1
        self._error = ""

    def _surround(self, ends: Callable[[int], tuple[Callable[..., Source], Callable[..., Monitor]]]) -> None:
        """Place a source and a sink at each port of a processor, which has the clock and the reset of the network or its own.

        ``ends`` are the classes of a port, or what makes them.
        """
        about, protocol, entity = self.about, self.about.protocol, self.entity
        self._active = protocol.reset_level
        of_network = protocol.clock, protocol.reset
        places = {of_network: (getattr(entity, protocol.clock), getattr(entity, protocol.reset))}
        self._names = [*range(about.endpoints)]
        for port in range(about.endpoints):
            into, out = about.prefixes(port)
            source, sink = ends(port)
            own = protocol.own_clock(port)
            if own not in places and about.has_port(own[0]):
                places[own] = getattr(entity, own[0]), getattr(entity, own[1])
            place, level = places.get(own, places[of_network]), {"reset_active_level": bool(self._active)}
            self.sources.append(source(entity, into, *place, **level))
            self.sinks.append(sink(entity, out, *place, **level, to=self._receive(port)))
        self._clocks, self._resets = map(list, zip(*places.values()))
        cocotb.start_soon(self._watch_errors(entity.error))

    def start_clocks(self, periods: Sequence[int] = (10_000, 6_000, 8_000, 10_000, 12_000, 14_000)) -> None:
        """Drive all clocks.

        Parameters
        ----------
        periods : sequence of :class:`int`
            In ps: that of the network, and those that ports with clocks of their own have in turn.
        """
        first, *others = periods
        for clock, period in zip(self._clocks, itertools.chain([first], itertools.cycle(others))):
            cocotb.start_soon(Clock(clock, period, "ps", period_high=period // 2).start())

    async def reset(self) -> None:
        """Reset the design, and forget everything that is under way in it."""
        for reset in self._resets:
            reset.value = self._active
        await Combine(*(ClockCycles(clock, _RESET) for clock in self._clocks))
        for source in self.sources:
            source.clear()
        self.scoreboard.clear()
        self._error = ""
        for reset in self._resets:
            reset.value = 1 - self._active
        await ClockCycles(self._clocks[0], _RESET)

    async def start(self) -> None:
        """Drive all clocks, and reset the design."""
        self.start_clocks()
        await self.reset()

    def stop(self) -> None:
        """Leave the ports to something else."""
        for end in (*self.sources, *self.sinks):
            end.stop()

    def pause(self, probability: float, *, seed: object = 0) -> None:
        """Let all sources and sinks pause at random."""
        for number, end in enumerate((*self.sources, *self.sinks)):
            if isinstance(end, Pausing):
                end.set_pause_generator(random_pauses(probability, seed=f"{seed} {number}") if probability else None)

    def congest(self, *, moving: int = 2, paused: int = 14) -> None:
        """Let all sinks take words for a few cycles and pause for more, so that buffers and lanes fill up."""
        for sink in self.sinks:
            if isinstance(sink, Pausing):
                sink.set_pause_generator(periodic_pauses(moving, paused))

    def send(self, source: int, destination: int, packet: Packet) -> None:
        """Queue a packet at a port, which the scoreboard expects at ``destination``; where it goes its header or ``tdest`` says.

        Raises
        ------
        ValueError
            If there is no such port.
        """
        for parameter, port in (("source", source), ("destination", destination)):
            if not 0 <= port < len(self._names):
                raise ValueError(f"{parameter} must be a port from 0 to {len(self._names) - 1}, not {port}")
        self.scoreboard.sent(self._names[source], self._names[destination], packet)
        self.sources[source].send_nowait(packet)

    async def drain(self, *, still: int = STILL) -> int:
        """Wait until every packet has arrived, and check that nothing more comes.

        Parameters
        ----------
        still : :class:`int`
            Cycles without an arrival, and in which no port takes or delivers a word, after which packets count as lost.

        Returns
        -------
        cycles : :class:`int`
            The cycles of the first clock until the last packet had arrived, to within 10.

        Raises
        ------
        AssertionError
            If a packet is lost, or has arrived in part; the message names the stalled ports.
        """
        quiet, before, cycles = 0, self._moved(), 0
        while quiet < still and (self.scoreboard.under_way() or not all(source.idle() for source in self.sources)):
            await ClockCycles(self._clocks[0], 10)
            cycles += 10
            moved = self._moved()
            quiet = quiet + 10 if moved == before else 0
            before = moved
            for sink in self.sinks:
                assert sink.unfinished() <= self.scoreboard.longest, self._unfinished(sink)
        await ClockCycles(self._clocks[0], _AFTER)
        standing = [source.standing() for source in self.sources if not source.idle()]
        if standing or self.scoreboard.under_way():
            standing += standing_lanes(self.entity, self.about)
        self.scoreboard.check_empty("".join([now(), *(f"; {port}" for port in standing)]))
        assert not standing, f"blocked: {'; '.join(standing)}{now()}"
        for sink in self.sinks:
            assert sink.idle(), self._unfinished(sink)
        return cycles

    def _moved(self) -> int:
        """A number that changes with each word that a port takes or delivers."""
        return sum(source.words_sent for source in self.sources) + sum(sink.words_received for sink in self.sinks)

    def _unfinished(self, sink: Monitor) -> str:
        """A message for a sink that has part of a packet."""
        count, unit = sink.unfinished(), "bytes" if self.about.byte_exact else "words"
        return f"torn: port {sink.name} has received {count} {unit} of a packet, and not the last one{now()}"

    async def _watch_errors(self, error: Any) -> None:
        """Note the first error that the network reports after a reset."""
        while True:
            await error.value_change
            value = str(error.value)
            if "1" in value and not self._error and all(high(reset) != self._active for reset in self._resets):
                self._error = f"error: node {value[::-1].index('1')} has dropped or cut a packet{now()}"

    def check_errors(self) -> None:
        """Check that no router has reported an error since the last reset.

        Raises
        ------
        AssertionError
            If one has; the message names its node.
        """
        assert not self._error, self._error

    async def saturate(self, destination: int, packets: Mapping[int, Sequence[Packet]], patience: int) -> None:
        """Send packets to one port from several, each of which always has one that waits, and check that they take turns.

        Parameters
        ----------
        destination : :class:`int`
            The port.
        packets : mapping
            The packets of each port.
        patience : :class:`int`
            The most packets of others that may arrive while a port waits; 0 for any number.

        Raises
        ------
        AssertionError
            If a packet is lost, or a port waits for its turn for too long.
        """
        begin = len(self.scoreboard.arrivals)
        for source, some in packets.items():
            for packet in some:
                self.send(source, destination, packet)
        await self.drain()
        check_turns(self.scoreboard.arrivals[begin:], patience)

    def _receive(self, number: int) -> Any:
        """The function to which a sink passes its packets."""
        board, name = self.scoreboard, self._names[number]
        return lambda packet: board.received(name, packet)

    def read(self, name: str) -> int:
        """The value of a port of the design, as an integer."""
        return int(getattr(self.entity, name).value)


class FlitsAround(Around):
    """A network whose ports have flits.

    Parameters
    ----------
    entity : handle of cocotb
        The network.
    about : :class:`Description`
        Its description.
    """

    def __init__(self, entity: Any, about: Description) -> None:
        kept = about.header.kept
        super().__init__(entity, about, Scoreboard(keeps_order=about.keeps_order, contents=kept))
        self._surround(lambda port: (FlitSource, FlitSink))

    def send_on(self, route: Route, payload: Iterable[int], *, message: int = 0) -> None:
        """Queue a packet on a route: a header with that message id, and that payload, if any."""
        packet = self.about.header.packet(payload, route.header, message_id=message)
        self.send(route.source, route.destination, packet)

    def contenders(self, routes: Iterable[Route], patience: int, pick: random.Random) -> Mapping[int, Sequence[Packet]]:
        """Packets of a word each from some ports to one, on one of ``routes`` for each port: what :meth:`saturate` takes."""
        of_port = {route.source: route for route in routes}
        chosen = pick.sample(sorted(of_port), min(SENDERS, len(of_port)))
        count = packets_each(len(chosen), patience)
        return {
            port: [
                self.about.header.packet(random_words(pick, 1, self.about.width), of_port[port].header)
                for _ in range(count)
            ]
            for port in chosen
        }


class AxiAround(Around):
    """A network with AXI4-Streams, and perhaps with flits at some of its ports.

    Parameters
    ----------
    entity, about
        As in :class:`FlitsAround`.
    """

    COUNTERS: tuple[str, ...] = tuple(AXI_STREAM.counters)
    """The counters of each port."""

    def __init__(self, entity: Any, about: Description) -> None:
        self.COUNTERS = AXI_STREAM.counter_names(byte_exact=about.byte_exact)
        super().__init__(
            entity,
            about,
            Scoreboard(keeps_order=about.keeps_order, tid=lambda port: about.processor_of(int(str(port)))),
        )
        self._surround(self._ends)

    def _ends(self, port: int) -> tuple[Callable[..., Source], Callable[..., Monitor]]:
        """The makers of the source and the sink of a port."""
        if not self.has_flits(port):
            return AxiSource, AxiSink
        source = functools.partial(HeaderSource, headers=self.about.headers(port))
        return source, functools.partial(HeaderSink, route_bits=self.about.header.route_bits)

    def has_flits(self, port: int) -> bool:
        """Whether a port has flits, to which its source and sink here add headers, and which they take off."""
        return self.about.protocol.at(port).name == FLITS.name

    def least_words(self, source: int, destination: int) -> int:
        """The least number of words in a packet between two ports: 0, a header alone, if both have flits."""
        return 0 if self.about.byte_exact or self.has_flits(source) and self.has_flits(destination) else 1

    def send_to(self, source: int, destination: int, words: Sequence[int], *, tuser: int = 0) -> None:
        """Queue a packet from a port to another one; its words are bytes where packets are byte-exact."""
        self.send(source, destination, self.packet(words, destination, tuser=tuser))

    def packet(self, words: Sequence[int], tdest: int, *, tuser: int = 0, gap: int | None = None) -> Packet:
        """A packet as these ports have them."""
        return Packet([*words], tdest=tdest, tuser=tuser, gap=gap, of_bytes=self.about.byte_exact)

    def send_broken(self, source: int, destination: int, words: Sequence[int], gap: int) -> None:
        """Queue a packet of bytes whose TKEEP is 0 for the byte ``gap``, not the last: it is to arrive to there, with an error."""
        self.scoreboard.sent(source, destination, self.packet(words[:gap], destination, tuser=1))
        self.sources[source].send_nowait(self.packet(words, destination, gap=gap))

    def peers(self, source: int) -> list[int]:
        """The ports that a port can send to: those of its message class, itself among them."""
        mine = self.about.message_class(source)
        return [port for port in range(self.about.endpoints) if self.about.message_class(port) == mine]

    def some_ports(self, ports: Sequence[int], count: int, pick: random.Random) -> list[int]:
        """A random choice of ``count`` of these ports: of two or more, both kinds if ``ports`` have flits and AXI4-Streams."""
        return some_of(ports, count, pick, self.has_flits)

    def contenders(self, destination: int, patience: int, pick: random.Random) -> Mapping[int, Sequence[Packet]]:
        """Packets of a few bytes or a word from some ports to one: what :meth:`saturate` takes."""
        peers = self.peers(destination)
        chosen = self.some_ports(peers, min(SENDERS, len(peers)), pick)
        count, size = packets_each(len(chosen), patience), min(4, self.about.width // 8) if self.about.byte_exact else 1
        bits = self.about.word_bits
        return {
            port: [self.packet(random_words(pick, size, bits), destination) for _ in range(count)] for port in chosen
        }

    def undeliverable(self, source: int, pick: random.Random) -> dict[str, list[Packet]]:
        """Packets that are dropped, by the counter of such packets: for ports that a port cannot send to, and too long ones.

        Either are few, and none where ``tdest`` names nothing else, or packets may be of any length. Of a port with flits they
        are headers alone to ports with AXI4-Streams, which count them.
        """
        into, _ = self.about.prefixes(source)
        peers = self.peers(source)
        if self.has_flits(source):
            return {"empty_count": [self.packet([], port) for port in peers if not self.has_flits(port)]}
        numbers = 1 << len(getattr(self.entity, AXI_STREAM.port(into, Role.DESTINATION)))
        unknown = [number for number in (*range(self.about.endpoints), numbers - 1) if number not in peers][:2]
        unknown += unknown[-1:]  # one of them twice
        most, bits = self.about.most_words, self.about.word_bits
        return {
            "unknown_count": [self.packet(random_words(pick, 1, bits), number) for number in unknown],
            "too_long_count": [
                self.packet(random_words(pick, most + more, bits), source) for more in ((1, 2) if most else ())
            ],
        }

    def counts(self, counter: str) -> list[int]:
        """The values of one of :attr:`COUNTERS` of all ports, 0 of those with flits, which have none."""
        name = functools.partial(self.about.protocol.counter, counter)
        return [0 if self.has_flits(port) else self.read(name(port)) for port in range(self.about.endpoints)]

    def check_counts(self, due: Mapping[str, Sequence[int]] = {}) -> None:
        """Check all counters.

        Parameters
        ----------
        due : mapping
            The values of all ports by the name of the counter; counters that are not there must be 0.

        Raises
        ------
        AssertionError
            If one is another; the message names its port.
        """
        for counter in self.COUNTERS:
            counts = self.counts(counter)
            for port, (count, expected) in enumerate(zip(counts, due.get(counter, [0] * len(counts)))):
                assert count == expected, (
                    f"{counter} of port {port} is {count}, not {expected}; of all ports it is {counts}{now()}"
                )
