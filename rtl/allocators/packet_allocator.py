"""The shape of an allocator of a router whose lanes have one channel."""

from collections.abc import Iterable, Sequence

from amaranth.hdl import Cat, Module, Value

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.allocators.allocator_base import AllocatorBase
from fatcube.rtl.allocators.request import FlitOffer, PacketRequest

__all__ = ["PacketAllocator", "several"]


def several(bits: Value) -> Value:
    """More than one of the bits is set. Of groups of four bits, several have a bit set, or one has several."""
    if len(bits) <= 4:
        return Cat(bit & bits[index + 1 :].any() for index, bit in enumerate(bits)).any()
    groups = [bits[start : start + 4] for start in range(0, len(bits), 4)]
    return several(Cat(group.any() for group in groups)) | Cat(several(group) for group in groups).any()


class PacketAllocator(AllocatorBase):
    """The base of the allocators of routers without virtual channels: their parameters and their turns.

    Parameters
    ----------
    reach : list of list of :class:`int`
        For each input, the outputs that it can reach, in the order of the bits of its requests.
    outputs : :class:`int`
        Number of outputs.
    stages : :class:`int`
        Cycles from a header in front to its first flit at the output: with 2, arbitration has a cycle of its own.
    releases : :class:`bool`
        See :class:`~fatcube.rtl.allocators.request.PacketRequest`.

    Members
    -------
    grant{output} : :py:`Out(len(sources[output]))`
        The input, in the order of ``sources[output]``, whose flit the output offers. If it offers none, the one that
        :class:`Allocator` holds it for, or else anything.
    conflict : :py:`Out(1)`
        An input waits for an output that offers, or is held for, the packet of another input.
    """

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
        asks = [PacketRequest(len(reached), releases=releases) for reached in reach]
        super().__init__(self.reach, asks, [FlitOffer() for _ in range(outputs)])

    def _of_sources(self, name: str, output: int) -> Value:
        """The member ``name`` of the inputs that can reach ``output``, a bit each."""
        return Cat(getattr(self.input(source), name) for source in self.sources[output])

    def _requests(self, output: int) -> Value:
        """The requests for ``output``."""
        return Cat(self.input(source).requests[self.reach[source].index(output)] for source in self.sources[output])

    def _advance(self, m: Module, source: int, taken: Iterable[Value]) -> None:
        """Let the flit in front of ``source`` leave if one of the conditions ``taken`` is true, or if it is discarded."""
        # An empty input may be loaded too; as a term of this OR, that joins the same tree of LUTs.
        dropped = (~self.input(source).valid, self.input(source).discard)
        m.d.comb += self.input(source).advance.eq(Cat(*taken, *dropped).any())
