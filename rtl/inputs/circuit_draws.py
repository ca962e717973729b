"""Random numbers for the pauses of a router, after which circuits that were refused are set up again."""

from amaranth.hdl import Cat, Const, Module, Signal, Value
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.inputs.retry_pause import DRAW_BITS
from fatcube.rtl.optional_ports import OptionalPorts

__all__ = ["Draws"]


class Draws(OptionalPorts):
    """A number for each processor port of a router in every cycle, from one register that all of them share.

    The register is a maximal shift register of 16 bits with the taps 16, 15, 13 and 4, and never 0. An input sees it
    rotated by its own number, and XORed with the number of its router: routers that were reset together and behave
    identically draw different numbers.

    Parameters
    ----------
    inputs : :class:`int`
        The ports; 0 where no circuit is set up again.

    Members
    -------
    number : :py:`In(16)`
        The number of the router.
    draw{input} : :py:`Out(16)`
    """

    number: Signal

    def __init__(self, inputs: int) -> None:
        self.inputs = check_integer("inputs", inputs, minimum=0)
        super().__init__(
            {"number": In(DRAW_BITS * (inputs > 0)), **{f"draw{index}": Out(DRAW_BITS) for index in range(inputs)}}
        )

    def draw(self, index: int) -> Value:
        """The number for an input; no bits for one that has none."""
        return getattr(self, f"draw{index}") if index < self.inputs else Const(0, 0)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        if not self.inputs:
            return m
        state = Signal(DRAW_BITS, init=1)
        m.d.sync += state.eq(Cat(state[15] ^ state[14] ^ state[12] ^ state[3], state[:-1]))
        for index in range(self.inputs):
            m.d.comb += self.draw(index).eq(state.rotate_left(index % DRAW_BITS) ^ self.number)
        return m
