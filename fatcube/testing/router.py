"""Sources and sinks at all ports of a generated router: streams of processors, and lanes of whatever kind the router has."""

from collections.abc import Callable, Sequence
import dataclasses
import functools
import operator
import random
from typing import Any

import cocotb
from cocotb.triggers import ClockCycles

from fatcube.testing.around import Around
from fatcube.testing.circuits import CircuitSink, CircuitSource
from fatcube.testing.description import Description
from fatcube.testing.ends import Monitor, Source, high
from fatcube.testing.flits import FlitSink, FlitSource
from fatcube.testing.lanes import LaneSink, LaneSource
from fatcube.testing.packet import Packet
from fatcube.testing.pauses import random_pauses
from fatcube.testing.scoreboard import Scoreboard

__all__ = ["RouterAround", "Turn"]


_LONGER = 3  # flits more than the longest packet
_STOPPED = 32  # cycles more than a sender may stop
_REFUSED = 0.2  # of the set-ups of circuits that cross a lane, where they can be refused


@dataclasses.dataclass(frozen=True)
class Turn:
    """A way through a router.

    Parameters
    ----------
    input, output : :class:`int`
        Their numbers.
    channel_class : :class:`int`
        The class of virtual channels that packets come in by.
    sent : :class:`int`
        The lowest bits of a header that takes it: all below the message id.
    received : :class:`int` or ``None``
        The lowest bits as they leave the router; ``None`` if they are not known.
    """

    input: int
    output: int
    channel_class: int
    sent: int
    received: int | None


