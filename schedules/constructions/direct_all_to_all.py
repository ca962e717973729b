"""The all-to-all with direct transfers on cubes of every size, mostly in the fewest steps.

Every node does the same, seen from where it stands, and every message goes once, over the dimensions of its distance r in
rising order. So a message of node 0 with its images uses one lane of each dimension of r in each direction of each link, and
r and its complement together use one lane of every dimension. The message to place s + e (modulo m) of the node at distance
r from place s is called (s, e, r); (s, e, 0) stays in the node, and (s, 0, 0) is none.

**Where lanes are scarce, 2 f < k m.** A slot is two messages with complementary distances and the same e, from one place and
the next one. For every e and every pair r and not r there are m slots, which go round the places: 0 and 1, 2 and 3, and so
on, modulo m. For odd m each place comes first once and second once, and the first sends r. For even m they go round twice, and
the first sends r in the first round and not r in the second. So each message is in one slot. In each step f slots go: f lanes
of every dimension are enough. Their senders are 2 f places one after the other, of which the first is again the one
behind the last of the step before, as all slots with one e go round a whole number of times. So are their receivers, but that
one place is left out where e becomes e + 1, which happens once in a step at most if f <= m 2^(d - 1), the slots of one e. So
no place receives more than ceil((2 f + 1) / m) <= k messages, and none sends more. There are m^2 2^(d - 1) slots, so the steps
are ceil(m P / (2 f)), the fewest for this number of hops (:func:`fatcube.schedules.bounding.totals.lanes_in_total`).

**Where ports are scarce, 2 f >= k m.** A round is a message of each place, all with the same e: r from even places, and not r
from odd ones. The next round has not r from even places and r from odd ones. Each has at most ceil(m / 2) messages over a
dimension, and the two together m. In each step k rounds go, which are at most one that is alone and whole pairs: no more
than ceil(k m / 2) <= f messages over a dimension. There are P rounds, so the steps are ceil(P / k). The ports need
ceil((P - 1) / k) (:func:`fatcube.schedules.bounds.ports_of_root`), which is at most one less. The two rounds that have the messages that are none
can be one, in which every place sends to the opposite node. It comes last, where the lanes carry it, and the steps are the
fewest.

**Half duplex.** Links join nodes of even weight and nodes of odd weight. A message of node 0 with its images at all nodes of
even weight uses one lane of each dimension of r in one direction only: at each node on its way it is at all nodes of one
parity. So what is above is sent twice, by the nodes of even weight and then by those of odd weight, and f such halves go in a
step. A slot of both halves has every sender and receiver of either parity that the slot has; so f halves are within (f + 1) / 2
slots if f is odd, or f / 2, and places are enough if 2 ceil(f / 2) < k m. The steps are ceil(m P / f), which are the fewest. Where ports
are scarce, in each step k rounds of both halves go, for which 2 ceil(k m / 2) lanes are needed. Between these two
there is nothing: f = k m - 1 for even k m, and f = k m for odd.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
import itertools
from typing import NamedTuple

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import Links, StepModel, Transfers

__all__ = ["direct_all_to_all"]


class _Sent(NamedTuple):
    """A transfer from place ``place`` of a node to place ``place`` + ``shift`` of the node at ``distance``."""

    place: int
    shift: int
    distance: int


_Group = list[_Sent]
"""Messages that are sent together: a slot, or a round."""


def direct_all_to_all(topology: FatCube | Hypercube, ports: PortModel, model: StepModel) -> Schedule | None:
    """The :class:`Schedule` of AAS; ``None`` for the numbers of lanes that the proof leaves out.

    Of ``model``, only half-duplex links count.
    """
    d, m, f = topology.d, topology.m, topology.f
    k = ports.processor_ports(d, m)
    half = model.links is Links.HALF_DUPLEX
    if not half and 2 * f >= k * m:
        steps = _chunks([(group, 0) for group in _rounds(d, m, f, k)], k)
    elif half and f >= 2 * -(-k * m // 2):
        steps = _chunks([(group, odd) for group in _rounds(d, m, f, k, halves=2) for odd in (0, 1)], 2 * k)
    elif f > m << d - 1:
        return None
    elif not half:
        steps = _chunks([(group, 0) for group in _slots(d, m)], f)
    elif 2 * -(-f // 2) < k * m:
        steps = _chunks([(group, odd) for group in _slots(d, m) for odd in (0, 1)], f)
    else:
        return None
    moves = [
        _move(step, m, odd, sent)
        for step, groups in enumerate(steps, start=1)
        for group, odd in groups
        for sent in group
        if sent.shift or sent.distance
    ]
    heeded = StepModel(transfers=Transfers.DIRECT, links=model.links)
    return Schedule.from_moves(topology, ports, Collective.AAS, None, moves, symmetric=not half or d > 1, model=heeded)


def _slots(d: int, m: int) -> Iterator[_Group]:
    """All slots in their order."""
    for shift, r, place in itertools.product(range(m), range(1 << d - 1), range(m)):
        first = _opposite(d, r) if m % 2 == 0 and 2 * place >= m else r
        yield [
            _Sent(2 * place % m, shift, first),
            _Sent((2 * place + 1) % m, shift, _opposite(d, first)),
        ]


def _rounds(d: int, m: int, f: int, k: int, halves: int = 1) -> list[_Group]:
    """All rounds in their order; one less if the last step carries what is then in the last."""
    rounds = [
        [_Sent(place, shift, _opposite(d, r) if (place + turn) % 2 else r) for place in range(m)]
        for shift, r, turn in itertools.product(range(m), range(1 << d - 1), range(2))
    ]
    fewer = [*rounds[2:], [_Sent(place, 0, _opposite(d, 0)) for place in range(m)]]
    last = fewer[(len(fewer) - 1) // k * k :]
    carried = Counter(i for group in last for sent in group for i in range(d) if sent.distance >> i & 1)
    return fewer if halves * max(carried.values()) <= f else rounds


def _opposite(d: int, node: int) -> int:
    return (1 << d) - 1 - node


def _chunks(groups: Sequence[tuple[_Group, int]], size: int) -> list[Sequence[tuple[_Group, int]]]:
    return [groups[first : first + size] for first in range(0, len(groups), size)]


def _move(step: int, m: int, odd: int, sent: _Sent) -> Move:
    """The move of a message of node 0, or of node 1 if ``odd``."""
    src = odd * m + sent.place
    dst = (odd ^ sent.distance) * m + (sent.place + sent.shift) % m
    way, here = [], odd
    for i in range(sent.distance.bit_length()):
        if sent.distance >> i & 1:
            here ^= 1 << i
            way.append(here)
    return Move(step, src, dst, Message(src, dst), tuple(way) if len(way) > 1 else ())
