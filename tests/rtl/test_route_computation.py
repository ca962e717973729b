"""The output of a router for a destination: the hardware against the numbers, and both by hand."""

import random

from amaranth.hdl import Cat, Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.sim import Simulator
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.route_computation import Dimension, RouteComputation

CUBE = RouteComputation((Dimension(1, 0, 0), Dimension(1, 1, 1), Dimension(1, 2, 2)), 1)
GRID = RouteComputation((Dimension(2, 0, 1), Dimension(3, 2, 3)), 2)


class _Directions(wiring.Component):
    def __init__(self, route_computation, channels):
        self.route_computation, self.channels = route_computation, channels
        super().__init__(
            {
                "address": In(route_computation.address_bits),
                "destination": In(route_computation.bits),
                "home": Out(1),
                "taken": Out(channels),
            }
        )

    def elaborate(self, platform):
        m = Module()
        home, found = self.route_computation.directions(self.address, self.destination)
        m.d.comb += [self.home.eq(home), self.taken.eq(Cat(found[channel] for channel in range(self.channels)))]
        return m


@pytest.mark.parametrize(("route_computation", "channels"), [(CUBE, 3), (GRID, 4)])
def test_hardware_takes_the_same(route_computation, channels):
    dut, dice = _Directions(route_computation, channels), random.Random(1)

    async def testbench(ctx):
        for _ in range(400):
            address, destination = (
                dice.getrandbits(route_computation.address_bits),
                dice.getrandbits(route_computation.bits),
            )
            if dice.random() < 0.3:
                destination = address << route_computation.output_bits | dice.getrandbits(route_computation.output_bits)
            ctx.set(dut.address, address)
            ctx.set(dut.destination, destination)
            await ctx.delay(1e-9)
            channel = route_computation.channel(address, destination)
            assert ctx.get(dut.home) == (channel is None)
            assert ctx.get(dut.taken) == (0 if channel is None else 1 << channel)

    simulator = Simulator(dut)
    simulator.add_testbench(testbench)
    simulator.run()


def test_by_hand():
    """In the cube from node 1 to node 6, by its output 1: bits 0, 1, 2 in turn. In the grid up, then down."""
    six = CUBE.address([0, 1, 1]) << 1 | 1
    assert six == 0b1101
    assert [CUBE.channel(node, six) for node in (1, 0, 2, 6)] == [0, 1, 2, None]
    assert GRID.address([2, 5]) == 5 << 2 | 2
    there = GRID.address([3, 1]) << 2
    assert [GRID.channel(GRID.address(at), there) for at in ([1, 4], [3, 4], [3, 0], [3, 1])] == [1, 2, 3, None]


@pytest.mark.parametrize(
    ("coordinates", "message"),
    [
        ([1], "coordinates must be 2, not 1"),
        ([4, 0], "coordinates must have at most 2 bits, not 4"),
        ([0, -1], "not -1"),
    ],
)
def test_refused(coordinates, message):
    with pytest.raises(ParameterError, match=message):
        GRID.address(coordinates)
