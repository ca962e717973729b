"""The judgement of what has arrived: nothing lost, doubled, torn, misrouted or, where order is promised, reordered."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable
import dataclasses
from typing import NoReturn

from fatcube.testing.packet import Packet

__all__ = ["Scoreboard"]

__tracebackhide__ = True


@dataclasses.dataclass(slots=True, eq=False)
class _Sent:
    """A packet under way."""

    packet: Packet
    source: Hashable
    destination: Hashable


class Scoreboard:
    """A record of packets under way, which judges those that arrive; the first fault is an ``AssertionError`` that says where.

    Packets are recognised by their contents. So let their words differ, as random ones do: of packets that are the same and come
    from different sources to one destination, any may arrive first.

    Parameters
    ----------
    keeps_order : :class:`bool`
        Packets from one source to one destination arrive in the order in which they are sent.
    contents : callable
        The words of a packet that the network delivers unchanged; all of them if not given.
        :meth:`fatcube.testing.description.HeaderFormat.kept` leaves the route of a header out.
    tid : callable or ``None``
        The ``tid`` that packets of a source have; not checked if not given.

    Attributes
    ----------
    arrived : :class:`int`
        Packets that have arrived as they should.
    longest : :class:`int`
        The number of words in the longest packet sent.
    arrivals : list of (port, :class:`~fatcube.testing.packet.Packet`)
        The senders of packets that have arrived since a reset, and what has arrived, in order.
    """

    def __init__(
        self,
        *,
        keeps_order: bool = True,
        contents: Callable[[list[int]], Iterable[int]] = tuple,
        tid: Callable[[Hashable], int] | None = None,
    ) -> None:
        self.keeps_order = keeps_order
        self.arrived = self.longest = 0
        self._contents, self._tid = contents, tid
        self._under_way: dict[tuple[int, ...], list[_Sent]] = {}
        self.clear()

    def clear(self) -> None:
        """Forget the packets under way, as a reset of the network does; if one still arrives, it is reported."""
        self._forgotten = {contents: same[0] for contents, same in self._under_way.items()}
        self._under_way = {}
        self.arrivals: list[tuple[Hashable, Packet]] = []
        self._lines: dict[tuple[Hashable, Hashable], deque[_Sent]] = {}
        self._delivered: dict[tuple[int, ...], _Sent] = {}

    def sent(self, source: Hashable, destination: Hashable, packet: Packet) -> None:
        """A packet is sent: it is to arrive once, at ``destination``."""
        one = _Sent(packet, source, destination)
        self.longest = max(self.longest, len(packet.words))
        same = self._under_way.setdefault(tuple(self._contents(packet.words)), [])
        twins = [other for other in same if other.destination == destination and other.source != source]
        same.append(one)
        if not twins:
            self._lines.setdefault((source, destination), deque()).append(one)
        for twin in twins:
            # Nobody can tell which of them arrives, so neither has a place among those of its source.
            line = self._lines.get((twin.source, destination), deque())
            if twin in line:
                line.remove(twin)

    def received(self, port: Hashable, packet: Packet) -> None:
        """A packet has arrived at a port.

        Raises
        ------
        AssertionError
            If it should not have arrived there, not so, or not now.
        """
        contents = tuple(self._contents(packet.words))
        known = self._under_way.get(contents)
        if known is None:
            self._unknown(port, packet, contents)
        one = max(
            known,
            key=lambda one: (
                one.destination == port,
                self._tid is None or self._tid(one.source) == packet.tid,
                one.packet.tuser == packet.tuser,
            ),
        )
        where = _described(one)
        assert one.destination == port, f"misrouted: {where} arrived at port {port}{_at(packet)}"
        if self._tid is not None:
            due = self._tid(one.source)
            assert packet.tid == due, f"wrong tid: {where} arrived with tid {packet.tid}, not {due}{_at(packet)}"
        tuser = one.packet.tuser
        assert packet.tuser == tuser, (
            f"wrong tuser: {where} arrived with tuser {packet.tuser}, not {tuser}{_at(packet)}"
        )
        line = self._lines.get((one.source, port), deque())
        if line and line[0] is one:
            line.popleft()
        elif one in line:
            assert not self.keeps_order, (
                f"reordered: {where} arrived before {_described(line[0])}, which was sent before it{_at(packet)}"
            )
            line.remove(one)
        if len(known) == 1:
            del self._under_way[contents]
        else:
            known.remove(one)
        self._delivered[contents] = one
        self.arrivals.append((one.source, packet))
        self.arrived += 1

    def _unknown(self, port: Hashable, packet: Packet, contents: tuple[int, ...]) -> NoReturn:
        """Say what a packet is that was not sent as it arrived."""
        if (one := self._delivered.get(contents)) is not None:
            raise AssertionError(f"doubled: {_described(one)} arrived again, at port {port}{_at(packet)}")
        if (one := self._forgotten.get(contents)) is not None:
            raise AssertionError(
                f"stale: {_described(one)}, sent before the reset, arrived at port {port}{_at(packet)}"
            )
        others = [(one, before) for before, same in self._under_way.items() for one in same]
        alike = max(
            others, key=lambda other: (_in_common(contents, other[1]), other[0].destination == port), default=None
        )
        if alike is None or not _in_common(contents, alike[1]):
            raise AssertionError(f"unknown: {packet}, which was never sent, arrived at port {port}{_at(packet)}")
        one, before = alike
        unit = one.packet.unit
        what = f"{len(contents)} of its {len(before)} {unit}s"
        if len(contents) == len(before):
            place = next(place for place, pair in enumerate(zip(contents, before)) if pair[0] != pair[1])
            what = f"{unit} {place} as {contents[place]:#x}, not {before[place]:#x}"
        raise AssertionError(f"torn: {_described(one)} arrived at port {port} with {what}{_at(packet)}")

    def under_way(self) -> int:
        """Packets that have not arrived."""
        return sum(map(len, self._under_way.values()))

    def check_empty(self, at: str = "") -> None:
        """Check that every packet has arrived.

        Parameters
        ----------
        at : :class:`str`
            The time, as the message has it, and the other stalled ports.

        Raises
        ------
        AssertionError
            If one has not; the message has the first that was lost from each of a few sources.
        """
        lost: dict[Hashable, _Sent] = {}
        for one in (one for same in self._under_way.values() for one in same):
            lost.setdefault(one.source, one)
        assert not lost, (
            f"lost: {self.under_way()} packets never arrived: {'; '.join(map(_described, [*lost.values()][:4]))}"
            + (" …" if len(lost) > 4 else "")
            + at
        )


def _described(one: _Sent) -> str:
    return f"packet {one.packet} from port {one.source} to port {one.destination}"


def _at(packet: Packet) -> str:
    return f", at {packet.at:g} ns" if packet.at else ""


def _in_common(words: tuple[int, ...], others: tuple[int, ...]) -> int:
    """Words that two packets have at the same place from either end."""
    ahead = sum(word == other for word, other in zip(words, others))
    behind = sum(word == other for word, other in zip(reversed(words), reversed(others)))
    return max(ahead, behind)
