"""A half-duplex lane of one channel, cycle by cycle: which direction has the wires, and when it turns."""

import pytest

from fatcube.rtl.lanes.half_duplex import HalfDuplexLane
from fatcube.rtl.router_options import RouterOptions
from tests.support.streams import Sink, Source, cycles, simulate

WIDTH = 12


def lane(**options):
    return HalfDuplexLane(RouterOptions(width=WIDTH, links="half-duplex", **options), counters=True)


def run(dut, offered, *, cycles_to_run=60, stall=0.0, ready_from=(0, 0)):
    """The cycles in which the flits of each end are taken, and the counts.

    ``offered`` has for each end its packets, each with the cycle from which it is offered, its flits, and, if the sender
    pauses, the cycles from the first offer of a flit to that of the next. ``ready_from`` is the cycle from which the other
    end of each takes flits.
    """
    taken, counts = ([], []), {}

    async def testbench(ctx):
        for cycle in range(cycles_to_run):
            for here in (0, 1):
                sender, receiver = dut.ends[here].out, dut.ends[1 - here].into
                left = [one for one in flits[here] if one[0] is not None]
                valid = bool(left) and left[0][0] <= cycle
                ctx.set(sender.valid, valid)
                if valid:
                    ctx.set(sender.payload.data, left[0][1])
                    ctx.set(sender.payload.last, left[0][2])
                ctx.set(receiver.ready, cycle >= ready_from[here])
            for here in (0, 1):
                sender, receiver = dut.ends[here].out, dut.ends[1 - here].into
                crosses = ctx.get(receiver.valid) and ctx.get(receiver.ready)
                assert crosses == (ctx.get(sender.valid) and ctx.get(sender.ready))
                if crosses:
                    _, word, last = flits[here].pop(0)
                    assert (ctx.get(receiver.payload.data), ctx.get(receiver.payload.last)) == (word, last)
                    taken[here].append(cycle)
            await ctx.tick()
        await ctx.tick()
        counts.update(conflict=ctx.get(dut.conflict_count), error=ctx.get(dut.error_count))

    flits = tuple(
        [
            (start + index * sum(pause), 16 * number + index, index == length - 1)
            for number, (start, length, *pause) in enumerate(packets)
            for index in range(length)
        ]
        for packets in offered
    )
    simulate(dut, testbench)
    assert not any(flits)
    return taken, counts


@pytest.mark.parametrize("turn_round", [0, 1, 3])
def test_an_idle_lane_keeps_its_direction(turn_round):
    """A packet with it loses no cycle. One against it loses one when the wires have been idle for long enough."""
    taken, counts = run(lane(turn_round=turn_round), ([(0, 3), (20, 2)], [(10, 2), (30, 2)]))
    assert taken == ([0, 1, 2, 21, 22], [11, 12, 31, 32])
    assert counts == {"conflict": 0, "error": 0}


@pytest.mark.parametrize("turn_round", [0, 1, 2, 5])
def test_packets_alternate_and_turns_take_their_time(turn_round):
    """Between the last flit of a packet and the first of one in the other direction there are so many idle cycles."""
    taken, counts = run(lane(turn_round=turn_round), ([(0, 2)] * 3, [(0, 3)] * 3), cycles_to_run=80)
    period = 5 + 2 * turn_round
    first = [start + index for start in range(0, 3 * period, period) for index in range(2)]
    second = [start + 2 + turn_round + index for start in range(0, 3 * period, period) for index in range(3)]
    assert taken == (first, second)
    assert counts["error"] == 0 and counts["conflict"] > 0


def test_full_rate_in_one_direction():
    """Packets of one direction follow each other without a gap when none waits at the other end."""
    taken, _ = run(lane(), ([(0, 4)] * 5, [(30, 1)]))
    assert taken == (list(range(20)), [31])


def test_a_packet_that_waits_holds_the_lane():
    """With wormhole switching, a header and what follows it keep the direction while the other router has no room."""
    taken, _ = run(lane(), ([(0, 2)], [(1, 2)]), ready_from=(10, 0))
    assert taken == ([10, 11], [13, 14])


