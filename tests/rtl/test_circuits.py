# amaranth: UnusedElaboratable=no
"""Circuit switching: set-up, answer, payload and tear-down, cycle by cycle and under load, and faults in each of them."""

import itertools
import random
import re

from amaranth.hdl import Module
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.allocators.allocator import Allocator
from fatcube.rtl.inputs.circuit_draws import Draws
from fatcube.rtl.inputs.circuit_input import CircuitInput
from fatcube.rtl.inputs.input_unit import InputUnit
from fatcube.rtl.inputs.retry_pause import RetryPause
from fatcube.rtl.lanes.circuit_end import CircuitEnd
from fatcube.rtl.lanes.link import LinkRegister
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_options import RouterOptions
from tests.support.cases import some
from tests.support.channels import Channels
from tests.support.parameters import router_parameters
from tests.support.planted import plant, some_of
from tests.support.streams import Sink, Source, cycles, simulate, until

ROUTERS = 3
LENGTHS = (0, 1, 2, 3, 9)
"""Payload flits of a packet."""
STILL = 1100
"""Cycles without a moving flit after which nothing moves any more: more than the longest pause."""


def parameters(**given):
    given = {"processors": 2, "channels": 2, "message_bits": 5, "width": 40, "counters": True, "hops": 3, **given}
    return router_parameters(switching="circuit", **given)


def header(of, routers, output, message=0):
    """From the first router of a row to ``output`` of the one that has this number, counted from 1."""
    return of.header.pack([of.lane_port(1, 0)] * (routers - 1) + [output], message)


def answers(lane, kind, seen):
    """A process that writes down in which cycles an answer of this kind is on a lane."""

    async def run(ctx):
        now = -1
        async for _, _, answer in ctx.tick().sample(getattr(lane.answer, kind)):
            if answer:
                seen.append(now)
            now += 1

    return run


def check_latency(of):
    """DESIGN's formula: header H r, answer H, payload H + F - 1, and a register of a link once in each of the three."""
    cycles_per_router, stages = of.options.pipeline, of.options.link_stages
    row = Channels(of, ROUTERS)
    jobs = [(routers, length) for routers in range(1, ROUTERS + 1) for length in LENGTHS]
    source = Source(row.inputs[0, 0, 0])
    sinks = {routers: Sink(row.outputs[routers - 1, 1, 0]) for routers in range(1, ROUTERS + 1)}
    seen, entered = [], []

    async def testbench(ctx):
        for routers, length in jobs:
            first = len(source.times)
            source.add([header(of, routers, 1, 3), *range(1, length + 1)])
            arrived = [len(sink.packets) for sink in sinks.values()]
            await until(ctx, lambda: [len(sink.packets) for sink in sinks.values()] != arrived, most=80, rest=8)
            assert sinks[routers].packets[-1][1:] == list(range(1, length + 1))
            start = source.times[first]
            entered.append([time - start for time in source.times[first:]])
            seen.append([time - start for time in sinks[routers].times[-length - 1 :]])

    simulate(row, testbench, source, *sinks.values())
    for (routers, length), went_in, came_out in zip(jobs, entered, seen):
        links = (routers - 1) * stages
        head, answer = routers * cycles_per_router + links, routers + links
        first = head + answer + routers + links
        # At full rate, and not before: the header has long been there.
        assert came_out == [head, *range(first, first + length)], (routers, length)
        # One flit waits behind the header; the others come in when that has been answered.
        assert went_in == [0, *[1][:length], *range(head + answer + 1, head + answer + length)], (routers, length)


OTHERS = [{}, {"pipeline": 2, "setup_retry": 1, "link_stages": 1}]
MORE = [
    {"pipeline": 2},
    {"setup_retry": 3},
    {"link_stages": 2},
    {"arbiter": "deficit", "longest_packet": 10, "stop_timeout": 99},
]


@pytest.mark.parametrize("others", [*OTHERS, *(pytest.param(one, marks=pytest.mark.long) for one in MORE)], ids=str)
def test_latency_without_load(others):
    """One to three routers, headers alone and four lengths of payload."""
    check_latency(parameters(**others))


