"""Bytes on an asynchronous serial line: a start bit (0), eight bits of data, the lowest first, and a stop bit (1)."""

from typing import Any

from amaranth.hdl import Cat, Const, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer

__all__ = ["FEWEST_BIT_CYCLES", "UARTReceiver", "UARTTransmitter"]


FEWEST_BIT_CYCLES = 4
"""The shortest bit, in cycles, that is still sampled away from its edges."""

_DATA = 8
_BITS = 1 + _DATA + 1


def _check_bit_cycles(bit_cycles: object) -> int:
    return check_integer("bit cycles", bit_cycles, minimum=FEWEST_BIT_CYCLES, maximum=1 << 20)


class UARTReceiver(wiring.Component):
    """Takes bytes from a line. Each bit is sampled in its middle.

    Parameters
    ----------
    bit_cycles : :class:`int`
        Cycles per bit, of :data:`FEWEST_BIT_CYCLES` or more.

    Members
    -------
    rx : :py:`In(1)`
        The line, synchronised to the clock.
    o : :py:`Out(stream.Signature(8, always_ready=True))`
        The bytes, each valid for one cycle.
    error : :py:`Out(1)`
        A stop bit was missing, so that no byte was received; asserted for one cycle.

    Raises
    ------
    ParameterError
        If a parameter is out of its range.
    """

    rx: Signal
    o: stream.Interface
    error: Signal

    def __init__(self, bit_cycles: int) -> None:
        self.bit_cycles = _check_bit_cycles(bit_cycles)
        super().__init__({"rx": In(1), "o": Out(stream.Signature(8, always_ready=True)), "error": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        bits = Signal(_BITS)
        taken = Signal(range(_BITS + 1))
        timer = Signal(range(self.bit_cycles))
        with m.If(taken == 0):
            m.d.sync += timer.eq(self.bit_cycles // 2 - 1)
            with m.If(~self.rx):
                m.d.sync += taken.eq(1)
        with m.Elif(timer != 0):
            m.d.sync += timer.eq(timer - 1)
        with m.Else():
            m.d.sync += [
                timer.eq(self.bit_cycles - 1),
                bits.eq(Cat(bits[1:], self.rx)),
                taken.eq(taken + 1),
            ]
            with m.If((taken == 1) & self.rx):  # a glitch, shorter than half a bit
                m.d.sync += taken.eq(0)
            with m.If(taken == _BITS):
                m.d.sync += taken.eq(0)
                # A line that is still low is taken for another start bit: a break is one error for each ten bits.
                m.d.comb += [self.o.valid.eq(self.rx), self.error.eq(~self.rx)]
        m.d.comb += self.o.payload.eq(bits[-_DATA:])
        return m


class UARTTransmitter(wiring.Component):
    """Sends bytes on a line, back to back while bytes are offered.

    Parameters
    ----------
    bit_cycles : :class:`int`
        Cycles per bit, of :data:`FEWEST_BIT_CYCLES` or more.

    Members
    -------
    i : :py:`In(stream.Signature(8))`
        The bytes.
    tx : :py:`Out(1)`
        The line, driven by a register.

    Raises
    ------
    ParameterError
        If a parameter is out of its range.
    """

    i: stream.Interface
    tx: Signal

    def __init__(self, bit_cycles: int) -> None:
        self.bit_cycles = _check_bit_cycles(bit_cycles)
        super().__init__({"i": In(stream.Signature(8)), "tx": Out(1, init=1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        bits = Signal(_BITS - 1)
        left = Signal(range(_BITS + 1))
        timer = Signal(range(self.bit_cycles))
        with m.If(timer != 0):
            m.d.sync += timer.eq(timer - 1)
        with m.Elif(left != 0):
            m.d.sync += [
                self.tx.eq(bits[0]),
                bits.eq(Cat(bits[1:], Const(1, 1))),
                left.eq(left - 1),
                timer.eq(self.bit_cycles - 1),
            ]
        with m.Else():
            m.d.comb += self.i.ready.eq(1)
            with m.If(self.i.valid):
                payload: Any = self.i.payload
                m.d.sync += [
                    self.tx.eq(0),
                    bits.eq(Cat(payload, Const(1, 1))),
                    left.eq(_BITS - 1),
                    timer.eq(self.bit_cycles - 1),
                ]
        return m