class RouterAround(Around):
    """A router.

    Parameters
    ----------
    entity : handle of cocotb
        The router.
    about : :class:`Description`
        Its description.

    Attributes
    ----------
    inputs, outputs : list of :class:`str`
        The names of its streams and lanes, by number.
    turns : list of :class:`Turn`
        One of each kind; those of routers that look destinations up are those of one node.
    errors : :class:`int`
        Cycles in which ``error`` was 1, after :meth:`start`.
    """

    def __init__(self, entity: Any, about: Description) -> None:
        self._kept = about.header.kept
        super().__init__(entity, about, Scoreboard(keeps_order=about.parameters["virtual_channels"] == 1))
        names = about.about["router"]["inputs_and_outputs"]
        self.inputs, self.outputs = [name["input"] for name in names], [name["output"] for name in names]
        self.errors = 0
        self.turns = [
            Turn(
                number,
                turn["output"],
                turn["class"],
                int(turn["sent"], 16),
                None if turn["received"] is None else int(turn["received"], 16),
            )
            for number, turns in enumerate(about.about["example"]["headers"])
            for turn in turns
        ]
        self._clocks, self._resets = [entity.clk], [entity.rst]
        self._lanes = about.about["lanes"]
        self.processor_ports = about.about["processors"] * about.ports_per_processor
        """Inputs, and outputs, of processors; they are numbered before the lanes."""
        for number, (into, out) in enumerate(zip(self.inputs, self.outputs)):
            make_source, make_sink = self._kinds(number)
            self.sources.append(make_source(entity, into, entity.clk, entity.rst))
            self.sinks.append(make_sink(entity, out, entity.clk, entity.rst, to=self._judge(out)))
        if about.has_port("routes"):
            entity.routes.value = int(about.about["example"]["routes"], 16)
        if about.has_port("number"):
            entity.number.value = about.about["example"]["node"]

    def _kinds(self, number: int) -> tuple[Callable[..., Source], Callable[..., Monitor]]:
        lanes = self._lanes
        if number < self.processor_ports:
            return FlitSource, FlitSink
        if lanes["answers"]:

            def sink(*place: Any, **options: Any) -> CircuitSink:
                return CircuitSink(*place, **options, refuse=random_pauses(_REFUSED, seed=number))

            return CircuitSource, sink
        if lanes["channels"] > 1:
            depth = lanes["depth"]
            return (
                lambda *place, **options: LaneSource(*place, **options, depth=depth),
                lambda *place, **options: LaneSink(*place, **options, depth=depth),
            )
        return FlitSource, FlitSink

    def _judge(self, name: str) -> Callable[[Packet], None]:
        """The function to which a sink passes its packets; of an unknown header, only the bits that no router changes count."""

        def judge(packet: Packet) -> None:
            if self.unknown_routes:
                packet = dataclasses.replace(packet, words=self._kept(packet.words))
            self.scoreboard.received(name, packet)

        return judge

    @property
    def unknown_routes(self) -> bool:
        """Whether the description lacks the changes of the routes in headers."""
        return any(turn.received is None for turn in self.turns)

    async def start(self) -> None:
        """Drive the clock, reset the router, and count errors."""
        await super().start()
        cocotb.start_soon(self._count())

    async def _count(self) -> None:
        while True:
            await self.entity.clk.rising_edge
            self.errors += high(self.entity.error)

    def random_packet(self, turn: Turn, pick: random.Random, payload: int) -> Packet:
        """A packet with a random message id and ``payload`` random words, on a channel of the turn's class."""
        header, lanes = self.about.header, self._lanes
        words = [header.pack(turn.sent, message_id=pick.getrandbits(header.message_bits))]
        words += [pick.getrandbits(self.about.width) for _ in range(payload)]
        channels = range(turn.channel_class, lanes["channels"], lanes["classes"])
        return Packet(words, channel=pick.choice(channels) if turn.input >= self.processor_ports else 0)

    def send_turn(self, turn: Turn, packet: Packet, *, arrives: Sequence[int] | None = None) -> None:
        """Queue a packet that takes a turn.

        Parameters
        ----------
        arrives : list of :class:`int`
            Its words as they leave the router, but for the header's route; those that are sent if not given.
        """
        self._expect(turn, packet, packet.words if arrives is None else arrives, turn.received)
        self.sources[turn.input].send_nowait(packet)

    def send_copies(self, turns: Sequence[Turn], packet: Packet) -> None:
        """Queue a packet with the mask of all these turns from one input, of which a copy takes each."""
        header = self.about.header
        mask = functools.reduce(operator.or_, (turn.sent for turn in turns))
        packet = dataclasses.replace(
            packet, words=[header.kept(packet.words)[0] << header.route_bits | mask, *packet.words[1:]]
        )
        beyond = next(bits for name, (_, bits) in header.fields().items() if name.startswith("selector_beyond"))
        for turn in turns:
            # Processors receive the header as it was sent; beyond a lane, its selector is lowest, which is 0 here.
            lane = turn.output >= self.processor_ports
            self._expect(turn, packet, packet.words, mask >> beyond << beyond if lane else mask)
        self.sources[turns[0].input].send_nowait(packet)

    def _expect(self, turn: Turn, packet: Packet, arrives: Sequence[int], received: int | None) -> None:
        """Expect a packet at the output of a turn."""
        header, *payload = arrives
        low = self.about.header.route_bits
        header >>= low
        if not self.unknown_routes:
            assert received is not None
            header = header << low | received
        expected = dataclasses.replace(packet, words=[header, *payload])
        self.scoreboard.sent(self.inputs[turn.input], self.outputs[turn.output], expected)

    def copies(self) -> list[list[Turn]]:
        """For each processor port of a router that copies packets, the turns that one packet can take together."""
        if "mask" not in self.about.header.fields():
            return []
        several = [[turn for turn in self.turns if turn.input == port] for port in range(self.processor_ports)]
        return [turns for turns in several if len(turns) > 1]

    def illegal(self) -> list[tuple[int, int]]:
        """Inputs, each with the lowest bits of a header for an output that it does not reach."""
        headers = self.about.about["example"]["illegal"]
        return [(number, int(header, 16)) for number, header in enumerate(headers) if header is not None]

    def limited(self) -> list[Turn]:
        """A turn from each input that cuts packets which are too long; none if packets may be of any length."""
        if not self.about.parameters["longest_packet"]:
            return []
        lanes_cut = not self._lanes["answers"] and self._lanes["channels"] == 1
        return [turn for turn in self._first_turns() if turn.input < self.processor_ports or lanes_cut]

    def stoppable(self) -> list[Turn]:
        """A turn from each input that ends packets whose sender stops; none if senders may stop."""
        if not self.about.parameters["stop_timeout"]:
            return []
        return [turn for turn in self._first_turns() if turn.input < self.processor_ports]

    def _first_turns(self) -> list[Turn]:
        return list({turn.input: turn for turn in reversed(self.turns)}.values())

    def contending(self) -> list[Turn]:
        """Two turns from different inputs to one output; none if no two inputs reach one."""
        for turn in self.turns:
            for other in self.turns:
                if other.output == turn.output and other.input > turn.input:
                    return [turn, other]
        return []

    def send_too_long(self, turn: Turn, pick: random.Random) -> None:
        """Queue a packet that is longer than the longest, of which that much is to arrive."""
        longest = self.about.parameters["longest_packet"]
        packet = self.random_packet(turn, pick, longest - 1 + _LONGER)
        self.send_turn(turn, packet, arrives=packet.words[:longest])

    def send_stopped(self, turn: Turn, pick: random.Random) -> None:
        """Queue a packet whose sender stops behind the second word: an empty tail flit is to follow that."""
        words = 4 if self.about.parameters["longest_packet"] == 0 else min(4, self.about.parameters["longest_packet"])
        packet = self.random_packet(turn, pick, words - 1)
        place = min(2, words - 1)
        packet.stop = (place, self.about.parameters["stop_timeout"] + _STOPPED)
        self.send_turn(turn, packet, arrives=[*packet.words[:place], 0])

    async def failed(self) -> int:
        """Wait for the packet under way, and return the cycles in which ``error`` was 1 meanwhile."""
        before = self.errors
        await self.drain()
        await ClockCycles(self.entity.clk, 2)
        return self.errors - before

    def flits(self) -> int:
        """Flits that have left the router since the start."""
        return sum(sink.words_received for sink in self.sinks)
