"""Traffic that goes to the limits of a router whose lanes have virtual channels, and what must become of it.

Packets are legal, for no output, or of processors that send too long ones or stop inside them. The ends of the lanes are lists: a
sender counts its credits, and a receiver how many flits are on the way. Credits come back late and in bursts, so headers
meet every room from none to the whole buffer.
"""

import dataclasses
import functools
import random

from tests.support.feeds import ports
from tests.support.streams import StreamRule, cycles

__all__ = ["REST", "Traffic"]


#: The longest pause of a processor inside a packet, in cycles, unless it stops; a stop timeout is to be longer.
REST = 4
#: The longest pause of a lane.
LANE_REST = 25


@dataclasses.dataclass
class Packet:
    """A packet, and what must become of it.

    Members
    -------
    number : :class:`int`
        Its message id.
    flits : list of :class:`int`
        What is sent.
    stop : :class:`int` or ``None``
        The flits after which its sender stops, until the packet has been ended.
    output, group : :class:`int` or ``None``
        The output that it must leave by, and the class of its channel there; none if it is for no output.
    arrives : list of :class:`int`
        The payload that must leave.
    errors : :class:`int`
        The errors that it makes.
    entered : :class:`int`
        Flits that the router has taken.
    left : :class:`bool`
        It has left the router, whole.
    """

    number: int
    flits: list
    stop: int | None
    output: int | None
    group: int
    arrives: list
    errors: int
    entered: int = 0
    left: bool = False


class StoppingSource:
    """A processor that sends packets, rests for up to :data:`REST` cycles, and stops inside those that say so."""

    def __init__(self, stream, packets, dice):
        self.stream, self.dice = stream, dice
        self.flits = [(packet, place) for packet in packets for place in range(len(packet.flits))]
        self.done = not self.flits

    async def run(self, ctx):
        """The process."""
        stream, offered, position, rest = self.stream, False, 0, 0
        async for _, _, ready in ctx.tick().sample(stream.ready):
            if offered and ready:
                self.flits[position][0].entered += 1
                position, offered = position + 1, False
                rest = self.dice.randint(1, REST) if self.dice.random() < 0.1 else 0
                self.done = position == len(self.flits)
            if not offered and not self.done:
                packet, place = self.flits[position]
                offered = rest == 0 and (place != packet.stop or packet.left)
                rest = max(0, rest - 1)
                ctx.set(stream.payload.data, packet.flits[place])
                ctx.set(stream.payload.last, place == len(packet.flits) - 1)
            ctx.set(stream.valid, offered)


class LaneFeed:
    """The router before: packets on each channel, by credits, flit by flit on any channel, with pauses.

    ``whole`` is the room that a header needs.
    """

    def __init__(self, lane, packets, dice, *, depth, whole):
        self.lane, self.dice, self.depth, self.whole = lane, dice, depth, whole
        self.flits = [[(packet, place) for packet in some for place in range(len(packet.flits))] for some in packets]
        self.credits = [depth] * len(packets)

    @property
    def done(self):
        """Whether everything has been sent and all its credits are back."""
        return not any(self.flits) and set(self.credits) == {self.depth}

    async def run(self, ctx):
        """The process."""
        lane, channels, rest = self.lane, range(len(self.flits)), 0
        async for _, _, credit in ctx.tick().sample(lane.credit):
            for channel in channels:
                self.credits[channel] += credit >> channel & 1
                assert self.credits[channel] <= self.depth, f"a credit too many on channel {channel}"
            able = [
                channel
                for channel, flits in enumerate(self.flits)
                if flits and self.credits[channel] >= (1 if flits[0][1] else self.whole)
            ]
            if self.dice.random() < 0.03:
                rest = self.dice.randint(1, LANE_REST)
            rest = max(0, rest - 1)
            ctx.set(lane.valid, bool(able) and not rest)
            if able and not rest:
                channel = self.dice.choice(able)
                packet, place = self.flits[channel].pop(0)
                self.credits[channel] -= 1
                packet.entered += 1
                ctx.set(lane.payload.data, packet.flits[place])
                ctx.set(lane.payload.last, place == len(packet.flits) - 1)
                ctx.set(lane.payload.channel, channel)


class ProcessorDrain:
    """A processor that takes flits, and holds the router to the rule of streams."""

    def __init__(self, stream, dice, *, name, began, took):
        self.stream, self.dice, self.began, self.took = stream, dice, began, took
        self.stall = dice.choice((0, 0.3, 0.7))
        self.rule = StreamRule(name)
        self.part = []

    async def run(self, ctx):
        """The process."""
        stream, ready = self.stream, False
        payload = stream.payload
        async for _, _, valid, word, last in ctx.tick().sample(stream.valid, payload.data, payload.last):
            self.rule.see(valid, ready, (word, last))
            if valid and ready:
                if not self.part:
                    self.began(word)
                self.part.append(word)
                if last:
                    self.took(self.part, 0)
                    self.part = []
            ready = self.dice.random() >= self.stall
            ctx.set(stream.ready, ready)


