"""Routers whose lanes have virtual channels: one, and a line of three."""

import random

import pytest

from tests.support.cases import some
from tests.support.channels import Channels, carry, credit_rule
from tests.support.channels import channel_parameters as parameters
from tests.support.saturated import carried, saturated
from tests.support.streams import Sink, Source, simulate, until

OPTIONS = [
    {"virtual_channels": 2},
    {"virtual_channels": 2, "channel_classes": 2, "hops": 3},
    {"virtual_channels": 3, "pipeline": 2, "buffer_depth": 4},
    {"virtual_channels": 4, "channel_classes": 2, "processors": 1, "hops": 2, "turns": "all", "buffer_depth": 6},
    {"virtual_channels": 3, "processors": 1, "lanes": 2, "channels": 1, "arbiter": "deficit"},
    {"virtual_channels": 8, "channels": 1, "ports": "*", "turns": "forward", "arbiter": "least-recent"},
    {"virtual_channels": 2, "ports": "d", "pipeline": 2, "buffer_memory": "registers"},
    {"virtual_channels": 2, "buffer_depth": 70},
]


@pytest.mark.parametrize("others", some(OPTIONS, (1, 2, 6)), ids=str)
def test_traffic(others):
    """Catches a packet that is lost, doubled, torn, mixed or misrouted, on a channel of another class or overtaken."""
    of = parameters(**others)
    pick = random.Random(str(others))
    design = Channels(of)
    classes = of.options.channel_classes
    packets, expected = {}, {}
    for place in design.inputs:
        _, number, channel = place
        for index in range(10):
            output, group = pick.choice(of.reach(number)), 0
            if output >= of.processor_ports:
                group = pick.randrange(classes)
            payload = [number << 16 | channel << 8 | index, *(pick.getrandbits(32) for _ in range(pick.randrange(9)))]
            header = of.header.pack([of.header.selector(output, group)], pick.getrandbits(5))
            packets.setdefault(place, []).append([header, *payload])
            expected.setdefault((output, group), []).append([of.header.unpack_message(header), *payload])
    stalls = {place: pick.choice((0, 0.2, 0.8)) for place in design.outputs}
    pauses = {place: pick.choice((0, 0.2, 0.8)) for place in design.inputs}
    _, sinks = carry(design, packets, stalls=stalls, pauses=pauses, seed=str(others))
    arrived = {}
    for (_, output, channel), sink in sinks.items():
        assert not sink.part
        found = [[of.header.unpack_message(header), *payload] for header, *payload in sink.packets]
        arrived.setdefault((output, channel % classes), []).extend(found)
        for place in design.inputs:  # Those of one input that took one channel kept their order.
            mine = [payload for _, payload, *_ in found if payload >> 8 == place[1] << 8 | place[2]]
            assert mine == sorted(mine)
    assert {key: sorted(some) for key, some in arrived.items() if some} == {
        key: sorted(some) for key, some in expected.items()
    }


@pytest.mark.parametrize("pipeline", [1, 2])
@pytest.mark.parametrize("link_stages", some([0, 1, 3], [2]))
def test_latency_and_rate(link_stages, pipeline):
    """Catches a cycle too many per hop, credits that come late, and a least depth that is more than full rate takes."""
    least = 2 + pipeline + 2 * link_stages
    of = parameters(virtual_channels=2, hops=1, link_stages=link_stages, pipeline=pipeline, buffer_depth=least)
    route = [of.lane_port(1, 0), 1]
    for depth in (least, least - 1):
        object.__setattr__(of.options, "buffer_depth", depth)  # One less is refused.
        design = Channels(of, 2)
        source = Source(design.inputs[0, 0, 0], [[of.header.pack(route, 7), *range(30)]])
        sink = Sink(design.outputs[1, 1, 0])

        async def testbench(ctx, sink=sink):
            await until(ctx, lambda: sink.packets, most=160, rest=10)

        simulate(design, testbench, source, sink, *(credit_rule(lane, depth) for lane in design.between))
        [[header, *payload]] = sink.packets
        assert (of.header.unpack_message(header), payload) == (7, [*range(30)])
        start = source.times[0] + 2 * pipeline + link_stages
        if depth == least:
            assert sink.times == [start + flit for flit in range(31)]
        else:
            # A packet that waits for room goes on a cycle later than one that does not.
            assert sink.times[0] == start
            assert start + 30 + 30 // depth <= sink.times[-1] <= start + 30 + 2 * (30 // depth) * 2


@pytest.mark.parametrize("pipeline", some([1, 2], [0]))
def test_a_blocked_packet_holds_up_only_its_channel(pipeline):
    """Catches a lane or an input that waits for the packet in front of another channel: two of three routers on."""
    of = parameters(virtual_channels=2, hops=2, pipeline=pipeline)
    design = Channels(of, 3)
    lane = of.lane_port(1, 0)
    blocked, free = [lane, lane, 0], [lane, lane, 1]
    long = [[of.header.pack(blocked, 1), *range(40)]]
    short = [[of.header.pack(free, 2), index] for index in range(30)]
    _, sinks = carry(design, {(0, 0, 0): long, (0, 1, 0): short}, stalls={(2, 0, 0): 1.0})
    assert not sinks[2, 0, 0].times
    assert [payload for _, *payload in sinks[2, 1, 0].packets] == [[index] for index in range(30)]


def test_a_blocked_packet_holds_up_all_of_its_channel():
    """Shows that the test before is not trivial: with a class for each channel, and both packets in one, none passes."""
    of = parameters(virtual_channels=2, channel_classes=2, hops=2)
    design = Channels(of, 3)
    lane = of.lane_port(1, 0)
    long = [[of.header.pack([lane, lane, 0], 1), *range(40)]]
    short = [[of.header.pack([lane, lane, 1], 2), index] for index in range(30)]
    _, sinks = carry(design, {(0, 0, 0): long, (0, 1, 0): short}, stalls={(2, 0, 0): 1.0})
    assert len(sinks[2, 1, 0].packets) < 30


@pytest.mark.parametrize(
    ("channels", "cycles", "least", "most"),
    [
        pytest.param(1, (300, 1200), 0.60, 0.70, marks=pytest.mark.long),
        (2, (300, 1200), 0.67, 0.76),
        pytest.param(4, (300, 1200), 0.74, 0.82, marks=pytest.mark.long),
    ],
)
def test_saturated(channels, cycles, least, most):
    """The throughput of a router of five ports when all sources are saturated; with one channel, a packet holds up others.

    Uniform traffic to the other ports, packets of 17 flits, buffers of 8, sinks that always take. Catches packets that never
    keep an output: with two or four channels a router carries 0.63 then, in the cycles after the warm-up that are measured here.
    """
    assert least <= carried(saturated(channels), warm_up=cycles[0], measured=cycles[1]) <= most
