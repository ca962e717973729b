"""Packets of bytes whose sender stops inside them, through a generated network with a stop timeout, in cocotb."""

import json
import os
import random

import cocotb
from cocotb.triggers import ClockCycles

from fatcube.testing import AxiAround, Description, Packet

TIMEOUT = 40  # cycles
WIDTHS = (8, 32, 64, 16)
BYTES = 40


@cocotb.test()
async def stopped_packets_have_the_error_bit(dut):
    """A packet that is stopped arrives with fewer bytes and the error bit, and the packet behind it is whole."""
    about = Description.read(json.loads(os.environ["AXI_JOB"])["description"])
    net, pick = AxiAround(dut, about), random.Random(1)
    got = {port: [] for port in range(about.endpoints)}
    for port, sink in enumerate(net.sinks):
        sink._to = got[port].append
    await net.start()
    for source, width in enumerate(WIDTHS):
        for destination in range(about.endpoints):
            first, second = (list(pick.randbytes(BYTES)) for _ in range(2))
            place = pick.randrange(1, BYTES // (width // 8))
            net.sources[source].send_nowait(Packet(first, tdest=destination, tuser=2, stop=(place, 3 * TIMEOUT)))
            net.sources[source].send_nowait(Packet(second, tdest=destination, tuser=6))
            await ClockCycles(dut.aclk, 400)
            stopped, whole = got[destination][-2:]
            assert (whole.words, whole.tuser) == (second, 6)
            assert stopped.tuser == 1 and len(stopped.words) < BYTES and stopped.words == first[: len(stopped.words)]
            # Of the flits that were full before it stopped, all but the last one arrive.
            full = place * width // 8 // 4
            assert len(stopped.words) == max(0, full - 1) * 4, (source, destination, place, len(stopped.words))
    assert {port: len(packets) for port, packets in got.items()} == dict.fromkeys(got, 2 * len(WIDTHS))
