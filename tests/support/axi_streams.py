"""Both ends of an AXI4-Stream for Amaranth's simulator: as those of :mod:`tests.support.streams`, by AXI's names.

A packet is ``(number, words)``: the number is its ``tdest`` where it is sent, and its ``tid`` where it arrives.
"""

import random

from tests.support.streams import StreamRule

__all__ = ["AxiSink", "AxiSource", "random_packets"]


def random_packets(numbers, *, count, longest=9, width=16, seed=0):
    """``count`` packets with one of ``numbers`` each, of up to ``longest`` words; every word is another."""
    pick, words = random.Random(f"packets {seed}"), iter(range(1, 1 << width))
    return [
        (pick.choice(numbers), [next(words) for _ in range(pick.choice([1, 2, pick.randint(1, longest)]))])
        for _ in range(count)
    ]


class AxiSource:
    """Sends packets, keeps the rule, and has rubbish on all wires while it rests.

    Parameters
    ----------
    stream
        An interface object of :class:`AxiStreamSignature` with ``tdest``, or a port that is one.
    packets : list of tuple
        What to send.
    pause : :class:`float`
        Probability of a cycle's rest wherever the next beat could be offered.
    rubbish : :class:`bool`
        Whether all beats but the first of a packet have anything for ``tdest``, though AXI forbids it.
    domain : :class:`str`
        Its clock.

    Attributes
    ----------
    times, offers : list of :class:`int`
        The cycle in which each beat was taken, and the first in which it was offered.
    """

    def __init__(self, stream, packets=(), *, pause=0.0, seed=0, rubbish=False, domain="sync"):
        self.stream, self.pause, self.domain = stream, pause, domain
        self.random = random.Random(f"axi source {seed}")
        self.beats, self.times, self.offers = [], [], []
        self.rubbish = rubbish
        for packet in packets:
            self.add(packet)

    def add(self, packet):
        """One packet more to send."""
        number, words = packet
        for index, word in enumerate(words):
            tdest = self._any(self.stream.tdest) if self.rubbish and index else number
            self.beats.append((word, index == len(words) - 1, tdest))

    @property
    def done(self):
        """Whether everything has been taken."""
        return len(self.times) == len(self.beats)

    def _any(self, signal):
        return self.random.getrandbits(len(signal))

    async def run(self, ctx):
        """The process."""
        stream, offered, now = self.stream, False, -1
        async for _, _, ready in ctx.tick(self.domain).sample(stream.tready):
            if offered and ready:
                self.times.append(now)
                offered = False
            now += 1
            if not offered:
                position = len(self.times)
                offered = position < len(self.beats) and self.random.random() >= self.pause
                ctx.set(stream.tvalid, offered)
                signals = (stream.tdata, stream.tlast, stream.tdest)
                values = self.beats[position] if offered else [self._any(signal) for signal in signals]
                for signal, value in zip(signals, values):
                    ctx.set(signal, value)
                if offered:
                    self.offers.append(now)


class AxiSink:
    """Takes beats, with random backpressure, and holds the stream to its rule, and ``tid`` to be one in a packet.

    Attributes
    ----------
    packets : list of tuple
        Those that have arrived whole, with their ``tid``.
    part : list of :class:`int`
        What has arrived of the next.
    times : list of :class:`int`
        The cycle in which each beat was taken.
    """

    def __init__(self, stream, *, stall=0.0, seed=0, domain="sync", name="an AXI4-Stream"):
        self.stream, self.stall, self.domain = stream, stall, domain
        self.random = random.Random(f"axi sink {seed}")
        self.rule = StreamRule(name)
        self.packets, self.part, self.times = [], [], []

    async def run(self, ctx):
        """The process."""
        stream, ready, now, within = self.stream, False, -1, None
        sampled = ctx.tick(self.domain).sample(stream.tvalid, stream.tdata, stream.tlast, stream.tid)
        async for _, _, valid, *payload in sampled:
            self.rule.see(valid, ready, payload)
            if valid and ready:
                word, last, tid = payload
                assert not self.part or tid == within, f"{self.rule.name} changes tid within a packet"
                within = tid
                self.times.append(now)
                self.part.append(word)
                if last:
                    self.packets.append((tid, self.part))
                    self.part = []
            now += 1
            if self.stall or not ready:
                ready = self.random.random() >= self.stall
                ctx.set(stream.tready, ready)
