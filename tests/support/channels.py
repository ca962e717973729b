"""A router whose lanes end in streams, one for each virtual channel, and rows of such routers."""

from amaranth.hdl import Elaboratable, Module, Signal
from amaranth.lib import wiring

from fatcube.rtl.endpoint.circuit_ends import CircuitReceiver, CircuitSender
from fatcube.rtl.endpoint.lane_ends import LaneReceiver, LaneSender
from fatcube.rtl.router import FatNodeRouter
from tests.support.feeds import ports
from tests.support.parameters import router_parameters
from tests.support.streams import Sink, Source, cycles, simulate


class Channels(Elaboratable):
    """Routers in a row, channel 1 of each to channel 0 of the next, with streams at all ports and open lanes.

    ``inputs`` and ``outputs`` are the streams by ``(router, port, virtual channel)``; the channel of a port of a
    processor is 0. ``between`` are the lanes from each router to the next, and back. In a ring, the first follows the last.
    ``numbers`` are those of the routers, if other than their places.
    """

    def __init__(self, of, routers=1, *, ring=False, numbers=None):
        self.of = of
        self.numbers = numbers or range(routers)
        self.routers = [FatNodeRouter(of) for _ in range(routers)]
        self.pairs = list(zip(self.routers, self.routers[1:])) + [(self.routers[-1], self.routers[0])] * ring
        self.inputs, self.outputs, self.between, self.ends = {}, {}, [], []
        options = of.options
        for number, router in enumerate(self.routers):
            for port, (enter, leave) in enumerate(zip(*ports(router))):
                if port < of.processor_ports:
                    self.inputs[number, port, 0], self.outputs[number, port, 0] = enter, leave
                    continue
                channel = (port - of.processor_ports) // of.lanes
                if ring or channel == 1 and number + 1 < routers or channel == 0 and number:
                    continue
                if options.answers:
                    sender = CircuitSender(options.width, retry=options.setup_retry)
                    receiver = CircuitReceiver(options.width, retry=options.setup_retry)
                    self.ends.append((sender, receiver, enter, leave))
                    self.inputs[number, port, 0], self.outputs[number, port, 0] = sender.i, receiver.o
                    continue
                if options.virtual_channels == 1:
                    self.inputs[number, port, 0], self.outputs[number, port, 0] = enter, leave
                    continue
                sender = LaneSender(options.width, options.virtual_channels, options.buffer_depth)
                receiver = LaneReceiver(options.width, options.virtual_channels, options.buffer_depth)
                self.ends.append((sender, receiver, enter, leave))
                for each in range(options.virtual_channels):
                    self.inputs[number, port, each] = getattr(sender, f"i{each}")
                    self.outputs[number, port, each] = getattr(receiver, f"o{each}")
        for left, right in self.pairs:
            self.between += [left.lanes[1][0].out, right.lanes[0][0].out]

    def elaborate(self, platform):
        m = Module()
        m.d.sync += Signal().eq(1)
        for number, router in enumerate(self.routers):
            m.submodules[f"router{number}"] = router
            if self.of.options.setup_retry:
                m.d.comb += router.number.eq(self.numbers[number])
        for number, (sender, receiver, enter, leave) in enumerate(self.ends):
            m.submodules[f"sender{number}"], m.submodules[f"receiver{number}"] = sender, receiver
            wiring.connect(m, sender.lane, enter)
            wiring.connect(m, leave, receiver.lane)
        for left, right in self.pairs:
            wiring.connect(m, left.lanes[1][0].out, right.lanes[0][0].into)
            wiring.connect(m, right.lanes[0][0].out, left.lanes[1][0].into)
        return m


def credit_rule(lane, depth):
    """A process that holds a lane to its credits: no channel has more flits on the way than its buffer holds."""

    async def run(ctx):
        channels = len(lane.credit)
        out = [0] * channels
        async for _, _, valid, channel, credit in ctx.tick().sample(lane.valid, lane.payload.channel, lane.credit):
            for number in range(channels):
                out[number] += (valid and channel == number) - (credit >> number & 1)
                assert 0 <= out[number] <= depth, f"channel {number} has {out[number]} flits on the way"

    return run


def channel_parameters(**given):
    """Of a router with two processors and two channels, buffers as deep as credits take, counters, and one packet at a time
    at the ports of processors."""
    return router_parameters(
        **{"processors": 2, "channels": 2, "message_bits": 5, "width": 32, "counters": True}
        | {"injection_channels": 1, "ejection_channels": 1}
        | given
    )


def carry(design, packets, *, stalls=None, pauses=None, limit=20_000, seed=0):
    """Sends packets into the streams of ``design`` until all have arrived that can; the sinks by output."""
    sources = [
        Source(design.inputs[place], some, pause=(pauses or {}).get(place, 0), seed=(seed, place))
        for place, some in packets.items()
    ]
    sinks = {
        place: Sink(stream, stall=(stalls or {}).get(place, 0), seed=(seed, place), name=f"output {place}")
        for place, stream in design.outputs.items()
    }

    async def testbench(ctx):
        arrived, quiet = None, 0
        for _ in range(0, limit, 20):
            await cycles(ctx, 20)
            now = sum(len(sink.times) for sink in sinks.values())
            quiet = quiet + 1 if now == arrived else 0
            arrived = now
            if quiet > 3:
                return
        raise AssertionError("flits move without end")

    rules = [credit_rule(lane, design.of.options.buffer_depth) for lane in design.between]
    simulate(design, testbench, *sources, *sinks.values(), *rules)
    return sources, sinks
