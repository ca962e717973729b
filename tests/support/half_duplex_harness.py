"""A half-duplex lane with anything at its ends, and what must hold of it: for proofs."""

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Elaboratable, Module, Mux, Signal

from fatcube.rtl.lanes.half_duplex import HalfDuplexLane
from fatcube.rtl.router_options import RouterOptions

__all__ = ["HeaderHarness", "PermissionHarness"]


class _Harness(Elaboratable):
    """Assertions of both harnesses, given which flits cross: ``crossing`` by the end that sends, and ``last``.

    Flits never cross in both directions at once; between two of opposite directions the wires are idle for ``turn_round``
    cycles; and from the first flit of a packet to its last none crosses in the other direction, or ``within`` says
    otherwise.
    """

    def __init__(self, options):
        self.dut = HalfDuplexLane(options)
        self.turn_round = options.turn_round
        self.sync = ClockDomain("sync", reset_less=True)

    def rules(self, m, crossing):
        sender, idle = Signal(2), Signal(range(self.turn_round + 1))
        with m.If(crossing.any()):
            m.d.sync += [sender.eq(crossing), idle.eq(0)]
        with m.Elif(idle != self.turn_round):
            m.d.sync += idle.eq(idle + 1)
        turned = crossing.any() & sender.any() & (crossing != sender)
        return [~crossing.all(), ~turned | (idle == self.turn_round)]

    def stay(self, m, offered, crossing, most):
        """Each end waits at most so many cycles for its next flit to cross."""
        right = []
        for here in range(2):
            waited = Signal(range(most + 2), name=f"waited{here}")
            with m.If(offered[here] & ~crossing[here]):
                m.d.sync += waited.eq(Mux(waited > most, waited, waited + 1))
            with m.Else():
                m.d.sync += waited.eq(0)
            right.append(waited <= most)
        return right


class HeaderHarness(_Harness):
    """A lane with one virtual channel between two streams.

    Assumed is the stream rule at both ends; with ``longest``, that packets have at most so many flits, that they are sent
    without pauses and that receivers always take. Asserted are the rules of the lane, that a flit that is taken is the one
    that arrives, and with ``longest`` that each flit waits for at most ``patience`` cycles.

    With ``goal``, the only assertion is that not both ends have sent so many packets.
    """

    def __init__(self, *, turn_round=1, whole=False, longest=None, patience=None, goal=None):
        switching = {"switching": "virtual-cut-through"} if whole else {}
        super().__init__(RouterOptions(width=8, links="half-duplex", turn_round=turn_round, **switching))
        self.longest, self.patience, self.goal = longest, patience, goal
        self.valid, self.ready = Signal(2), Signal(2)
        self.payload = [Signal(9, name=f"payload{here}") for here in range(2)]

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, self.valid, *self.payload, self.ready]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.dut = dut = self.dut
        crossing, right = Signal(2), []
        sent = [Signal(range(4), name=f"sent{here}") for here in range(2)]
        for here, there in ((0, 1), (1, 0)):
            out, into = dut.ends[here].out, dut.ends[there].into
            m.d.comb += [
                out.valid.eq(self.valid[here]),
                out.payload.eq(self.payload[here]),
                into.ready.eq(self.ready[there]),
                crossing[here].eq(into.valid & into.ready),
            ]
            waiting, offered = Signal(), Signal(9)
            m.d.sync += [waiting.eq(out.valid & ~out.ready), offered.eq(self.payload[here])]
            m.d.comb += Assume(~waiting | self.valid[here] & (self.payload[here] == offered))
            if dut.options.whole_packets:
                # Room for a whole packet stays until this lane fills it.
                roomy = Signal(name=f"roomy{here}")
                m.d.sync += roomy.eq(into.ready & ~crossing[here])
                m.d.comb += Assume(~roomy | into.ready)
            last = self.payload[here][-1]
            within = Signal(name=f"within{here}")
            with m.If(crossing[here]):
                m.d.sync += within.eq(~last)
                with m.If(last & (sent[here] != 3)):
                    m.d.sync += sent[here].eq(sent[here] + 1)
            right += [
                (out.valid & out.ready) == crossing[here],
                ~crossing[here] | (into.payload.as_value() == self.payload[here]),
                ~(within & crossing[there]),
            ]
            if self.longest:
                length = Signal(range(self.longest + 1), name=f"length{here}")
                with m.If(crossing[here]):
                    m.d.sync += length.eq(Mux(last, 0, length + 1))
                m.d.comb += Assume(
                    (~self.valid[here] | last | (length < self.longest - 1)) & (~within | self.valid[here])
                )
        right += self.rules(m, crossing)
        if self.longest:
            m.d.comb += Assume(self.ready.all())
            right += self.stay(m, self.valid, crossing, self.patience)
        m.d.comb += Assert(Cat(right).all() if self.goal is None else ~Cat(count >= self.goal for count in sent).all())
        return m


