"""The allocators: they decide which packets cross the router, from the requests of all inputs.

There are three with the same ports. :class:`Allocator` is for packets with one output each.
:class:`MulticastAllocator` also copies a packet to several outputs. For outputs with virtual channels there is
:class:`rtl.channel_allocator.ChannelAllocator`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import ParameterError, check_integer
from rtl.arbiters.arbiter import Arbiter
from rtl.arbiters.round_robin import RoundRobinArbiter, rotating_first
from rtl.crossbar import select_bits, select_lines

__all__ = ["Allocator", "AllocatorBase", "MulticastAllocator", "exactly_one"]


def exactly_one(bits: Value) -> Value:
    """Exactly one of the bits is set: in groups of four, a LUT each, of which one has one and the others none."""
    if len(bits) <= 4:
        return Cat(bit & ~Cat(bits[:index], bits[index + 1 :]).any() for index, bit in enumerate(bits)).any()
    groups = [bits[start : start + 4] for start in range(0, len(bits), 4)]
    return (
        exactly_one(Cat(group.any() for group in groups))
        & ~Cat(group.any() & ~exactly_one(group) for group in groups).any()
    )


class AllocatorBase(wiring.Component):
    """The base of all allocators: their parameters, their ports, and the turns from inputs to outputs.

    Parameters
    ----------
    reach : list of list of :class:`int`
        For each input, the outputs that it can reach.
    outputs : :class:`int`
        Number of outputs.
    stages : :class:`int`
        Cycles from a header in front to its first flit at the output: with 2, arbitration has a cycle of its own.
    leads : list of :class:`int`
        The output that each number in ``reach`` stands for; if not given, each stands for itself.
    channels : list of :class:`int`
        The virtual channels of each output; if not given, one.
    members : mapping
        The members besides.

    Members
    -------
    valid{input} : :py:`In(1)`
        The input has a flit.
    last{input} : :py:`In(1)`
        That flit is the last of its packet.
    requests{input} : :py:`In(len(reach[input]))`
        The outputs that the header in front of it is for, in the order of ``reach[input]``; zero otherwise.
    discard{input} : :py:`In(1)`
        The flit in front of it is of a packet that is for no output.
    advance{input} : :py:`Out(1)`
        The flit in front of the input, if there is one, leaves in this cycle. Without one it does not count.
    grant{output} : :py:`Out(len(sources[output]))`
        The input, in the order of ``sources[output]``, whose flit the output offers. If it offers none, the one that
        :class:`Allocator` holds it for, or else anything.
    select{output} : :py:`Out(select_bits(len(sources[output])))`
        The :func:`~rtl.crossbar.select_lines` of ``grant{output}``.
    offer{output} : :py:`Out(1)`
        The output offers a flit.
    ready{output} : :py:`In(channels[output])`
        A flit on that channel is taken if it is offered.
    conflict : :py:`Out(1)`
        An input waits for an output that offers, or is held for, the packet of another input.

    Attributes
    ----------
    sources : list of list of :class:`int`
        For each output, the inputs that can reach it.
    """

    conflict: Signal

    def __init__(
        self,
        reach: Sequence[Sequence[int]],
        outputs: int,
        *,
        stages: int = 1,
        leads: Sequence[int] | None = None,
        channels: Sequence[int] | None = None,
        members: Mapping[str, Any] | None = None,
    ) -> None:
        self.stages = check_integer("stages", stages, minimum=1, maximum=2)
        self.reach = [tuple(reached) for reached in reach]
        leads, channels = leads or range(outputs), channels or [1] * outputs
        self.sources = [
            tuple(
                source
                for source, reached in enumerate(self.reach)
                if any(leads[number] == output for number in reached)
            )
            for output in range(outputs)
        ]
        members = {**(members or {}), "conflict": Out(1)}
        for source, reached in enumerate(self.reach):
            if not reached:
                raise ParameterError(f"turns must let every input reach an output, but input {source} reaches none")
            members[f"valid{source}"] = In(1)
            members[f"last{source}"] = In(1)
            members[f"requests{source}"] = In(len(reached))
            members[f"discard{source}"] = In(1)
            members[f"advance{source}"] = Out(1)
        for output, sources in enumerate(self.sources):
            if not sources:
                raise ParameterError(f"turns must let every output be reached, but output {output} is not")
            members[f"grant{output}"] = Out(len(sources))
            members[f"select{output}"] = Out(select_bits(len(sources)))
            members[f"offer{output}"] = Out(1)
            members[f"ready{output}"] = In(channels[output])
        super().__init__(members)

    def port(self, name: str, number: int) -> Signal:
        """The port ``name`` of the input or output ``number``."""
        return getattr(self, f"{name}{number}")

    def _of_sources(self, name: str, output: int) -> Value:
        """The ports ``name`` of the inputs that can reach ``output``, a bit each."""
        return Cat(self.port(name, source) for source in self.sources[output])

    def _requests(self, output: int) -> Value:
        """The requests for ``output``."""
        return Cat(self.port("requests", source)[self.reach[source].index(output)] for source in self.sources[output])

    def _advance(self, m: Module, source: int, taken: Iterable[Value]) -> None:
        """Let the flit in front of ``source`` leave if one of the conditions ``taken`` is true, or nobody wants it."""
        # An empty input may be loaded too; as a term of this OR, that joins the same tree of LUTs.
        nobody = (~self.port("valid", source), self.port("discard", source))
        m.d.comb += self.port("advance", source).eq(Cat(*taken, *nobody).any())


class Allocator(AllocatorBase):
    """An arbiter for each output; a packet has one output.

    Whoever wins a free output is its holder from the next cycle on, until the packet is through; at the end of a packet
    the next one follows at once. So the arbiter's decision is never on the way of data. In one stage, a header that
    comes to a free output alone passes in that cycle, and what selects an input is a register or, at a free output, a
    request; headers that come together wait for a cycle. In two stages every header waits for a cycle, and what selects
    an input is a register.

    Parameters
    ----------
    reach, outputs, stages
        As for every allocator.
    arbiter : subclass of :class:`Arbiter`
        One of :data:`rtl.arbiters.ARBITERS`.
    releases : :class:`bool`
        An output can be freed before the last flit of the packet that holds it, as circuits that are refused need it.

    Members
    -------
    held{input} : :py:`Out(1)`
        An output is held for this input. From registers. Only with ``releases``.
    release{input} : :py:`In(1)`
        That output is freed at the end of this cycle, in which no flit of this input passes. Only with ``releases``.
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
        members = {}
        for source in range(len(reach) if releases else 0):
            members |= {f"held{source}": Out(1), f"release{source}": In(1)}
        super().__init__(reach, outputs, stages=stages, members=members)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        conflicts = []
        taken: list[list[Value]] = [[] for _ in self.reach]
        held: list[list[Value]] = [[] for _ in self.reach]
        ends = Signal(len(self.reach))
        m.d.comb += ends.eq(Cat(self.port("valid", source) & self.port("last", source) for source in range(len(ends))))
        for output, sources in enumerate(self.sources):
            m.submodules[f"arbiter{output}"] = arbiter = self.arbiter(len(sources))
            requests = Signal(len(sources), name=f"requests_of{output}")
            valid, ending = self._of_sources("valid", output), Cat(ends[source] for source in sources)
            grant, select, offer, ready = (self.port(name, output) for name in ("grant", "select", "offer", "ready"))
            free = Signal(init=1, name=f"free{output}")
            # While the output is free, these follow the winner; in one stage they are not looked at then.
            holder = Signal(len(sources), name=f"holder{output}")
            selecting = Signal(select_bits(len(sources)), name=f"selecting{output}")
            alone, done, others, passing = (
                Signal(name=f"{name}{output}") for name in ("alone", "done", "others", "passing")
            )
            holding = (holder & valid).any()
            if self.stages == 1:
                contending, offered, granted = requests, Mux(free, alone, holding), Mux(free, requests, holder)
                selected = Mux(free, select_lines(requests), selecting)
                stays_free = Mux(free, passing | ~requests.any(), done & ~others)
            else:
                # The holder's own request is granted.
                contending, offered, granted, selected = requests & ~holder, holding, holder, selecting
                stays_free = Mux(free | done, ~others, 0)
            m.d.comb += [
                requests.eq(self._requests(output)),
                arbiter.requests.eq(contending),
                arbiter.take.eq(free | done),
                arbiter.sent.eq(grant & (offer & ready).replicate(len(sources))),
                alone.eq(exactly_one(requests)),
                others.eq((requests & ~holder).any()),
                offer.eq(offered),
                grant.eq(granted),
                select.eq(selected),
                # The last flit leaves: of the holder's packet, or of a packet that is a header alone and had no holder.
                done.eq(
                    (holder & ending).any() & ready | (holder & self._of_sources("release", output)).any()
                    if self.releases
                    else (holder & ending).any() & ready
                ),
                passing.eq((requests & ending).any() & alone & ready),
            ]
            m.d.sync += free.eq(stays_free)
            with m.If(free | done):
                m.d.sync += [
                    holder.eq(arbiter.winner),
                    selecting.eq(select_lines(arbiter.winner)),
                ]
            for index, source in enumerate(sources):
                passes = grant[index] & (~free | alone) if self.stages == 1 else grant[index]
                taken[source].append(passes & ready)
                held[source].append(holder[index] & ~free)
            conflicts.append(Mux(free, requests.any() & ~alone, others))
        for source in range(len(self.reach)):
            self._advance(m, source, taken[source])
            if self.releases:
                m.d.comb += self.port("held", source).eq(Cat(held[source]).any())
        m.d.comb += self.conflict.eq(Cat(conflicts).any())
        return m


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
    must keep such packets apart: see :func:`sim.plan.compile_schedule`.

    Parameters
    ----------
    reach, outputs, stages
        As for every allocator.
    copying : collection of :class:`int`
        The inputs whose packets request several outputs; those of the others request one.
    """

    def __init__(
        self, reach: Sequence[Sequence[int]], outputs: int, *, copying: Collection[int], stages: int = 1
    ) -> None:
        self.copying = frozenset(copying)
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
        # A header that stays in front after it was admitted, as some of its copies wait, asks for nothing any more.
        inside = Signal(inputs)
        asks = [
            self._requests(output) & Cat(~inside[source] for source in sources)
            for output, sources in enumerate(self.sources)
        ]
        for output, sources in enumerate(self.sources):
            m.d.comb += alone[output].eq(exactly_one(self._requests(output)) & free[output])
            m.d.sync += turn[output].eq(rotating_first(asks[output], _turn_among(sources, first)))

        def of_input(signals: Sequence[Value], source: int) -> Value:
            """What is of ``source`` in signals with a bit for each source of an output."""
            return Cat(signals[output][self.sources[output].index(source)] for output in self.reach[source])

        copied: list[Value] = []
        asking, passes, admitted = Signal(inputs), Signal(inputs), Signal(inputs)
        for source, outputs in enumerate(self.reach):
            requests, advance = self.port("requests", source), self.port("advance", source)
            held, ready = of_input(holder, source), Cat(self.port("ready", output) for output in outputs)
            may_pass = Cat(alone[output] for output in outputs)
            may_have = of_input(turn, source) & Cat(free[output] for output in outputs)
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
        with m.If(~(first & asking & ~just_admitted).any()):
            m.d.sync += first.eq(first.rotate_left(1))

        conflicts = []
        for output, sources in enumerate(self.sources):
            grant, select, offer, ready = (self.port(name, output) for name in ("grant", "select", "offer", "ready"))
            requests, last = self._requests(output), self._of_sources("last", output)
            uncopied = Cat(
                self.port("valid", source) & ~copied[source][self.reach[source].index(output)] for source in sources
            )
            selecting = Signal(select_bits(len(sources)), name=f"selecting{output}")
            leaving = holder[output] & uncopied
            passing = requests & Cat(passes[source] for source in sources)
            holds = requests & Cat(admitted[source] for source in sources)
            if self.stages == 1:
                m.d.comb += [
                    grant.eq(Mux(free[output], requests, holder[output])),
                    select.eq(Mux(free[output], select_lines(requests), selecting)),
                    offer.eq(Mux(free[output], passing.any(), leaving.any())),
                ]
                # A packet that is a header alone has passed and needs no output any more.
                passed = (passing & last).any() & ready
            else:
                m.d.comb += [grant.eq(holder[output]), select.eq(selecting), offer.eq(leaving.any())]
                passed = Const(0)
            with m.If(free[output]):
                m.d.sync += [
                    holder[output].eq(holds & ~passed.replicate(len(holds))),
                    selecting.eq(select_lines(holds)),
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
