"""The description of how an input with virtual channels decodes routes."""

from collections.abc import Callable, Sequence
import dataclasses

from amaranth.hdl import Cat, Const, Module, Signal, Value

from fatcube.rtl.one_hot import pick

__all__ = ["Route"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Route:
    """How an input with channels decodes the routes of headers.

    Parameters
    ----------
    bits : :class:`int`
        The number of lowest bits of a header that are decoded.
    decode : list of callable
        For each class of the channels, a function of these bits, and of the router's tables or address, that returns a bit
        for each target. Channel c has class c modulo the number of classes.
    targets : list of list of :class:`int`
        For each class, the targets that its packets can take, as indices of the bits that ``decode`` returns. Others are
        not decoded.
    known_bits : :class:`int`
        Bits of the router's tables, or of its address.
    shift : :class:`int`
        Bits that the header loses: this router's selector.
    kept : :class:`int`
        Bits of the selectors behind it.
    """

    bits: int
    decode: Sequence[Callable[[Value, Value], Value]]
    targets: Sequence[Sequence[int]]
    known_bits: int = 0
    shift: int = 0
    kept: int = 0

    @property
    def size(self) -> int:
        """The number of targets."""
        return 1 + max(number for some in self.targets for number in some)

    def decoded(self, header: Value, known: Value, where: Value) -> Value:
        """The target of a header on one of the channels, which ``where`` marks, one-hot or zero."""
        route = header[: self.bits]
        decoded = [decode(route, known) & self.taken(of_class) for of_class, decode in enumerate(self.decode)]
        if len(self.decode) == 1:
            return decoded[0]
        classes = [where[first :: len(self.decode)] for first in range(len(self.decode))]
        return pick([one.any() for one in classes], decoded)

    def numbered(self, number: Value) -> Value:
        """The target that is kept with a flit as a number, one-hot; zero if there is none."""
        return Cat(number == one for one in range(1, self.size + 1))

    def taken(self, channel: int) -> Const:
        """A bit for each target: packets on a channel can take it."""
        targets = self.targets[channel % len(self.targets)]
        return Const(sum(1 << number for number in targets), self.size)

    def shifted(self, m: Module, header: Value) -> Value:
        """The selectors of a header behind this router's."""
        # With a name of its own, so that no tool sees the bits of one vector follow from each other.
        front = Signal(len(header), attrs={"keep": "true"})
        m.d.comb += front.eq(header)
        return front[self.shift : self.shift + self.kept]