class PermissionHarness(_Harness):
    """A lane with virtual channels between two routers that ask before a packet begins.

    A router wants to begin whenever it likes, and once it wants goes on doing so until it begins, which it may do in any
    cycle after one with permission. While it has a packet it sends whatever it likes, whenever it likes, up to a tail flit, or
    it sends a header alone in the cycle in which it begins. What it says and gets passes ``stages`` registers.
    Asserted are the rules of the lane, that all that is sent arrives at once, and, if a packet lasts at most ``longest``
    cycles, that none waits to begin for more than ``patience`` cycles.

    With ``goal``, the only assertion is that not both routers have begun so many packets.
    """

    def __init__(self, *, turn_round=1, stages=0, longest=None, patience=None, goal=None):
        super().__init__(
            RouterOptions(
                width=8,
                links="half-duplex",
                turn_round=turn_round,
                link_stages=stages,
                virtual_channels=2,
                switching="virtual-cut-through",
            )
        )
        self.stages, self.longest, self.patience, self.goal = stages, longest, patience, goal
        self.wants, self.begins, self.alone, self.sends, self.ends = (
            Signal(2, name=name) for name in ("wants", "begins", "alone", "sends", "ends")
        )
        self.payload = [
            Signal(len(end.out.payload.as_value()), name=f"payload{here}") for here, end in enumerate(self.dut.ends)
        ]

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, self.wants, self.begins, self.alone, self.sends, self.ends, *self.payload]

    def _late(self, m, value):
        """The value behind the registers of the lane."""
        for _ in range(self.stages):
            later = Signal.like(value)
            m.d.sync += later.eq(value)
            value = later
        return value

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.dut = dut = self.dut
        crossing, right, begun = Signal(2), [], []
        for here, there in ((0, 1), (1, 0)):
            out, into = dut.ends[here].out, dut.ends[there].into
            permitted, holds, valid, begins = (
                Signal(name=f"{name}{here}") for name in ("permitted", "holds", "valid", "begins_")
            )
            m.d.sync += permitted.eq(self._late(m, out.grant))
            m.d.comb += begins.eq(self.begins[here] & self.wants[here] & permitted & ~holds)
            alone = begins & self.alone[here]
            with m.If(begins):
                m.d.sync += holds.eq(~alone)
            with m.Elif(self.ends[here] & self.sends[here]):
                m.d.sync += holds.eq(0)
            m.d.comb += [
                valid.eq(alone | holds & self.sends[here]),
                out.wants.eq(self._late(m, self.wants[here])),
                out.holds.eq(self._late(m, holds)),
                out.valid.eq(self._late(m, valid)),
                out.payload.eq(self._late(m, self.payload[here])),
                crossing[here].eq(into.valid),
            ]
            waited = Signal(name=f"wanted{here}")
            m.d.sync += waited.eq(self.wants[here] & ~begins)
            m.d.comb += Assume(~waited | self.wants[here])
            right += [out.valid == into.valid, ~into.valid | (into.payload.as_value() == out.payload.as_value())]
            count = Signal(range(4), name=f"begun{here}")
            with m.If(begins & (count != 3)):
                m.d.sync += count.eq(count + 1)
            begun.append((begins, count))
            if self.longest:
                age = Signal(range(self.longest + 1), name=f"age{here}")
                m.d.sync += age.eq(Mux(holds, age + 1, 0))
                m.d.comb += Assume((age < self.longest - 1) | self.ends[here] & self.sends[here])
                # A router that wants to begin does so when it may.
                m.d.comb += Assume(~(self.wants[here] & permitted & ~holds) | self.begins[here])
        right += self.rules(m, crossing)
        if self.longest:
            right += self.stay(m, self.wants, Cat(one for one, _ in begun), self.patience)
        m.d.comb += Assert(
            Cat(right).all() if self.goal is None else ~Cat(count >= self.goal for _, count in begun).all()
        )
        return m