@pytest.mark.parametrize("switching", ["wormhole", "virtual-cut-through"])
@pytest.mark.parametrize("turn_round", [0, 2])
def test_a_sender_that_pauses_holds_the_lane(switching, turn_round):
    """Between the flits of a packet the other direction waits in every cycle, though nothing is offered in most."""
    taken, counts = run(lane(switching=switching, turn_round=turn_round), ([(0, 3, 3)], [(1, 2)]))
    assert taken == ([0, 3, 6], [7 + turn_round, 8 + turn_round])
    assert counts == {"conflict": 6, "error": 0}


@pytest.mark.parametrize("switching", ["virtual-cut-through", "store-and-forward"])
def test_a_packet_that_is_copied_sees_room_before_it_is_offered(switching):
    """It asks for lanes when there is room behind all of them. Each end shows that of the other, whoever has the wires.

    A flit against the direction is not taken, however much room there is, until the lane has turned.
    """
    dut = lane(switching=switching, ports="b")
    out, into = [end.out for end in dut.ends], [end.into for end in dut.ends]

    async def testbench(ctx):
        for rooms in ((1, 0), (0, 1), (1, 1), (0, 0)):
            for here, room in enumerate(rooms):
                ctx.set(into[1 - here].ready, room)
            assert tuple(ctx.get(one.ready) for one in out) == rooms
            assert not any(ctx.get(one.valid) for one in into)
            await ctx.tick()
        for end in into:
            ctx.set(end.ready, 1)
        ctx.set(out[1].valid, 1)
        assert (ctx.get(out[0].ready), ctx.get(out[1].ready)) == (1, 0)
        await ctx.tick()
        assert ctx.get(out[1].ready) and ctx.get(into[0].valid)

    simulate(dut, testbench)


@pytest.mark.parametrize("switching", ["virtual-cut-through", "store-and-forward"])
def test_a_packet_asks_with_room_for_all_of_it(switching):
    """Where buffers hold whole packets, one without room leaves the lane to the other direction."""
    taken, _ = run(lane(switching=switching), ([(0, 2)], [(1, 2)]), ready_from=(10, 0))
    assert taken == ([10 + 1, 12], [2, 3])


def test_a_refused_circuit_gives_the_lane_back():
    """Its header has crossed and its payload never will: the other direction is free in the cycle after the refusal."""
    dut = lane(switching="circuit", setup_retry=4)

    async def testbench(ctx):
        sender, other = dut.ends[0].out, dut.ends[1].out
        for end in dut.ends:
            ctx.set(end.into.ready, 1)
        ctx.set(sender.valid, 1)
        await ctx.tick()
        ctx.set(sender.valid, 0)
        ctx.set(other.valid, 1)
        for _ in range(5):
            assert not ctx.get(other.ready)
            await ctx.tick()
        ctx.set(dut.ends[1].into.answer.refused, 1)
        assert ctx.get(sender.answer.refused) and not ctx.get(other.answer.refused)
        await ctx.tick()
        ctx.set(dut.ends[1].into.answer.refused, 0)
        await ctx.tick()
        assert ctx.get(other.ready) and ctx.get(dut.ends[0].into.valid)

    simulate(dut, testbench)


def test_streams_keep_their_rule():
    """Random packets, pauses and stalls in both directions: nothing is lost, doubled, mixed or taken back."""
    dut = lane(turn_round=2)
    packets = [[[start, *range(start % 4)] for start in range(here, 120, 2)] for here in (0, 1)]
    sources = [Source(dut.ends[here].out, packets[here], pause=0.3, seed=here) for here in (0, 1)]
    sinks = [Sink(dut.ends[1 - here].into, stall=0.3, seed=here) for here in (0, 1)]

    async def testbench(ctx):
        while not all(source.done for source in sources):
            await ctx.tick()
        await cycles(ctx, 10)
        assert ctx.get(dut.error_count) == 0

    simulate(dut, testbench, *sources, *sinks)
    assert [sink.packets for sink in sinks] == packets
