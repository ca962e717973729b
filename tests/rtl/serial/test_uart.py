# amaranth: UnusedElaboratable=no
import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.serial.uart import FEWEST_BIT_CYCLES, UARTReceiver, UARTTransmitter
from tests.support.cases import some
from tests.support.serial_line import bytes_of, levels, on_line
from tests.support.streams import simulate

EVERY_BYTE = bytes(random.Random(1).sample(range(256), 256))


def received(bit_cycles, line):
    """The bytes that a receiver takes from a line, and the errors that it counts."""
    receiver, found, errors = UARTReceiver(bit_cycles), [], []

    def look(ctx):
        if ctx.get(receiver.o.valid):
            found.append(ctx.get(receiver.o.payload))
        errors.append(ctx.get(receiver.error))

    async def testbench(ctx):
        await on_line(ctx, receiver.rx, line, look)

    simulate(receiver, testbench)
    return bytes(found), sum(errors)


@pytest.mark.parametrize(
    "bit_cycles, bit",
    some([(4, 4), (5, 5), (7, 7), (16, 16), (16, 15.6), (16, 16.4), (100, 97), (100, 103)], [1]),
)
def test_receiver(bit_cycles, bit):
    """Catches a bit taken at the wrong time, bits in the wrong order, and clocks that may not differ."""
    content = EVERY_BYTE if bit_cycles < 100 else EVERY_BYTE[:24]
    assert received(bit_cycles, levels(content, bit)) == (content, 0)


@pytest.mark.parametrize("bit_cycles", [4, 9])
def test_no_stop_bit(bit_cycles):
    """A byte without a stop bit is an error, and no byte; the next one is whole again."""
    line = levels(b"\x5a", bit_cycles)
    broken = [
        0 if level and len(line) - 4 * bit_cycles <= at < len(line) - 3 * bit_cycles else level
        for at, level in enumerate(line)
    ]
    assert received(bit_cycles, broken) == (b"", 1)
    assert received(bit_cycles, broken + levels(b"\xa5", bit_cycles, idle=12)) == (b"\xa5", 1)


def test_disturbance():
    """A line that is low for less than half a bit has sent nothing."""
    for low in range(1, 8):
        quiet = [1] * 200
        disturbed = [1] * 20 + [0] * low + [1] * 200
        assert received(16, quiet) == received(16, disturbed) == (b"", 0)
    assert received(16, disturbed + levels(b"\x5a", 16)) == (b"\x5a", 0)


@pytest.mark.parametrize("bit_cycles", some([4, 5, 13], (0, 1)))
def test_transmitter(bit_cycles):
    """Every byte as it is defined, bits of equal length, no pause between bytes that wait, and high when there is none."""
    transmitter, line = UARTTransmitter(bit_cycles), []

    async def testbench(ctx):
        waiting = list(EVERY_BYTE)
        while waiting or len(line) < 256 * 10 * bit_cycles + 50:
            ctx.set(transmitter.i.valid, bool(waiting))
            ctx.set(transmitter.i.payload, waiting[0] if waiting else 0)
            taken = ctx.get(transmitter.i.ready)
            await ctx.tick()
            line.append(ctx.get(transmitter.tx))
            if taken and waiting:
                waiting.pop(0)

    simulate(transmitter, testbench)
    assert bytes_of(line, bit_cycles) == EVERY_BYTE
    assert line.index(0) <= 1 and all(line[line.index(0) + 256 * 10 * bit_cycles :])


@pytest.mark.parametrize("part", [UARTReceiver, UARTTransmitter])
@pytest.mark.parametrize("bit_cycles", [FEWEST_BIT_CYCLES - 1, 0, (1 << 20) + 1, 4.0, True])
def test_refused(part, bit_cycles):
    with pytest.raises(ParameterError, match="^bit cycles must be an integer from 4 to 1048576, not "):
        part(bit_cycles)
