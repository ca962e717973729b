"""Ports that are connected to each other by wires, for our sources and sinks and those of cocotbext-axi; and cocotb tests.

The process that cocotb runs in reads this file too, so it imports no hardware.
"""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge

from fatcube.testing import (
    AxiMonitor,
    AxiSink,
    AxiSource,
    CircuitMonitor,
    CircuitSink,
    CircuitSource,
    FlitMonitor,
    FlitSink,
    FlitSource,
    LaneMonitor,
    LaneSink,
    LaneSource,
    Packet,
    ProtocolError,
    listed_pauses,
    periodic_pauses,
    random_pauses,
)

__all__ = ["WIRES"]


WIDTH = 16
DEPTH = 3
#: Pairs of ports by the signals of each, with its bits, and the side that drives it: "i" is the source's.
PORTS = {
    "s_axis": (
        "m_axis",
        {
            "_tdata": (WIDTH, "i"),
            "_tlast": (1, "i"),
            "_tdest": (4, "i"),
            "_tid": (4, "i"),
            "_tvalid": (1, "i"),
            "_tready": (1, "o"),
        },
    ),
    "s_bytes": (
        "m_bytes",
        {
            "_tdata": (32, "i"),
            "_tkeep": (4, "i"),
            "_tuser": (3, "i"),
            "_tlast": (1, "i"),
            "_tdest": (4, "i"),
            "_tid": (4, "i"),
            "_tvalid": (1, "i"),
            "_tready": (1, "o"),
        },
    ),
    "flit_in": ("flit_out", {"__payload": (WIDTH + 1, "i"), "__valid": (1, "i"), "__ready": (1, "o")}),
    "lane_in": ("lane_out", {"__payload": (WIDTH + 2, "i"), "__valid": (1, "i"), "__credit": (2, "o")}),
    "wait_in": (
        "wait_out",
        {"__payload": (WIDTH + 1, "i"), "__valid": (1, "i"), "__ready": (1, "o"), "__answer": (1, "o")},
    ),
    "try_in": (
        "try_out",
        {"__payload": (WIDTH + 1, "i"), "__valid": (1, "i"), "__ready": (1, "o"), "__answer": (2, "o")},
    ),
}


def _wires():
    """The Verilog: what enters at one port of a pair leaves by the other."""
    ports, lines = ["input clk", "input rst"], []
    for into, (out, signals) in PORTS.items():
        for name, (bits, side) in signals.items():
            enters, leaves = (into, out) if side == "i" else (out, into)
            ports += [f"input [{bits - 1}:0] {enters}{name}", f"output [{bits - 1}:0] {leaves}{name}"]
            lines.append(f"  assign {leaves}{name} = {enters}{name};")
    return f"module system ({', '.join(ports)});\n{chr(10).join(lines)}\nendmodule\n"


WIRES = _wires()
PACKETS = 300
#: Packets between ours and theirs, of which a long test has more.
PEERS = int(os.environ.get("KIT_PACKETS", "300"))
PAUSES = {
    "never": lambda seed: None,
    "random": lambda seed: random_pauses(0.4, seed=seed),
    "periodic": lambda seed: periodic_pauses(3, 2),
}


async def start(dut):
    """The clock, and no reset."""
    dut.rst.value = 0
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    await ClockCycles(dut.clk, 2)


def packets(seed, *, count=PACKETS, channels=1):
    """Random packets, headers alone among them."""
    pick = random.Random(seed)
    return [
        Packet(
            [pick.getrandbits(WIDTH) for _ in range(pick.choice([1, 2, pick.randint(1, 9)]))],
            tdest=pick.randrange(16),
            tid=pick.randrange(16),
            channel=pick.randrange(channels),
        )
        for _ in range(count)
    ]


def content(packet):
    """The part of a packet that is to arrive."""
    return packet.words, packet.tdest, packet.tid, packet.channel, packet.tuser


