"""The shape of an allocator, which decides from the requests of all inputs which packets cross the router."""

from collections.abc import Iterable, Sequence

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.rtl.crossbar import select_bits
from fatcube.rtl.optional_ports import OptionalPorts

__all__ = ["AllocatorBase", "several"]


def several(bits: Value) -> Value:
    """More than one of the bits is set. Of groups of four bits, several have a bit set, or one has several."""
    if len(bits) <= 4:
        return Cat(bit & bits[index + 1 :].any() for index, bit in enumerate(bits)).any()
    groups = [bits[start : start + 4] for start in range(0, len(bits), 4)]
    return several(Cat(group.any() for group in groups)) | Cat(several(group) for group in groups).any()


class AllocatorBase(OptionalPorts):
    """The base of all allocators of routers without virtual channels: their parameters, their ports, and their turns.

    Ports of no bits are no ports of the module.

    Parameters
    ----------
    reach : list of list of :class:`int`
        For each input, the outputs that it can reach.
    outputs : :class:`int`
        Number of outputs.
    stages : :class:`int`
        Cycles from a header in front to its first flit at the output: with 2, arbitration has a cycle of its own.
    releases : :class:`bool`
        An output can be freed before the last flit of the packet that holds it, as circuits that are refused need it.

    Members
    -------
    valid{input} : :py:`In(1)`
        The input has a flit.
    last{input} : :py:`In(1)`
        The flit of the input is the last of its packet.
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
        The :func:`~fatcube.rtl.crossbar.select_lines` of ``grant{output}``.
    offer{output} : :py:`Out(1)`
        The output offers a flit.
    ready{output} : :py:`In(1)`
        A flit is taken if it is offered.
    held{input} : :py:`Out(1)`
        An output is held for this input. From registers. Only with ``releases``.
    release{input} : :py:`In(1)`
        The output held for this input is freed at the end of this cycle, in which no flit of this input passes. Only with
        ``releases``.
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
        releases: bool = False,
    ) -> None:
        self.stages = check_integer("stages", stages, minimum=1, maximum=2)
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
            members[f"held{source}"] = Out(int(releases))
            members[f"release{source}"] = In(int(releases))
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
        """Let the flit in front of ``source`` leave if one of the conditions ``taken`` is true, or if it is discarded."""
        # An empty input may be loaded too; as a term of this OR, that joins the same tree of LUTs.
        dropped = (~self.port("valid", source), self.port("discard", source))
        m.d.comb += self.port("advance", source).eq(Cat(*taken, *dropped).any())
