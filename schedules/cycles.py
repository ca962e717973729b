"""The cycles that a schedule takes in lockstep, exactly, from the schedule and the hardware alone.

A step begins with ``go`` and lasts as long as its slowest packet, whose header leaves in the cycle of ``go``:

- The last of F payload flits, which are fewer in the last part of a divided message, leaves the sender F cycles after the header; 2 F where input buffers hold one flit, as
  such a buffer takes one every second cycle.
- It is in a processor's memory ``pipeline`` cycles per router later (one router within a node, and one more for each
  link), ``link_stages`` per link, and one more, in which the barrier sees it; ``go`` is a register, so the next step begins one
  cycle later.
  With store-and-forward, each router takes as many cycles more as the packet has payload flits.
- With several ejection channels it is there a cycle later, which it spends in an ejection buffer, and with a register between
  router and processor one more.
- The sender reads its next entry meanwhile, which takes four cycles from its last flit to the next header. In routers
  of two stages with buffers of at most two flits, its last flit may leave a cycle later.
- With circuit switching, the header takes ``pipeline`` cycles per router and the answer one more, and both take
  ``link_stages`` per link; then the payload moves on, a cycle per router and ``link_stages`` per link. Its first flit
  has left the sender meanwhile.

Nothing else counts: in lockstep no two packets want the same output, processors accept every flit, a partial sum is
added as it comes in, and copies of a packet (model b) leave a router together. With one cycle per hop that is F + 4 cycles
for every step, within a node and over links.

A packet of k messages has k (F + 1) flits, a header for each message, and the sender needs three cycles from a header
to the next; on half-duplex links a packet also waits at each lane that faces the other way (:mod:`fatcube.schedules.timing.facing`). So
buffers fill and run empty, and no formula holds for such packets: :mod:`fatcube.schedules.timing.passage` follows each flit.

Dataflow has no such formula: packets of different steps meet there, and arbiters decide who waits.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, assert_never

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.latency import delivery
from fatcube.noc.network import Network
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.rtl.switching import Switching
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.timing.facing import Facing
from fatcube.schedules.timing.passage import Passage, passages
from fatcube.schedules.wiring import check_fits

__all__ = ["StepKinds", "check_last_flits", "count_steps", "largest_packets", "lockstep_cycles"]


_NEXT_ENTRY = 4
_BARRIER = 2


class StepKinds(NamedTuple):
    """Steps of a schedule: with a packet over a link, with packets within nodes only, and with none."""

    over_links: int
    within: int
    idle: int

    @property
    def steps(self) -> int:
        """The sum of all steps."""
        return sum(self)


def count_steps(schedule: Schedule) -> StepKinds:
    """The :class:`StepKinds` of a schedule; in a symmetric one a transfer and its images are all of one kind.

    Raises
    ------
    ParameterError
        If its packets may have several messages: then steps are of more kinds.
    """
    if schedule.per_packet > 1:
        raise ParameterError(f"per_packet must be 1 for steps to be counted by kind, not {schedule.per_packet}")
    over_links = {transfer.step for transfer in schedule.transfers if transfer.lane is not None or transfer.path}
    busy = {transfer.step for transfer in schedule.transfers}
    return StepKinds(len(over_links), len(busy) - len(over_links), schedule.steps - len(busy))


def largest_packets(schedule: Schedule) -> list[int]:
    """The messages in the largest packet of each step, in the order of the steps; 0 in one in which nothing moves."""
    return [max(map(len, schedule.packets(transfers)), default=0) for transfers in _steps(schedule)]


def lockstep_cycles(
    schedule: Schedule | StepKinds, network: Network, payload_flits: int, last_flits: int | None = None
) -> int:
    """Cycles that :func:`fatcube.sim.collectives.simulate.simulate` will count for ``schedule`` in lockstep.

    Parameters
    ----------
    schedule : :class:`Schedule` or :class:`StepKinds`
        One that the checker accepts, or its steps.
    network : :class:`Network`
        The network on which it runs.
    payload_flits : :class:`int`
        Payload flits of every message, F.
    last_flits : :class:`int` or ``None``
        Payload flits of the last part of every message of several parts, if it has fewer than the others.

    Raises
    ------
    ParameterError
        If the schedule is for another network or one with wider steps, the payload is out of range, or routers would cut
        its packets.
    """
    check_integer("payload flits", payload_flits, minimum=1, maximum=MOST_FLITS - 1)
    if isinstance(schedule, StepKinds):
        over_link, within = (_packet(routers, network, payload_flits) for routers in (2, 1))
        return schedule.over_links * over_link + schedule.within * within + schedule.idle * _NEXT_ENTRY
    schedule = check_fits(schedule, network)
    flits = dict.fromkeys(range(schedule.parts), payload_flits)
    if last_flits is not None:
        check_last_flits(last_flits, payload_flits, schedule.parts)
        flits[schedule.parts - 1] = last_flits
    if network.options.shared_lanes:
        schedule = schedule.expanded()
    if network.options.shared_lanes or schedule.per_packet > 1 or schedule.model.direct:
        facing = Facing(network)
        return sum(_step(schedule, transfers, network, flits, facing) for transfers in _steps(schedule))
    of_length = {(routers, one): _packet(routers, network, one) for routers in (1, 2) for one in set(flits.values())}
    cycles = [_NEXT_ENTRY] * schedule.steps
    for transfer in schedule.transfers:
        packet = of_length[1 if transfer.lane is None else 2, flits[transfer.message.part]]
        cycles[transfer.step - 1] = max(cycles[transfer.step - 1], packet)
    return sum(cycles)


def check_last_flits(last_flits: int, payload_flits: int, parts: int) -> None:
    """Refuse payload flits of the last part that are more than those of the others, or for undivided messages.

    Raises
    ------
    ParameterError
        If they are.
    """
    check_integer("payload flits of the last part", last_flits, minimum=1, maximum=payload_flits)
    if parts == 1 and last_flits != payload_flits:
        raise ParameterError(f"payload flits of the last part must be {payload_flits} for one part, not {last_flits}")


def _steps(schedule: Schedule) -> list[list[Transfer]]:
    """The transfers of every step, also where there are none."""
    steps: list[list[Transfer]] = [[] for _ in range(schedule.steps)]
    for transfer in schedule.transfers:
        steps[transfer.step - 1].append(transfer)
    return steps


def _step(
    schedule: Schedule, transfers: Sequence[Transfer], network: Network, flits: Mapping[int, int], facing: Facing
) -> int:
    """Cycles of a step: those of its slowest packet, with the payload flits of each part."""
    cycles = _NEXT_ENTRY
    for copies in _copies(schedule.packets(transfers), network):
        ways = [list(packet[0].hops(schedule.topology)) for packet in copies]
        payload = [flits[transfer.message.part] for transfer in copies[0]]
        network.options.check_packet(len(payload) + sum(payload))
        found = passages(network.options, [facing.rested(way) for way in ways], payload)
        for way, one in zip(ways, found):
            facing.cross(way, one.crossed)
            cycles = max(cycles, _until_next(one))
    facing.end_step(cycles)
    return cycles


def _copies(packets: Sequence[Sequence[Transfer]], network: Network) -> list[list[Sequence[Transfer]]]:
    """The packets of a step; where routers copy them, those of a processor are copies of one."""
    if not network.options.copies:
        return [[packet] for packet in packets]
    by_sender: dict[int, list[Sequence[Transfer]]] = {}
    for packet in packets:
        by_sender.setdefault(packet[0].src, []).append(packet)
    return list(by_sender.values())


def _until_next(packet: Passage) -> int:
    """Cycles of a step in which nothing is slower than this packet."""
    return max(packet.sent + _NEXT_ENTRY, packet.arrived + _BARRIER)


def _packet(routers: int, network: Network, payload_flits: int) -> int:
    """Cycles of a step in which nothing is slower than a packet of one message through ``routers`` routers, over lanes that face
    its way: the result of :func:`passages`, as a formula."""
    options = network.options
    options.check_packet(payload_flits + 1)
    way = routers * options.pipeline + (routers - 1) * options.link_stages + delivery(options)
    switching = Switching(options.switching)
    match switching:
        case Switching.WORMHOLE | Switching.VIRTUAL_CUT_THROUGH:
            pass
        case Switching.STORE_AND_FORWARD:
            # A header waits in each router until the last flit is there.
            way += routers * payload_flits
        case Switching.CIRCUIT:
            [packet] = passages(options, [[None] * (routers - 1)], [payload_flits])
            return _until_next(packet)
        case _:
            assert_never(switching)
    sending = payload_flits * (2 if options.buffer_depth == 1 else 1)
    # The cycle in which the header waits in a router of two stages holds up the sender of what does not fit behind it.
    held_up = options.pipeline - 1 if payload_flits >= options.buffer_depth <= 2 else 0
    return _until_next(Passage(sending + held_up, (), sending + way))