def test_headers_alone_need_no_circuit():
    """They follow each other in every cycle, as with wormhole switching; where set-ups are tried again, each is one."""

    def times(**others):
        of = parameters(**others)
        row = Channels(of, 2)
        source, sink = Source(row.inputs[0, 0, 0], [[header(of, 2, 1)]] * 4), Sink(row.outputs[1, 1, 0])

        async def testbench(ctx):
            await cycles(ctx, 60)

        simulate(row, testbench, source, sink)
        return [time - sink.times[0] for time in sink.times]

    assert times() == [0, 1, 2, 3]
    # Two cycles there and two back.
    assert times(setup_retry=5) == [0, 4, 8, 12]


def check_traffic(of, routers, *, seed=0, packets=60, pause=0.2):
    """From every input of a row, to every output that it reaches and where none is: whole, once, in order, or an error.

    The order is that of each input to each output. Sources pause and sinks stall, each by its own dice.
    """
    pick = random.Random(f"{seed} {of.options}")
    row = Channels(of, routers)
    bits = of.header.selector_bits
    sent, expected, illegal = {}, {}, [0] * routers
    for number, (router, port, _) in enumerate(sorted(row.inputs)):
        for index in range(packets):
            here, enters, way, crossed = router, port, [], set()
            selectors = of.options.hops + (port < of.processor_ports)
            while True:
                output = pick.randrange(1 << bits) if pick.random() < 0.1 else pick.choice(of.reach(enters))
                if len(way) == selectors - 1 and output in (of.lane_port(0, 0), of.lane_port(1, 0)):
                    output = pick.randrange(of.processor_ports)
                if (here, output) in crossed:  # It would meet itself.
                    output = pick.choice([end for end in of.reach(enters) if end < of.processor_ports])
                crossed.add((here, output))
                way.append(output)
                if output not in of.reach(enters):
                    illegal[here] += 1
                    end = None
                    break
                end = here, output
                channel = output - of.processor_ports
                neighbour = here + (1 if channel else -1)
                if channel < 0 or not 0 <= neighbour < routers:
                    break
                here, enters = neighbour, of.lane_port(1 - channel, 0)
            payload = [index << 8 | place for place in range(pick.choice((0, 0, 1, 2, 3, 7)))]
            sent.setdefault((router, port), []).append([of.header.pack(way, number), *payload])
            if end is not None:
                expected.setdefault((end, number), []).append(payload)
    sources = [Source(row.inputs[*place, 0], some, pause=pause, seed=place) for place, some in sent.items()]
    sinks = {place[:2]: Sink(stream, stall=0.3, seed=place, name=str(place)) for place, stream in row.outputs.items()}
    counts = []

    async def testbench(ctx):
        moved, still, arriving = 0, 0, sum(map(len, expected.values()))
        while still < STILL:
            await ctx.tick()
            now = sum(len(end.times) for end in (*sources, *sinks.values()))
            if all(source.done for source in sources) and sum(len(sink.packets) for sink in sinks.values()) == arriving:
                await cycles(ctx, 60)
                break
            moved, still = now, (still + 1) * (now == moved)
        counts.extend(ctx.get(router.error_count) for router in row.routers)

    simulate(row, testbench, *sources, *sinks.values())
    assert all(source.done for source in sources), "a packet waits for ever"
    assert not any(sink.part for sink in sinks.values()), "a packet is not whole"
    for place, sink in sinks.items():
        for number in range(len(sources)):
            mine = [payload for first, *payload in sink.packets if of.header.unpack_message(first) == number]
            assert mine == expected.get((place, number), []), (place, number)
    assert sum(len(sink.packets) for sink in sinks.values()) == sum(map(len, expected.values()))
    assert counts == illegal
    return row


TRAFFIC = [
    {"setup_retry": 4, "link_stages": 1, "turns": "forward"},
]
MORE_TRAFFIC = [
    {},
    {"pipeline": 2, "setup_retry": 2},
    {"pipeline": 2, "link_stages": 1},
    {"setup_retry": 1},
    {"setup_retry": 7, "arbiter": "least-recent", "turns": "all"},
    {"longest_packet": 8, "stop_timeout": 200, "setup_retry": 3},
]


@pytest.mark.parametrize("routers", some([1, 3], [0]))
@pytest.mark.parametrize(
    "others", [*TRAFFIC, *(pytest.param(one, marks=pytest.mark.long) for one in MORE_TRAFFIC)], ids=str
)
def test_random_traffic(others, routers):
    """Saturated inputs, stalling sinks, headers for turns that are not there, here and further on."""
    check_traffic(parameters(**others), routers)


