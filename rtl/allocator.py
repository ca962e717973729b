"""Which packets cross the router: the requests of all inputs against the arbiters of all outputs.

Two allocators with the same ports. :class:`Allocator` is for packets with one output each.
:class:`MulticastAllocator` also copies a packet to several outputs.
"""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.arbiter import RoundRobinArbiter, rotating_first
from rtl.parameters import ParameterError

__all__ = ["Allocator", "MulticastAllocator"]


class _Allocator(wiring.Component):
    """What both allocators share: their parameters, their ports, and who reaches whom.

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
    wishes{input} : :py:`In(len(reach[input]))`
        The outputs that its packet is for, in the order of ``reach[input]``.
    accept{input} : :py:`Out(1)`
        The flit leaves the input in this cycle.
    grant{output} : :py:`Out(len(sources[output]))`
        The input, in the order of ``sources[output]``, whose flit the output offers.
    offer{output} : :py:`Out(1)`
        The output offers a flit.
    last{output} : :py:`In(1)`
        That flit, as the crossbar gives it to the output, is the last of its packet.
    ready{output} : :py:`In(1)`
        It is taken if it is offered.
    conflict : :py:`Out(1)`
        Some input waits for an output that offers, or is held for, another one's packet.

    Attributes
    ----------
    sources : list of list of :class:`int`
        For each output, the inputs that can reach it.
    """

    def __init__(self, reach, outputs, members=()):
        self.reach = [tuple(one) for one in reach]
        self.sources = [tuple(i for i, one in enumerate(self.reach) if output in one)
                        for output in range(outputs)]
        for number, one in enumerate(self.reach):
            if not one:
                raise ParameterError(f"turns must let every input reach an output, but input {number} reaches none")
        for number, one in enumerate(self.sources):
            if not one:
                raise ParameterError(f"turns must let every output be reached, but output {number} is not")
        members = {"conflict": Out(1), **dict(members)}
        for number, one in enumerate(self.reach):
            members[f"valid{number}"] = In(1)
            members[f"wishes{number}"] = In(len(one))
            members[f"accept{number}"] = Out(1)
        for number, one in enumerate(self.sources):
            members[f"grant{number}"] = Out(len(one))
            members[f"offer{number}"] = Out(1)
            members[f"last{number}"] = In(1)
            members[f"ready{number}"] = In(1)
        super().__init__(members)

    def _port(self, name, number):
        return getattr(self, f"{name}{number}")

    def _wish(self, source, output):
        return self._port("wishes", source)[self.reach[source].index(output)]

    def _grant(self, source, output):
        return self._port("grant", output)[self.sources[output].index(source)]


class Allocator(_Allocator):
    """A round-robin arbiter for each output; a packet has one output."""

    def elaborate(self, platform):
        m = Module()
        conflicts = []
        for output, sources in enumerate(self.sources):
            m.submodules[f"arbiter{output}"] = arbiter = RoundRobinArbiter(len(sources))
            requests = Cat(self._port("valid", source) & self._wish(source, output) for source in sources)
            offer, last, ready = (self._port(name, output) for name in ("offer", "last", "ready"))
            m.d.comb += [
                arbiter.requests.eq(requests),
                arbiter.done.eq(offer & last & ready),
                self._port("grant", output).eq(arbiter.grant),
                offer.eq(arbiter.granted),
            ]
            conflicts.append((requests & ~arbiter.grant).any())
        for source, outputs in enumerate(self.reach):
            taken = Cat(self._grant(source, output) & self._port("ready", output) for output in outputs)
            m.d.comb += self._port("accept", source).eq(taken.any())
        m.d.comb += self.conflict.eq(Cat(conflicts).any())
        return m


