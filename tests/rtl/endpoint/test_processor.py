import random
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.endpoint.host import Region
from tests.support.processors import (
    LOW,
    MESSAGE_SLOTS,
    PAYLOAD,
    STRIDE,
    WIDTH,
    Host,
    ends,
    header,
    packet,
    processor,
    words,
)
from tests.support.streams import Source, cycles, simulate


@pytest.mark.parametrize("stall", [0, 0.6])
@pytest.mark.parametrize("ports", [1, 2, 4])
def test_sends_in_lockstep(ports, stall):
    """Catches a packet that is sent early, twice, with another message's words or from another bank."""
    dut = processor(ports)
    sources, sinks = ends(dut, stall=stall)
    rubbish = 0b1010011010101101

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=1)
        for message in range(2 * ports):
            await host.load(message % ports, message, held=False)  # The barrier says what is there.
        # Each port first sends a message of its own bank, then one of the next port's.
        await host.program(
            *(
                [
                    {"header": header(j, rubbish), "bank": j, "send": 1},
                    {"header": header(after, rubbish), "bank": after, "send": 1},
                ]
                for j, after in ((j, (j + 1) % ports) for j in range(ports))
            )
        )
        assert ctx.get(dut.done) and not ctx.get(dut.finished)
        for step in (1, 2):
            await cycles(ctx, 10)
            assert [len(sink.packets) for sink in sinks] == [step - 1] * ports
            await host.go()
            assert not ctx.get(dut.done)
            await host.until("done")
        assert ctx.get(dut.finished)
        await host.go()
        await cycles(ctx, 20)

    simulate(dut, testbench, *sinks)
    for j, sink in enumerate(sinks):
        assert sink.packets == [packet(j, rubbish), packet((j + 1) % ports, rubbish)] and not sink.part
        if not stall:
            for start in (0, PAYLOAD + 1):
                times = sink.times[start : start + PAYLOAD + 1]
                assert times == list(range(times[0], times[0] + PAYLOAD + 1))


def test_receives():
    """Catches a word in the wrong place or bank, and a step that is done before its packets are in."""
    dut = processor()
    sources, sinks = ends(dut)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=1)
        await host.program([{"expect": 1}, {}], [{"expect": 1}, {"expect": 1}])
        await host.go()
        assert not ctx.get(dut.done)
        await cycles(ctx, 10)
        assert not ctx.get(dut.done)
        sources[0].add(packet(9, 0xFFFF))
        await cycles(ctx, 10)
        assert not ctx.get(dut.done)
        sources[1].add(packet(4))
        await host.until("done")
        assert not ctx.get(dut.finished)
        await host.go()
        await cycles(ctx, 10)
        # Both programs are over, and yet a packet is on its way.
        assert not ctx.get(dut.done) and not ctx.get(dut.finished)
        sources[1].add(packet(5))
        await host.until("finished")
        for bank, message in ((0, 9), (1, 4), (1, 5)):
            assert (await host.stored(bank, message))[:PAYLOAD] == words(message)
            assert (await host.stored(1 - bank, message))[:PAYLOAD] == [0] * PAYLOAD
        assert await host.status(0) == {"entry": 2, "ended": 1, "expected": 1, "received": 1}
        assert await host.status(1) == {"entry": 2, "ended": 1, "expected": 2, "received": 2}

    simulate(dut, testbench, *sources, *sinks)


def test_early_packet():
    """Catches a packet that is forgotten because it comes before its processor's step has begun."""
    dut = processor(1)
    sources, sinks = ends(dut)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=1)
        await host.program([{"expect": 1}])
        sources[0].add(packet(3))
        await cycles(ctx, 10)
        assert not ctx.get(dut.done)
        await host.go()
        await host.until("finished")

    simulate(dut, testbench, *sources, *sinks)