@pytest.mark.parametrize("retry", [0, 6])
def test_blocked_set_up(retry):
    """It waits, and holds its lane against others; or is torn down after so many cycles, router by router, and others pass.

    A packet without an end holds the output of the third router. Behind it waits one from the first router, and behind
    that one from the second, over the same lane to another output.
    """
    of = parameters(setup_retry=retry)
    row = Channels(of, 3)
    holder = Source(row.inputs[2, 0, 0])
    blocked = Source(row.inputs[0, 0, 0], [[header(of, 3, 1), 7, 8, 9]])
    other = Source(row.inputs[1, 0, 0])
    sinks = [Sink(row.outputs[2, output, 0]) for output in (0, 1)]
    refused, granted = ([], []), ([], [])
    watchers = [
        answers(row.between[2 * lane], kind, seen[lane])
        for kind, seen in (*([("refused", refused)] if retry else []), ("granted", granted))
        for lane in (0, 1)
    ]
    progress = []

    async def testbench(ctx):
        holder.waiting += [header(of, 1, 1), 1]  # No last flit among them.
        await cycles(ctx, 30)
        other.add([header(of, 2, 0), 5])
        await cycles(ctx, 100)
        progress.append([len(sink.packets) for sink in sinks])
        holder.add([2])
        await until(ctx, lambda: sum(len(sink.packets) for sink in sinks) == 3, most=2000)

    simulate(row, testbench, holder, blocked, other, *sinks, *watchers)
    # The other packet passes where the blocked one gives back what it holds.
    assert progress == [[1, 0] if retry else [0, 0]]
    assert [packet[1:] for packet in sinks[0].packets] == [[5]]
    assert [packet[1:] for packet in sinks[1].packets] == [[1, 2], [7, 8, 9]]
    assert (len(granted[0]), len(granted[1])) == (1, 2)
    if retry:
        # In front of the third router three cycles after it came; blocked for so many; a register more a router.
        assert refused[1][0] == blocked.times[0] + 3 + retry + 1
        assert refused[0] == [time + 1 for time in refused[1]]
        # The pauses grow: from up to 15 cycles each to up to 1023.
        pauses = [later - earlier for earlier, later in itertools.pairwise(refused[0])]
        assert 2 <= len(pauses) < 14


@pytest.mark.parametrize("others", some([{}, {"setup_retry": 5}, {"pipeline": 2, "link_stages": 1}], (1, 2)), ids=str)
@pytest.mark.parametrize("at", some([1, 2, 3], [1]))
def test_illegal_header(others, at):
    """In any router on the way: its packet is swallowed, whole; an error is counted there, once; and the way is free."""
    of = parameters(**others)
    row = Channels(of, 3)
    nowhere = 0 if at == 1 else of.lane_port(0, 0)  # Back where it comes from.
    bad = of.header.pack([of.lane_port(1, 0)] * (at - 1) + [nowhere], 0)
    source = Source(row.inputs[0, 0, 0], [[bad, *range(9)], [bad], [header(of, 3, 1), 1, 2], [bad, 3]])
    other, sink = Source(row.inputs[0, 1, 0]), Sink(row.outputs[2, 1, 0])
    counts = []

    async def testbench(ctx):
        await cycles(ctx, 150)
        other.add([header(of, 3, 1), 4])
        await cycles(ctx, 60)
        counts.extend(ctx.get(router.error_count) for router in row.routers)

    simulate(row, testbench, source, other, sink)
    assert source.done and other.done
    assert [packet[1:] for packet in sink.packets] == [[1, 2], [4]]
    assert counts == [3 if router == at else 0 for router in (1, 2, 3)]


