"""A probe says of what crosses whether it is a header, also behind one that was refused."""

from fatcube.rtl.endpoint.probe import Probe
from fatcube.rtl.flit import HeaderLayout
from tests.support.streams import simulate

LAYOUT = HeaderLayout(12, processor_outputs=2, lane_outputs=2, message_bits=4)


def test_the_flit_behind_a_refused_header_is_a_header():
    probe = Probe(LAYOUT, refusals=True)
    seen = []

    async def testbench(ctx):
        ctx.set(probe.ready, 1)
        for valid, last, refused in [(1, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 0), (1, 0, 0)]:
            ctx.set(probe.valid, valid)
            ctx.set(probe.payload.last, last)
            ctx.set(probe.refused, refused)
            await ctx.delay(1e-8)
            if valid:
                seen.append(ctx.get(probe.is_header))
            await ctx.tick()

    simulate(probe, testbench)
    assert seen == [1, 1, 0, 0, 1, 1]
