"""A lane with virtual channels from end to end, and the turns of channels alone, with anything at their inputs."""

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Const, Elaboratable, Module, Mux, Signal
from amaranth.lib import wiring

from fatcube.rtl.endpoint.channel_turns import ChannelTurns
from fatcube.rtl.endpoint.lane_ends import LaneReceiver, LaneSender
from tests.support.reference_queue import ReferenceQueue

__all__ = ["LaneHarness", "TurnsHarness"]


class LaneHarness(Elaboratable):
    """Both ends of a lane, wired together.

    Assumed is that the streams into the lane keep the stream rule. Asserted is, of each channel,

    - what comes out is the oldest flit that went in and has not come out, and comes as early as it can: two cycles after
      it went in, if nothing is before it. So nothing is lost, doubled, reordered or changed, and no buffer overflows;
    - a credit comes in the cycle after a flit has come out, and no other, so that as many flits as the buffer holds, less
      the credits out, are in it;
    - a flit goes in if, and only if, its channel has a credit, unless another channel's does: no credit is lost or doubled
      in the sender's count. No two go in together.

    With ``longest``, streams out always take, and those in do not pause within packets of at most so many flits; then
    each offered flit has gone in within ``patience`` cycles.

    With ``goal``, the only assertion is that not every channel has had so many packets delivered.
    """

    def __init__(self, *, channels=2, depth=3, width=4, longest=None, patience=None, goal=None):
        self.channels, self.depth, self.width = channels, depth, width
        self.longest, self.patience, self.goal = longest, patience, goal
        self.sync = ClockDomain("sync", reset_less=True)
        self.valid, self.ready = Signal(channels), Signal(channels)
        self.payload = [Signal(width + 1, name=f"payload{channel}") for channel in range(channels)]

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, self.valid, *self.payload, self.ready]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.sender = sender = LaneSender(self.width, self.channels, self.depth)
        m.submodules.receiver = receiver = LaneReceiver(self.width, self.channels, self.depth)
        wiring.connect(m, sender.lane, receiver.lane)
        lane, right, delivered = sender.lane, [], []
        enters, could = Signal(self.channels), Signal(self.channels)
        for channel in range(self.channels):
            valid, payload, ready = self.valid[channel], self.payload[channel], self.ready[channel]
            i, o = getattr(sender, f"i{channel}"), getattr(receiver, f"o{channel}")
            m.d.comb += [i.valid.eq(valid), i.payload.eq(payload), o.ready.eq(ready)]
            waiting, offered = Signal(), Signal.like(payload)
            m.d.sync += [waiting.eq(valid & ~i.ready), offered.eq(payload)]
            m.d.comb += Assume(~waiting | valid & (payload == offered))

            queue = ReferenceQueue(m, payload, Const(0, 1), Const(0, 1), depth=self.depth)
            leaves, credit, out = Signal(), Signal(), Signal(range(self.depth + 1))
            m.d.comb += [
                enters[channel].eq(valid & i.ready),
                could[channel].eq(valid & (out != self.depth)),
                leaves.eq(o.valid & ready),
                queue.push.eq(enters[channel]),
                queue.pop.eq(leaves),
            ]
            m.d.sync += [credit.eq(leaves), out.eq(out + enters[channel] - credit)]
            right += [
                o.valid == queue.any,
                ~o.valid | (o.payload.as_value() == queue.payload),
                ~(queue.push & queue.full),
                lane.credit[channel] == credit,
                ~(enters[channel] & ~could[channel]),
            ]
            delivered.append(queue.delivered)
        one = (enters & (enters - 1)[: self.channels]) == 0
        right += [enters.any() == could.any(), lane.valid == enters.any(), one]
        if self.longest:
            m.d.comb += Assume(self.ready.all())
            right = _in_time(m, self.valid, enters, [payload[-1] for payload in self.payload], self)
        if self.goal:
            m.d.comb += Assert(~Cat(count == self.goal for count in delivered).all())
        else:
            m.d.comb += Assert(Cat(right).all())
        return m


class TurnsHarness(Elaboratable):
    """The turns of channels, with any requests.

    Asserted is that one channel wins if any requests, one that does; that the one that sent before goes on while it
    requests, until its packet ends; and, with ``longest``, that in packets of at most so many flits a channel that requests
    without a break wins within ``patience`` cycles.

    With ``goal``, the only assertion is that not every channel has sent so many packets of the longest.
    """

    def __init__(self, channels, *, longest=None, patience=None, goal=None):
        self.longest, self.patience, self.goal = longest, patience, goal
        self.turns = ChannelTurns(channels)
        self.sync = ClockDomain("sync", reset_less=True)
        self.requests, self.last = Signal(channels), Signal(channels)

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, self.requests, self.last]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.turns = turns = self.turns
        m.d.comb += [turns.requests.eq(self.requests), turns.last.eq(self.last)]
        winner = turns.winner
        within = Signal(len(winner))  # The channel of the latest flit, if its packet goes on behind it.
        with m.If(winner.any()):
            m.d.sync += within.eq(winner & ~self.last)
        goes_on = within & self.requests
        right = [
            (winner & ~self.requests) == 0,
            winner.any() == self.requests.any(),
            (winner & (winner - 1)[: len(winner)]) == 0,
            ~goes_on.any() | (winner == goes_on),
        ]
        if self.longest:
            right = _in_time(m, self.requests, winner, list(self.last), self, pauses=True)
        if self.goal:
            sent = [Signal(range(self.goal + 1), name=f"sent{channel}") for channel in range(len(winner))]
            for count, flit in zip(sent, winner & self.last):
                with m.If(count != self.goal):
                    m.d.sync += count.eq(count + flit)
            m.d.comb += Assert(~Cat(count == self.goal for count in sent).all())
        else:
            m.d.comb += Assert(Cat(right).all())
        return m


def _in_time(m, wants, gets, last, of, *, pauses=False):
    """The assertion that each channel that wants to send does so in time, assuming packets no longer than allowed."""
    right = []
    for channel in range(len(wants)):
        flits, age = Signal(range(of.longest + 1)), Signal(range(of.patience + 1))
        m.d.comb += Assume(~wants[channel] | last[channel] | (flits < of.longest - 1))
        if not pauses:
            m.d.comb += Assume((flits == 0) | wants[channel])
        with m.If(gets[channel]):
            m.d.sync += flits.eq(Mux(last[channel], 0, flits + 1))
        with m.If(gets[channel] | ~wants[channel]):
            m.d.sync += age.eq(0)
        with m.Elif(age != of.patience):
            m.d.sync += age.eq(age + 1)
        right.append(age < of.patience)
    return right
