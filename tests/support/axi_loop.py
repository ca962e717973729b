"""A network interface of 32 bits whose packets come back to it, for a peer's AXI4-Stream models in cocotb.

No hardware is imported here: the process that cocotb runs in reads this file for the numbers, and for its test.
"""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

SOURCE = 11
#: Of five destinations one is not there, and three of the numbers that `s_axis_tdest` may have are of none.
ROUTES = ([0x11], [0x7F], None, [0x00], [0x2A])
KNOWN = [number for number, ways in enumerate(ROUTES) if ways]
LONGEST = 8
WORD = 4  # bytes


def _pauses(pick, probability):
    while True:
        yield pick.random() < probability


@cocotb.test()
@cocotb.parametrize(
    periods=[(10, 10), (10, 7), (7, 10), (4, 10), (10, 3)],
    pauses=[(0.0, 0.0), (0.4, 0.4)],
)
async def packets_come_back(dut, periods, pauses):
    """Every packet that has a destination and is not too long comes back as it was sent, with `tid`, in order."""
    pick = random.Random(f"{periods} {pauses}")
    for clock, period in zip((dut.port_clk, dut.clk), periods):
        cocotb.start_soon(Clock(clock, 2 * period, "ns", period_high=period).start())
    dut.port_rst.value = dut.rst.value = 1
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.port_clk, dut.port_rst)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.port_clk, dut.port_rst)
    source.set_pause_generator(_pauses(pick, pauses[0]))
    sink.set_pause_generator(_pauses(pick, pauses[1]))
    for clock in (dut.port_clk, dut.clk):
        await ClockCycles(clock, 4, FallingEdge)
    dut.port_rst.value = dut.rst.value = 0
    for clock in (dut.port_clk, dut.clk):
        await ClockCycles(clock, 8, FallingEdge)

    sent = [(pick.randrange(8), pick.randbytes(WORD * pick.randint(1, LONGEST + 1))) for _ in range(150)]
    for number, data in sent:
        await source.send(AxiStreamFrame(data, tdest=number))
    known = [data for number, data in sent if number in KNOWN]
    passed = [data for data in known if len(data) < WORD * LONGEST]
    for data in passed:
        frame = await with_timeout(sink.recv(), 100, "us")
        assert (bytes(frame.tdata), frame.tid) == (data, SOURCE)
    await source.wait()
    await ClockCycles(dut.clk, 100)
    assert sink.empty()
    assert int(dut.unknown_count.value) == len(sent) - len(known) > 0
    assert int(dut.too_long_count.value) == len(known) - len(passed) > 0
