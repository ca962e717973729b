"""The shape of an allocator, which decides from the requests of all inputs which packets cross the router."""

from collections.abc import Iterable, Sequence

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from groundwork.validation import ParameterError, check_integer
from rtl.crossbar import select_bits
from rtl.optional_ports import OptionalPorts

__all__ = ["AllocatorBase", "exactly_one", "several"]


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


class AllocatorBase(OptionalPorts):
    """The base of all allocators: their parameters, their ports, and the turns from inputs to outputs.

    Ports of no bits are no ports of the module.

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
    releases : :class:`bool`
        An output can be freed before the last flit of the packet that holds it, as circuits that are refused need it.
    asks : :class:`bool`
        Packets need permission to begin at outputs with several channels, as of :func:`~rtl.lanes.lane.LaneSignature`.

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
    channel{output} : :py:`Out(ceil_log2(channels[output]))`
        The channel of the flit that the output offers, if it has several. If it offers none, anything.
    whole{output} : :py:`In(channels[output])`
        There is room for the longest packet behind that channel, where there are several.
    wanted{output} : :py:`Out(channels[output])`
        The channel is free, and a packet waits that could be given it. Only with ``asks``.
    holds{output} : :py:`Out(1)`
        A packet has a channel of the output. From registers. Only with ``asks``.
    held{input} : :py:`Out(1)`
        An output is held for this input. From registers. Only with ``releases``.
    release{input} : :py:`In(1)`
        That output is freed at the end of this cycle, in which no flit of this input passes. Only with ``releases``.
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
        releases: bool = False,
        asks: bool = False,
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
        members = {"conflict": Out(1)}
        for source, reached in enumerate(self.reach):
            if not reached:
                raise ParameterError(f"turns must let every input reach an output, but input {source} reaches none")
            members[f"valid{source}"] = In(1)
            members[f"last{source}"] = In(1)
            members[f"requests{source}"] = In(len(reached))
            members[f"discard{source}"] = In(1)
            members[f"advance{source}"] = Out(1)
            members[f"held{source}"] = Out(int(releases))
            members[f"release{source}"] = In(int(releases))
        for output, sources in enumerate(self.sources):
            if not sources:
                raise ParameterError(f"turns must let every output be reached, but output {output} is not")
            members[f"grant{output}"] = Out(len(sources))
            members[f"select{output}"] = Out(select_bits(len(sources)))
            members[f"offer{output}"] = Out(1)
            members[f"ready{output}"] = In(channels[output])
            members[f"channel{output}"] = Out(ceil_log2(channels[output]))
            members[f"whole{output}"] = In(channels[output])
            members[f"wanted{output}"] = Out(channels[output] * asks)
            members[f"holds{output}"] = Out(int(asks))
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
        """Let the flit in front of ``source`` leave if one of the conditions ``taken`` is true, or if it is discarded."""
        # An empty input may be loaded too; as a term of this OR, that joins the same tree of LUTs.
        dropped = (~self.port("valid", source), self.port("discard", source))
        m.d.comb += self.port("advance", source).eq(Cat(*taken, *dropped).any())