@pytest.mark.parametrize("arrives_at", [0, 1])
def test_waits_for_its_message(arrives_at):
    """Catches a message that is passed on before it has arrived whole, and one that waits for no reason."""
    dut = processor()
    sources, sinks = ends(dut)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=0)
        await host.load(0, 1)
        await host.program(
            [
                {"header": header(1), "bank": 0, "send": 1, "expect": arrives_at == 0},
                {"header": header(6), "bank": arrives_at, "send": 1},
            ],
            [{"expect": arrives_at == 1}],
        )
        await cycles(ctx, 10)
        assert not sinks[0].times
        await host.go()
        await cycles(ctx, 30)
        assert sinks[0].packets == [packet(1)] and len(sinks[0].times) == PAYLOAD + 1
        assert (await host.status(0)).get("missing")
        # All but the last flit are not enough.
        *most, last = packet(6)
        source = sources[arrives_at]
        source.waiting += most
        await cycles(ctx, 20)
        assert len(sinks[0].times) == PAYLOAD + 1 and not ctx.get(dut.finished)
        source.waiting.append(last | 1 << WIDTH)
        await host.until("finished")
        assert not (await host.status(0)).get("missing")

    simulate(dut, testbench, *sources, *sinks)
    assert sinks[0].packets == [packet(1), packet(6)] and not sinks[1].times
    # From the last flit in to the header out.
    assert 1 <= sinks[0].times[PAYLOAD + 1] - sources[arrives_at].times[-1] <= 4


def test_held_by_the_host():
    """Catches a flag that the host cannot set, or not for that bank and message only."""
    dut = processor()
    sources, sinks = ends(dut)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=0)
        await host.load(1, 7, held=False)
        await host.program([{"header": header(7), "bank": 1, "send": 1}], [])
        await host.go()
        await host.write(Region.HELD, 0, 7, 1)
        await host.write(Region.HELD, 1, 8, 1)
        await cycles(ctx, 20)
        assert not sinks[0].times
        await host.write(Region.HELD, 1, 7, 1)
        await host.until("finished")

    simulate(dut, testbench, *sinks)
    assert sinks[0].packets == [packet(7)]


def test_host_bus():
    """Catches a bank that is written when another is meant, and a unit that answers when it is not meant."""
    # Answers of all units are ORed.
    dut = processor(3)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=1)
        await host.load(1, 7)
        assert [await host.stored(bank, 7) for bank in range(3)] == [[0] * 4, [*words(7), 0], [0] * 4]
        # Another unit is meant by all of this.
        for region in Region:
            ctx.set(dut.host.region, region)
            ctx.set(dut.host.bank, 1)
            ctx.set(dut.host.word, 7 << STRIDE)
            ctx.set(dut.host.data, 0xFFFF)
            for write in (0, 1):
                ctx.set(dut.host.write, write)
                await ctx.tick()
                assert ctx.get(dut.host.value) == 0
        ctx.set(dut.host.write, 0)
        assert await host.stored(1, 7) == [*words(7), 0]
        await ctx.tick()
        assert ctx.get(dut.host.value) == 0

    simulate(dut, testbench)


def test_goes_on_by_itself_in_dataflow():
    """Catches a barrier where there is none: one `go`, and two ports at their own pace."""
    dut = processor()
    sources, sinks = ends(dut)
    plan = [0, 1, 2, 3], [3]

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=0)
        for message in range(4):
            await host.load(0, message)
        await host.program(*([{"header": header(message), "bank": 0, "send": 1} for message in port] for port in plan))
        await host.go()
        await host.until("finished")
        assert await host.status(0) == {"entry": 4, "ended": 1}

    simulate(dut, testbench, *sinks)
    assert [sink.packets for sink in sinks] == [[packet(message) for message in port] for port in plan]


@pytest.mark.parametrize("stall", [0, 0.6])
def test_barriers_in_dataflow(stall):
    """Catches a port that does not wait after the entry that says so, or after others too; and a processor that
    calls itself done while something is still to be sent or to arrive."""
    dut = processor(1, barriers=True)
    sources, sinks = ends(dut, stall=stall)

    def send(message, **others):
        return {"header": header(message), "bank": 0, "send": 1, **others}

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=0)
        for message in range(5):
            await host.load(0, message)
        # A phase of two packets, one of nothing, one of an arrival only, and the last.
        await host.program([send(0), send(1, sync=1), {"sync": 1}, {"expect": 1, "sync": 1}, send(2), send(3)])
        for sent in (2, 2):
            await host.go()
            await host.until("done")
            await cycles(ctx, 10)
            assert len(sinks[0].packets) == sent and ctx.get(dut.done) and not ctx.get(dut.finished)
        await host.go()
        await cycles(ctx, 20)
        assert not ctx.get(dut.done) and len(sinks[0].packets) == 2
        sources[0].add(packet(9))
        await host.until("done")
        await cycles(ctx, 10)
        await host.go()
        assert not ctx.get(dut.done)
        await host.until("done")
        assert ctx.get(dut.finished)
        assert await host.status(0) == {"entry": 6, "ended": 1, "expected": 1, "received": 1}

    simulate(dut, testbench, *sources, *sinks)
    assert sinks[0].packets == [packet(message) for message in range(4)]