class MulticastAllocator(_Allocator):
    """Copies a packet to every output that it wishes, in the same cycles where they are all ready.

    A packet is admitted when all its outputs are free and first in turn for it at once, and then holds them:
    two packets that each hold an output which the other waits for cannot be. All outputs take turns in
    the same order, so the input that comes first for one is first for all, and the turn stays with an input
    until its packet is admitted: none waits for ever. A copy that is taken early is remembered until the
    others are taken too.

    Members
    -------
    header{input} : :py:`In(1)`
        The flit in front of the input is a header. The other members are those of :class:`Allocator`.
    """

    def __init__(self, reach, outputs):
        super().__init__(reach, outputs, {f"header{number}": In(1) for number in range(len(reach))})

    def elaborate(self, platform):
        m = Module()
        inputs = len(self.reach)
        held = Signal(inputs)
        admitted = Signal(inputs)
        m.d.comb += admitted.eq(held | ~Cat(self._port("header", source) for source in range(inputs)))
        first = Signal(inputs, init=1)
        copied = {source: Signal(len(outputs), name=f"copied{source}")
                  for source, outputs in enumerate(self.reach)}

        first_grants, requests_of = {}, {}
        holders = {}
        for output, sources in enumerate(self.sources):
            # The sources that may ask: all while the output is free, the holder while it is held.
            holders[output] = holder = Signal(len(sources), init=-1, name=f"holder{output}")
            requests = Cat(self._port("valid", source) & self._wish(source, output)
                           & ~copied[source][self.reach[source].index(output)] for source in sources)
            requests_of[output] = requests
            # The shared turn, seen by this output: the next of its own sources.
            turn = _turn_among(sources, first, inputs)
            winner = Signal(len(sources), name=f"winner{output}")
            m.d.comb += winner.eq(rotating_first(requests & holder, turn))
            for index, source in enumerate(sources):
                first_grants[source, output] = winner[index]

        for source, outputs in enumerate(self.reach):
            valid, header = self._port("valid", source), self._port("header", source)
            wishes, accept = self._port("wishes", source), self._port("accept", source)
            won = Cat(first_grants[source, output] for output in outputs)
            through = Signal(name=f"through{source}")
            m.d.comb += through.eq(admitted[source] | (~wishes | won).all())
            taken = Signal(len(outputs), name=f"taken{source}")
            for index, output in enumerate(outputs):
                m.d.comb += [
                    self._grant(source, output).eq(won[index] & through),
                    taken[index].eq(self._grant(source, output) & self._port("ready", output)),
                ]
            m.d.comb += accept.eq(valid & wishes.any() & (~wishes | copied[source] | taken).all())
            with m.If(accept):
                m.d.sync += [
                    copied[source].eq(0),
                    held[source].eq(0),
                ]
            with m.Else():
                m.d.sync += [
                    copied[source].eq(copied[source] | taken),
                    held[source].eq(valid & through),
                ]

        waiting = Cat(self._port("valid", source) & ~admitted[source] & ~(self._port("accept", source))
                      for source in range(inputs))
        with m.If(~(first & waiting).any()):
            m.d.sync += first.eq(first.rotate_left(1))

        conflicts = []
        for output, sources in enumerate(self.sources):
            grant, offer, last, ready = (self._port(name, output) for name in ("grant", "offer", "last", "ready"))
            m.d.comb += offer.eq(grant.any())
            with m.If(offer & last & ready):
                m.d.sync += holders[output].eq(-1)
            with m.Elif(offer):
                m.d.sync += holders[output].eq(grant)
            conflicts.append((requests_of[output] & ~grant).any())
        m.d.comb += self.conflict.eq(Cat(conflicts).any())
        return m


def _turn_among(sources, first, inputs):
    """``first``, one-hot over all inputs, as one-hot over ``sources``: the next of them, counting upwards."""
    bits = []
    for index, source in enumerate(sources):
        previous = sources[index - 1]
        distance = (source - previous - 1) % inputs + 1
        bits.append(Cat(first[(source - back) % inputs] for back in range(distance)).any())
    return Cat(bits)
