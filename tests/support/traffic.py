"""Packets of traffic, made and read word by word as a person would, and the judgement of what has arrived."""

import dataclasses

from fatcube.rtl.endpoint.monitor import signature_of
from fatcube.rtl.endpoint.traffic import Stamp

__all__ = ["Packet", "Scoreboard", "read_packet", "xorshift"]


def xorshift(state):
    """The number after ``state``, by Marsaglia's text: y ^= y << 13; y ^= y >> 17; y ^= y << 5."""
    state ^= state << 13 & 0xFFFFFFFF
    state ^= state >> 17
    return state ^ state << 5 & 0xFFFFFFFF


@dataclasses.dataclass(frozen=True)
class Packet:
    """A packet and where in the header its message id is: see :class:`fatcube.rtl.endpoint.source.Source`."""

    width: int
    route_bits: int
    message_bits: int
    address_bits: int
    route: int = 0
    source: int = 0
    destination: int = 0
    sequence: int = 0
    created: int = 0
    measured: int = 1
    filler: tuple = ()

    def words(self):
        """Its flits, as words."""
        layout = Stamp(self.address_bits)
        count = -(-layout.size // self.width)
        values = vars(self) | {"flits": 1 + count + len(self.filler) + 1}
        stamp = sum(values[name] << field.offset for name, field in layout)
        words = [stamp >> index * self.width & (1 << self.width) - 1 for index in range(count)]
        words += self.filler
        message = self.sequence & (1 << self.message_bits) - 1
        return [self.route | message << self.route_bits, *words, signature_of(words, self.width)]


def read_packet(words, like):
    """The packet that a list of words is; ``like`` says how wide everything is."""
    layout = Stamp(like.address_bits)
    count = -(-layout.size // like.width)
    stamp = sum(word << index * like.width for index, word in enumerate(words[1 : 1 + count]))
    fields = {name: stamp >> field.offset & (1 << field.width) - 1 for name, field in layout}
    assert fields.pop("flits") == len(words)
    route = words[0] & (1 << like.route_bits) - 1
    return dataclasses.replace(like, route=route, filler=tuple(words[1 + count : -1]), **fields)


class Scoreboard:
    """What a sink must count, from the sets of what has arrived: one for each source."""

    def __init__(self, address, window):
        self.address, self.window = address, window
        self.counts = dict.fromkeys(
            ("arrived", "headers", "torn", "corrupted", "misrouted", "doubled", "reordered", "late", "measured"), 0
        )
        self.seen, self.latencies = {}, []

    def see(self, packet, *, cycle, headers=False, torn=False, corrupted=False):
        """Count a packet whose last flit was taken in ``cycle``."""
        self.counts["arrived"] += 1
        if headers or torn or corrupted:
            self.counts["headers" if headers else "torn" if torn else "corrupted"] += 1
            return
        copied = packet.destination == packet.source != self.address
        if packet.destination != self.address and not copied:
            self.counts["misrouted"] += 1
            return
        # What a source copies to several has numbers of its own.
        seen = self.seen.setdefault(packet.source + (copied << packet.address_bits), set())
        latest = max(seen, default=-1)
        if packet.sequence <= latest - self.window:
            self.counts["late"] += 1
            return
        if packet.sequence in seen:
            self.counts["doubled"] += 1
            return
        self.counts["reordered"] += packet.sequence < latest
        seen.add(packet.sequence)
        if packet.measured:
            self.counts["measured"] += 1
            self.latencies.append(cycle - packet.created)

    @property
    def lost(self):
        """The packets before the latest of each source that have not arrived."""
        return sum(max(seen) + 1 - len(seen) for seen in self.seen.values())
