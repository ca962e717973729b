"""The allocators: they decide which packets cross the router, from the requests of all inputs.

There are two with the same ports. :class:`Allocator` is for packets with one output each.
:class:`MulticastAllocator` also copies a packet to several outputs.
"""

from collections.abc import Iterable, Sequence

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import ParameterError
from rtl.arbiters.arbiter import Arbiter
from rtl.arbiters.round_robin import RoundRobinArbiter, rotating_first
from rtl.crossbar import select_bits, select_lines

__all__ = ["Allocator", "MulticastAllocator", "exactly_one"]


def exactly_one(bits: Value) -> Value:
    """Exactly one of the bits is set: in groups of four, a LUT each, of which one has one and the others none."""
    if len(bits) <= 4:
        return Cat(bit & ~Cat(bits[:index], bits[index + 1 :]).any() for index, bit in enumerate(bits)).any()
    groups = [bits[start : start + 4] for start in range(0, len(bits), 4)]
    return (
        exactly_one(Cat(group.any() for group in groups))
        & ~Cat(group.any() & ~exactly_one(group) for group in groups).any()
    )


class _Allocator(wiring.Component):
    """The base of both allocators: their parameters, their ports, and the turns from inputs to outputs.

    Parameters
    ----------
    reach : list of list of :class:`int`
        For each input, the outputs that it can reach.
    outputs : :class:`int`
        Number of outputs.

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
        The input, in the order of ``sources[output]``, whose flit the output offers. If it offers none, anything.
    select{output} : :py:`Out(select_bits(len(sources[output])))`
        The :func:`~rtl.crossbar.select_lines` of ``grant{output}``.
    offer{output} : :py:`Out(1)`
        The output offers a flit.
    ready{output} : :py:`In(1)`
        The flit is taken if it is offered.
    conflict : :py:`Out(1)`
        An input waits for an output that offers, or is held for, the packet of another input.

    Attributes
    ----------
    sources : list of list of :class:`int`
        For each output, the inputs that can reach it.
    """

    conflict: Signal

    def __init__(self, reach: Sequence[Sequence[int]], outputs: int) -> None:
        self.reach = [tuple(reached) for reached in reach]
        self.sources = [
            tuple(source for source, reached in enumerate(self.reach) if output in reached) for output in range(outputs)
        ]
        members = {"conflict": Out(1)}
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
            members[f"ready{output}"] = In(1)
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


class Allocator(_Allocator):
    """An arbiter for each output; a packet has one output.

    An output that is free takes a header in the cycle in which it comes, if it is the only one, and whoever wins is its
    holder from the next cycle on, until the packet is through. So the arbiter's decision is never on the way of data:
    what selects an input is a register or, at a free output, a request. Headers that come to a free output together wait
    for a cycle. At the end of a packet the next one follows at once.

    Parameters
    ----------
    reach, outputs
        As for every allocator.
    arbiter : subclass of :class:`Arbiter`
        One of :data:`rtl.arbiters.ARBITERS`.
    """

    def __init__(
        self, reach: Sequence[Sequence[int]], outputs: int, *, arbiter: type[Arbiter] = RoundRobinArbiter
    ) -> None:
        self.arbiter = arbiter
        super().__init__(reach, outputs)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        conflicts = []
        taken: list[list[Value]] = [[] for _ in self.reach]
        ends = Signal(len(self.reach))
        m.d.comb += ends.eq(Cat(self.port("valid", source) & self.port("last", source) for source in range(len(ends))))
        for output, sources in enumerate(self.sources):
            m.submodules[f"arbiter{output}"] = arbiter = self.arbiter(len(sources))
            requests = Signal(len(sources), name=f"requests_of{output}")
            valid, ending = self._of_sources("valid", output), Cat(ends[source] for source in sources)
            offer, ready = self.port("offer", output), self.port("ready", output)
            free = Signal(init=1, name=f"free{output}")
            # While the output is free, these follow the winner, and are not looked at.
            holder = Signal(len(sources), name=f"holder{output}")
            selecting = Signal(select_bits(len(sources)), name=f"selecting{output}")
            alone, done, others, passing = (
                Signal(name=f"{name}{output}") for name in ("alone", "done", "others", "passing")
            )
            m.d.comb += [
                requests.eq(self._requests(output)),
                arbiter.requests.eq(requests),
                arbiter.take.eq(free | done),
                arbiter.sent.eq(self.port("grant", output) & (offer & ready).replicate(len(sources))),
                alone.eq(exactly_one(requests)),
                others.eq((requests & ~holder).any()),
                offer.eq(Mux(free, alone, (holder & valid).any())),
                self.port("grant", output).eq(Mux(free, requests, holder)),
                self.port("select", output).eq(Mux(free, select_lines(requests), selecting)),
                # The last flit leaves: of the holder's packet, or of a packet that is a header alone and had no holder.
                done.eq((holder & ending).any() & ready),
                passing.eq((requests & ending).any() & alone & ready),
            ]
            m.d.sync += free.eq(Mux(free, passing | ~requests.any(), done & ~others))
            with m.If(free | done):
                m.d.sync += [
                    holder.eq(arbiter.winner),
                    selecting.eq(select_lines(arbiter.winner)),
                ]
            for index, source in enumerate(sources):
                taken[source].append(self.port("grant", output)[index] & (~free | alone) & ready)
            conflicts.append(Mux(free, requests.any() & ~alone, others))
        for source in range(len(self.reach)):
            self._advance(m, source, taken[source])
        m.d.comb += self.conflict.eq(Cat(conflicts).any())
        return m


