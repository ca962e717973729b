"""A watch over the channels of all inputs, which detects those that are passed over, and gives them priority."""

from collections.abc import Sequence

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError, check_integer

__all__ = ["ChannelWatch"]


class ChannelWatch(wiring.Component):
    """Looks at the channels of all inputs of a router again and again. One that has flits and sends none is urgent.

    The turns of inputs at an output, and of channels at an input, can stay in a fixed phase for as long as the traffic
    does, so that one channel always requests in the wrong cycle. A channel that waits at two looks in a row, and in between
    has sent no flit, is urgent until it sends one.

    Parameters
    ----------
    channels : list of :class:`int`
        The number of channels of each input.
    patience : :class:`int`
        Cycles from one look to the next, a power of two.

    Members
    -------
    left{input} : :py:`In(channels[input])`
        A flit of the channel left in the cycle before.
    idle{input} : :py:`In(channels[input])`
        The channel has no flit.
    urgent{input} : :py:`Out(channels[input])`
        The channel has priority over others. It has had flits and sent none for ``patience`` cycles, up to this cycle or
        one of the two before. Registers.
    """

    def __init__(self, channels: Sequence[int], *, patience: int) -> None:
        self.channels = [check_integer("channels", count, minimum=1) for count in channels]
        self.patience = check_integer("patience", patience, minimum=2)
        if patience.bit_count() != 1:
            raise ParameterError(f"patience must be a power of two, not {patience}")
        super().__init__(
            {
                f"{name}{number}": flow(count)
                for name, flow in (("left", In), ("idle", In), ("urgent", Out))
                for number, count in enumerate(self.channels)
            }
        )

    def port(self, name: str, number: int) -> Signal:
        """The port ``name`` of the input ``number``."""
        return getattr(self, f"{name}{number}")

    def elaborate(self, platform: object) -> Module:
        m = Module()
        left, idle, urgent = (
            Cat(self.port(name, number) for number in range(len(self.channels))) for name in ("left", "idle", "urgent")
        )
        time = Signal(range(self.patience))
        looks = Signal()
        waited = Signal(len(urgent))
        m.d.sync += [time.eq(time + 1), looks.eq(time.all())]
        with m.If(looks):
            m.d.sync += [waited.eq(~(left | idle)), urgent.eq((urgent | waited) & ~(left | idle))]
        with m.Else():
            m.d.sync += [waited.eq(waited & ~(left | idle)), urgent.eq(urgent & ~(left | idle))]
        return m