def packets_of_bytes(seed, *, count=PACKETS, least=0):
    """Random packets of bytes with TUSER, packets without a byte among them."""
    pick = random.Random(seed)
    return [
        Packet(
            list(pick.randbytes(max(least, pick.choice([0, 1, 4, pick.randint(1, 20)])))),
            tdest=pick.randrange(16),
            tid=pick.randrange(16),
            tuser=pick.randrange(8),
        )
        for _ in range(count)
    ]


KINDS = {
    "axi": (AxiSource, AxiSink, AxiMonitor, "s_axis", {}),
    "bytes": (AxiSource, AxiSink, AxiMonitor, "s_bytes", {}),
    "flits": (FlitSource, FlitSink, FlitMonitor, "flit_in", {}),
    "lanes": (LaneSource, LaneSink, LaneMonitor, "lane_in", {"depth": DEPTH}),
    "circuits": (CircuitSource, CircuitSink, CircuitMonitor, "wait_in", {}),
    "retries": (CircuitSource, CircuitSink, CircuitMonitor, "try_in", {}),
}


@cocotb.test()
@cocotb.parametrize(kind=list(KINDS), pauses=list(PAUSES))
async def packets_arrive(dut, kind, pauses):
    """In order on each channel, as they were sent, at the sink and at a monitor; the sink of retries refuses some."""
    make_source, make_sink, make_monitor, into, options = KINDS[kind]
    await start(dut)
    refuse = {"refuse": random_pauses(0.2, seed=3)} if kind == "retries" else {}
    source = make_source(dut, into, dut.clk, dut.rst, **options, limit=4)
    sink = make_sink(dut, PORTS[into][0], dut.clk, dut.rst, **options, **refuse)
    monitor = make_monitor(dut, into, dut.clk, **options)
    source.set_pause_generator(PAUSES[pauses](1))
    sink.set_pause_generator(PAUSES[pauses](2))
    sent = packets(kind, channels=2 if kind == "lanes" else 1)
    if kind == "bytes":
        sent = packets_of_bytes(kind)
    elif kind != "axi":
        sent = [Packet(packet.words, channel=packet.channel) for packet in sent]
    for packet in sent:
        await source.send(packet)
        assert source.count() <= 4
    await source.wait()
    assert source.idle() and source.empty()
    await ClockCycles(dut.clk, 30)
    for end in (sink, monitor):
        assert end.idle() and end.count() == len(sent)
        got = [end.recv_nowait() for _ in sent]
        for channel in (0, 1):
            expected = [content(packet) for packet in sent if packet.channel == channel]
            assert [content(packet) for packet in got if packet.channel == channel] == expected
        assert end.empty() and got[-1].at > got[0].at > 0
    if kind == "retries":
        assert source.refused > 0


@cocotb.test()
@cocotb.parametrize(ours=["source", "sink"])
async def the_peer_agrees(dut, ours):
    """Our source into the sink of cocotbext-axi, or its source into ours, with pauses at both."""
    from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

    await start(dut)
    bus = {"byte_lanes": 1}
    source = (
        AxiSource(dut, "s_axis", dut.clk, dut.rst)
        if ours == "source"
        else AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst, **bus)
    )
    sink = (
        AxiSink(dut, "m_axis", dut.clk, dut.rst)
        if ours == "sink"
        else AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst, **bus)
    )
    await ClockCycles(dut.clk, 2)
    source.set_pause_generator(random_pauses(0.3, seed=1))
    sink.set_pause_generator(random_pauses(0.3, seed=2))
    for packet in packets("peer", count=PEERS):
        sent = packet if ours == "source" else AxiStreamFrame(packet.words, tdest=packet.tdest, tid=packet.tid)
        source.send_nowait(sent)
    for packet in packets("peer", count=PEERS):
        got = await sink.recv()
        if ours == "sink":
            assert content(got) == content(packet)
        else:
            assert ([*got.tdata], got.tdest, got.tid) == (packet.words, packet.tdest, packet.tid)


