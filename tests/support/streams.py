"""Both ends of a stream for Amaranth's simulator, and the rule that every stream keeps.

A packet is a list of words, the header first. Sources, sinks and watchers are processes of the simulator:
they act at the clock edge as registers do, and each counts the cycles from 0, so their times can be compared.
"""

import random

from amaranth.sim import Simulator

__all__ = ["Sink", "Source", "StreamRule", "cycles", "flits_of", "moves", "simulate", "until", "watch"]


def flits_of(packet, width):
    """The flits of a packet as integers: the word, and ``last`` above it."""
    return [*packet[:-1], packet[-1] | 1 << width]


class StreamRule:
    """Once valid is up, valid and payload stay until ready."""

    def __init__(self, name):
        self.name = name
        self.waiting = None

    def see(self, valid, ready, payload):
        """Takes the signals as they stood in one cycle."""
        if self.waiting is not None:
            assert valid, f"{self.name} takes back a flit that it offered"
            assert payload == self.waiting, f"{self.name} changes a flit that it offered"
        self.waiting = payload if valid and not ready else None


class Source:
    """Sends packets over a stream and keeps the rule itself; while it rests, payload is rubbish.

    Parameters
    ----------
    stream
        An interface object of :func:`FlitStream`, or a port that is one.
    packets : list of list of :class:`int`
        What to send; more can be added while it runs.
    pause : :class:`float`
        Probability of a cycle's rest wherever the next flit could be offered.
    seed
        Of the pauses.

    Attributes
    ----------
    times : list of :class:`int`
        The cycle in which each flit was taken.
    """

    def __init__(self, stream, packets=(), *, pause=0.0, seed=0):
        self.stream = stream
        self.width = stream.payload.shape().width
        self.pause = pause
        self.random = random.Random(f"source {seed}")
        self.waiting = []
        self.times = []
        for packet in packets:
            self.add(packet)

    def add(self, packet):
        """One packet more to send."""
        self.waiting += flits_of(packet, self.width)

    @property
    def done(self):
        """Whether everything has been taken."""
        return len(self.times) == len(self.waiting)

    async def run(self, ctx):
        """The process."""
        payload, offered = self.stream.payload.as_value(), False
        now = -1
        async for _, _, ready in ctx.tick().sample(self.stream.ready):
            if offered and ready:
                self.times.append(now)
                offered = False
            now += 1
            if not offered:
                position = len(self.times)
                offered = position < len(self.waiting) and self.random.random() >= self.pause
                ctx.set(self.stream.valid, offered)
                ctx.set(payload, self.waiting[position] if offered else self.random.getrandbits(len(payload)))


class Sink:
    """Takes flits from a stream, with random backpressure, and holds the stream to its rule.

    Parameters
    ----------
    stream
        As for :class:`Source`.
    stall : :class:`float`
        Probability of a cycle in which it takes nothing.
    seed
        Of the stalls.

    Attributes
    ----------
    packets : list of list of :class:`int`
        Those that have arrived whole.
    part : list of :class:`int`
        What has arrived of the next.
    times : list of :class:`int`
        The cycle in which each flit was taken.
    """

    def __init__(self, stream, *, stall=0.0, seed=0, name="a stream"):
        self.stream = stream
        self.width = stream.payload.shape().width
        self.stall = stall
        self.random = random.Random(f"sink {seed}")
        self.rule = StreamRule(name)
        self.packets, self.part, self.times = [], [], []

    async def run(self, ctx):
        """The process."""
        stream, ready = self.stream, False
        mask = (1 << self.width) - 1
        now = -1
        async for _, _, valid, payload in ctx.tick().sample(stream.valid, stream.payload.as_value()):
            self.rule.see(valid, ready, payload)
            if valid and ready:
                self.times.append(now)
                self.part.append(payload & mask)
                if payload >> self.width:
                    self.packets.append(self.part)
                    self.part = []
            now += 1
            if self.stall or not ready:
                ready = self.random.random() >= self.stall
                ctx.set(stream.ready, ready)


def watch(stream, name="a stream"):
    """A process that holds any stream to the rule."""
    rule = StreamRule(name)

    async def run(ctx):
        async for _, _, *signals in ctx.tick().sample(stream.valid, stream.ready, stream.payload.as_value()):
            rule.see(*signals)

    return run


def moves(stream, times):
    """A process that records the cycles in which a flit moves, counted like those of sources and sinks."""

    async def run(ctx):
        now = -1
        async for _, _, valid, ready in ctx.tick().sample(stream.valid, stream.ready):
            if valid and ready:
                times.append(now)
            now += 1

    return run


async def cycles(ctx, count):
    """Lets ``count`` cycles pass. (The simulator's ``repeat`` hides the error when a test fails in it.)"""
    for _ in range(count):
        await ctx.tick()


async def until(ctx, done, *, most, rest=100):
    """Lets cycles pass until ``done()``, at most so many, and ``rest`` more, in which what is too much would come."""
    for _ in range(most):
        if done():
            break
        await ctx.tick()
    await cycles(ctx, rest)


def simulate(dut, testbench, *processes):
    """Runs ``testbench`` on ``dut`` to its end, with ``processes`` (or what has a ``run``) beside it."""
    simulator = Simulator(dut)
    simulator.add_clock(1e-6, if_exists=True)
    for process in processes:
        simulator.add_process(getattr(process, "run", process))
    simulator.add_testbench(testbench)
    simulator.run()
