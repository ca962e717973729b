"""The allocator of a router that copies packets, model b."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.allocators.packet_allocator import PacketAllocator, several
from fatcube.rtl.arbiters.round_robin import rotating_first
from fatcube.rtl.crossbar import select_bits, select_lines

__all__ = ["CopyingAllocator"]


class _State(NamedTuple):
    """The signals of all inputs and outputs.

    Members
    -------
    first : :class:`Signal`
        The input that is first in turn, one-hot.
    holder, turn : list of :class:`Signal`
        Of each output: the source that holds it, and the one whose turn it was in the cycle before.
    free, alone : :class:`Signal`
        Of each output: no source holds it, as a register of its own, since much waits for it; and only one requests it.
    room : :class:`Signal`
        Of each output: it was ready while nothing was sent. A register, as no offer may wait for ``ready``.
    inside : :class:`Signal`
        Of each input: the header in front was admitted and stays, as some of its copies wait. It requests nothing any more.
    asks : list of :class:`Value`
        Of each output: the sources whose headers request it.
    asking, passes, admitted : :class:`Signal`
        Of each input: the header in front requests outputs, passes in this cycle, and is admitted in this cycle.
    """

    first: Signal
    holder: list[Signal]
    turn: list[Signal]
    free: Signal
    alone: Signal
    room: Signal
    inside: Signal
    asks: list[Value]
    asking: Signal
    passes: Signal
    admitted: Signal


class CopyingAllocator(PacketAllocator):
    """Copies a packet to every output that it requests.

    A packet is admitted when all its outputs are free and its input has the turn at all of them in the same cycle, and then
    it holds them. So within a router, no two packets each hold an output that the other waits for. All outputs take turns
    in the same order, so an input that is first at one output is first at all, and it keeps the turn until its packet is
    admitted: no packet starves, provided that admitted packets end. A copy of a flit that is taken early is remembered
    until the other copies are taken.

    The turn at an output is a register of the cycle before, and an input that is admitted by it sends in the cycle after. A
    header that arrives alone at outputs that are all free needs no turn: in one stage it passes in the same cycle.

    A router alone cannot guarantee that admitted packets end. In a network, the copies of a packet hold outputs of this
    router while one of them waits in the next, and packets of several routers can wait for each other in a cycle. Senders
    must keep such packets apart: see :func:`fatcube.sim.collectives.plan.compile_schedule`.

    With ``roomy`` outputs, which are granted only with room for the whole packet behind them, an admitted packet ends as
    soon as receivers take it. But a packet that is not admitted then waits for room behind an output, too, and while it has
    the turn it keeps its other outputs from packets that this room may depend on, so two routers could wait for each other.
    Therefore the turn passes on after ``patience`` cycles. An input that has the turn is first at all of its outputs, so
    its packet is admitted if there is room (docs/ideas/deadlock.md).

    Parameters
    ----------
    reach, outputs, stages
        See :class:`~fatcube.rtl.allocators.packet_allocator.PacketAllocator`.
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
        state = self._state()
        for output in self.roomy:
            m.d.sync += state.room[output].eq(self.output(output).ready & ~self.output(output).offer)
        for output, sources in enumerate(self.sources):
            asks, among = state.asks[output], _turn_among(sources, state.first)
            m.d.comb += state.alone[output].eq(~several(self._requests(output)) & state.free[output])
            m.d.sync += state.turn[output].eq(rotating_first(asks, among))
        copied = [self._admit(m, source, state) for source in range(len(self.reach))]
        self._turn_goes_on(m, state)
        for output in range(len(self.sources)):
            self._drive(m, output, copied, state)
        m.d.comb += self.conflict.eq(Cat(asks.any() & ~alone for asks, alone in zip(state.asks, state.alone)).any())
        return m

    def _state(self) -> "_State":
        """The signals of all inputs and outputs."""
        inputs, outputs = len(self.reach), len(self.sources)
        inside = Signal(inputs)
        return _State(
            first=Signal(inputs, init=1, name="first"),
            holder=[Signal(len(sources), name=f"holder{output}") for output, sources in enumerate(self.sources)],
            turn=[Signal(len(sources), name=f"turn{output}") for output, sources in enumerate(self.sources)],
            free=Signal(outputs, init=-1, name="free"),
            alone=Signal(outputs, name="alone"),
            room=Signal(outputs, init=-1, name="room"),
            inside=inside,
            asks=[
                self._requests(output) & Cat(~inside[source] for source in sources)
                for output, sources in enumerate(self.sources)
            ],
            asking=Signal(inputs, name="asking"),
            passes=Signal(inputs, name="passes"),
            admitted=Signal(inputs, name="admitted"),
        )

    def _of_input(self, signals: Sequence[Value], source: int) -> Value:
        """The bits of ``source`` in signals that have a bit for each source of an output."""
        return Cat(signals[output][self.sources[output].index(source)] for output in self.reach[source])

    def _admit(self, m: Module, source: int, state: "_State") -> Value:
        """Admit the packet in front of an input, and return for each of its outputs whether its flit was copied there."""
        outputs = self.reach[source]
        free, alone, room = state.free, state.alone, state.room
        open, passable = (free & room, alone & room) if self.roomy else (free, alone)
        requests, advance = self.input(source).requests, self.input(source).advance
        held, ready = self._of_input(state.holder, source), Cat(self.output(output).ready for output in outputs)
        may_pass = Cat(passable[output] for output in outputs)
        may_have = self._of_input(state.turn, source) & Cat(open[output] for output in outputs)
        # In two stages, nothing leaves in the cycle in which it is admitted.
        nothing = Const(0, len(outputs))
        asking, passes, admitted = state.asking[source], state.passes[source], state.admitted[source]
        m.d.comb += asking.eq(requests.any() & ~state.inside[source])
        if source in self.copying:
            copied: Value = Signal(len(outputs), name=f"copied{source}")
            gets_all = (~requests | may_have).all()
            m.d.comb += passes.eq(asking & (~requests | may_pass).all())
            # If there is a flit that is not discarded, it is for an output.
            leaves = ready & (held | requests & may_pass if self.stages == 1 else held)
            self._advance(m, source, [(~(held | requests) | copied | leaves).all()])
            passing = requests & passes.replicate(len(outputs)) if self.stages == 1 else nothing
            m.d.sync += copied.eq(copied | ready & (held | passing))
            with m.If(advance):
                m.d.sync += copied.eq(0)
        else:
            copied = nothing
            gets_all = (requests & may_have).any()
            m.d.comb += passes.eq(asking & (requests & may_pass).any())
            passing = requests & may_pass if self.stages == 1 else nothing
            self._advance(m, source, [(ready & (held | passing)).any()])
        m.d.comb += admitted.eq(passes | asking & gets_all)
        m.d.sync += state.inside[source].eq(~advance & (state.inside[source] | admitted))
        return copied

    def _turn_goes_on(self, m: Module, state: "_State") -> None:
        """Hand the turn on from an input that does not wait, and from one that was admitted, a cycle later."""
        first = state.first
        just_admitted = Signal(len(self.reach))
        m.d.sync += just_admitted.eq(state.admitted)
        goes_on = ~(first & state.asking & ~just_admitted).any()
        if self.patience:
            waited = Signal(range(self.patience))
            enough = waited == self.patience - 1
            m.d.sync += waited.eq(Mux(goes_on | enough, 0, waited + 1))
            goes_on = goes_on | enough
        with m.If(goes_on):
            m.d.sync += first.eq(first.rotate_left(1))

    def _drive(self, m: Module, output: int, copied: Sequence[Value], state: "_State") -> None:
        """Select the input whose flit an output offers, and hold the output for its packet."""
        sources = self.sources[output]
        holder, free = state.holder[output], state.free[output]
        grant, select = self.grant(output), self.select(output)
        offer, ready = self.output(output).offer, self.output(output).ready
        requests, last = self._requests(output), self._of_sources("last", output)
        uncopied = Cat(
            self.input(source).valid & ~copied[source][self.reach[source].index(output)] for source in sources
        )
        leaving = holder & uncopied
        passing = requests & Cat(state.passes[source] for source in sources)
        holds = requests & Cat(state.admitted[source] for source in sources)
        if self.stages == 1:
            m.d.comb += [
                grant.eq(Mux(free, requests, holder)),
                select.eq(select_lines(grant)),
                offer.eq(Mux(free, passing.any(), leaving.any())),
            ]
            # A packet that is a header alone has passed and needs no output any more.
            passed = (passing & last).any() & ready
        else:
            selecting = Signal(select_bits(len(sources)), name=f"selecting{output}")
            m.d.comb += [grant.eq(holder), select.eq(selecting), offer.eq(leaving.any())]
            with m.If(free):
                m.d.sync += selecting.eq(select_lines(holds))
            passed = Const(0)
        with m.If(free):
            m.d.sync += [
                holder.eq(holds & ~passed.replicate(len(holds))),
                free.eq(~holds.any() | passed),
            ]
        with m.Elif((leaving & last).any() & ready):
            m.d.sync += [holder.eq(0), free.eq(1)]


def _turn_among(sources: Sequence[int], first: Signal) -> Value:
    """``first``, one-hot over all inputs, as one-hot over ``sources``: the next of them, counting upwards."""
    inputs = len(first)
    bits = []
    for index, source in enumerate(sources):
        distance = (source - sources[index - 1] - 1) % inputs + 1
        bits.append(Cat(first[(source - back) % inputs] for back in range(distance)).any())
    return Cat(bits)
