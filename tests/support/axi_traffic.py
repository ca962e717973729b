"""Random packets between all AXI4-Stream ports of a generated network, with a peer's sources and sinks, in cocotb.

:mod:`tests.support.axi_soak` builds the network and starts this. No hardware is imported here: what the network is comes
from the JSON beside its Verilog, and how much is sent from a job, both named by the environment.
"""

import json
import os
from pathlib import Path
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

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


class Scoreboard:
    """What is under way, and what was wrong with what arrived.

    A packet is ``(source, destination, words)``; the first word is its number, by which a source sends them in order.
    """

    def __init__(self, *, ports, keeps_order):
        self.ports, self.keeps_order = ports, keeps_order
        self.under_way, self.latest, self.wrong, self.arrived = {}, {}, [], 0

    def send(self, source, destination, words):
        """A packet that is to arrive."""
        self.under_way[words[0]] = (source, destination, words)

    def receive(self, port, words, tids):
        """A packet that came out of a port."""
        found = self.under_way.pop(words[0], None)
        if found is None:
            return self.wrong.append(f"port {port} received {words[:4]}, which was lost, doubled or never sent")
        self.arrived += 1
        source, destination, sent = found
        if port != destination:
            self.wrong.append(f"packet {words[0]} from {source} to {destination} arrived at {port}")
        if words != sent:
            self.wrong.append(f"packet {words[0]} from {source} to {port} has {words} and was sent as {sent}")
        if set(tids) != {source // self.ports}:
            self.wrong.append(f"packet {words[0]} from {source} to {port} has tid {tids}")
        if self.keeps_order and words[0] < self.latest.get((source, destination), 0):
            self.wrong.append(f"packet {words[0]} from {source} to {port} was overtaken by another")
        self.latest[source, destination] = words[0]


def _plan(pick, about, packets):
    """What each endpoint sends, in order: lists of ``(destination, words)``.

    Among them are packets to destinations that are not there, where ``tdest`` can name one, or of other message classes,
    and some that are too long, where there is a longest one.
    """
    ports = {port["name"]: port["bits"] for port in about["ports"]}
    endpoints = sum(name.startswith("s_axis_") and name.endswith("_tdata") for name in ports)
    width, longest = about["parameters"]["width"], about["parameters"]["longest_packet"]
    plans = [[] for _ in range(endpoints)]
    for number in range(packets):
        most = longest + 2 if longest else pick.choice((2, 4, 16))
        words = payload(number, pick.randint(1, most), width)
        plans[pick.randrange(endpoints)].append((pick.randrange(1 << ports["s_axis_0_tdest"]), words))
    return plans


def _pauses(pick, part):
    while True:
        yield pick.random() < part


async def _receive(sink, port, board):
    while True:
        frame = await sink.recv(compact=False)
        board.receive(port, frame.tdata, frame.tid)


@cocotb.test()
async def random_packets(dut):
    """Every packet arrives once, whole, where it was sent, with its ``tid``, and in order if the network keeps it."""
    job = json.loads(os.environ["AXI_JOB"])
    about = json.loads(Path(job["description"]).read_text())
    pick = random.Random(job["seed"])
    plans = _plan(pick, about, job["packets"])
    endpoints, longest, routes = len(plans), about["parameters"]["longest_packet"], about["routing"]["routes"]
    port_clocks = any(port["name"] == "axis_0_aclk" for port in about["ports"])
    board = Scoreboard(ports=about["ports_per_processor"], keeps_order=about["routing"]["keeps_order"])

    def ends(kind, way, port):
        prefix = f"axis_{port}_" if port_clocks else ""
        clock, reset = getattr(dut, f"{prefix}aclk"), getattr(dut, f"{prefix}aresetn")
        bus = AxiStreamBus.from_prefix(dut, f"{way}_axis_{port}")
        # A word is one number, of any width, and not four bytes.
        end = kind(bus, clock, reset, reset_active_level=False, byte_lanes=1)
        if part := pick.choice(PAUSES):
            end.set_pause_generator(_pauses(random.Random(pick.random()), part))
        return end

    slowest = PERIOD
    clocks, resets = [(dut.aclk, PERIOD)], [dut.aresetn]
    if port_clocks:
        for port in range(endpoints):
            clocks.append((getattr(dut, f"axis_{port}_aclk"), pick.choice(PORT_PERIODS)))
            resets.append(getattr(dut, f"axis_{port}_aresetn"))
        slowest = max(period for _, period in clocks)
    for reset in resets:
        reset.value = 0
    for clock, period in clocks:
        cocotb.start_soon(Clock(clock, period, "ps", period_high=period // 2).start())
    sources = [ends(AxiStreamSource, "s", port) for port in range(endpoints)]
    sinks = [ends(AxiStreamSink, "m", port) for port in range(endpoints)]
    await ClockCycles(dut.aclk, 10 * slowest // PERIOD, FallingEdge)
    for reset in resets:
        reset.value = 1
    await ClockCycles(dut.aclk, 10 * slowest // PERIOD, FallingEdge)

    unknown, too_long = [0] * endpoints, [0] * endpoints
    for port, plan in enumerate(plans):
        cocotb.start_soon(_receive(sinks[port], port, board))
        for destination, words in plan:
            sources[port].send_nowait(AxiStreamFrame(words, tdest=destination))
            if destination >= endpoints or not routes[port][destination]:
                unknown[port] += 1
            elif longest and len(words) >= longest:  # with its header it is one more
                too_long[port] += 1
            else:
                board.send(port, destination, words)

    before, still, cycles = 0, 0, 0
    while (board.under_way or not all(source.idle() for source in sources)) and not board.wrong and still < STILL:
        await ClockCycles(dut.aclk, 100)
        cycles += 100
        still = 0 if board.arrived > before else still + 100
        before = board.arrived
    await ClockCycles(dut.aclk, AFTER)
    if board.under_way and not board.wrong:
        board.wrong.append(
            f"{len(board.under_way)} packets never arrived, the first: {next(iter(board.under_way.items()))}"
        )
    assert not board.wrong, board.wrong[:5]
    assert int(dut.error.value) == 0
    for name, expected in (("unknown", unknown), ("too_long", too_long), ("empty", [0] * endpoints)):
        counted = [int(getattr(dut, f"{name}_count_{port}").value) for port in range(endpoints)]
        assert counted == expected, (name, counted, expected)
    Path("result.json").write_text(
        json.dumps({"arrived": board.arrived, "unknown": sum(unknown), "too_long": sum(too_long), "cycles": cycles})
    )
