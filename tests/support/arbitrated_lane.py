"""A lane whose two directions share an arbiter, as a user would write it: packets of both take turns, without idle cycles."""

from amaranth.hdl import Cat, Module, Mux, Signal

from fatcube.rtl.arbiters import ARBITERS
from fatcube.rtl.arbiters.arbiter import add_arbiter
from fatcube.rtl.lanes.lane_base import Lane

__all__ = ["ArbitratedLane"]


class ArbitratedLane(Lane):
    """Lets an arbiter of the routers' kind choose between the headers of both ends, or between those that ask to begin."""

    shares = True

    def elaborate(self, platform):
        m = Module()
        arbiter = ARBITERS[self.options.arbiter](2)
        winner = add_arbiter(m, "arbiter", arbiter)
        out, into = [end.out for end in self.ends], [end.into for end in self.ends]
        owner, owned = Signal(2), Signal()  # the end that has the lane, one-hot
        for here in range(2):
            m.d.comb += [
                into[1 - here].payload.eq(Mux(owner[0], out[0].payload.as_value(), out[1].payload.as_value())),
                into[1 - here].valid.eq(out[here].valid & owner[here]),
            ]
        crossing = Cat(end.valid & getattr(end, "ready", 1) for end in reversed(into))
        m.d.comb += [arbiter.take.eq(~owned), arbiter.sent.eq(crossing)]
        with m.If(~owned & arbiter.requests.any()):
            m.d.sync += [owner.eq(winner), owned.eq(1)]
        if self.options.virtual_channels > 1:
            self._permit(m, arbiter, owner, owned)
        else:
            self._pass(m, arbiter, owner, owned, crossing)
        if self.counters:
            m.d.sync += self.conflict_count.eq(self.conflict_count + arbiter.requests.all())
        return m

    def _pass(self, m, arbiter, owner, owned, crossing):
        """A header asks, and the tail flit frees the lane; so does the refusal of a circuit."""
        out, into = [end.out for end in self.ends], [end.into for end in self.ends]
        whole = self.options.whole_packets
        last = Cat(end.payload.last for end in out)
        freed = (crossing & last).any()
        for here in range(2):
            m.d.comb += [
                arbiter.requests[here].eq(out[here].valid & (into[1 - here].ready if whole else 1)),
                out[here].ready.eq(into[1 - here].ready & owner[here]),
            ]
            if self.options.answers:
                m.d.comb += out[here].answer.eq(into[1 - here].answer)
            if self.options.setup_retry:
                freed = freed | owner[here] & into[1 - here].answer.refused
        with m.If(freed):
            m.d.sync += [owner.eq(0), owned.eq(0)]

    def _permit(self, m, arbiter, owner, owned):
        """The owner may begin for a cycle, and has the lane until it is seen here that its packet is through."""
        out, into = [end.out for end in self.ends], [end.into for end in self.ends]
        since = Signal(range(4 + 2 * self.options.link_stages))
        settled = 3 + 2 * self.options.link_stages
        with m.If(~owned):
            m.d.sync += since.eq(0)
        with m.Elif(since != settled):
            m.d.sync += since.eq(since + 1)
        with m.If(owned & (since == settled) & ~(owner & Cat(end.holds for end in out)).any()):
            m.d.sync += [owner.eq(0), owned.eq(0)]
        for here in range(2):
            m.d.comb += [
                arbiter.requests[here].eq(out[here].wants),
                out[here].grant.eq(owner[here] & (since == 0)),
                out[here].credit.eq(into[1 - here].credit),
            ]
