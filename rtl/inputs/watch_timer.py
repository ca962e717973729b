"""Which channel of each input of a router is watched, and for how long."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import Out

from groundwork.validation import check_integer
from rtl.lanes.lane import check_channels

__all__ = ["WatchTimer"]


class WatchTimer(wiring.Component):
    """Watches channels in turn, each from one tick to the next, for the :class:`~rtl.inputs.channel_watch.ChannelWatch` of all
    inputs of a router.

    Parameters
    ----------
    channels : :class:`int`
        The most channels of an input, at least 2.
    period : :class:`int`
        Cycles from tick to tick, a power of two.

    Members
    -------
    watched : :py:`Out(channels)`
        The channel that is watched, one-hot. Registers.
    tick : :py:`Out(1)`
        In the next cycle it is another one. A register.
    """

    watched: Signal
    tick: Signal

    def __init__(self, channels: int, *, period: int = 256) -> None:
        self.channels = check_channels(check_integer("channels", channels, minimum=2))
        self.period = check_integer("period", period, minimum=2)
        super().__init__({"watched": Out(channels, init=1), "tick": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        time = Signal(range(self.period), init=1)  # The first period is as long as the others.
        m.d.sync += Cat(time, self.tick).eq(time + 1)
        with m.If(self.tick):
            m.d.sync += self.watched.eq(self.watched.rotate_left(1))
        return m
