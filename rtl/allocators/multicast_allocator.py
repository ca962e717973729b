"""The allocator of a router that copies packets, model b."""

from collections.abc import Collection, Sequence

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from groundwork.validation import check_integer
from rtl.allocators.allocator_base import AllocatorBase, several
from rtl.arbiters.round_robin import rotating_first
from rtl.crossbar import select_bits, select_lines

__all__ = ["MulticastAllocator"]


class MulticastAllocator(AllocatorBase):
    """Copies a packet to every output that it requests.

    A packet is admitted when all its outputs are free and first in turn for it at once, and then holds them:
    in one router, two packets that each hold an output which the other waits for cannot be. All outputs take
    turns in the same order, so the input that comes first for one is first for all, and the turn stays with an
    input until its packet is admitted: no packet waits for ever, provided that the admitted ones end. A copy of a
    flit that is taken early is remembered until the others are taken too.

    Whose turn it is at an output is a register, of the cycle before, and whoever is admitted by it leaves in the cycle
    after. A header that comes alone to outputs that are all free needs no turn: in one stage it passes in that cycle.

    A router alone cannot guarantee that they end. In a network the copies of a packet hold outputs here while one
    of them waits in the next router, and packets of several routers can wait for each other in a ring. The senders
    must keep such packets apart: see :func:`sim.collectives.plan.compile_schedule`.

    That is not so with ``roomy`` outputs, for whole packets of which there is room behind them when they are granted: an
    admitted packet ends as soon as receivers take it. Then a packet that is not admitted waits for room behind an output,
    too, and with the turn it would keep its other outputs from packets that this room may depend on: so two routers can
    wait for each other. Hence ``patience``: the turn goes on after as many cycles. As whoever has it is first at all of
    its outputs, each packet is admitted at its turn if there is room (:mod:`noc.routing.copies`).

    Parameters
    ----------
    reach, outputs, stages
        As for every allocator.
    copying : collection of :class:`int`
        The inputs whose packets request several outputs; those of the others request one.
    roomy : collection of :class:`int`
        The outputs that are granted only if they were ready in the cycle before, and nothing was sent. Those to lanes with
        virtual cut-through, which are ready for a header when there is room for the longest packet.
    patience : :class:`int`
        The cycles that an input whose packet is not admitted keeps the turn; 0 for any number.
    """

    def __init__(
        self,
        reach: Sequence[Sequence[int]],
        outputs: int,
        *,
        copying: Collection[int],
        stages: int = 1,
        roomy: Collection[int] = (),
        patience: int = 0,
    ) -> None:
        self.copying = frozenset(copying)
        self.roomy = frozenset(roomy)
        self.patience = check_integer("patience", patience, minimum=0)
        super().__init__(reach, outputs, stages=stages)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        inputs = len(self.reach)
        first, just_admitted = Signal(inputs, init=1), Signal(inputs)
        holder = [Signal(len(sources), name=f"holder{output}") for output, sources in enumerate(self.sources)]
        turn = [Signal(len(sources), name=f"turn{output}") for output, sources in enumerate(self.sources)]
        # Of each output, that nobody holds it: a register of its own, as much waits for it.
        free = Signal(len(self.sources), init=-1)
        alone = Signal(len(self.sources))
        # There is room behind it: it was ready while nothing was sent. A register, as no offer may wait for `ready`.
        room = Signal(len(self.sources), init=-1)
        for output in self.roomy:
            m.d.sync += room[output].eq(self.port("ready", output) & ~self.port("offer", output))
        open, passable = (free & room, alone & room) if self.roomy else (free, alone)
        # A header that stays in front after it was admitted, as some of its copies wait, asks for nothing any more.
        inside = Signal(inputs)
        asks = [
            self._requests(output) & Cat(~inside[source] for source in sources)
            for output, sources in enumerate(self.sources)
        ]
        for output, sources in enumerate(self.sources):
            m.d.comb += alone[output].eq(~several(self._requests(output)) & free[output])
            m.d.sync += turn[output].eq(rotating_first(asks[output], _turn_among(sources, first)))

        def of_input(signals: Sequence[Value], source: int) -> Value:
            """What is of ``source`` in signals with a bit for each source of an output."""
            return Cat(signals[output][self.sources[output].index(source)] for output in self.reach[source])

        copied: list[Value] = []
        asking, passes, admitted = Signal(inputs), Signal(inputs), Signal(inputs)
        for source, outputs in enumerate(self.reach):
            requests, advance = self.port("requests", source), self.port("advance", source)
            held, ready = of_input(holder, source), Cat(self.port("ready", output) for output in outputs)
            may_pass = Cat(passable[output] for output in outputs)
            may_have = of_input(turn, source) & Cat(open[output] for output in outputs)
            # In two stages, nothing leaves in the cycle in which it is admitted.
            nothing = Const(0, len(outputs))
            m.d.comb += asking[source].eq(requests.any() & ~inside[source])
            if source in self.copying:
                already = Signal(len(outputs), name=f"copied{source}")
                gets_all = (~requests | may_have).all()
                m.d.comb += passes[source].eq(asking[source] & (~requests | may_pass).all())
                # If there is a flit that is not discarded, it is for an output.
                leaves = ready & (held | requests & may_pass if self.stages == 1 else held)
                self._advance(m, source, [(~(held | requests) | already | leaves).all()])
                passing = requests & passes[source].replicate(len(outputs)) if self.stages == 1 else nothing
                m.d.sync += already.eq(already | ready & (held | passing))
                with m.If(advance):
                    m.d.sync += already.eq(0)
                copied.append(already)
            else:
                gets_all = (requests & may_have).any()
                m.d.comb += passes[source].eq(asking[source] & (requests & may_pass).any())
                passing = requests & may_pass if self.stages == 1 else nothing
                self._advance(m, source, [(ready & (held | passing)).any()])
                copied.append(Const(0, len(outputs)))
            m.d.comb += admitted[source].eq(passes[source] | asking[source] & gets_all)
            m.d.sync += inside[source].eq(~advance & (inside[source] | admitted[source]))
        # The turn goes on from who does not wait, and from who was admitted, a cycle later.
        m.d.sync += just_admitted.eq(admitted)
        goes_on = ~(first & asking & ~just_admitted).any()
        if self.patience:
            waited = Signal(range(self.patience))
            enough = waited == self.patience - 1
            m.d.sync += waited.eq(Mux(goes_on | enough, 0, waited + 1))
            goes_on = goes_on | enough
        with m.If(goes_on):
            m.d.sync += first.eq(first.rotate_left(1))

        conflicts = []
        for output, sources in enumerate(self.sources):
            grant, select, offer, ready = (self.port(name, output) for name in ("grant", "select", "offer", "ready"))
            requests, last = self._requests(output), self._of_sources("last", output)
            uncopied = Cat(
                self.port("valid", source) & ~copied[source][self.reach[source].index(output)] for source in sources
            )
            leaving = holder[output] & uncopied
            passing = requests & Cat(passes[source] for source in sources)
            holds = requests & Cat(admitted[source] for source in sources)
            if self.stages == 1:
                m.d.comb += [
                    grant.eq(Mux(free[output], requests, holder[output])),
                    select.eq(select_lines(grant)),
                    offer.eq(Mux(free[output], passing.any(), leaving.any())),
                ]
                # A packet that is a header alone has passed and needs no output any more.
                passed = (passing & last).any() & ready
            else:
                selecting = Signal(select_bits(len(sources)), name=f"selecting{output}")
                m.d.comb += [grant.eq(holder[output]), select.eq(selecting), offer.eq(leaving.any())]
                with m.If(free[output]):
                    m.d.sync += selecting.eq(select_lines(holds))
                passed = Const(0)
            with m.If(free[output]):
                m.d.sync += [
                    holder[output].eq(holds & ~passed.replicate(len(holds))),
                    free[output].eq(~holds.any() | passed),
                ]
            with m.Elif((leaving & last).any() & ready):
                m.d.sync += [holder[output].eq(0), free[output].eq(1)]
            conflicts.append(asks[output].any() & ~alone[output])
        m.d.comb += self.conflict.eq(Cat(conflicts).any())
        return m


def _turn_among(sources: Sequence[int], first: Signal) -> Value:
    """``first``, one-hot over all inputs, as one-hot over ``sources``: the next of them, counting upwards."""
    inputs = len(first)
    bits = []
    for index, source in enumerate(sources):
        distance = (source - sources[index - 1] - 1) % inputs + 1
        bits.append(Cat(first[(source - back) % inputs] for back in range(distance)).any())
    return Cat(bits)
