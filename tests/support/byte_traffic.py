"""Random packets of bytes between all AXI4-Stream ports of a generated network, in cocotb.

:mod:`tests.support.byte_soak` builds the network and starts this. No hardware is imported here: what the network is comes
from the JSON beside its Verilog, and what is sent from a job, both named by the environment.
"""

import json
import os
from pathlib import Path
import random

import cocotb
from cocotb.triggers import ClockCycles
from cocotb.utils import get_sim_time

from fatcube.testing import AxiAround, Description, Packet, random_pauses
from tests.support.axi_traffic import PAUSES, PERIOD, PORT_PERIODS

#: Packets that wait at a source: all that are under way are few, and so is what the scoreboard has to look through.
WAITING = 3
STILL = 6000
#: The most bytes of a packet, each as often as the others.
LENGTHS = (1, 9, 40, 150)


class Peer:
    """A source and a sink of cocotbext-axi in the place of ours at each port."""

    def __init__(self, net, dut, about):
        from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

        self.frame, self.sources, self.sinks = AxiStreamFrame, [], []
        for port, (ours, sink) in enumerate(zip(net.sources, net.sinks)):
            ends = ours.clock, getattr(dut, f"axis_{port}_aresetn", dut.aresetn)
            into, out = (AxiStreamBus.from_prefix(dut, name) for name in about.prefixes(port))
            ours.stop()
            sink.stop()
            self.sources.append(AxiStreamSource(into, *ends, reset_active_level=False))
            self.sinks.append(AxiStreamSink(out, *ends, reset_active_level=False))
            cocotb.start_soon(self.receive(net, port))

    async def receive(self, net, port):
        """Gives the scoreboard what arrives."""
        while True:
            frame = await self.sinks[port].recv(compact=False)
            # TUSER and TKEEP come for each byte lane of each beat.
            kept = [byte for byte, keep in zip(frame.tdata, frame.tkeep) if keep]
            net.scoreboard.received(port, Packet(kept, tid=frame.tid[-1], tuser=frame.tuser[-1]))

    async def send(self, port, packet):
        """Queues a packet, when few wait."""
        source = self.sources[port]
        while source.count() >= WAITING:
            await ClockCycles(source.clock, 20)
        frame = self.frame(bytes(packet.words), tdest=packet.tdest, tuser=packet.tuser)
        source.send_nowait(frame)


def _packet(pick, about, *, least):
    """A random packet, with its destination."""
    words = list(pick.randbytes(max(least, pick.randint(0, pick.choice(LENGTHS)))))
    number = pick.randrange(1 << max(1, (about.endpoints - 1).bit_length()))
    return Packet(words, tdest=number, tuser=pick.getrandbits(about.user_bits))


@cocotb.test()
async def random_packets(dut):
    """Every packet arrives once, byte for byte, where it was sent, with ``tid`` and ``tuser``; and all counts are right."""
    job = json.loads(os.environ["AXI_JOB"])
    about = Description.read(job["description"])
    pick = random.Random(job["seed"])
    net = AxiAround(dut, about)
    peer = Peer(net, dut, about) if job["peer"] else None
    for end in (*(peer or net).sources, *(peer or net).sinks):
        if part := pick.choice(PAUSES):
            end.set_pause_generator(random_pauses(part, seed=pick.random()))
    net.start_clocks([PERIOD, *(pick.choice(PORT_PERIODS) for _ in range(about.endpoints))])
    await net.reset()
    dropped = {counter: [0] * about.endpoints for counter in net.COUNTERS}
    arriving = [0]

    def expect(port, packet):
        """Tell the scoreboard what is to arrive, and count what is not."""
        if len(packet.words) > about.most_words > 0 and packet.gap is None:
            dropped["too_long_count"][port] += packet.tdest in net.peers(port)
        if packet.gap is not None:
            dropped["bad_keep_count"][port] += 1
        if packet.tdest not in net.peers(port):
            dropped["unknown_count"][port] += 1
        elif packet.gap is not None:
            net.scoreboard.sent(port, packet.tdest, Packet(packet.words[: packet.gap], tuser=1))
            arriving[0] += 1
        elif not 0 < about.most_words < len(packet.words):
            net.scoreboard.sent(port, packet.tdest, packet)
            arriving[0] += 1

    async def send_all(port, count):
        own = random.Random(f"{job['seed']} {port}")
        net.sources[port].limit = WAITING
        for _ in range(count):
            packet = _packet(own, about, least=int(peer is not None))
            # The peer always keeps the rule of TKEEP. A packet that breaks it is short enough to arrive.
            short = not about.most_words or len(packet.words) <= about.most_words
            if peer is None and len(packet.words) > 1 and short and own.random() < 0.1:
                packet.gap = own.randrange(len(packet.words) - 1)
            expect(port, packet)
            await (net.sources[port].send(packet) if peer is None else peer.send(port, packet))

    share, more = divmod(job["packets"], about.endpoints)
    tasks = [cocotb.start_soon(send_all(port, share + (port < more))) for port in range(about.endpoints)]
    before = -1
    while not all(task.done() for task in tasks):
        await ClockCycles(dut.aclk, STILL)
        assert net.scoreboard.arrived != before, "nothing arrives, and not everything has been sent"
        before = net.scoreboard.arrived
    await net.drain(still=STILL)
    cycles = round(get_sim_time("ps") / PERIOD)
    assert net.read("error") == 0 and net.scoreboard.arrived == arriving[0]
    for counter, expected in dropped.items():
        assert net.counts(counter) == expected, (counter, net.counts(counter), expected)
    result = {"arrived": net.scoreboard.arrived, "cycles": cycles}
    result |= {name: sum(dropped[f"{name}_count"]) for name in ("unknown", "too_long", "bad_keep")}
    Path("result.json").write_text(json.dumps(result))
