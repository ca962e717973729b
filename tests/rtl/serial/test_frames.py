# amaranth: UnusedElaboratable=no
import random

from amaranth.sim import Simulator
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.serial.frames import FrameReceiver, FrameSender
from fatcube.sim.board.frames import FrameReader, framed
from tests.support.cases import some
from tests.support.streams import simulate

DEPTH = 32
# The check value that every table of CRCs has for CRC-32, CBF43926, and no byte that must be hidden.
KNOWN = b"123456789", b"\x7e123456789\x26\x39\xf4\xcb\x7e"
# RFC 1662, section 4.2: 7E is sent as 7D 5E, and 7D as 7D 5D; the check is 6A619BC9 by Python's zlib.
HIDDEN = b"\x7e\x7d1", b"\x7e\x7d\x5e\x7d\x5d1\xc9\x9b\x61\x6a\x7e"


def contents(count, seed=0, longest=DEPTH - 4):
    """Contents of frames, those with flags and escapes in them often."""
    pick = random.Random(seed)
    return [
        bytes(pick.choice([0x7E, 0x7D, 0x5E, 0x5D, pick.randrange(256)]) for _ in range(pick.randint(1, longest)))
        for _ in range(count)
    ]


def received(line, *, held=0, errors=()):
    """The frames that a receiver takes from these bytes, one in each cycle, each held for some cycles more."""
    receiver, found = FrameReceiver(DEPTH), []

    async def look(ctx):
        while True:
            while not ctx.get(receiver.frame.valid):
                await ctx.tick()
            content = []
            for address in range(ctx.get(receiver.frame.payload)):
                ctx.set(receiver.address, address)
                await ctx.tick()
                content.append(ctx.get(receiver.byte))
            for _ in range(held):
                await ctx.tick()
            found.append(bytes(content))
            ctx.set(receiver.frame.ready, 1)
            await ctx.tick()
            ctx.set(receiver.frame.ready, 0)

    async def testbench(ctx):
        for place, byte in enumerate(line):
            ctx.set(receiver.i.valid, byte is not None)
            ctx.set(receiver.i.payload, byte or 0)
            ctx.set(receiver.error, place in errors)
            await ctx.tick()
        ctx.set(receiver.i.valid, 0)
        for _ in range(2 * DEPTH + held):
            await ctx.tick()

    simulator = Simulator(receiver)
    simulator.add_clock(1e-6)
    simulator.add_testbench(testbench)
    simulator.add_testbench(look, background=True)
    simulator.run()
    return found


def apart(lines, pause=DEPTH + 8):
    """The bytes of frames, with a pause after each in which it can be read."""
    return [byte for line in lines for byte in (*line, *[None] * pause)]


@pytest.mark.parametrize(("content", "line"), [KNOWN, HIDDEN])
def test_known_frame(content, line):
    """Catches a framing that is not that of the RFC, which both ends of a line here would agree on."""
    assert framed(content) == line
    assert list(FrameReader().take(line)) == [content]
    assert received(line) == [content]


def test_receiver():
    """Every frame as it was sent, the longest too; what is longer, or shorter than a byte, is none."""
    sent = [*contents(40), bytes(DEPTH - 4)]
    assert received(apart(map(framed, sent))) == sent
    assert received(apart(map(framed, [bytes(DEPTH - 3), b"", bytes(2 * DEPTH), b"a"]))) == [b"a"]


@pytest.mark.parametrize("fault", some(["lost", "doubled", "flipped", "error"], (0, 2)))
def test_every_fault(fault):
    """A frame of which a byte is lost, doubled or changed at any place is dropped, or is as it was, and its neighbours are."""
    content = b"\x01\x7e\x02\x7d\x7e\x00\xff"
    line = framed(content)
    for place in range(len(line)):
        changed, errors = list(line), ()
        if fault == "lost":
            del changed[place]
        elif fault == "doubled":
            changed.insert(place, changed[place])
        elif fault == "flipped":
            changed[place] ^= 1 << place % 8
        else:
            changed[place], errors = None, (len(framed(b"before")) + DEPTH + 8 + place,)
        # A frame that lacks its last flag is ended by the first one of the next, which then comes while it is kept: twice
        # here, as a request is that is not answered.
        lines = [framed(b"before"), changed, framed(b"after"), framed(b"after")]
        found = received(apart(lines), errors=errors)
        assert found[0] == b"before" and found[-1] == b"after", place
        assert [frame for frame in found[1:] if frame != b"after"] in ([], [content]), place
        # The software at the other end of the line does as the hardware does, and keeps none.
        if fault != "error":
            reader = FrameReader()
            assert [frame for line in lines for frame in reader.take(bytes(line))][: len(found) - 1] == found[:-1]


def test_kept_until_taken():
    """Bytes that arrive while a frame is kept are dropped, and later ones are not."""
    line = [*framed(b"first"), *framed(b"second"), *[None] * 100, *framed(b"third")]
    assert received(line, held=60) == [b"first", b"third"]
    # The end of a frame whose beginning was dropped is none.
    line = [*framed(b"first"), *[None] * 40, *framed(bytes(20))]
    assert received(line, held=40) == [b"first"]


def test_abort():
    """An escape before a flag ends a frame that is given up."""
    line = framed(b"given up")
    assert received(apart([line[:-1] + b"\x7d\x7e", framed(b"next")])) == [b"next"]


@pytest.mark.parametrize("stall, pause", [(0, 0), (0.5, 0), (0, 0.5), (0.3, 0.3)])
def test_sender(stall, pause):
    """Catches a byte that is not hidden, or is hidden twice, a wrong check, and a byte lost when the line stalls."""
    sent, sender, line, pick = contents(40, seed=2), FrameSender(), [], random.Random(3)

    async def testbench(ctx):
        waiting = [(byte, place + 1 == len(content)) for content in sent for place, byte in enumerate(content)]
        offered = False
        for _ in range(20000):
            offered = bool(waiting) and (offered or pick.random() >= pause)
            ctx.set(sender.i.valid, offered)
            if offered:
                ctx.set(sender.i.payload.byte, waiting[0][0])
                ctx.set(sender.i.payload.last, waiting[0][1])
            ctx.set(sender.o.ready, pick.random() >= stall)
            if ctx.get(sender.o.valid) and ctx.get(sender.o.ready):
                line.append(ctx.get(sender.o.payload))
            if ctx.get(sender.i.valid) and ctx.get(sender.i.ready):
                waiting.pop(0)
                offered = False
            await ctx.tick()
            if not waiting and not ctx.get(sender.o.valid):
                break

    simulate(sender, testbench)
    assert bytes(line) == b"".join(map(framed, sent))


@pytest.mark.parametrize("depth", [4, 0, 65537, "32"])
def test_refused(depth):
    with pytest.raises(ParameterError, match="^frame depth must be an integer from 5 to 65536, not "):
        FrameReceiver(depth)