@cocotb.test()
@cocotb.parametrize(ours=["source", "sink"])
async def the_peer_agrees_on_bytes(dut, ours):
    """Byte streams with TKEEP and TUSER: each byte that is sent is received, and no other."""
    from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

    await start(dut)
    theirs = AxiStreamSink if ours == "source" else AxiStreamSource
    name, other = ("s_bytes", "m_bytes") if ours == "source" else ("m_bytes", "s_bytes")
    mine = {"source": AxiSource, "sink": AxiSink}[ours](dut, name, dut.clk, dut.rst)
    peer = theirs(AxiStreamBus.from_prefix(dut, other), dut.clk, dut.rst)
    source, sink = (mine, peer) if ours == "source" else (peer, mine)
    await ClockCycles(dut.clk, 2)
    source.set_pause_generator(random_pauses(0.3, seed=1))
    sink.set_pause_generator(random_pauses(0.3, seed=2))
    sent = packets_of_bytes("peer", count=PEERS, least=1)
    for packet in sent:
        frame = AxiStreamFrame(bytes(packet.words), tdest=packet.tdest, tid=packet.tid, tuser=packet.tuser)
        source.send_nowait(packet if ours == "source" else frame)
    for packet in sent:
        if ours == "sink":
            assert content(await sink.recv()) == content(packet)
        else:
            got = await sink.recv(compact=False)
            kept = [byte for byte, keep in zip(got.tdata, got.tkeep) if keep]
            assert (kept, got.tdest[-1], got.tid[-1], got.tuser[-1]) == content(packet)[:3] + (packet.tuser,)


@cocotb.test(expect_error=ProtocolError)
@cocotb.parametrize(keep=[0b1011, 0b0110, 0b0111])
async def tkeep_has_no_gap(dut, keep):
    """A word whose bytes have a gap, or that is not the last and has not all of them, is found."""
    await start(dut)
    AxiSink(dut, "m_bytes", dut.clk)
    dut.s_bytes_tkeep.value, dut.s_bytes_tlast.value, dut.s_bytes_tvalid.value = keep, int(keep != 0b0111), 1
    await ClockCycles(dut.clk, 4)


@cocotb.test()
async def a_source_can_have_a_gap(dut):
    """A packet with a gap has 0 in TKEEP for that byte, and only for it."""
    await start(dut)
    source, seen = AxiSource(dut, "s_bytes", dut.clk), []
    dut.m_bytes_tready.value = 1
    source.send_nowait(Packet([1, 2, 3, 4, 5, 6, 7], gap=5))
    while not source.idle():
        await RisingEdge(dut.clk)
        if dut.m_bytes_tvalid.value:
            seen.append((int(dut.m_bytes_tdata.value), int(dut.m_bytes_tkeep.value), int(dut.m_bytes_tlast.value)))
    assert seen == [(0x04030201, 0b1111, 0), (0x070605, 0b101, 1)]


@cocotb.test()
async def pauses_are_those_of_the_list(dut):
    """A sink is ready in exactly the cycles in which it does not pause; by hand it pauses until it is told to go on."""
    await start(dut)
    sink = FlitSink(dut, "flit_out", dut.clk)
    await ClockCycles(dut.clk, 3)
    assert dut.flit_in__ready.value == 1
    pattern = [True, False, True, True, False]
    sink.set_pause_generator(listed_pauses(pattern))
    await RisingEdge(dut.clk)
    seen = []
    for _ in [*pattern, False, False]:
        await RisingEdge(dut.clk)
        seen.append(dut.flit_in__ready.value == 0)
    assert seen == [*pattern, False, False]
    sink.clear_pause_generator()
    sink.pause = True
    await ClockCycles(dut.clk, 3)
    assert dut.flit_in__ready.value == 0
    sink.pause = False
    await ClockCycles(dut.clk, 3)
    assert dut.flit_in__ready.value == 1


