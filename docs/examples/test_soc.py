"""A regression for the network of soc.toml: bursts into the memory, replies out of it, and traffic between all ports.

Copy it beside soc.v and soc.json, and run `pytest test_soc.py`, or `python test_soc.py` without pytest.
"""

import random

import cocotb

from fatcube.testing import AxiAround, Bench, periodic_pauses, random_words

BENCH = Bench(__file__, verilog="soc.v", description="soc.json")
CPU, DMA_IN, DMA_OUT, MEMORY = range(4)  # the ports of soc.toml


@cocotb.test()
async def bursts_fill_the_memory(dut):
    """The memory pauses for 2 of every 7 cycles; every packet arrives once, whole and in order."""
    net, pick = AxiAround(dut, BENCH.about), random.Random(1)
    net.sinks[MEMORY].set_pause_generator(periodic_pauses(5, 2))
    await net.start()
    for _ in range(20):
        net.send_to(DMA_IN, MEMORY, random_words(pick, 8, BENCH.about.width))
        net.send_to(CPU, MEMORY, random_words(pick, 1, BENCH.about.width))
    await net.drain()
    assert net.scoreboard.arrived == 40


@cocotb.test()
async def the_memory_answers(dut):
    """One request, and an answer of two words after it has arrived; the scoreboard compares every word."""
    net = AxiAround(dut, BENCH.about)
    await net.start()
    net.send_to(DMA_OUT, MEMORY, [0x40])
    await net.drain()
    net.send_to(MEMORY, DMA_OUT, [0xCAFE0001, 0xCAFE0002])
    await net.drain()
    assert net.scoreboard.arrived == 2


@cocotb.test()
async def all_ports_at_once(dut):
    """Every port sends packets of 1 to 16 words to every port, itself included."""
    net, pick = AxiAround(dut, BENCH.about), random.Random(2)
    await net.start()
    for source in range(4):
        for destination in range(4):
            for _ in range(5):
                net.send_to(source, destination, random_words(pick, pick.randint(1, 16), BENCH.about.width))
    await net.drain()
    assert net.scoreboard.arrived == 80


if __name__ == "__main__":
    BENCH.main()
