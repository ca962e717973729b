"""The shape of an allocator, which decides from what all inputs ask for which flits cross the router."""

from collections.abc import Collection, Sequence
from typing import Any

from amaranth.hdl import Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.crossbar import select_bits
from fatcube.rtl.optional_ports import OptionalPorts

__all__ = ["AllocatorBase"]


class AllocatorBase(OptionalPorts):
    """The base of all allocators: a dialogue with each input and with each output, and the way through the crossbar.

    Parameters
    ----------
    reached : list of collection of :class:`int`
        For each input, the outputs that it can reach.
    asks : list of :class:`wiring.Signature`
        For each input, its dialogue, as the input sees it.
    offers : list of :class:`wiring.Signature`
        For each output, its dialogue, as the allocator sees it.

    Members
    -------
    input{input} : :py:`In(asks[input])`
        The dialogue with an input.
    output{output} : :py:`Out(offers[output])`
        The dialogue with an output.
    grant{output} : :py:`Out(len(sources[output]))`
        The input, in the order of ``sources[output]``, whose flit the output offers.
    select{output} : :py:`Out(select_bits(len(sources[output])))`
        The :func:`~fatcube.rtl.crossbar.select_lines` of ``grant{output}``.
    conflict : :py:`Out(1)`
        An input waits for an output that another packet has.

    Attributes
    ----------
    sources : list of tuple of :class:`int`
        For each output, the inputs that can reach it.

    Raises
    ------
    ParameterError
        If an input reaches no output, or an output is not reached.
    """

    conflict: Signal

    def __init__(
        self,
        reached: Sequence[Collection[int]],
        asks: Sequence[wiring.Signature],
        offers: Sequence[wiring.Signature],
    ) -> None:
        self.sources = [
            tuple(source for source, outputs in enumerate(reached) if output in outputs)
            for output in range(len(offers))
        ]
        members: dict[str, Any] = {"conflict": Out(1)}
        for source, dialogue in enumerate(asks):
            if not reached[source]:
                raise ParameterError(f"turns must let every input reach an output, but input {source} reaches none")
            members[f"input{source}"] = In(dialogue)
        for output, (dialogue, sources) in enumerate(zip(offers, self.sources, strict=True)):
            if not sources:
                raise ParameterError(f"turns must let every output be reached, but output {output} is not")
            members[f"output{output}"] = Out(dialogue)
            members[f"grant{output}"] = Out(len(sources))
            members[f"select{output}"] = Out(select_bits(len(sources)))
        super().__init__(members)

    def input(self, source: int) -> Any:
        """The dialogue with an input."""
        return getattr(self, f"input{source}")

    def output(self, output: int) -> Any:
        """The dialogue with an output."""
        return getattr(self, f"output{output}")

    def grant(self, output: int) -> Signal:
        """The input whose flit an output offers."""
        return getattr(self, f"grant{output}")

    def select(self, output: int) -> Signal:
        """The select lines of an output."""
        return getattr(self, f"select{output}")
