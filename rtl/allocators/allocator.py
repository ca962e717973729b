"""The allocator of packets with one output each, on lanes of one channel."""

from collections.abc import Sequence

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from fatcube.rtl.allocators.packet_allocator import PacketAllocator, several
from fatcube.rtl.arbiters.arbiter import Arbiter, add_arbiter
from fatcube.rtl.arbiters.round_robin import RoundRobinArbiter
from fatcube.rtl.crossbar import select_lines

__all__ = ["Allocator"]


_NEAR = 4  # inputs of a LUT


class Allocator(PacketAllocator):
    """An arbiter for each output; a packet has one output.

    The input that wins a free output holds it from the next cycle until the tail flit of its packet has left, and the
    next packet follows without an idle cycle. So arbitration is off the datapath. In one stage, a header that arrives
    alone at a free output passes in the same cycle: a free output selects the input that requests it, and a held one its
    holder. Headers that arrive together wait for one cycle. In two stages, every header waits for one cycle, and inputs
    are selected from registers.

    Parameters
    ----------
    reach, outputs, stages, releases
        See :class:`~fatcube.rtl.allocators.packet_allocator.PacketAllocator`.
    arbiter : subclass of :class:`Arbiter`
        One of :data:`fatcube.rtl.arbiters.ARBITERS`.
    """

    def __init__(
        self,
        reach: Sequence[Sequence[int]],
        outputs: int,
        *,
        stages: int = 1,
        arbiter: type[Arbiter] = RoundRobinArbiter,
        releases: bool = False,
    ) -> None:
        self.arbiter = arbiter
        self.releases = releases
        super().__init__(reach, outputs, stages=stages, releases=releases)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        conflicts = []
        taken: list[list[Value]] = [[] for _ in self.reach]
        held: list[list[Value]] = [[] for _ in self.reach]
        for output, sources in enumerate(self.sources):
            requests = Signal(len(sources), name=f"requests_of{output}")
            grant, select = self.grant(output), self.select(output)
            offer, ready = self.output(output).offer, self.output(output).ready
            free = Signal(init=1, name=f"free{output}")
            # In one stage, the holder is ignored while the output is free.
            holder = Signal(len(sources), name=f"holder{output}")
            arbiter = self.arbiter(len(sources))
            # In two stages the holder's own request is granted.
            winner = add_arbiter(m, f"arbiter{output}", arbiter, granted=holder if self.stages == 2 else None)
            lone, holding, ending, released, done, others = (
                Signal(name=f"{name}{output}") for name in ("lone", "holding", "ending", "released", "done", "others")
            )
            m.d.comb += [
                requests.eq(self._requests(output)),
                lone.eq(~several(requests)),
                others.eq((requests & ~holder).any()),
                holding.eq((holder & self._of_sources("valid", output)).any()),
                ending.eq((grant & self._of_sources("last", output)).any()),
                # The last flit of the holder's packet leaves.
                done.eq(ending & (holding & ready) | released),
                arbiter.requests.eq(requests),
                arbiter.take.eq(free | done),
                arbiter.sent.eq(grant & (offer & ready).replicate(len(sources))),
            ]
            if self.releases:
                m.d.comb += released.eq((holder & self._of_sources("release", output)).any() & ~free)
            if self.stages == 1:
                m.d.comb += [
                    holder.eq(arbiter.latest),
                    grant.eq(Mux(free, requests, holder)),
                    select.eq(select_lines(grant)),
                    offer.eq(Mux(free, lone & requests.any(), holding)),
                ]
                # A packet that is a header alone leaves a free output free. `ending` settles late in the cycle.
                stays_free = ready & Mux(free, lone, holding & ~others)
                m.d.sync += free.eq(ending & stays_free | free & ~requests.any() | released & ~others)
            else:
                m.d.comb += [grant.eq(holder), offer.eq(holding)]
                # With many inputs, select lines go far: they leave from registers of their own.
                with m.If(arbiter.take):
                    m.d.sync += [holder.eq(winner), select.eq(select_lines(winner)), free.eq(~others)]
            for index, source in enumerate(sources):
                taken[source] += self._taken(requests, holder, free, ready, index)
                held[source].append(holder[index] & ~free)
            conflicts.append(Mux(free, ~lone, others))
        for source in range(len(self.reach)):
            self._advance(m, source, taken[source])
            if self.releases:
                m.d.comb += self.input(source).held.eq(Cat(held[source]).any())
        m.d.comb += self.conflict.eq(Cat(conflicts).any())
        return m

    def _taken(self, requests: Value, holder: Value, free: Value, ready: Value, index: int) -> list[Value]:
        """The conditions on which the flit of one of the inputs that reach an output is taken there.

        They control the input's buffer, at the end of the longest path of a router. With many inputs, the signals that
        settle early, and whether another input in the same group of four requests, take one level of logic each.
        """
        if self.stages == 2:
            return [holder[index] & ready]
        if len(requests) <= _NEAR:
            return [Mux(free, requests, holder)[index] & (ready & (~free | ~several(requests)))]
        start = index // _NEAR * _NEAR
        near = requests[start : start + _NEAR]
        far = Cat(requests[:start], requests[start + _NEAR :])
        first = requests[index] & ~Cat(bit for other, bit in enumerate(near, start) if other != index).any()
        return [first & (ready & free & ~far.any()), holder[index] & (ready & ~free)]
