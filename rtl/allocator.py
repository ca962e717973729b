"""The allocators: they decide which packets cross the router, from the requests of all inputs.

There are two with the same ports. :class:`Allocator` is for packets with one output each.
:class:`MulticastAllocator` also copies a packet to several outputs.
"""

from collections.abc import Sequence

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import ParameterError
from rtl.arbiters.arbiter import Arbiter
from rtl.arbiters.round_robin import RoundRobinArbiter, rotating_first

__all__ = ["Allocator", "MulticastAllocator"]


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
        That flit is the last of its packet, which has a header and at least one payload flit.
    requests{input} : :py:`In(len(reach[input]))`
        The outputs that the header in front of it is for, in the order of ``reach[input]``; zero otherwise.
    advance{input} : :py:`Out(1)`
        The flit in front of the input, if there is one, leaves in this cycle. Without one it does not count.
    grant{output} : :py:`Out(len(sources[output]))`
        The input, in the order of ``sources[output]``, whose flit the output offers.
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
            members[f"advance{source}"] = Out(1)
        for output, sources in enumerate(self.sources):
            if not sources:
                raise ParameterError(f"turns must let every output be reached, but output {output} is not")
            members[f"grant{output}"] = Out(len(sources))
            members[f"offer{output}"] = Out(1)
            members[f"ready{output}"] = In(1)
        super().__init__(members)

    def port(self, name: str, number: int) -> Signal:
        """The port ``name`` of the input or output ``number``."""
        return getattr(self, f"{name}{number}")

    def _request(self, source: int, output: int) -> Value:
        return self.port("requests", source)[self.reach[source].index(output)]

    def _grant(self, source: int, output: int) -> Value:
        return self.port("grant", output)[self.sources[output].index(source)]


class Allocator(_Allocator):
    """An arbiter for each output; a packet has one output.

    Parameters
    ----------
    reach, outputs
        As for every allocator.
    arbiter : subclass of :class:`RoundRobinArbiter`, or one with its ports
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
        for output, sources in enumerate(self.sources):
            m.submodules[f"arbiter{output}"] = arbiter = self.arbiter(len(sources))
            requests = Cat(self._request(source, output) for source in sources)
            valid = Cat(self.port("valid", source) for source in sources)
            ends = Cat(self.port("valid", source) & self.port("last", source) for source in sources)
            offer, ready = self.port("offer", output), self.port("ready", output)
            m.d.comb += [
                arbiter.requests.eq(requests),
                arbiter.done.eq((arbiter.holder & ends).any() & ready),
                self.port("grant", output).eq(arbiter.grant),
                # A request comes with a flit; what a packet holds an output for may still be on its way.
                offer.eq(Mux(arbiter.held, (arbiter.holder & valid).any(), requests.any())),
            ]
            conflicts.append((requests & ~arbiter.grant).any())
        for source, outputs in enumerate(self.reach):
            # An empty input may be loaded too; as a term of this OR, that joins the same tree of LUTs.
            taken = [self._grant(source, output) & self.port("ready", output) for output in outputs]
            m.d.comb += self.port("advance", source).eq(Cat(*taken, ~self.port("valid", source)).any())
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
        wins = []
        for output, sources in enumerate(self.sources):
            requests = Cat(self._request(source, output) for source in sources)
            free = ~holder[output].any()
            winner = Signal(len(sources), name=f"winner{output}")
            m.d.comb += winner.eq(rotating_first(requests & free.replicate(len(sources)), _turn_among(sources, first)))
            wins.append(dict(zip(sources, winner)))

        waiting = []
        for source, outputs in enumerate(self.reach):
            requests, advance = self.port("requests", source), self.port("advance", source)
            held = Cat(holder[output][self.sources[output].index(source)] for output in outputs)
            won = Cat(wins[output][source] for output in outputs)
            admitted = requests.any() & (~requests | won).all()
            waiting.append(requests.any() & ~held.any() & ~admitted)
            taken = Signal(len(outputs), name=f"taken{source}")
            for index, output in enumerate(outputs):
                m.d.comb += [
                    self._grant(source, output).eq(held[index] | won[index] & admitted),
                    taken[index].eq(self._grant(source, output) & self.port("ready", output)),
                ]
            m.d.comb += advance.eq((held | requests).any() & (~(held | requests) | copied[source] | taken).all())
            with m.If(advance | ~self.port("valid", source)):
                m.d.sync += copied[source].eq(0)
            with m.Else():
                m.d.sync += copied[source].eq(copied[source] | taken)
        with m.If(~(first & Cat(waiting)).any()):
            m.d.sync += first.eq(first.rotate_left(1))

        conflicts = []
        for output, sources in enumerate(self.sources):
            grant, offer, ready = (self.port(name, output) for name in ("grant", "offer", "ready"))
            last = Cat(self.port("last", source) for source in sources)
            uncopied = Cat(
                self.port("valid", source) & ~copied[source][self.reach[source].index(output)] for source in sources
            )
            m.d.comb += offer.eq((grant & uncopied).any())
            with m.If(offer & (grant & last).any() & ready):
                m.d.sync += holder[output].eq(0)
            with m.Else():
                m.d.sync += holder[output].eq(grant)
            requests = Cat(self._request(source, output) for source in sources)
            conflicts.append((requests & ~grant).any())
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
