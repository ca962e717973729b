"""The passage of one packet through routers and lanes that it has for itself, flit by flit: exact, also where buffers fill.

In a step no two packets want the same output or lane, so each passes as if it were alone. A flit leaves a buffer

- no earlier than the cycle after it came, and after the flit before it left. Where a router copies packets (model b), that is
  the last copy of the flit before, and each copy of a flit leaves by itself;
- when the next buffer has room, which depends on registers: a flit that leaves that buffer makes room a cycle later, and a credit
  takes one cycle more, and one for each register of the lane;
- where lanes have virtual channels, a cycle later if the channel has to bid again: for a flit that comes after the one before it
  left (with two stages, for every flit but the header), and with one stage also for a flit that had no credit when it could go on;
- if it is the header, only when the router has decided, the lane has turned and rested, and with store-and-forward when the
  last flit has come.

The cycles in which flits leave are the least that keep these rules. Each follows from others that are found before it, as
flits leave in order, and a packet that leaves whole fits into its buffer.
"""

from collections.abc import Iterator, Sequence
import dataclasses
import functools
import itertools
from typing import NamedTuple

from fatcube.noc.latency import delivery, permission, turning
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.switching import Switching

__all__ = ["Passage", "passages"]


_NEXT_MESSAGE = 3
"""The cycles that a sender needs from one header in a packet to the next."""

_REGISTER_DEPTH = 2


class Passage(NamedTuple):
    """The cycles of a step, counted from that of ``go``, in which the last flit of a packet moves.

    Members
    -------
    sent : :class:`int`
        It leaves the sender.
    crossed : tuple of :class:`int`
        It crosses each lane.
    arrived : :class:`int`
        It leaves the last router, with its ejection buffer and register if there are any.
    """

    sent: int
    crossed: tuple[int, ...]
    arrived: int


@dataclasses.dataclass(frozen=True)
class _Buffer:
    """A buffer on the way, to be left by the flits of one copy.

    Members
    -------
    before : :class:`int`
        The number of the buffer before it, counted from 1; 0 is the sender.
    depth : :class:`int`
        Flits that it holds.
    wait : :class:`int`
        Cycles that a header stays in it longer than other flits.
    asks : :class:`int`
        Cycles that a header stays in it longer than other flits at least, which count from its coming with ``whole`` too.
    opens : :class:`int`
        The first cycle in which a header may leave it.
    whole : :class:`bool`
        The header leaves when the last flit has come.
    bids : :class:`int`
        The stages of its router, where flits bid for an output one by one, as with virtual channels; 0 elsewhere.
    needed_by : :class:`int`
        The number of the buffer whose flits wait for room in this one: of a buffer that gives credits, that of the router before.
    seen : :class:`int`
        Cycles after which room is seen there.
    """

    before: int
    depth: int
    wait: int = 0
    asks: int = 0
    opens: int = 0
    whole: bool = False
    bids: int = 0
    needed_by: int = 0
    seen: int = 1


def passages(
    options: RouterOptions, copies: Sequence[Sequence[int | None]], payload_flits: Sequence[int]
) -> list[Passage]:
    """The :class:`Passage` of a packet, or of each copy of it.

    Parameters
    ----------
    options : :class:`RouterOptions`
    copies : list of list of :class:`int` or ``None``
        For each copy, or the packet itself, and each lane of its path, the cycle of the step from which the wires have rested
        if the lane has to turn; ``None`` if it faces the way.
    payload_flits : list of :class:`int`
        Payload flits of each message of the packet.
    """
    if options.switching == Switching.CIRCUIT:
        return [_circuit(options, rested, payload_flits) for rested in copies]
    channels = options.virtual_channels > 1
    router = _Buffer(
        0,
        options.buffer_depth,
        options.pipeline - 1,
        whole=options.switching == Switching.STORE_AND_FORWARD,
        bids=options.pipeline if channels else 0,
    )
    buffers: list[_Buffer] = []
    ways: list[list[int]] = []  # of each copy: the numbers of the last buffers before each lane, and of its last one
    for rested in copies:
        buffers.append(router)
        way = []
        for since in rested:
            decided = len(buffers)
            stages = range(decided, decided + options.link_stages)
            buffers += [_Buffer(stage, _REGISTER_DEPTH, needed_by=stage) for stage in stages]
            way.append(len(buffers))
            if since is not None:
                if channels:
                    # The header waits in the router, for permission that passes the registers of the lane.
                    opens = max(0, since + options.link_stages + 1)
                    buffers[decided - 1] = dataclasses.replace(
                        buffers[decided - 1], asks=permission(options), opens=opens
                    )
                else:
                    last = buffers[-1]
                    buffers[-1] = dataclasses.replace(last, wait=last.wait + turning(options, 1), opens=max(0, since))
            needed_by, seen = (decided, 2 + options.link_stages) if channels else (way[-1], 1)
            buffers.append(dataclasses.replace(router, before=way[-1], needed_by=needed_by, seen=seen))
        ways.append([*way, len(buffers)])
    last = _last_flit(tuple(buffers), tuple(payload_flits))
    return [Passage(last[0], tuple(last[lane] for lane in way[:-1]), last[way[-1]] + delivery(options)) for way in ways]


