# amaranth: UnusedElaboratable=no
"""Both ends of an interface for packets of bytes: what is sent into it comes back byte for byte, whatever the widths."""

import os
import pathlib
import random
import subprocess
import sys

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.interface.byte_interface import ByteInterface
from fatcube.rtl.interface.keep_check import KeepCheck
from fatcube.rtl.interface.narrow import Narrow
from fatcube.rtl.interface.trailer import AppendTrailer, TakeTrailer
from fatcube.rtl.interface.widen import Widen
from tests.support.byte_streams import ByteSink, ByteSource, arrives, beats_of, random_byte_packets
from tests.support.cases import some
from tests.support.interface_loop import InterfaceLoop
from tests.support.planted import plant
from tests.support.streams import simulate, until

SIZES = {"route_bits": 3, "message_bits": 3, "destinations": 5, "user_bits": 3}
SOURCE = 5
ROUTES = [[1], [7], None, [0], [2]]
COUNTS = ("unknown_count", "too_long_count", "empty_count", "bad_keep_count")


def loop_of(width, port_width, **options):
    interface = ByteInterface(width, port_width=port_width, **SIZES, **options)
    return InterfaceLoop(interface, routes=ROUTES, source=SOURCE, counts=COUNTS)


def traffic(width, port_width, *, count, seed=0):
    """Packets as beats; in some, bits of ``tkeep`` are 0 that should be 1, which breaks the rule or makes them shorter."""
    pick = random.Random(f"traffic {seed}")
    longest = 3 * max(width, port_width) // 8
    packets = random_byte_packets(range(8), count=count, longest=longest, user_bits=3, seed=seed)
    found = [beats_of(packet, port_width) for packet in packets]
    for beats in pick.sample(found, count // 4):
        beat = pick.choice(beats)
        beat[1] &= ~(1 << pick.randrange(port_width // 8))
    return found


def check(width, port_width, *, pause=0.0, stall=0.0, longest=0, count=80, crossing=False, seed=0):
    """All packets that have a destination and are not too long arrive, as far as they keep the rule; the others are counted."""
    packets = traffic(width, port_width, count=count, seed=seed)
    broken = check_packets(width, port_width, packets, pause=pause, stall=stall, longest=longest, crossing=crossing)
    assert broken > 3


def check_packets(width, port_width, packets, *, pause=0.0, stall=0.0, longest=0, crossing=False):
    """Check that these packets arrive likewise; returns how many break the rule."""
    options = {"crossing_depth": 8, "port_domain": "sync"} if crossing else {}
    loop, counts = loop_of(width, port_width, longest=longest, **options), []
    source, sink = ByteSource(loop.s_axis, packets, pause=pause), ByteSink(loop.m_axis, stall=stall)

    async def testbench(ctx):
        await until(ctx, lambda: source.done, most=20_000, rest=300)
        counts.extend(ctx.get(getattr(loop, name)) for name in COUNTS)

    simulate(loop, testbench, source, sink)
    due = [(beats[0][3], *arrives(beats, port_width)) for beats in packets]
    known = [packet for packet in due if packet[0] in (0, 1, 3, 4)]
    lanes = width // 8
    passed = [one for one in known if not longest or max(1, -(-len(one[1]) // lanes)) + 2 <= longest]
    assert sink.packets == [(SOURCE, content, user) for _, content, user, _ in passed] and not sink.part
    broken = sum(torn for *_, torn in due)
    assert counts == [len(due) - len(known), len(known) - len(passed), 0, broken]
    return broken


def lengths_at(limit, port_width):
    """Bytes of packets around ``limit``: within two bytes, and within two beats."""
    lanes = port_width // 8
    near = [limit + more for more in range(-2, 3)] + [(limit // lanes + more) * lanes for more in range(-2, 3)]
    return sorted({length for length in near if length >= 0})


WIDTHS = [(32, 32), (32, 8), (16, 64), (8, 8), (8, 64), (64, 32), (24, 8), (24, 72), (128, 8), (8, 128)]
STALLS = [(0, 0), (0.5, 0), (0, 0.5), (0.3, 0.3)]


@pytest.mark.parametrize(
    ("width", "port_width", "pause", "stall"),
    [
        pytest.param(*widths, *stalls, marks=[] if number in ((1, 3), (2, 2)) else pytest.mark.long)
        for one, widths in enumerate(WIDTHS)
        for two, stalls in enumerate(STALLS)
        for number in [(one, two)]
    ],
)
def test_random(width, port_width, pause, stall):
    check(width, port_width, pause=pause, stall=stall)


@pytest.mark.parametrize(
    ("width", "port_width", "crossing"),
    [(32, 8, True)] + [pytest.param(*which, marks=pytest.mark.long) for which in ((16, 64, True), (32, 32, False))],
)
def test_whole_packets_only(width, port_width, crossing):
    """Packets that have more flits than are stored are dropped and counted, with a crossing and without."""
    check(width, port_width, longest=4, pause=0.2, stall=0.2, crossing=crossing)


@pytest.mark.parametrize(
    ("width", "port_width"),
    some(WIDTHS, [1, 2, 3], stays="tests/rtl/interface/test_byte_interface.py::test_packets_at_the_limit"),
)
def test_packets_at_the_limit(width, port_width):
    """A packet of just as many bytes as there may be arrives, also if it ends in a beat without bytes; no longer one does."""
    most, pick, packets = 2 * width // 8, random.Random("limit"), []
    for length in lengths_at(most, port_width):
        beats = beats_of((1, pick.randbytes(length), 2), port_width)
        packets.append(beats)
        if beats[-1][1] == (1 << port_width // 8) - 1:
            packets.append([*([*beat[:2], False, *beat[3:]] for beat in beats), [0, 0, True, *beats[-1][3:]]])
    assert any(not packet[-1][1] and len(packet) > 1 for packet in packets)
    assert check_packets(width, port_width, packets, longest=4) == 0


FAULTS = {
    "a gap is passed on": (KeepCheck, "o.tkeep.eq(kept)", "o.tkeep.eq(i.tkeep)", (32, 32)),
    "a beat before the last with fewer bytes": (KeepCheck, "| ~i.tlast & ~i.tkeep.all()", "", (32, 32)),
    "no error bit": (KeepCheck, "Cat(Const(1,", "Cat(Const(0,", (32, 8)),
    "the rest is not dropped": (KeepCheck, "torn & ~i.tlast):", "torn & i.tlast):", (32, 8)),
    "an error at a short last beat": (KeepCheck, "~i.tlast & ~i.tkeep.all()", "~i.tkeep.all()", (32, 32)),
    "beats in the wrong places": (Widen, "word_select(place, ", "word_select(place ^ 1, ", (32, 8)),
    "a last beat waits for others": (Widen, "ends.eq(i.tlast | (", "ends.eq((", (32, 16)),
    "bytes of the flit before": (
        Widen,
        "m.d.sync += [getattr(o, name).eq(0) for name in _COLLECTED]",
        "pass",
        (32, 8),
    ),
    "user of an earlier beat": (Widen, "names - {*_COLLECTED,", 'names - {"tuser", *_COLLECTED,', (32, 8)),
    "the destination of a later beat": (Widen, "{*_COLLECTED, *_OF_FIRST}", "{*_COLLECTED}", (32, 8)),
    "a beat too few": (Narrow, 'held["tkeep"][len(o.tkeep)]', 'held["tkeep"][len(o.tkeep) + 1]', (32, 8)),
    "a last beat in the middle": (Narrow, 'o.tlast.eq(held["tlast"] & final)', 'o.tlast.eq(held["tlast"])', (32, 8)),
    "a beat twice": (Narrow, "with m.Elif(o.tready):", "with m.Elif(0):", (16, 64)),
    "a byte more": (AppendTrailer, "_number(i.tkeep))),", "4)),", (32, 32)),
    "no bytes before an empty beat": (AppendTrailer, "Mux(empty, len(i.tkeep),", "Mux(empty, 0,", (8, 8)),
    "the error bit inverted": (AppendTrailer, "eq(~i.tuser[0])", "eq(i.tuser[0])", (32, 32)),
    "tuser shifted": (AppendTrailer, "i.tuser[1:-1]", "i.tuser[2:]", (32, 32)),
    "broken packets not counted": (AppendTrailer, "torn.eq(i.tuser[-1])", "torn.eq(0)", (32, 32)),
    "a beat lost at the front": (TakeTrailer, "held.eq(~i.tlast)", "held.eq(~i.tlast & ~held)", (32, 32)),
    "a beat of the packet before": (TakeTrailer, "held.eq(~i.tlast)", "held.eq(1)", (32, 32)),
    "a full last beat": (TakeTrailer, "o.tkeep.eq(Mux(i.tlast,", "o.tkeep.eq(Mux(0,", (32, 32)),
    "user before the last beat": (TakeTrailer, "place < trailer", "place <= trailer", (32, 32)),
}
QUICK = {"the rest is not dropped", "bytes of the flit before", "a beat too few"}


@pytest.mark.parametrize(
    "fault", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in FAULTS]
)
def test_a_fault_is_found(monkeypatch, fault):
    part, line, instead, widths = FAULTS[fault]
    plant(monkeypatch, part, line, instead)
    with pytest.raises(AssertionError):
        check(*widths, stall=0.3, count=40)


@pytest.mark.parametrize(
    ("width", "options", "message"),
    [
        (32, {"port_width": 12}, "port width must be a multiple of 8, not 12"),
        (32, {"port_width": 0}, "port width must be an integer from 8 to 512, not 0"),
        (32, {"port_width": 520}, "port width must be an integer from 8 to 512, not 520"),
        (32, {"port_width": 24}, "port width must divide the 32 bits of a flit, or be a multiple of them, not 24"),
        (12, {"port_width": 8}, "width must be a multiple of 8 for packets of bytes, not 12"),
        (
            8,
            {"port_width": 8, "user_bits": 8},
            r"user bits must be an integer from 1 to 7 \(a flit of 8 bits has 1 of the number of bytes\), not 8",
        ),
        (32, {"port_width": 8, "crossing_depth": 9}, "crossing depth must be a power of two from 8 to 4096, not 9"),
        (32, {"port_width": 8, "longest": 1}, r"longest packet must be an integer from 2 to 65536 .*, not 1"),
    ],
)
def test_refused(width, options, message):
    with pytest.raises(ParameterError, match=f"^{message}$"):
        ByteInterface(width, **SIZES | options)


def test_the_verilog_is_the_same_in_every_process():
    """Catches registers that are written in the order of a set of names, which is another in the next process."""
    code = (
        "from fatcube.noc.shared import Shared; from fatcube.noc.verilog import to_verilog; "
        "from fatcube.rtl.interface.byte_interface import ByteInterface; "
        f"print(to_verilog(Shared(ByteInterface(32, port_width=8, **{SIZES}), 'byte_interface')))"
    )

    def text(seed):
        command, folder = [sys.executable, "-c", code], pathlib.Path(__file__).parents[3]
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        return subprocess.run(command, env=environment, cwd=folder, check=True, capture_output=True, text=True).stdout

    texts = [text(seed) for seed in (1, 3)]
    assert texts[0] == texts[1] and "o__tuser" in texts[0]


def test_ratios_are_refused():
    stream = ByteInterface(32, port_width=32, **SIZES).sends
    with pytest.raises(ParameterError, match="^ratio must be an integer of at least 2, not 1$"):
        Widen(stream, 1)
    with pytest.raises(ParameterError, match="^ratio must divide a width of 32 bits into whole bytes, not be 3$"):
        Narrow(stream, 3)
