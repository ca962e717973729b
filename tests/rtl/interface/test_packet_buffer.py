# amaranth: UnusedElaboratable=no
import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.interface.packet_buffer import PacketBuffer
from tests.support.planted import plant
from tests.support.streams import Sink, Source, simulate

WIDTH = 16


def packets_of(longest, *, count=150, more=3, seed=0):
    """Packets of up to ``longest`` flits and ``more``, those of about ``longest`` often; every flit is another."""
    pick, words = random.Random(f"{longest} {seed}"), iter(range(1, 1 << WIDTH))
    near = [max(1, longest - 1), longest, longest + more - 2 if more else longest, pick.randint(1, longest + more)]
    return [
        [next(words) for _ in range(pick.choice([1, pick.randint(1, longest + more), *near]))] for _ in range(count)
    ]


def run(longest, packets, *, paces=((0.0, 0.0),)):
    """The output, and the number of packets reported as too long; at each pause and stall an equal part of the packets goes in."""
    buffer, counted = PacketBuffer(WIDTH, longest), []
    source, sink = Source(buffer.i), Sink(buffer.o)

    async def testbench(ctx):
        part = len(packets) // len(paces)
        for place, (source.pause, sink.stall) in enumerate(paces):
            for packet in packets[place * part : (place + 1) * part]:
                source.add(packet)
            rest = 30 + 10 * buffer.depth if place + 1 == len(paces) else 1
            while rest and len(counted) < 20_000:
                rest -= source.done
                counted.append(ctx.get(buffer.too_long))
                await ctx.tick()

    simulate(buffer, testbench, source, sink)
    return source, sink, sum(counted)


def random_run(longest, *paces):
    """Packets at each of these pauses and stalls, one after the other."""
    packets = packets_of(longest, count=60 * len(paces))
    _, sink, too_long = run(longest, packets, paces=paces)
    assert sink.packets == [packet for packet in packets if len(packet) <= longest] and not sink.part
    assert too_long == sum(len(packet) > longest for packet in packets) > 10


@pytest.mark.parametrize("longest", [1, 2, 3, 4, 7, 8, 17])
def test_random(longest):
    """Catches a flit lost, doubled or left over, a packet that is dropped or not, and one that is counted twice."""
    random_run(longest, (0, 0), (0.6, 0), (0, 0.6), (0.3, 0.3))


@pytest.mark.parametrize("longest", [2, 3, 7, 8])
def test_latency(longest):
    """The first flit is offered two cycles after the last one was taken, the others follow without a gap."""
    source, sink, _ = run(longest, [list(range(longest))])
    assert source.times == list(range(longest))
    assert sink.times == [source.times[-1] + 2 + index for index in range(longest)]


@pytest.mark.parametrize("longest", [3, 4, 7, 15])
def test_full_rate(longest):
    """Flits leave as early as from a buffer without end: when their packet is here whole, those before it have left, or both.

    With 3, 7 and 15 there is room for one flit more than the longest packet, and no more.
    """
    packets = packets_of(longest, more=0)
    source, sink, _ = run(longest, packets)
    arrived = left = 0
    times = []
    for packet in packets:
        arrived += len(packet)
        left = max(left, arrived - 1 + 2)
        times += range(left, left + len(packet))
        left += len(packet)
    assert sink.times == times


def test_back_to_back():
    """The longest packets one after the other: once the first has come, there is a flit in every cycle, in and out."""
    source, sink, _ = run(7, [list(range(7))] * 40)
    assert source.times == list(range(280))
    assert sink.times == list(range(8, 288))


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("place.eq(whole), swallowing", "place.eq(whole + 1), swallowing"),
        ("place.eq(whole), swallowing", "place.eq(place), swallowing"),
        ("[place.eq(whole), swallowing.eq(1)]", "place.eq(whole)"),
        ("exceeds.eq(taken & ~swallowing & ~last &", "exceeds.eq(taken & ~swallowing &"),
        ("within == self.longest - 1", "within == self.longest - 2"),
        ("self.too_long.eq(exceeds)", "self.too_long.eq(exceeds | swallowing)"),
        ("self.i.ready.eq(place != first ^ self.depth)", "self.i.ready.eq(1)"),
        ("swallowing.eq(~last)", "swallowing.eq(0)"),
        ("self.o.valid.eq(first != whole)", "self.o.valid.eq(first != place)"),
    ],
    ids=[
        "rollback keeps a flit",
        "no rollback",
        "rest of a long packet leaks",
        "longest packet is dropped",
        "limit one flit too low",
        "counted twice",
        "overflow",
        "only one flit is swallowed",
        "part of a packet is offered",
    ],
)
def test_a_fault_is_found(monkeypatch, line, instead):
    plant(monkeypatch, PacketBuffer, line, instead)
    with pytest.raises(AssertionError):
        random_run(7, (0, 0.6), (0, 0.6))


def test_refused():
    with pytest.raises(ParameterError, match="^longest packet must be an integer from 1 to 65536, not 0$"):
        PacketBuffer(8, 0)
