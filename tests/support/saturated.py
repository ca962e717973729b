"""The throughput of a router of five ports when all of its sources are saturated, and the table that a user chooses from.

python -m tests.support.saturated

The router has the turns to all other ports, flits of 32 bits, and packets of 17 flits to a port drawn for each; its sinks
always take. The table takes half an hour, most of it for place and route.
"""

import dataclasses
import random
import statistics

from fatcube.groundwork.cache import cache_folder
from fatcube.reports.markdown import markdown_table
from fatcube.rtl.router import FatNodeRouter
from fatcube.synth.measure import synthesize
from tests.support.channels import Channels, channel_parameters
from tests.support.streams import Sink, Source, cycles, simulate

LENGTH = 17


def saturated(channels, *, pipeline=1, depth=8):
    """The parameters of the router."""
    return channel_parameters(
        width=32,
        processors=1,
        channels=4,
        turns="forward",
        buffer_depth=depth,
        message_bits=0,
        virtual_channels=channels,
        pipeline=pipeline,
    )


def carried(of, *, warm_up=300, measured=1200, seed=1):
    """Flits per cycle and port."""
    design = Channels(of)
    pick = random.Random(seed)
    packets = {
        place: [
            [of.header.pack([pick.choice(of.reach(place[1]))], 0), *[0] * (LENGTH - 1)]
            for _ in range((warm_up + measured) // LENGTH + 4)
        ]
        for place in design.inputs
    }
    sources = [Source(design.inputs[place], some) for place, some in packets.items()]
    sinks = [Sink(stream) for stream in design.outputs.values()]
    counts = []

    async def testbench(ctx):
        for duration in (warm_up, measured):
            await cycles(ctx, duration)
            counts.append(ctx.get(design.routers[0].flit_count))

    simulate(design, testbench, *sources, *sinks)
    return (counts[1] - counts[0]) / measured / of.crossbar_ports


def main():
    rows = []
    for channels, depth in ((1, None), (1, 8), (2, 8), (4, 8)):
        for pipeline in (1, 2):
            # With one channel, full rate takes as many flits as a header takes cycles, and one more.
            of = saturated(channels, pipeline=pipeline, depth=depth or pipeline + 1)
            flits = statistics.mean(carried(of, measured=5000, seed=seed) for seed in (1, 2))
            result = synthesize(
                FatNodeRouter(dataclasses.replace(of, counters=False)),
                name="fat_node_router",
                wide=False,
                jobs=2,
                cache=cache_folder() / "synthesis",
            )
            comb, mhz = result.area.comb_equivalents, result.fmax_mhz
            rows.append(
                [
                    *(
                        str(channels),
                        str(of.options.buffer_depth),
                        str(pipeline),
                        str(comb),
                        str(result.area.ff),
                        f"{mhz:.0f}",
                    ),
                    f"{1000 * pipeline / mhz:.1f}",
                    f"{flits:.2f}",
                    f"{flits * of.crossbar_ports * mhz:.0f}",
                    f"{flits * of.crossbar_ports * mhz * 1000 / comb:.0f}",
                ]
            )
            print(rows[-1], flush=True)
    print(
        *markdown_table(
            [
                *(
                    "virtual channels",
                    "flits of buffer",
                    "cycles per hop",
                    "COMB",
                    "FF",
                    "MHz",
                    "ns per hop",
                    "flits per cycle and port",
                ),
                *("million flits/s", "thousand flits/s per COMB"),
            ],
            rows,
        ),
        sep="\n",
    )


if __name__ == "__main__":
    main()
