"""The allocator with virtual channels beside a reference in lists, cycle by cycle."""

import itertools
import random

import pytest

from rtl.allocators.channel_allocator import ChannelAllocator
from rtl.arbiters.least_recent import LeastRecentArbiter
from rtl.arbiters.round_robin import RoundRobinArbiter
from tests.support.channel_allocator_model import ChannelAllocatorModel, LeastRecent, RoundRobin
from tests.support.channels import channel_parameters
from tests.support.streams import simulate

#: Channels in one class, in two, one in each class; outputs to processors with one channel and with several.
SHAPES = {
    "3 channels": {"virtual_channels": 3, "processors": 1},
    "4 in 2 classes": {"virtual_channels": 4, "channel_classes": 2, "ejection_channels": 2, "processors": 1},
    "2 in 2 classes": {"virtual_channels": 2, "channel_classes": 2},
    "2 channels, 3 of ejection": {
        "virtual_channels": 2,
        "ejection_channels": 3,
        "injection_channels": 2,
        "channels": 1,
    },
}
ARBITERS = {"round-robin": (RoundRobinArbiter, RoundRobin), "least-recent": (LeastRecentArbiter, LeastRecent)}
#: Each shape in one stage and in two; every pair of stages, room and arbiter is among them.
CASES = [
    ("3 channels", 1, False, "round-robin"),
    ("3 channels", 2, True, "least-recent"),
    ("4 in 2 classes", 1, True, "least-recent"),
    ("4 in 2 classes", 2, False, "round-robin"),
    ("2 in 2 classes", 1, True, "round-robin"),
    ("2 in 2 classes", 2, False, "least-recent"),
    ("2 channels, 3 of ejection", 1, False, "least-recent"),
    ("2 channels, 3 of ejection", 2, True, "round-robin"),
]
CYCLES = 400


def lines(grant, count):
    """The select lines of an output of which input ``grant`` of so many is granted: three for each four, then one each."""
    whole = count // 4 * 4
    if grant >= whole:
        return 1 << whole // 4 * 3 + grant - whole
    return (0b001, 0b011, 0b100, 0b110)[grant % 4] << grant // 4 * 3


class Packets:
    """What stands in front of one input: packets of one to four flits, each for a target or for none, with pauses."""

    def __init__(self, reached, dice):
        self.reached, self.dice = reached, dice
        self.left, self.target, self.header, self.valid = 0, None, False, False

    def move(self, advances):
        """Let the flit in front leave or not, and the next one come or not."""
        if self.valid and advances:
            self.left, self.valid, self.header = self.left - 1, False, False
        if not self.valid and self.dice.random() < 0.8:
            self.valid = True
            if not self.left:
                self.left, self.header = self.dice.choice((1, 1, 2, 4)), True
                self.target = self.dice.choice([*self.reached, *self.reached, None])


@pytest.mark.parametrize(
    ("shape", "stages", "whole", "arbiter"),
    [
        *CASES,
        *(
            pytest.param(*one, marks=pytest.mark.long)
            for one in itertools.product(SHAPES, (1, 2), (False, True), ARBITERS)
            if one not in CASES
        ),
    ],
)
def test_as_the_reference(shape, stages, whole, arbiter):
    """Catches a channel that is given before there is room, out of order, twice or never, and a turn out of order."""
    of = channel_parameters(**SHAPES[shape])
    targets = of.targets
    reach = [
        [index for index, target in enumerate(targets) if target.output in of.reach(number)]
        for number in range(of.crossbar_ports)
        for _ in range(of.input_units(number))
    ]
    arbiters = []
    hardware, reference = ARBITERS[arbiter]

    class Recorded(hardware):
        def __init__(self, requesters):
            super().__init__(requesters)
            arbiters.append(self)

    dut = ChannelAllocator(reach, targets, stages=stages, arbiter=Recorded, whole=whole)
    model = ChannelAllocatorModel(reach, targets, stages=stages, whole=whole, arbiter=reference)
    dice = random.Random(f"{shape} {stages} {whole} {arbiter}")
    inputs = [Packets(reached, dice) for reached in reach]
    several = [len(channels) > 1 for channels in model.channels]

    async def testbench(ctx):
        rate = 1.0
        for cycle in range(CYCLES):
            if cycle % 50 == 0:
                rate = dice.choice((0.2, 0.5, 1.0))
            ready = [{one for one in channels if dice.random() < rate} for channels in model.channels]
            # Room for a packet is room for a flit.
            roomy = [{one for one in channels if dice.random() < 0.7} for channels in ready]
            valid = {number for number, one in enumerate(inputs) if one.valid}
            last = {number for number in valid if inputs[number].left == 1}
            discard = {number for number in valid if inputs[number].target is None}
            requests = {number: inputs[number].target for number in valid - discard if inputs[number].header}
            for source, reached in enumerate(reach):
                for name, some in (("valid", valid), ("last", last), ("discard", discard)):
                    ctx.set(dut.port(name, source), source in some)
                asked = 1 << reached.index(requests[source]) if source in requests else 0
                ctx.set(dut.port("requests", source), asked)
            for output in range(model.outputs):
                ctx.set(dut.port("ready", output), sum(1 << one for one in ready[output]))
                if whole and several[output]:
                    ctx.set(dut.port("whole", output), sum(1 << one for one in roomy[output]))

            expected = model.step(valid=valid, last=last, requests=requests, discard=discard, ready=ready, whole=roomy)
            advance = {source for source in range(len(reach)) if ctx.get(dut.port("advance", source))}
            offers = {}
            for output, sources in enumerate(model.sources):
                if ctx.get(dut.port("offer", output)):
                    channel = ctx.get(dut.port("channel", output)) if several[output] else 0
                    granted = ctx.get(dut.port("grant", output))
                    assert granted in {1 << place for place in range(len(sources))}, cycle
                    place = granted.bit_length() - 1
                    offers[output] = (sources[place], channel)
                    assert ctx.get(dut.port("select", output)) == lines(place, len(sources)), cycle
            assert (advance, offers) == (expected.advance, expected.offers), cycle
            assert ctx.get(dut.conflict) == expected.conflict, cycle
            # Arbiters that count flits see those of their own targets.
            made = [
                number for output in range(model.outputs) for number, one in enumerate(targets) if one.output == output
            ]
            for number, one in zip(made, arbiters):
                sources = model.sources[targets[number].output]
                sent = {source for place, source in enumerate(sources) if ctx.get(one.sent) >> place & 1}
                assert sent == expected.sent[number], cycle
            for source, one in enumerate(inputs):
                one.move(source in advance)
            await ctx.tick()

    simulate(dut, testbench)