@cocotb.test()
async def a_reset_drops_what_is_under_way(dut):
    """The packet that is being sent, and what has arrived of it; what waits is sent afterwards."""
    await start(dut)
    source, sink = FlitSource(dut, "flit_in", dut.clk, dut.rst), FlitSink(dut, "flit_out", dut.clk, dut.rst)
    for first in (1, 100):
        source.send_nowait(Packet(list(range(first, first + 8))))
    await ClockCycles(dut.clk, 5)
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    assert dut.flit_out__valid.value == 0 and dut.flit_in__ready.value == 0
    dut.rst.value = 0
    await source.wait()
    packet = await sink.recv()
    assert packet.words == list(range(100, 108)) and sink.empty() and sink.idle()


@cocotb.test()
async def a_source_can_stop_within_a_packet(dut):
    """For as many cycles as the packet says, before the word that it says."""
    await start(dut)
    source, sink = FlitSource(dut, "flit_in", dut.clk), FlitSink(dut, "flit_out", dut.clk)
    source.send_nowait(Packet([1, 2, 3, 4], stop=(2, 7)))
    await dut.flit_out__valid.falling_edge
    cycles = 0
    while not dut.flit_out__valid.value:
        await RisingEdge(dut.clk)
        cycles += 1
    assert cycles in (7, 8) and (await sink.recv()).words == [1, 2, 3, 4]


@cocotb.test(expect_error=ProtocolError)
async def valid_must_not_fall(dut):
    """An offer must stay until it is taken."""
    await start(dut)
    FlitMonitor(dut, "flit_in", dut.clk)
    dut.flit_out__ready.value = 0
    for value in (1, 0):
        dut.flit_in__valid.value = value
        await ClockCycles(dut.clk, 2)


@cocotb.test(expect_error=ProtocolError)
async def payload_must_not_change(dut):
    """An offer must not change until it is taken."""
    await start(dut)
    FlitMonitor(dut, "flit_in", dut.clk)
    dut.flit_out__ready.value = 0
    dut.flit_in__valid.value = 1
    for value in (1, 2):
        dut.flit_in__payload.value = value
        await ClockCycles(dut.clk, 2)


@cocotb.test(expect_error=ProtocolError)
async def tid_must_be_one_in_a_packet(dut):
    """Words of two packets are not mixed."""
    await start(dut)
    AxiSink(dut, "m_axis", dut.clk)
    dut.s_axis_tvalid.value = 1
    dut.s_axis_tlast.value = 0
    for value in (1, 2):
        dut.s_axis_tid.value = value
        await ClockCycles(dut.clk, 4)


@cocotb.test(expect_error=ProtocolError)
async def flits_need_credits(dut):
    """A sender that is ahead of its credits is found."""
    await start(dut)
    sink = LaneSink(dut, "lane_out", dut.clk, depth=DEPTH)
    sink.pause = True
    dut.lane_in__payload.value = 0
    dut.lane_in__valid.value = 1
    await ClockCycles(dut.clk, DEPTH + 4)


@cocotb.test(expect_error=ProtocolError)
async def credits_need_flits(dut):
    """A receiver that returns a credit too many is found."""
    await start(dut)
    LaneSource(dut, "lane_in", dut.clk, depth=DEPTH)
    dut.lane_out__credit.value = 2
    await ClockCycles(dut.clk, 3)


@cocotb.test(expect_error=ProtocolError)
async def payload_waits_for_the_answer(dut):
    """A sender of circuits that does not wait is found."""
    await start(dut)
    dut.wait_out__answer.value = 0
    dut.wait_out__ready.value = 1
    CircuitMonitor(dut, "wait_out", dut.clk)
    dut.wait_in__payload.value = 5
    dut.wait_in__valid.value = 1
    await ClockCycles(dut.clk, 4)


@cocotb.test(expect_error=ProtocolError)
async def answers_are_to_headers(dut):
    """An answer to nothing is found."""
    await start(dut)
    CircuitSource(dut, "wait_in", dut.clk).send_nowait(Packet([1]))
    dut.wait_out__answer.value = 1
    await ClockCycles(dut.clk, 4)
