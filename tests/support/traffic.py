"""Packets of traffic, made and read word by word as a person would, and the judgement of what has arrived."""

import dataclasses

from fatcube.rtl.endpoint.traffic import Stamp

__all__ = ["Packet", "Scoreboard", "read_packet", "xorshift"]


def xorshift(state):
    """The number after ``state``, by Marsaglia's text: y ^= y << 13; y ^= y >> 17; y ^= y << 5."""
    state ^= state << 13 & 0xFFFFFFFF
    state ^= state >> 17
    return state ^ state << 5 & 0xFFFFFFFF


@dataclasses.dataclass(frozen=True)
class Packet:
    """A packet, and how wide everything in it is: see :class:`fatcube.rtl.endpoint.source.Source`."""

    width: int
    route_bits: int
    address_bits: int
    route: int = 0
    source: int = 0
    destination: int = 0
    sequence: int = 0
    created: int = 0
    measured: int = 1
    flits: int = 3

    def words(self):
        """Its flits, as words: data, and the stamp above them."""
        return [self.word(place) for place in range(self.flits)]

    def word(self, place):
        """The flit at a place, from 0."""
        data = self._data(place)
        if not place:
            data = data >> self.route_bits << self.route_bits | self.route
        return data | self._stamp(place) << self.width

    def _stamp(self, place):
        values = vars(self) | {"left": self.flits - 1 - place, "first": place == 0}
        return sum(values[name] << field.offset for name, field in Stamp(self.address_bits))

    def _data(self, place):
        """32 random bits by Jenkins's text, again and again, each time rotated by five more bits."""
        ends = self.source | self.destination << self.address_bits
        parts = self.sequence | self.flits - 1 - place << 16, self.created, ends, (place == 0) | self.measured << 1
        mixed = 0
        for part in parts:
            mixed += part
            mixed = mixed + (mixed << 10) & 0xFFFFFFFF
            mixed ^= mixed >> 6
        mixed = mixed + (mixed << 3) & 0xFFFFFFFF
        mixed ^= mixed >> 11
        mixed = mixed + (mixed << 15) & 0xFFFFFFFF
        text = "".join(
            f"{mixed:032b}"[5 * index % 32 :] + f"{mixed:032b}"[: 5 * index % 32] for index in range(200)[::-1]
        )
        return int(text[-self.width :], 2)


def read_packet(words, like):
    """The packet that a list of words is; ``like`` says how wide everything is."""
    stamp = words[0] >> like.width
    fields = {name: stamp >> field.offset & (1 << field.width) - 1 for name, field in Stamp(like.address_bits)}
    assert fields.pop("left") == len(words) - 1 and fields.pop("first") == 1
    return dataclasses.replace(like, route=words[0] & (1 << like.route_bits) - 1, flits=len(words), **fields)


class Scoreboard:
    """The counts that a sink must have, from the sets of arrived packets: one for each source."""

    def __init__(self, address, window):
        self.address, self.window = address, window
        self.counts = dict.fromkeys(
            ("arrived", "torn", "corrupted", "misrouted", "doubled", "reordered", "late", "measured"), 0
        )
        self.seen, self.latencies = {}, []

    def see(self, packet, *, cycle, torn=False, corrupted=False):
        """Count a packet whose last flit was taken in ``cycle``."""
        self.counts["arrived"] += 1
        if torn or corrupted:
            self.counts["torn" if torn else "corrupted"] += 1
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
