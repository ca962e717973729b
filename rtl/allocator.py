"""The allocators: they decide which packets cross the router, from the requests of all inputs.

There are three with the same ports. :class:`Allocator` is for packets with one output each.
:class:`rtl.multicast_allocator.MulticastAllocator` also copies a packet to several outputs. For outputs with virtual
channels there is :class:`rtl.channel_allocator.ChannelAllocator`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import ParameterError, check_integer
from rtl.arbiters.arbiter import Arbiter, add_arbiter
from rtl.arbiters.round_robin import RoundRobinArbiter
from rtl.crossbar import select_bits, select_lines

__all__ = ["Allocator", "AllocatorBase", "exactly_one", "several"]


_NEAR = 4  # inputs of a LUT


def exactly_one(bits: Value) -> Value:
    """Exactly one of the bits is set: in groups of four, a LUT each, of which one has one and the others none."""
    if len(bits) <= 4:
        return Cat(bit & ~Cat(bits[:index], bits[index + 1 :]).any() for index, bit in enumerate(bits)).any()
    groups = [bits[start : start + 4] for start in range(0, len(bits), 4)]
    return (
        exactly_one(Cat(group.any() for group in groups))
        & ~Cat(group.any() & ~exactly_one(group) for group in groups).any()
    )


def several(bits: Value) -> Value:
    """More than one of the bits is set: in groups of four, of which two have one, or one has more."""
    if len(bits) <= 4:
        return Cat(bit & bits[index + 1 :].any() for index, bit in enumerate(bits)).any()
    groups = [bits[start : start + 4] for start in range(0, len(bits), 4)]
    return several(Cat(group.any() for group in groups)) | Cat(several(group) for group in groups).any()


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
    comes to a free output alone passes in that cycle: what selects an input is a request at a free output, and the holder
    otherwise. Headers that come together wait for a cycle. In two stages every header waits for a cycle, and an input
    is selected from registers.

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
        for output, sources in enumerate(self.sources):
            requests = Signal(len(sources), name=f"requests_of{output}")
            grant, select, offer, ready = (self.port(name, output) for name in ("grant", "select", "offer", "ready"))
            free = Signal(init=1, name=f"free{output}")
            # While the output is free in one stage, the holder is not looked at.
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
                m.d.comb += self.port("held", source).eq(Cat(held[source]).any())
        m.d.comb += self.conflict.eq(Cat(conflicts).any())
        return m

    def _taken(self, requests: Value, holder: Value, free: Value, ready: Value, index: int) -> list[Value]:
        """The conditions on which the flit of one of the inputs that reach an output is taken there.

        They decide what the input's buffer does, at the end of the longest path of a router. With many inputs, what is
        known early, and whether another of the same four requests, goes into one level of logic each.
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