def test_waits_for_its_message_after_a_barrier():
    """Catches `go` that is forgotten while the message is not there, or that counts for it; and a status that names
    a message where it is the barrier that is waited at."""
    dut = processor(1, barriers=True)
    sources, sinks = ends(dut)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=0)
        await host.load(0, 1)
        await host.program(
            [
                {"header": header(1), "bank": 0, "send": 1, "sync": 1},
                {"header": header(6), "bank": 0, "send": 1, "expect": 1},
            ]
        )
        await host.go()
        await host.until("done")
        assert await host.status(0) == {"entry": 1}
        await host.go()
        await cycles(ctx, 20)
        assert await host.status(0) == {"entry": 1, "missing": 1} and not ctx.get(dut.done)
        sources[0].add(packet(6))
        await host.until("finished")

    simulate(dut, testbench, *sources, *sinks)
    assert sinks[0].packets == [packet(1), packet(6)]


def test_entry_ends_lockstep_with_or_without_sync():
    """Catches a barrier that is passed twice, or not at all, because lockstep has one there anyway."""
    dut = processor(1, barriers=True)
    sources, sinks = ends(dut)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=1)
        for message in range(3):
            await host.load(0, message)
        await host.program(
            [{"header": header(message), "bank": 0, "send": 1, "sync": message == 1} for message in range(3)]
        )
        for sent in range(3):
            await cycles(ctx, 10)
            assert len(sinks[0].packets) == sent and not ctx.get(dut.finished)
            await host.go()
            await host.until("done")
        assert ctx.get(dut.finished)

    simulate(dut, testbench, *sinks)


@pytest.mark.parametrize("length", [1, PAYLOAD - 1, PAYLOAD, PAYLOAD + 1, 9])
def test_memory_guard(length):
    """Catches a message that runs over into the next one: what follows in its packet is another, here 0 again."""
    dut = processor(1)
    sources, sinks = ends(dut)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=1)
        for message in range(5):
            await host.load(0, message)
        sources[0].add([header(2), *(0x8000 | index for index in range(length))])
        await cycles(ctx, length + 10)
        for message in (1, 3, 4):
            assert (await host.stored(0, message))[:PAYLOAD] == words(message)
        other = words(0)
        for index in range(PAYLOAD, length):
            if place := (index - PAYLOAD) % (PAYLOAD + 1):  # the first is a header
                other[place - 1] = 0x8000 | index
        assert (await host.stored(0, 0))[:PAYLOAD] == other
        written = [0x8000 | index for index in range(min(length, PAYLOAD))]
        assert await host.stored(0, 2) == written + words(2)[len(written) :] + [0]
        # The next packet starts afresh.
        sources[0].add(packet(3))
        await cycles(ctx, 10)
        assert (await host.stored(0, 3))[:PAYLOAD] == words(3)
        assert (await host.status(0))["received"] == 2

    simulate(dut, testbench, *sources)


def test_status():
    """Catches a status word that does not say what a port stands still for."""
    dut = processor()

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=1)
        await host.load(0, 5)
        await host.program([{}, {"header": header(5), "bank": 0, "send": 1, "expect": 1}], [{"expect": 1}])
        assert [await host.status(0), await host.status(1)] == [{}, {}]
        await host.go()
        await cycles(ctx, 5)
        assert await host.status(0) == {"entry": 1}
        assert await host.status(1) == {"entry": 1, "ended": 1, "expected": 1}
        # Nobody takes the header: it is offered, not yet sent.
        ctx.set(dut.receive1.valid, 1)
        ctx.set(dut.receive1.payload.last, 1)
        await ctx.tick()
        ctx.set(dut.receive1.valid, 0)
        await host.go()
        await cycles(ctx, 3)
        assert await host.status(0) == {"entry": 1, "blocked": 1}
        assert not ctx.get(dut.active)
        ctx.set(dut.send0.ready, 1)
        assert ctx.get(dut.active)
        await ctx.tick()
        ctx.set(dut.send0.ready, 0)
        assert await host.status(0) == {"entry": 1, "sending": 1, "blocked": 1, "expected": 1}
        ctx.set(dut.send0.ready, 1)
        assert await host.status(0) == {"entry": 1, "sending": 1, "expected": 1}
        await cycles(ctx, PAYLOAD - 1)
        assert not ctx.get(dut.send0.valid) and not ctx.get(dut.active)
        await cycles(ctx, 4)
        assert await host.status(0) == {"entry": 2, "ended": 1, "expected": 1}
        assert not ctx.get(dut.done)

    simulate(dut, testbench)


