"""Both ends of an AXI4-Stream with TKEEP and TUSER for Amaranth's simulator: packets are of bytes, whatever the width.

A packet is ``(number, bytes, user)``: the number is its ``tdest`` where it is sent, and its ``tid`` where it arrives.
"""

import random

from tests.support.streams import StreamRule

__all__ = ["ByteSink", "ByteSource", "arrives", "beats_of", "random_byte_packets"]


def random_byte_packets(numbers, *, count, longest, user_bits=1, seed=0):
    """``count`` packets with one of ``numbers`` each, of 0 to ``longest`` random bytes; no error bit is set."""
    pick = random.Random(f"byte packets {seed}")
    return [
        (
            pick.choice(numbers),
            pick.randbytes(pick.choice([0, 1, *[pick.randint(1, longest)] * 4])),
            pick.getrandbits(user_bits) & ~1,
        )
        for _ in range(count)
    ]


def beats_of(packet, width):
    """The beats of a packet over ``width`` bits, each with ``tdata``, ``tkeep``, ``tlast``, ``tdest`` and ``tuser``."""
    number, content, user = packet
    lanes = width // 8
    parts = [content[first : first + lanes] for first in range(0, len(content), lanes)] or [b""]
    return [
        [int.from_bytes(part, "little"), (1 << len(part)) - 1, index == len(parts) - 1, number, user]
        for index, part in enumerate(parts)
    ]


def arrives(beats, width):
    """The bytes and the ``tuser`` that are to arrive of a packet of these beats, and whether it breaks the rule of TKEEP.

    Said bit by bit, and not as the hardware does it.
    """
    content = bytearray()
    for data, keep, last, _, user in beats:
        for lane in range(width // 8):
            if not keep >> lane & 1:
                whole = keep >> lane == 0 and last
                return bytes(content), user if whole else 1, not whole
            content.append(data >> 8 * lane & 0xFF)
        if last:
            return bytes(content), user, False
    raise AssertionError("a packet without a last beat")


class ByteSource:
    """Sends beats, keeps the rule of streams, and has rubbish on all wires that do not count.

    Parameters
    ----------
    stream
        An interface object of :class:`AxiStreamSignature` with ``tkeep``, ``tuser`` and ``tdest``.
    packets : list of list
        The beats of each packet, as of :func:`beats_of`.
    pause : :class:`float`
        Probability of a cycle's rest wherever the next beat could be offered.

    Attributes
    ----------
    times, offers : list of :class:`int`
        The cycle in which each beat was taken, and the first in which it was offered.
    """

    def __init__(self, stream, packets, *, pause=0.0, seed=0):
        self.stream, self.pause = stream, pause
        self.random = random.Random(f"byte source {seed}")
        self.beats = [beat for packet in packets for beat in packet]
        self.times, self.offers = [], []

    @property
    def done(self):
        """Whether everything has been taken."""
        return len(self.times) == len(self.beats)

    async def run(self, ctx):
        """The process."""
        stream, offered, now = self.stream, False, -1
        signals = (stream.tdata, stream.tkeep, stream.tlast, stream.tdest, stream.tuser)
        async for _, _, ready in ctx.tick().sample(stream.tready):
            if offered and ready:
                self.times.append(now)
                offered = False
            now += 1
            if not offered:
                position = len(self.times)
                offered = position < len(self.beats) and self.random.random() >= self.pause
                ctx.set(stream.tvalid, offered)
                values = [self.random.getrandbits(len(signal)) for signal in signals]
                if offered:
                    self.offers.append(now)
                    beat = self.beats[position]
                    # Bytes that do not count are anything, and so are TUSER before the last beat and TDEST after the first.
                    counts = sum(0xFF << 8 * lane for lane in range(len(stream.tkeep)) if beat[1] >> lane & 1)
                    first = position == 0 or self.beats[position - 1][2]
                    tdest, tuser = beat[3] if first else values[3], beat[4] if beat[2] else values[4]
                    values = [beat[0] & counts | values[0] & ~counts, *beat[1:3], tdest, tuser]
                for signal, value in zip(signals, values):
                    ctx.set(signal, value)


class ByteSink:
    """Takes beats, with random backpressure, and holds the stream to its rule and to that of TKEEP.

    Attributes
    ----------
    packets : list of tuple
        Those that have arrived whole: ``tid``, the bytes, and ``tuser`` of the last beat.
    part : :class:`bytearray`
        What has arrived of the next.
    times : list of :class:`int`
        The cycle in which each beat was taken.
    """

    def __init__(self, stream, *, stall=0.0, seed=0):
        self.stream, self.stall = stream, stall
        self.random = random.Random(f"byte sink {seed}")
        self.rule = StreamRule("m_axis")
        self.packets, self.part, self.times = [], bytearray(), []

    async def run(self, ctx):
        """The process."""
        stream, ready, now, within = self.stream, False, -1, None
        signals = (stream.tdata, stream.tkeep, stream.tlast, stream.tid, stream.tuser)
        lanes = len(stream.tkeep)
        async for _, _, valid, *payload in ctx.tick().sample(stream.tvalid, *signals):
            self.rule.see(valid, ready, payload)
            if valid and ready:
                word, keep, last, tid, user = payload
                count = keep.bit_count()
                assert keep == (1 << count) - 1 and (last or count == lanes), f"tkeep {keep:b} of {lanes}, tlast {last}"
                assert within in (None, tid), "tid changes within a packet"
                within = tid
                self.times.append(now)
                self.part += word.to_bytes(lanes, "little")[:count]
                if last:
                    self.packets.append((tid, bytes(self.part), user))
                    self.part, within = bytearray(), None
            now += 1
            if self.stall or not ready:
                ready = self.random.random() >= self.stall
                ctx.set(stream.tready, ready)
