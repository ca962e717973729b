"""A cocotb test of docs/examples/knock.py: each button switches the LED of the opposite processor, once per press."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge


@cocotb.test()
async def knock(dut):
    dut.buttons.value = 0
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
    await ClockCycles(dut.clk, 3, FallingEdge)
    dut.rst.value = 0
    lit = 0
    for pressed in (0, 1, 2, 3, 0, 0, 3):
        dut.buttons.value = 1 << pressed
        await ClockCycles(dut.clk, 30, FallingEdge)
        lit ^= 1 << 3 - pressed
        assert int(dut.leds.value) == lit, (pressed, bin(int(dut.leds.value)))
        for _ in range(4):  # a contact that bounces is no second press
            dut.buttons.value = 0
            await ClockCycles(dut.clk, 2, FallingEdge)
            dut.buttons.value = 1 << pressed
            await ClockCycles(dut.clk, 2, FallingEdge)
        dut.buttons.value = 0
        await ClockCycles(dut.clk, 30, FallingEdge)
        assert int(dut.leds.value) == lit
    dut.buttons.value = 0b1111
    await ClockCycles(dut.clk, 30, FallingEdge)
    assert int(dut.leds.value) == lit ^ 0b1111
