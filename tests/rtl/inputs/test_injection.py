"""Several inputs and outputs for the packets of a processor's port: all arrive, and one that waits holds up no others."""

import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.inputs.injection import Injection
from fatcube.rtl.router_options import RouterOptions
from tests.support.cases import some
from tests.support.channels import Channels, carry
from tests.support.channels import channel_parameters as parameters
from tests.support.streams import Sink, Source, simulate, until


@pytest.mark.parametrize("inputs", [2, 3])
def test_packets_stay_whole(inputs):
    """Each is at one input, the first that was idle when it was offered; those of one are in order, and no offer is taken back."""
    dut = Injection(16, inputs)
    pick = random.Random(inputs)
    packets = [[index << 8 | flit for flit in range(pick.randrange(1, 6))] for index in range(60)]
    source = Source(dut.i, packets, pause=0.2)
    outputs = dut.o
    # Inputs are idle at random: also while they take nothing, as one does that keeps a packet until it is there whole.
    sinks = [Sink(output, stall=0.4, seed=number) for number, output in enumerate(outputs)]
    begun = []

    async def idles(ctx):
        idle, offered = 0, [False] * inputs
        ctx.set(dut.idle, idle)
        signals = [signal for one in outputs for signal in (one.valid, one.ready, one.payload.data)]
        async for _, _, *values in ctx.tick().sample(*signals):
            for number in range(inputs):
                valid, ready, word = values[3 * number : 3 * number + 3]
                if valid and not offered[number] and not word & 0xFF:
                    begun.append(idle & -idle == 1 << number)
                offered[number] = valid and not ready
            idle = pick.getrandbits(inputs)
            ctx.set(dut.idle, idle)

    async def testbench(ctx):
        await until(ctx, lambda: sum(len(sink.packets) for sink in sinks) == len(packets), most=3000)

    simulate(dut, testbench, source, *sinks, idles)
    assert sorted(packet for sink in sinks for packet in sink.packets) == packets
    assert all(sink.packets == sorted(sink.packets) and sink.packets for sink in sinks)
    assert begun == [True] * len(packets)


@pytest.mark.parametrize(("injection", "passes"), [(1, False), (2, True)])
def test_a_blocked_packet_holds_up_no_other(injection, passes):
    """Of one port: three packets are for an output that takes nothing, of which two fill its channels, the others are not."""
    of = parameters(virtual_channels=2, injection_channels=injection)
    design = Channels(of)
    blocked, free = of.lane_port(0, 0), of.lane_port(1, 0)
    packets = [[of.header.pack([blocked], 1), 0, 1]] * 3
    packets += [[of.header.pack([free], 2), index] for index in range(12)]
    _, sinks = carry(design, {(0, 0, 0): packets}, stalls={(0, blocked, channel): 1.0 for channel in (0, 1)})
    arrived = [payload for channel in (0, 1) for _, *payload in sinks[0, free, channel].packets]
    assert sorted(arrived) == ([[index] for index in range(12)] if passes else [])


@pytest.mark.parametrize(
    "others",
    some(
        [
            {"virtual_channels": 2, "injection_channels": 2, "longest_packet": 6, "stop_timeout": 30},
            {"virtual_channels": 2, "injection_channels": 2},
            {"virtual_channels": 4, "channel_classes": 2, "injection_channels": 3, "hops": 2, "pipeline": 2},
            {"virtual_channels": 2, "ejection_channels": 3},
            {
                "virtual_channels": 4,
                "channel_classes": 2,
                "injection_channels": 2,
                "ejection_channels": 2,
                "pipeline": 2,
            },
        ],
        (0, 3),
    ),
    ids=str,
)
def test_everything_arrives(others):
    """Whole and once, for the right output, whatever stalls."""
    of = parameters(**others)
    pick = random.Random(str(others))
    design = Channels(of)
    packets, expected = {}, {}
    for place in design.inputs:
        for index in range(10):
            output = pick.choice(of.reach(place[1]))
            group = pick.randrange(of.options.channel_classes) if output >= of.processor_ports else 0
            payload = [
                place[1] << 16 | place[2] << 8 | index,
                *(pick.getrandbits(32) for _ in range(pick.randrange(5))),
            ]
            packets.setdefault(place, []).append([of.header.pack([of.header.selector(output, group)], index), *payload])
            expected.setdefault(output, []).append(payload)
    stalls = {place: pick.choice((0, 0.2, 0.8)) for place in design.outputs}
    _, sinks = carry(design, packets, stalls=stalls, seed=str(others))
    arrived = {}
    for (_, output, _), sink in sinks.items():
        assert not sink.part
        arrived.setdefault(output, []).extend(payload for _, *payload in sink.packets)
    assert {output: sorted(some) for output, some in arrived.items() if some} == {
        output: sorted(some) for output, some in expected.items()
    }


def test_latency_is_that_of_one_input():
    """A lone packet, and the next one right behind it, are as fast as with one."""
    times = []
    for injection in (1, 2):
        of = parameters(virtual_channels=2, injection_channels=injection)
        design = Channels(of)
        packets = [[of.header.pack([1], 1), *range(7)]] * 4
        _, sinks = carry(design, {(0, 0, 0): packets})
        times.append(sinks[0, 1, 0].times)
    assert times[0] == times[1]


def test_refused():
    for options in ({"virtual_channels": 1}, {"virtual_channels": 2, "channel_classes": 2, "buffer_depth": 3}):
        for name in ("injection", "ejection"):
            with pytest.raises(ParameterError, match=f"{name} channels must be 1 without several virtual channels"):
                RouterOptions(**{f"{name}_channels": 2}, **options)