@pytest.mark.parametrize("length", some([0, 4], [1]))
def test_a_way_over_one_lane_twice(length):
    """It meets itself and is refused for ever, or waits where set-ups do; with retries everybody else passes.

    From router 0 to router 1, back, to router 1 again and on to router 2.
    """
    of = parameters(setup_retry=3, turns="all", hops=4)
    row, count = Channels(of, 3), 20
    there, back = of.lane_port(1, 0), of.lane_port(0, 0)
    source = Source(row.inputs[0, 0, 0], [[of.header.pack([there, back, there, there, 1], 0), *range(length)]])
    other = Source(row.inputs[0, 1, 0], [[header(of, 3, 1), *range(length)]] * count)
    opposite = Source(row.inputs[2, 0, 0], [[of.header.pack([back, back, 0], 0), *range(length)]] * count)
    sinks = [Sink(row.outputs[2, 1, 0]), Sink(row.outputs[0, 0, 0])]

    async def testbench(ctx):
        await until(ctx, lambda: all(len(sink.packets) == count for sink in sinks), most=3000)

    simulate(row, testbench, source, other, opposite, *sinks)
    assert [[packet[1:] for packet in sink.packets] for sink in sinks] == [[list(range(length))] * count] * 2
    assert other.done and opposite.done


def through_a_ring(of, length, *, count, numbers=None):
    """The payload that comes out of a ring of four, where each router sends to the one opposite, all at once."""
    ring = Channels(of, 4, ring=True, numbers=numbers)
    packet = [header(of, 3, 1), *range(length)]
    sources = [Source(ring.inputs[number, 0, 0], [packet] * count) for number in range(4)]
    sinks = [Sink(ring.outputs[number, 1, 0]) for number in range(4)]

    async def testbench(ctx):
        still, before = 0, 0
        while still < STILL and before < 4 * count:
            await ctx.tick()
            now = sum(len(sink.packets) for sink in sinks)
            still, before = (still + 1) * (now == before), now

    simulate(ring, testbench, *sources, *sinks)
    return [packet[1:] for sink in sinks for packet in sink.packets]


@pytest.mark.parametrize("length", some([0, 3], [1]))
@pytest.mark.parametrize("retry", [0, 3])
def test_set_ups_in_a_ring(retry, length):
    """Each holds the lane that another one waits for: with retries all come through, again and again; without, none.

    All begin in the same cycle, and are alike in everything but the numbers of their routers. Headers alone hold no lane,
    but a register each, and come through, as there are two of these in every router.
    """
    delivered = through_a_ring(parameters(setup_retry=retry), length, count=25)
    assert delivered == ([list(range(length))] * 100 if retry or not length else [])


def test_routers_need_numbers_of_their_own():
    """With the same number everywhere, routers that are alike do the same for ever: refuse each other.

    Those of the test before have numbers of their own.
    """
    assert through_a_ring(parameters(setup_retry=3), 3, count=2, numbers=[7, 7, 7, 7]) == []


# What each fault is in, the line, another in its place, and the check that finds it.
FAULTS = {
    "set-up: payload does not wait": (
        CircuitInput,
        "Mux(keeps, answer.granted, self.allocator.advance)",
        "self.allocator.advance",
        {},
    ),
    "set-up: the header goes out twice": (CircuitInput, "hidden.eq(waiting)", "hidden.eq(0)", {}),
    "answer: a header alone is answered": (
        CircuitInput,
        "(Const(bool(self.retry)) | ~unit.flit.last)",
        "1",
        {},
    ),
    "answer: none for what is discarded": (
        CircuitInput,
        "to_processor if self.first else to_processor | unit.allocator.discard",
        "to_processor",
        {},
    ),
    "answer: not passed on": (CircuitInput, "here | self.answered.granted", "here", {}),
    "answer: to every input": (FatNodeRouter, "Mux(holds, unit.answer, 0)", "unit.answer.as_value()", {}),
    "answer: late on links": (
        LinkRegister,
        "m.d.sync += self.i.answer",
        "m.d.comb += self.i.answer",
        {"link_stages": 1},
    ),
    "answer: none at the end of a lane": (CircuitEnd, "self.taken & expect_header", "self.taken & ~expect_header", {}),
    "tear-down: the output stays held": (
        CircuitInput,
        "self.answered.refused | self.answered.granted & alone",
        "0",
        {"setup_retry": 2},
    ),
    "tear-down: a header alone keeps its way": (CircuitInput, "self.answered.granted & alone", "0", {"setup_retry": 2}),
    "tear-down: it is not passed on": (
        CircuitInput,
        "refused = refuses | self.answered.refused",
        "refused = refuses",
        {"setup_retry": 2},
    ),
    "tear-down: payload is expected": (InputUnit, "with m.If(self.restart):", "with m.If(0):", {"setup_retry": 2}),
    "tear-down: the output is another's": (
        Allocator,
        '(holder & self._of_sources("release", output)).any()',
        'self._of_sources("release", output).any()',
        {"setup_retry": 2},
    ),
    "retry: a header that holds an output is refused": (
        CircuitInput,
        "enough & ~stays",
        "enough",
        {"setup_retry": 2},
    ),
    "retry: the request of a refused header stands": (
        CircuitInput,
        "unit.allocator.requests & ~refuses.replicate(len(unit.allocator.requests))",
        "unit.allocator.requests",
        {"setup_retry": 2},
    ),
    "retry: the header is not sent again": (
        CircuitInput,
        "answers = answer.granted | answer.refused",
        "answers = answer.granted",
        {"setup_retry": 2},
    ),
}