@pytest.mark.parametrize("lockstep", [0, 1])
def test_random_relay(lockstep):
    """Catches what only happens when a port sends and receives at once: random messages, both ports."""
    dut = processor(ports=2, program_entries=16)
    sources, sinks = ends(dut, stall=0.3)
    pick = random.Random(lockstep)
    rounds = 6
    # Messages 0..5 arrive at port 0 and 6..11 at port 1, one each a step; a port sends any that came before.
    came = [[0, 6]]
    plans = [[{"expect": 1}], [{"expect": 1}]]
    for step in range(1, rounds):
        earlier = [message for pair in came for message in pair]
        for plan in plans:
            message = pick.choice(earlier)
            plan.append(
                {"header": header(message, pick.getrandbits(WIDTH)), "bank": message // 6, "send": 1, "expect": 1}
            )
        came.append([step, 6 + step])

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=lockstep)
        await host.program(*plans)
        for step in range(rounds):
            for source, message in zip(sources, came[step]):
                source.pause = pick.choice((0, 0.5))
                source.add(packet(message))
            if lockstep or step == 0:
                await host.go()
            if lockstep:
                await host.until("done")
        await host.until("finished", 400)
        for message in range(12):
            assert (await host.stored(message // 6, message))[:PAYLOAD] == words(message)

    simulate(dut, testbench, *sources, *sinks)
    for plan, sink in zip(plans, sinks):
        sent = [entry["header"] for entry in plan if "header" in entry]
        assert sink.packets == [[head, *words(head >> LOW & MESSAGE_SLOTS - 1)] for head in sent]


@pytest.mark.parametrize(
    "given, message",
    [
        ({"ports": 0}, "ports of a processor must be an integer from 1 to 255, not 0"),
        ({"ports": 256}, "ports of a processor must be an integer from 1 to 255, not 256"),
        ({"message_low": -1}, "message low must be an integer of at least 0, not -1"),
        ({"message_bits": 0}, "message bits must be an integer of at least 1, not 0"),
        ({"memory_words": 1}, "memory words must be an integer from 2 to 16777216, not 1"),
        ({"program_entries": 1}, "program entries must be an integer from 2 to 65536, not 1"),
        ({"host_width": 51}, "host width must be an integer of at least 52, not 51"),
        ({"reductions": True, "host_width": 68}, "host width must be an integer of at least 69, not 68"),
    ],
)
def test_refused(given, message):
    """Catches a processor that could not hold or do anything."""
    with pytest.raises(ParameterError, match=re.escape(message) + "$"):
        processor(**given)


def adder(ports, **others):
    return processor(ports, reductions=True, host_width=128, **others)


def contribution(*seed):
    """A payload of words that carry into each other's place when they are added."""
    dice = random.Random(str(seed))
    return [dice.getrandbits(WIDTH) for _ in range(PAYLOAD)]


def total(payloads):
    """Their sum, word by word."""
    return [sum(parts) & (1 << WIDTH) - 1 for parts in zip(*payloads)]


async def combined(host, slot):
    """The sum of a slot over all banks, added by the hardware."""
    return (await host.stored(255, slot))[:PAYLOAD]


@pytest.mark.parametrize("payload", [1, 2, PAYLOAD])
@pytest.mark.parametrize("pause", [0, 0.5])
def test_adds_what_arrives(pause, payload):
    """Catches a word added to its neighbour, an addition that comes too late for the next flit, a lost carry,
    a first packet that is added to what the memory held before, and a message that is added where it is not
    to be."""
    dut = adder(1)
    slots, reduced = [0, 1, 1, 0, 1, 5, 5, 1], 2
    packets = [contribution(number)[:payload] for number in range(len(slots))]
    source = Source(dut.receive0, [[header(slot), *packet] for slot, packet in zip(slots, packets)], pause=pause)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=1, payload=payload, reduced=reduced)
        own = contribution("own")[:payload]
        await host.load(0, 0, payload=own)
        for slot in (1, 5):
            await host.load(0, slot, held=False, payload=contribution("before"))
        await host.write(Region.HELD, 0, 5, 1)
        await cycles(ctx, 200)
        assert source.done
        for slot in (0, 1):
            expected = total(
                [packet for number, packet in zip(slots, packets) if number == slot] + ([own] if slot == 0 else [])
            )
            assert (await host.stored(0, slot))[:payload] == expected
            assert (await host.stored(255, slot))[:payload] == expected
        assert (await host.stored(0, 5))[:payload] == packets[6]

    async def late(ctx):
        # The host loads first.
        await cycles(ctx, 40)
        await source.run(ctx)

    simulate(dut, testbench, late)
    if not pause:
        assert source.times == list(range(source.times[0], source.times[0] + len(slots) * (payload + 1)))


@pytest.mark.parametrize("stall", [0, 0.5])
@pytest.mark.parametrize("ports", [1, 2, 3])
def test_sends_the_sum_of_all_banks(ports, stall):
    """Catches a bank that is left out or counted although nothing has arrived in it, a sum that is read from the
    slot in the header, and one that includes what arrives while it is sent."""
    dut = adder(ports)
    old, new, there = 3, 6, 9
    sources, sinks = ends(dut, stall=stall)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=1, reduced=8)
        for j in range(ports):
            for slot in (old, new):
                await host.load(j, slot, held=False, payload=contribution("rubbish", j, slot))
        await host.load(0, old, payload=contribution("own"))
        # The last port receives in step 1; in step 2, the sum is sent while every port receives into a new slot.
        programs = [[{}, {"expect": 1}, {}] for _ in range(ports)]
        programs[-1][0] = {"expect": 1}
        programs[0][1] = {"header": header(there), "source": old, "combine": 1, "send": 1, "expect": 1}
        programs[0][2] = {"header": header(there), "source": new, "combine": 1, "send": 1}
        await host.program(*programs)
        await host.go()
        sources[-1].add([header(old), *contribution("first")])
        await host.until("done")
        await host.go()
        for j in range(ports):
            sources[j].add([header(new), *contribution("second", j)])
        await host.until("done")
        await host.go()
        await host.until("finished")
        assert await combined(host, old) == total([contribution("own"), contribution("first")])

    simulate(dut, testbench, *sources, *sinks)
    assert sinks[0].packets == [
        [header(there), *total([contribution("own"), contribution("first")])],
        [header(there), *total([contribution("second", j) for j in range(ports)])],
    ]
    if not stall:
        assert sinks[0].times[PAYLOAD] - sinks[0].times[0] == PAYLOAD


