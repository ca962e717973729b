"""Random packets between all AXI4-Stream ports of a generated network, in cocotb.

:mod:`tests.support.axi_soak` builds the network and starts this. No hardware is imported here: what the network is comes
from the JSON beside its Verilog, and how much is sent from a job, both named by the environment.
"""

import json
import os
from pathlib import Path
import random

import cocotb
from cocotb.triggers import ClockCycles

from fatcube.testing import AxiAround, Description, Packet, random_pauses

#: How often a source or a sink pauses, in parts of all cycles; each has one of these.
PAUSES = (0.0, 0.1, 0.3, 0.6)
#: Periods in ps of the network's clock, and those that ports can have if they have clocks of their own.
PERIOD = 10_000
PORT_PERIODS = (4_000, 7_300, 10_000, 10_100, 13_700, 23_000)
#: Cycles in which nothing arrives, after which the rest is taken for lost. A word that may move does so much sooner.
STILL = 4000
#: Cycles after the last packet in which another one would still arrive.
AFTER = 500


def payload(number, beats, width):
    """The words of the packet of that number, which is the first of them; no other packet has the others."""
    return [(number + beat * 0x9E3779B1) % (1 << width) for beat in range(beats)]


def _plan(pick, about, tdest_bits, packets):
    """The packets of each endpoint, in order: lists of ``(destination, words)``.

    Among them are packets to destinations that are not there, where ``tdest`` can name one, or of other message classes,
    and some that are too long, where there is a longest one.
    """
    longest = about.parameters["longest_packet"]
    plans = [[] for _ in range(about.endpoints)]
    for number in range(packets):
        most = longest + 2 if longest else pick.choice((2, 4, 16))
        words = payload(number, pick.randint(1, most), about.width)
        plans[pick.randrange(about.endpoints)].append((pick.randrange(1 << tdest_bits), words))
    return plans


@cocotb.test()
async def random_packets(dut):
    """Every packet arrives once, whole, where it was sent, with its ``tid``, and in order if the network keeps it."""
    job = json.loads(os.environ["AXI_JOB"])
    about = Description.read(job["description"])
    pick = random.Random(job["seed"])
    net = AxiAround(dut, about)
    for end in (*net.sources, *net.sinks):
        if part := pick.choice(PAUSES):
            end.set_pause_generator(random_pauses(part, seed=pick.random()))
    net.start_clocks([PERIOD, *(pick.choice(PORT_PERIODS) for _ in range(about.endpoints))])
    await net.reset()

    endpoints, longest = about.endpoints, about.parameters["longest_packet"]
    dropped = {counter: [0] * endpoints for counter in net.COUNTERS}
    for port, plan in enumerate(_plan(pick, about, len(dut.s_axis_0_tdest), job["packets"])):
        peers = net.peers(port)
        for destination, words in plan:
            if destination not in peers:
                dropped["unknown_count"][port] += 1
            elif longest and len(words) >= longest:  # with its header it is one more
                dropped["too_long_count"][port] += 1
            else:
                net.scoreboard.sent(port, destination, Packet(words))
            net.sources[port].send_nowait(Packet(words, tdest=destination))

    cycles = await net.drain(still=STILL)
    await ClockCycles(dut.aclk, AFTER)
    assert net.read("error") == 0
    for counter, expected in dropped.items():
        assert net.counts(counter) == expected, (counter, net.counts(counter), expected)
    result = {"arrived": net.scoreboard.arrived, "cycles": cycles}
    result |= {name: sum(dropped[f"{name}_count"]) for name in ("unknown", "too_long")}
    Path("result.json").write_text(json.dumps(result))