class MulticastAllocator(_Allocator):
    """Copies a packet to every output that it requests.

    A packet is admitted when all its outputs are free and first in turn for it at once, and then holds them:
    in one router, two packets that each hold an output which the other waits for cannot be. All outputs take
    turns in the same order, so the input that comes first for one is first for all, and the turn stays with an
    input until its packet is admitted: no packet waits for ever, provided that the admitted ones end. A copy of a
    flit that is taken early is remembered until the others are taken too.

    A router alone cannot guarantee that they end. In a network the copies of a packet hold outputs here while one
    of them waits in the next router, and packets of several routers can wait for each other in a ring. The senders
    must keep such packets apart: see :func:`sim.plan.compile_schedule`.
    """

    def elaborate(self, platform: object) -> Module:
        m = Module()
        inputs = len(self.reach)
        first = Signal(inputs, init=1)
        holder = [Signal(len(sources), name=f"holder{output}") for output, sources in enumerate(self.sources)]
        copied = [Signal(len(outputs), name=f"copied{source}") for source, outputs in enumerate(self.reach)]
        # A header that stays in front after it was admitted, as some of its copies wait, asks for nothing any more.
        inside = Signal(inputs)
        asks = [
            self.port("requests", source) & ~inside[source].replicate(len(some))
            for source, some in enumerate(self.reach)
        ]
        asked = [
            Cat(asks[source][self.reach[source].index(output)] for source in sources)
            for output, sources in enumerate(self.sources)
        ]
        wins = []
        for output, sources in enumerate(self.sources):
            requests = asked[output]
            free = ~holder[output].any()
            winner = Signal(len(sources), name=f"winner{output}")
            m.d.comb += winner.eq(rotating_first(requests & free.replicate(len(sources)), _turn_among(sources, first)))
            wins.append(dict(zip(sources, winner)))

        waiting = []
        for source, outputs in enumerate(self.reach):
            advance = self.port("advance", source)
            held = Cat(holder[output][self.sources[output].index(source)] for output in outputs)
            won = Cat(wins[output][source] for output in outputs)
            admitted = asks[source].any() & (~asks[source] | won).all()
            waiting.append(asks[source].any() & ~admitted)
            taken = Signal(len(outputs), name=f"taken{source}")
            for index, output in enumerate(outputs):
                grant = self.port("grant", output)[self.sources[output].index(source)]
                m.d.comb += [
                    grant.eq(held[index] | won[index] & admitted),
                    taken[index].eq(grant & self.port("ready", output)),
                ]
            wanted = held | self.port("requests", source)
            self._advance(m, source, [wanted.any() & (~wanted | copied[source] | taken).all()])
            with m.If(advance):
                m.d.sync += [copied[source].eq(0), inside[source].eq(0)]
            with m.Else():
                m.d.sync += [copied[source].eq(copied[source] | taken), inside[source].eq(inside[source] | admitted)]
        with m.If(~(first & Cat(waiting)).any()):
            m.d.sync += first.eq(first.rotate_left(1))

        conflicts = []
        for output, sources in enumerate(self.sources):
            grant, offer, ready = (self.port(name, output) for name in ("grant", "offer", "ready"))
            last = self._of_sources("last", output)
            uncopied = Cat(
                self.port("valid", source) & ~copied[source][self.reach[source].index(output)] for source in sources
            )
            m.d.comb += [
                offer.eq((grant & uncopied).any()),
                self.port("select", output).eq(select_lines(grant)),
            ]
            with m.If(offer & (grant & last).any() & ready):
                m.d.sync += holder[output].eq(0)
            with m.Else():
                m.d.sync += holder[output].eq(grant)
            conflicts.append((asked[output] & ~grant).any())
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
