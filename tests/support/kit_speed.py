"""Packets per CPU second through a network of 16 AXI4-Stream ports: our sources, sinks and scoreboard, and cocotbext-axi's.

    python -m tests.support.kit_speed
    python -m tests.support.kit_speed --packets 4000 --pauses 0.3

Both send the same packets of 8 words through the same simulation, in turn, five times each, and every packet is checked by the
same scoreboard. Printed are the medians, and ours divided by theirs.
"""

import argparse
import json
import os
from pathlib import Path
import random
import statistics
import tempfile
import time

import cocotb
from cocotb.triggers import ClockCycles

from fatcube.testing import AxiAround, Description, Packet, Scoreboard, random_pauses, random_words

PORTS = 16
WORDS = 8
ROUNDS = 5


class Peer:
    """Sources and sinks of cocotbext-axi at all ports, with our scoreboard."""

    def __init__(self, dut, about):
        from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

        self.frame = AxiStreamFrame
        self.scoreboard = Scoreboard(keeps_order=about.keeps_order, tid=about.processor_of)
        ends = {"reset_active_level": False, "byte_lanes": 1}
        buses = [[AxiStreamBus.from_prefix(dut, name) for name in about.prefixes(p)] for p in range(about.endpoints)]
        self.sources = [AxiStreamSource(into, dut.aclk, dut.aresetn, **ends) for into, _ in buses]
        self.sinks = [AxiStreamSink(out, dut.aclk, dut.aresetn, **ends) for _, out in buses]
        for port, sink in enumerate(self.sinks):
            cocotb.start_soon(self.receive(port, sink))

    def pause(self, probability):
        """Pause at random, or never."""
        for number, end in enumerate((*self.sources, *self.sinks)):
            end.set_pause_generator(random_pauses(probability, seed=number) if probability else None)

    async def receive(self, port, sink):
        """Gives the scoreboard what arrives."""
        while True:
            frame = await sink.recv(compact=False)
            self.scoreboard.received(port, Packet([*frame.tdata], tid=frame.tid[0]))

    def send_to(self, source, destination, words):
        """Queue a packet."""
        self.scoreboard.sent(source, destination, Packet(words, tdest=destination))
        self.sources[source].send_nowait(self.frame(words, tdest=destination))


@cocotb.test()
@cocotb.parametrize(turn=range(ROUNDS), kind=["ours", "theirs"])
async def measure(dut, turn, kind):
    """One of both at all ports; the other is gone with the test before."""
    job = json.loads(os.environ["KIT_JOB"])
    about = Description.read(job["description"])
    pick = random.Random(turn)
    plan = [
        (pick.randrange(PORTS), pick.randrange(PORTS), random_words(pick, WORDS, about.width))
        for _ in range(job["packets"])
    ]
    ours = AxiAround(dut, about)
    await ours.start()
    end = ours if kind == "ours" else Peer(dut, about)
    if kind == "theirs":
        ours.stop()
    end.pause(job["pauses"])
    await ClockCycles(dut.aclk, 4)
    start = time.process_time()
    for source, destination, words in plan:
        end.send_to(source, destination, words)
    while end.scoreboard.under_way():
        await ClockCycles(dut.aclk, 50)
    with open("rates.jsonl", "a") as file:
        file.write(json.dumps([kind, job["packets"] / (time.process_time() - start)]) + "\n")


def main():
    """Measure, and print a line for each, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packets", type=int, default=2000)
    parser.add_argument("--pauses", type=float, default=0.0)
    given = parser.parse_args()
    print(report(measured(packets=given.packets, pauses=given.pauses)))


def measured(*, packets, pauses):
    """The rates, in packets per CPU second, of ours and of theirs."""
    # Not in the simulator's process.
    from fatcube.noc.axi_network import AxiNetwork
    from fatcube.noc.descriptions.network_file import network_json
    from fatcube.noc.routed_network import RoutedNetwork
    from fatcube.noc.topologies.grids import Torus
    from fatcube.noc.verilog import to_verilog
    from fatcube.rtl.router_options import RouterOptions
    from tests.support.cocotb_runs import built_verilog

    network = RoutedNetwork(Torus(w=4, d=2), RouterOptions(virtual_channels=2, buffer_depth=4))
    top = AxiNetwork(network, name="system").shared()
    about = network_json(network, top, interface="axi4-stream")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "net.json").write_text(json.dumps(about))
        build = built_verilog(to_verilog(top), folder, visible=[port["name"] for port in about["ports"]])
        job = {"description": str(folder / "net.json"), "packets": packets, "pauses": pauses}
        build.run("tests.support.kit_speed", folder, {"KIT_JOB": json.dumps(job)})
        rates = {"ours": [], "theirs": []}
        for line in (folder / "rates.jsonl").read_text().splitlines():
            kind, rate = json.loads(line)
            rates[kind].append(rate)
    return rates


def report(rates):
    """The medians in words."""
    ours, theirs = (statistics.median(rates[kind]) for kind in ("ours", "theirs"))
    return f"packets of {WORDS} words per CPU second: {ours:.0f}, cocotbext-axi {theirs:.0f}; ratio {ours / theirs:.2f}"


if __name__ == "__main__":
    main()
