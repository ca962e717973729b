"""Packets of a trace, given to the sources of a simulated machine while it runs, and their latencies, taken from the sinks.

Sources and sinks have rings of packets, of which each takes at most one in a cycle. So it is enough to come back before a
full ring can be empty, or an empty one full. Meanwhile nothing of the machine is changed but the rings.

While nothing is under way, and the next packet is far, the time of the trace is moved on instead of the machine: a router that
has nothing to do is, some cycles after its last flit, as it will be any number of its periods later.

The simulator imports this, so it imports nothing that takes long.
"""

from collections import deque
from collections.abc import Callable
import ctypes
import mmap
from typing import Any

from fatcube.sim.builds.host import NodesHost
from fatcube.sim.builds.job import Feed

__all__ = ["Feeder", "WORDS"]


WORDS = 2
"""The words of 64 bits of a packet in the file: its cycle of creation; its way, then its sink, of 16 bits, then its source."""

_AHEAD = 16  # cycles before its creation in which a packet is given to its source at the latest
_SHORT = 64  # cycles between two visits while nothing is due
_WRAP = 1 << 32  # of the cycles that the machine counts


class Feeder:
    """Gives the packets of a file to the rings of the sources, and takes the latencies from those of the sinks into a file.

    Parameters
    ----------
    host : :class:`NodesHost`
    feed : :class:`Feed`
    flits : callable
        Returns how many flits have moved in all routers.
    """

    def __init__(self, host: NodesHost, feed: Feed, flits: Callable[[], int]) -> None:
        self._feed, self._flits, self._room = feed, flits, feed["room"]

        def variable(kind: Any, region: int) -> list[Any]:
            return [kind.from_address(host.memory(node, unit, region, 0)[0]) for node, unit in feed["places"]]

        regions = feed["regions"]
        self._rings = variable(ctypes.c_uint64 * self._room, regions["trace"])
        self._logs = variable(ctypes.c_uint32 * 3 * self._room, regions["log"])
        self._given = variable(ctypes.c_uint32, regions["given"])
        self._taken = variable(ctypes.c_uint32, regions["taken"])
        self._logged = variable(ctypes.c_uint32, regions["logged"])
        with open(feed["packets"], "rb") as packets, open(feed["latencies"], "r+b") as latencies:
            self._packets = memoryview(mmap.mmap(packets.fileno(), 0, access=mmap.ACCESS_READ)).cast("Q")
            self._latencies = memoryview(mmap.mmap(latencies.fileno(), 0)).cast("Q")
        self._seen = [0] * len(self._logs)
        self._late: dict[int, deque[int]] = {}  # the packets of each source that its ring has no room for yet
        self._numbers: dict[int, int] = {}  # of packets of each source and sink, as sources number them
        self._under_way: dict[int, int] = {}
        self._next = 0
        self._now = 0  # the cycle of the machine
        self._skipped = 0  # cycles that it is behind those of the trace
        self._moved, self._flits_then = (-1, -1), -1
        self._still_since = self._empty_since = 0
        self.unknown = 0  #: Arrivals of packets that were not under way.

    @property
    def more(self) -> bool:
        """Whether packets are still to be given, or to be taken by sources."""
        return self._next < self._count or bool(self._late) or self._waits

    @property
    def _count(self) -> int:
        return len(self._packets) // WORDS

    @property
    def _waits(self) -> bool:
        """Whether a source has a packet in its ring."""
        return any(given.value != taken.value for given, taken in zip(self._given, self._taken))

    def cycle_of(self, cycle: int) -> int:
        """The cycle of the trace in which the machine was in ``cycle``, modulo 2**32, lately."""
        return self._now + self._since(cycle) + self._skipped

    def _since(self, cycle: int) -> int:
        """The cycles from the latest visit to ``cycle``, modulo 2**32, which may be before it."""
        half = _WRAP // 2
        return (cycle - self._now + half) % _WRAP - half

    def give(self) -> int:
        """Give what is due until the next visit, and return after how many cycles that must be."""
        interval = self._room // 2
        due = self._now + self._skipped + interval + _AHEAD
        packets = self._packets
        while self._next < self._count and packets[WORDS * self._next] < due:
            self._late.setdefault(packets[WORDS * self._next + 1] >> 32, deque()).append(self._next)
            self._next += 1
        for source in [*self._late]:
            self._fill(source, self._late[source])
        return interval if self._late or self._waits else min(interval, _SHORT)

    def _fill(self, source: int, numbers: "deque[int]") -> None:
        """Give a source as many packets as its ring has room for."""
        ring, given = self._rings[source], self._given[source]
        room = self._room - (given.value - self._taken[source].value) % _WRAP
        if room == self._room:
            self._still_since = self._now
        for _ in range(min(room, len(numbers))):
            number = numbers.popleft()
            ends = self._packets[WORDS * number + 1]
            pair = ends >> 16
            sequence = self._numbers.get(pair, 0)
            self._numbers[pair] = (sequence + 1) & 0xFFFF
            self._under_way[pair << 16 | sequence] = number
            cycle = (self._packets[WORDS * number] - self._skipped) % _WRAP
            ring[given.value % self._room] = cycle | (ends & 0xFFFF) << 32
            given.value += 1
        if not numbers:
            del self._late[source]

    def take(self, cycle: int) -> bool:
        """Take what has arrived until the machine is in ``cycle``, modulo 2**32, and return whether the run continues.

        It does not if a source cannot send and no flit has moved for the cycles of ``timeout``, or in which what is in a ring
        is due.
        """
        self._now += max(0, self._since(cycle))  # at its end the machine goes back to where the last flit moved
        for sink, (log, logged) in enumerate(zip(self._logs, self._logged)):
            while self._seen[sink] != logged.value:
                ends, _, latency = log[self._seen[sink] % self._room]
                self._seen[sink] = (self._seen[sink] + 1) % _WRAP
                number = self._under_way.pop((ends & 0xFFFF) << 32 | sink << 16 | ends >> 16, None)
                if number is None:
                    self.unknown += 1
                else:
                    self._latencies[number] = latency
        return self._goes_on()

    def _goes_on(self) -> bool:
        moved = sum(self._seen), sum(taken.value for taken in self._taken)
        if moved != self._moved or self._under_way:
            self._empty_since = self._now
        if moved != self._moved:
            self._moved, self._still_since, self._flits_then = moved, self._now, -1
        elif self._under_way and self._flits_then != (flits := self._flits()):
            self._still_since, self._flits_then = self._now, flits
        if self._under_way and self._now - self._still_since >= max(self._feed["timeout"], self._room):
            if self._waits:
                return False
            self._skip()  # Packets in flight are lost.
        elif self._now - self._empty_since >= self._feed["settled"]:
            self._skip()
        return True

    def _skip(self) -> None:
        """Move the time of the trace on to just before the next packet, by a number of periods, if it is far."""
        if self._late or self._next == self._count:
            return
        ahead = self._packets[WORDS * self._next] - self._skipped - self._now - _AHEAD
        if ahead > self._room:
            self._skipped += ahead // self._feed["period"] * self._feed["period"]