class LaneDrain:
    """The router behind: takes flits into buffers, and gives their credits back in bursts.

    ``whole`` is the room that there must be for a header.
    """

    def __init__(self, lane, dice, *, channels, depth, whole, began, took):
        self.lane, self.dice, self.depth, self.whole = lane, dice, depth, whole
        self.began, self.took = began, took
        self.held, self.parts = [0] * channels, [[] for _ in range(channels)]

    async def run(self, ctx):
        """The process."""
        lane, channels = self.lane, range(len(self.held))
        giving, credit = [True] * len(self.held), 0
        payload = lane.payload
        async for _, _, valid, channel, word, last in ctx.tick().sample(
            lane.valid, payload.channel, payload.data, payload.last
        ):
            # The credits of this cycle are known to the router in the next one.
            if valid:
                part, room = self.parts[channel], self.depth - self.held[channel]
                assert room > 0, f"a flit without a credit on channel {channel}"
                assert part or room >= self.whole, f"a header with room for {room} flits on channel {channel}"
                if not part:
                    self.began(word)
                part.append(word)
                self.held[channel] += 1
                if last:
                    self.took(part, channel)
                    self.parts[channel] = []
            for channel in channels:
                self.held[channel] -= credit >> channel & 1
                if self.dice.random() < 0.04:
                    giving[channel] = not giving[channel]
            able = [channel for channel in channels if giving[channel] and self.held[channel]]
            credit = sum(1 << channel for channel in able if self.dice.random() < 0.7)
            ctx.set(lane.credit, credit)


class Traffic:
    """Random packets for all inputs of a router, and the ends that send, take and judge them.

    Parameters
    ----------
    router : :class:`FatNodeRouter`
        With message bits for all packets, and counters.
    packets : :class:`int`
        Packets of each source: a port of a processor, or a channel of a lane.
    seed : :class:`str`
    """

    def __init__(self, router, *, packets, seed):
        self.router, self.of, self.options = router, router.parameters, router.parameters.options
        self.dice = random.Random(seed)
        self.packets, self.sources, self.drains = [], [], []
        options, self.longest = self.options, self.options.longest_packet
        whole = self.longest if options.switching == "virtual-cut-through" else 1
        room = {"depth": options.buffer_depth, "whole": whole}
        for number, (enter, leave) in enumerate(zip(*ports(router))):
            judge = {"began": self._began, "took": functools.partial(self._took, number)}
            if number < self.of.processor_ports:
                self.sources.append(StoppingSource(enter, [self._packet(number) for _ in range(packets)], self.dice))
                self.drains.append(ProcessorDrain(leave, self.dice, name=f"output {number}", **judge))
            else:
                channels = range(options.virtual_channels)
                some = [[self._packet(number) for _ in range(packets)] for _ in channels]
                self.sources.append(LaneFeed(enter, some, self.dice, **room))
                self.drains.append(LaneDrain(leave, self.dice, channels=len(channels), **room, **judge))

    def _packet(self, number):
        """The next packet of an input, of any kind that this router has."""
        of, dice, most = self.of, self.dice, self.longest or 9
        # Over a lane comes what a router has let in: packets are ended at the ports of processors.
        long = self.longest > 0 and number < of.processor_ports
        kind = dice.choice(["legal"] * 3 + ["illegal"] + ["long"] * 2 * long)
        if number < of.processor_ports and self.options.stop_timeout and dice.random() < 0.15:
            kind = "stopped"
        length, stop = dice.choice((1, most, dice.randint(1, most))), None
        if kind == "long":
            length = most + dice.randint(1, 9)
        elif kind == "stopped":
            stop = dice.randint(1, most - 1)
            length = stop + dice.randint(1, 3)
        output = dice.choice(of.reach(number))
        group = dice.randrange(self.options.channel_classes) if output >= of.processor_ports else 0
        selector = of.header.selector(output, group)
        if kind == "illegal":
            # Back to where it comes from, or to a processor in a class of channels, of which it has none.
            selector = of.header.selector(*((0, 1) if of.header.class_bits and dice.random() < 0.5 else (number, 0)))
            output, length = None, length + dice.choice((0, 9))
        identity = len(self.packets)
        flits = [of.header.pack([selector], identity), *(dice.getrandbits(32) for _ in range(length - 1))]
        arrives = flits[1:stop] + [0] if stop is not None else flits[1 : self.longest or None]
        self.packets.append(Packet(identity, flits, stop, output, group, arrives, errors=int(kind != "legal")))
        return self.packets[-1]

    def _of(self, header):
        return self.packets[self.of.header.unpack_message(header)]

    def _began(self, header):
        """A header leaves: with store-and-forward, only behind as many flits of its packet as leave."""
        packet = self._of(header)
        if self.options.switching == "store-and-forward":
            needed = packet.stop or min(len(packet.flits), self.longest)
            assert packet.entered >= needed, f"packet {packet.number} left with {packet.entered} of {needed} flits"

    def _took(self, output, flits, channel):
        """A packet has left."""
        packet = self._of(flits[0])
        found = output, channel % self.options.channel_classes, flits[1:]
        if output < self.of.processor_ports:
            found = output, 0, flits[1:]
        assert not packet.left, f"packet {packet.number} left twice"
        assert found == (packet.output, packet.group, packet.arrives), f"packet {packet.number} left as another"
        packet.left = True

    async def run(self, ctx, *, still=600):
        """Lets everything move, until nothing has for so many cycles; then everything must have come to its end."""
        waited, before = 0, None
        while waited < still:
            await cycles(ctx, 20)
            left = sum(packet.left for packet in self.packets)
            entered = sum(packet.entered for packet in self.packets)
            done = all(source.done for source in self.sources) and left == self._legal
            if done:
                break
            waited = 0 if (left, entered) != before else waited + 20
            before = left, entered
        await cycles(ctx, 20)
        assert all(source.done for source in self.sources), "flits or credits are missing"
        assert sum(packet.left for packet in self.packets) == self._legal
        assert ctx.get(self.router.error_count) == sum(packet.errors for packet in self.packets)

    @property
    def _legal(self):
        """The packets that must leave."""
        return sum(packet.output is not None for packet in self.packets)