# The others that test_circuit_proofs.py finds in every run are found there.
QUICK = {"set-up: the header goes out twice", "answer: late on links"}


@pytest.mark.parametrize("fault", some_of(FAULTS, QUICK))
def test_a_fault_is_found(monkeypatch, fault):
    """By latency without load, or under random traffic through three routers."""
    part, line, instead, others = FAULTS[fault]
    plant(monkeypatch, part, line, instead)
    of = parameters(**others)
    with pytest.raises(AssertionError):
        check_latency(of)
        check_traffic(of, 3, packets=40)


def test_pauses():
    """From a range that each refusal doubles, up to 64 times, and that a grant makes the first again."""
    pause = RetryPause(3)
    lengths = []

    async def testbench(ctx):
        for granted in (*[0] * 8, 1, 0):
            ctx.set(pause.draw, 0xFFFF)
            for name in ("granted", "refused") if granted else ("refused",):
                ctx.set(getattr(pause, name), 1)
                await ctx.tick()
                ctx.set(getattr(pause, name), 0)
            length = 0
            while ctx.get(pause.resting):
                length += 1
                await ctx.tick()
            lengths.append(length)

    simulate(pause, testbench)
    assert lengths == [16, 32, 64, 128, 256, 512, 1024, 1024, 16, 32]


def test_draws():
    """The sequences of two inputs differ, as do those of two routers that were reset together; none comes again soon."""
    draws = [Draws(2), Draws(2)]
    m = Module()
    m.submodules += draws
    m.d.comb += [draws[0].number.eq(4), draws[1].number.eq(5)]
    seen = []

    async def testbench(ctx):
        for _ in range(2000):
            await ctx.tick()
            seen.append([ctx.get(one.draw(index)) for one in draws for index in (0, 1)])

    simulate(m, testbench)
    assert all(first ^ other == 1 for first, _, other, _ in seen)
    assert len({first for first, *_ in seen}) == 2000
    assert sum(first == second for first, second, *_ in seen) < 10
    # Each bit is drawn about as often as not.
    assert all(900 < sum(first >> bit & 1 for first, *_ in seen) < 1100 for bit in range(16))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"buffer_depth": 4},
            "buffer depth must be 2 for circuit switching, where a flit and one behind it never wait for more room, not 4",
        ),
        (
            {"ports": "b", "hops": 1},
            "switching must not be circuit in model b, as the copies of a packet would need a circuit each",
        ),
        (
            {"virtual_channels": 2},
            "virtual channels must be 1 with circuit switching, not 2",
        ),
        ({"setup_retry": 5000}, "setup retry must be an integer from 0 to 4096, not 5000"),
    ],
    ids=str,
)
def test_what_does_not_go_together(given, message):
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        parameters(**given)


@pytest.mark.parametrize("switching", ["wormhole", "virtual-cut-through", "store-and-forward"])
def test_other_techniques_have_no_set_ups(switching):
    with pytest.raises(ParameterError, match=f"^setup retry must be 0 with {switching} switching, not 3$"):
        RouterOptions(switching=switching, setup_retry=3, longest_packet=2)


def test_an_input_that_cannot_restart():
    """Behind a lane where headers are refused, what follows one of them is a header."""
    unit = InputUnit(8, 2, outputs=[0], selector_bits=1)
    with pytest.raises(ParameterError, match="^unit must restart where headers are refused, and this one does not$"):
        CircuitInput(unit, ends=[False], retry=2)
