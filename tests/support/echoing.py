"""A cocotb test of docs/examples/packets.py: three packets of four words return to port 3, and no more."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge


@cocotb.test()
async def echo(dut):
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
    await ClockCycles(dut.clk, 3, FallingEdge)
    assert int(dut.returned.value) == 0
    dut.rst.value = 0
    for _ in range(2):
        await ClockCycles(dut.clk, 100, FallingEdge)
        assert int(dut.returned.value) == 3
        assert int(dut.total.value) == 3 * (1 + 2 + 3 + 4)