@pytest.mark.parametrize("at", [(0, 0), (0, 1), (1, 1)])
def test_waits_for_all_contributions(at):
    """Catches a sum that is sent before everything is there, in whatever banks it arrives, or never."""
    dut = adder(2)
    sources, sinks = ends(dut)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=0, reduced=8)
        await host.load(0, 2, payload=contribution("own"))
        await host.program(
            [
                {"header": header(2), "source": 2, "combine": 1, "need": 3, "send": 1, "expect": at.count(0) > 0},
                {"expect": at.count(0) > 1},
            ],
            [{"expect": 1}] * at.count(1),
        )
        await host.go()
        for number, port in enumerate(at):
            await cycles(ctx, 20)
            assert (await host.status(0)).get("missing") and not sinks[0].times
            sources[port].waiting += [header(2), *contribution(number)[:-1]]
            await cycles(ctx, 20)
            assert (await host.status(0)).get("missing") and not sinks[0].times
            sources[port].waiting.append(contribution(number)[-1] | 1 << WIDTH)
        # What was read for the host is read again for the port.
        await cycles(ctx, 10)
        assert sinks[0].times
        await cycles(ctx, 20)

    simulate(dut, testbench, *sources, *sinks)
    assert sinks[0].packets == [
        [header(2), *total([contribution("own"), *(contribution(number) for number in range(2))])]
    ]
    assert 1 <= sinks[0].times[0] - sources[at[-1]].times[-1] <= 4


def test_messages_beside_sums():
    """Catches a processor with adders that no longer does what one without them does."""
    dut = adder(2)
    sources, sinks = ends(dut)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=0, reduced=2)
        await host.load(0, 4)
        await host.program(
            [{"header": header(4), "source": 4, "send": 1}, {"header": header(6), "source": 6, "bank": 1, "send": 1}],
            [{"expect": 1}],
        )
        await host.go()
        await cycles(ctx, 20)
        assert sinks[0].packets == [packet(4)] and (await host.status(0)).get("missing")
        sources[1].add(packet(6))
        await host.until("finished")
        assert (await host.stored(1, 6))[:PAYLOAD] == words(6)

    simulate(dut, testbench, *sources, *sinks)
    assert sinks[0].packets == [packet(4), packet(6)]