@functools.lru_cache(maxsize=1 << 12)
def _last_flit(buffers: Sequence[_Buffer], payload_flits: Sequence[int]) -> list[int]:
    """The cycles in which the last flit leaves the sender, and each of these buffers."""
    headers = [0, *itertools.accumulate(payload + 1 for payload in payload_flits)]
    flits = headers.pop()
    before = dict(itertools.pairwise(reversed(headers)))  # of each further header, the one before it
    places = range(len(buffers) + 1)
    needs = [[(number, one) for number, one in enumerate(buffers, 1) if one.needed_by == place] for place in places]
    after = [[number for number, one in enumerate(buffers, 1) if one.before == place] for place in places]
    together = [[0], *(after[one.before] for one in buffers)]  # the copies of a flit
    left = [[0] * flits for _ in places]  # the cycles in which each flit leaves the sender, and each buffer

    def rules(place: int, flit: int) -> Iterator[int]:
        """The cycles before which a flit does not leave."""
        bids = buffers[place - 1].bids if place else 0
        if flit:
            yield from (left[number][flit - 1] + 1 for number in together[place])
        for number, one in needs[place]:
            if flit >= one.depth:
                room = left[number][flit - one.depth] + one.seen
                yield room + (bids == 1 and left[place][flit - 1] + 1 < room)
        if not place:
            if flit in before:
                yield left[place][before[flit]] + _NEXT_MESSAGE
            return
        buffer = buffers[place - 1]
        came = left[buffer.before][flit]
        if flit:
            yield came + (bids > 1 or bids == 1 and left[place][flit - 1] < came) + 1
        else:
            yield left[buffer.before][-1 if buffer.whole else 0] + 1 + buffer.wait
            yield came + 1 + buffer.asks
            yield buffer.opens

    moved = True
    while moved:
        moved = False
        for flit in range(flits):
            for place, row in enumerate(left):
                cycle = max(rules(place, flit), default=0)
                moved = moved or cycle != row[flit]
                row[flit] = cycle
    return [row[-1] for row in left]


def _circuit(options: RouterOptions, rested: Sequence[int | None], payload_flits: Sequence[int]) -> Passage:
    """The passage of a packet for which a circuit is set up: no buffer fills, as the payload follows the answer."""
    routers, turns = len(rested) + 1, 0
    for number, since in enumerate(rested, 1):
        if since is not None:
            here = number * (options.pipeline + options.link_stages) + turns
            turns += max(turning(options, 1), since - here)
    on_links = (routers - 1) * options.link_stages
    last = routers * (options.pipeline + 1) + 2 * on_links + turns + payload_flits[0] - 1
    sent = last if payload_flits[0] > 1 else 1
    if len(payload_flits) > 1:
        # Headers of further messages follow as payload.
        sent = last = last + 1 + sum(max(_NEXT_MESSAGE, one + 1) for one in payload_flits[1:-1]) + payload_flits[-1]
    crossed = tuple(last + number * (1 + options.link_stages) for number in range(1, routers))
    return Passage(sent, crossed, last + routers + on_links + delivery(options))
