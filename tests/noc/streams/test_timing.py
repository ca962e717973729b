# amaranth: UnusedElaboratable=no
"""The latency and the bandwidth of interfaces with byte-exact packets: the documented ones are measured, to the cycle."""

import re

from amaranth.hdl import Elaboratable, Module
from amaranth.lib import wiring
import pytest

from fatcube.noc.streams.timing import port_timing
from fatcube.rtl.interface.byte_interface import ByteInterface
from fatcube.rtl.interface.narrow import Narrow
from fatcube.rtl.interface.trailer import TakeTrailer
from fatcube.rtl.interface.widen import Widen
from fatcube.rtl.lanes.link import LinkRegister
from tests.support.byte_streams import ByteSink, ByteSource, beats_of
from tests.support.planted import plant
from tests.support.streams import moves, simulate, until

WIDTH = 32
LINK = 1  # cycle of a flit in the link between the interfaces, which is in the place of all routers
LONGEST = 8
COUNT = 8  # packets, after the first of which the period is the same


class Pair(Elaboratable):
    """An interface at a port of the first width, and one at a port of the second, with a link between them."""

    def __init__(self, widths, *, stored, crossing):
        sizes = {"route_bits": 3, "message_bits": 3, "destinations": 1, "user_bits": 2}
        sizes |= {"longest": LONGEST} if stored else {}
        # With one clock on both sides, a crossing behaves as between two equal clocks.
        sizes |= {"crossing_depth": 8, "port_domain": "sync"} if crossing else {}
        self.first, self.last = (ByteInterface(WIDTH, port_width=width, **sizes) for width in widths)

    def elaborate(self, platform):
        m = Module()
        m.submodules.first, m.submodules.last = first, last = self.first, self.last
        m.submodules.link = link = LinkRegister(WIDTH)
        wiring.connect(m, first.send, link.i)
        wiring.connect(m, link.o, last.receive)
        m.d.comb += first.routes.eq(first.table.pack([[5]]))
        return m


def measured(widths, content, *, count, stored, crossing):
    """The source, the sink, and the cycles of flits into the network and out of it, of packets of as many bytes."""
    pair, into, out = Pair(widths, stored=stored, crossing=crossing), [], []
    packet = (0, bytes(range(content)), 2)
    source = ByteSource(pair.first.s_axis, [beats_of(packet, widths[0])] * count)
    sink = ByteSink(pair.last.m_axis)

    async def testbench(ctx):
        await until(ctx, lambda: len(sink.packets) == count, most=400, rest=4)

    simulate(pair, testbench, source, sink, moves(pair.first.send, into), moves(pair.last.receive, out))
    assert sink.packets == [packet] * count
    return source, sink, into, out


def value(formula, *, flits, beats):
    """The value of a formula."""
    return eval(re.sub(r"(\d) ([A-Z(])", r"\1 * \2", formula), {"F": flits, "B": beats})


def check(port, contents, *, stored, crossing):
    """All five formulas of a port, against one that is as wide as the network."""
    timing = port_timing(WIDTH, port, stored=stored, crossing=crossing)
    for content in contents:
        sizes = {"flits": max(1, -(-content * 8 // WIDTH)), "beats": max(1, -(-content * 8 // port))}
        flits, beats = sizes.values()
        options = {"count": COUNT, "stored": stored, "crossing": crossing}
        source, sink, into, _ = measured((port, WIDTH), content, **options)
        said = [value(formula, **sizes) for formula in (timing.latency_in, timing.last_in, timing.cycles_in)]
        headers = into[:: flits + 2]
        assert [into[0] - source.offers[0], into[flits + 1] - source.offers[0], headers[-1] - headers[-2]] == said
        # A port that is as wide as the network takes the last beat when its trailer comes, whatever gaps were before it.
        out = value(port_timing(WIDTH, WIDTH, stored=stored, crossing=crossing).latency_out, **sizes)
        assert sink.times[flits - 1] - source.offers[0] == said[1] + LINK + out
        # The sender is as wide as the network, so its flits come without gaps where nothing holds up the last one.
        _, sink, into, _ = measured((WIDTH, port), content, **options)
        lasts = sink.times[beats - 1 :: beats]
        said = [value(formula, **sizes) for formula in (timing.latency_out, timing.cycles_out)]
        assert [lasts[0] - (into[0] + flits + 1 + LINK), lasts[-1] - lasts[-2]] == said


CONTENTS = (0, 1, 4, 5, 7, 8, 12, 23, 24)


@pytest.mark.parametrize(
    ("port", "stored", "crossing"),
    [
        pytest.param(
            port,
            stored,
            crossing,
            marks=[] if (port, stored, crossing) in ((8, False, False), (64, True, False)) else pytest.mark.long,
        )
        for port in (8, 16, 32, 64, 128)
        for stored in (False, True)
        for crossing in (False, True)
    ],
)
def test_every_part_is_as_it_is_written(port, stored, crossing):
    """Packets without bytes, of less than a beat, of less than a flit, and of several flits, the last of them full or not."""
    quick = (port, stored, crossing) in ((8, False, False), (64, True, False))
    check(port, (0, 5, 24) if quick else CONTENTS, stored=stored, crossing=crossing)


@pytest.mark.long(stays="tests/noc/streams/test_timing.py::test_every_part_is_as_it_is_written")
@pytest.mark.parametrize(
    ("component", "line", "instead", "port"),
    [
        (Widen, "i.tready.eq(~o.tvalid | o.tready)", "i.tready.eq(~o.tvalid)", 8),
        (Narrow, "i.tready.eq(~o.tvalid | o.tready & final)", "i.tready.eq(~o.tvalid)", 8),
        (Narrow, "i.tready.eq(~o.tvalid | o.tready & final)", "i.tready.eq(~o.tvalid)", 64),
        (TakeTrailer, "held & ~i.tlast)", "held & ~i.tlast & ~o.tvalid & o.tready)", 8),
    ],
    ids=["a gap behind each flit", "a gap before each beat", "a gap between beats", "a cycle more"],
)
def test_a_cycle_too_many_is_found(monkeypatch, component, line, instead, port):
    plant(monkeypatch, component, line, instead)
    with pytest.raises(AssertionError):
        check(port, (24,), stored=False, crossing=False)
