# amaranth: UnusedElaboratable=no
import random
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.endpoint.host import Region
from fatcube.rtl.endpoint.monitor import Monitor, TraceEntry, signature_of
from tests.support.streams import simulate

WIDTH, DEPTH = 12, 8


async def read(ctx, monitor, word, *, region=Region.TRACE, select=1):
    """The word that the host bus reads, a cycle later."""
    ctx.set(monitor.host.select, select)
    ctx.set(monitor.host.region, region)
    ctx.set(monitor.host.word, word)
    await ctx.tick()
    ctx.set(monitor.host.select, 0)
    return ctx.get(monitor.host.value)


async def watch(ctx, monitor, packets, *, pick, cycle=100):
    """Shows the monitor packets, with cycles between in which nothing crosses. Returns what it must write."""
    entries, step = [], 1
    for packet in packets:
        for position, word in enumerate(packet):
            while True:
                valid, ready = pick.choice([(0, 0), (0, 1), (1, 0), (1, 1), (1, 1)])
                crossing = valid and ready
                last = position == len(packet) - 1
                ctx.set(monitor.valid, valid)
                ctx.set(monitor.ready, ready)
                ctx.set(monitor.payload.data, word if valid else pick.getrandbits(WIDTH))
                ctx.set(monitor.payload.last, last if valid else pick.getrandbits(1))
                ctx.set(monitor.step, step)
                ctx.set(monitor.cycle, cycle)
                if crossing and position == 0:
                    began = step
                if crossing and last:
                    entries.append(
                        {
                            "header": packet[0],
                            "signature": signature_of(packet[1:], WIDTH),
                            "flits": len(packet),
                            "step": began,
                            "cycle": cycle,
                        }
                    )
                await ctx.tick()
                cycle += 1
                step += pick.random() < 0.1
                if crossing:
                    break
    ctx.set(monitor.valid, 0)
    return entries


@pytest.mark.parametrize("count", [0, 1, DEPTH, DEPTH + 5])
def test_trace(count):
    """Catches a packet that is written down wrong, flits that did not cross, a trace that overwrites."""
    pick = random.Random(count)
    packets = [[pick.getrandbits(WIDTH) for _ in range(pick.randint(1, 6))] for _ in range(count)]
    monitor = Monitor(WIDTH, DEPTH, 128)

    async def testbench(ctx):
        expected = await watch(ctx, monitor, packets, pick=pick)
        counts = await read(ctx, monitor, (1 << 24) - 1)
        assert counts == count | sum(map(len, packets)) << 32
        for word, entry in enumerate(expected[:DEPTH]):
            value = await read(ctx, monitor, word)
            seen = TraceEntry(WIDTH).from_bits(value & (1 << TraceEntry(WIDTH).size) - 1)
            assert {name: seen[name] for name in entry} == entry

    simulate(monitor, testbench)


@pytest.mark.parametrize("alone", [False, True])
def test_refused_headers_do_not_count(alone):
    """Catches a header that is followed by another one in the trace, or that stays counted, alone or not."""
    monitor = Monitor(WIDTH, DEPTH, 128, refusals=True)

    async def testbench(ctx):
        async def refuse(header):
            for name, value in (("valid", 1), ("ready", 1)):
                ctx.set(getattr(monitor, name), value)
            ctx.set(monitor.payload.data, header)
            ctx.set(monitor.payload.last, alone)
            await ctx.tick()
            ctx.set(monitor.valid, 0)
            ctx.set(monitor.refused, 1)
            await ctx.tick()
            ctx.set(monitor.refused, 0)

        pick, expected = random.Random(0), []
        for packet in ([5, 6, 7], [8], [9, 10]):
            await refuse(packet[0])
            await refuse(packet[0])
            expected += await watch(ctx, monitor, [packet], pick=pick)
        assert await read(ctx, monitor, (1 << 24) - 1) == 3 | 6 << 32
        for word, entry in enumerate(expected):
            value = await read(ctx, monitor, word)
            seen = TraceEntry(WIDTH).from_bits(value & (1 << TraceEntry(WIDTH).size) - 1)
            assert {name: seen[name] for name in entry} == entry

    simulate(monitor, testbench)


def test_silent_unless_meant():
    """Catches a monitor that speaks on the bus when another unit is read: their values are ORed."""
    monitor = Monitor(WIDTH, DEPTH, 128)

    async def testbench(ctx):
        await watch(ctx, monitor, [[1, 2, 3]] * 2, pick=random.Random(0))
        for region in Region:
            for word in (0, 1, (1 << 24) - 1):
                assert await read(ctx, monitor, word, region=region, select=0) == 0
                value = await read(ctx, monitor, word, region=region)
                assert (value != 0) == (region is Region.TRACE)
                await ctx.tick()
                assert ctx.get(monitor.host.value) == 0

    simulate(monitor, testbench)


def test_signature():
    """Catches a signature that misses a changed bit, two words in another order, or a word more."""
    pick = random.Random(0)
    payload = [pick.getrandbits(WIDTH) for _ in range(9)]
    payload[3] = payload[4] ^ 5
    reference = signature_of(payload, WIDTH)
    for word in range(len(payload)):
        for bit in range(WIDTH):
            changed = list(payload)
            changed[word] ^= 1 << bit
            assert signature_of(changed, WIDTH) != reference
    assert signature_of([*payload[:3], payload[4], payload[3], *payload[5:]], WIDTH) != reference
    assert signature_of([*payload, payload[0]], WIDTH) != reference
    # By hand: 0 -> 5; rotated 10, with 3 it is 9; rotated in 4 bits 1001 -> 0011, with 0 it is 3.
    assert [signature_of([5, 3, 0][:count], 4) for count in range(4)] == [0, 5, 9, 3]


@pytest.mark.parametrize("depth", [0, -2, 1.0])
def test_refused(depth):
    """Catches a trace of nothing."""
    with pytest.raises(
        ParameterError, match=re.escape(f"trace depth must be an integer of at least 1, not {depth!r}") + "$"
    ):
        Monitor(WIDTH, depth, 128)
