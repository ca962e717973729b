"""What sees that a channel of an input is passed over, and holds back the others for it."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_integer
from rtl.lanes.lane import check_channels

__all__ = ["ChannelWatch"]


class ChannelWatch(wiring.Component):
    """Watches the channels of an input in turn: one that has waited from one tick to the next may go before the others.

    Channels that take turns on an input, and inputs that take turns on an output, can stay out of step for as long as
    traffic does, so that one of them always asks in the wrong cycle. The others are held back only while the
    channel could send if it won its output, so they never wait for a packet that waits for them.

    Parameters
    ----------
    channels : :class:`int`
        How many there are, at least 2.
    period : :class:`int`
        Cycles from tick to tick, a power of two.

    Members
    -------
    waits : :py:`In(channels)`
        The channel has a flit in front.
    could : :py:`In(channels)`
        There is room for that flit, and for a header a channel.
    leaves : :py:`In(channels)`
        A flit of the channel leaves in this cycle.
    held : :py:`Out(channels)`
        The channel must not bid in the next cycle. Registers.
    urgent : :py:`Out(channels)`
        The channel goes before the others, and its header before those of other inputs. Registers.
    """

    waits: Signal
    could: Signal
    leaves: Signal
    held: Signal
    urgent: Signal

    def __init__(self, channels: int, *, period: int = 256) -> None:
        self.channels = check_channels(check_integer("channels", channels, minimum=2))
        self.period = check_integer("period", period, minimum=2)
        super().__init__(
            {
                **dict.fromkeys(("waits", "could", "leaves"), In(channels)),
                **dict.fromkeys(("held", "urgent"), Out(channels)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        time, watched = Signal(range(self.period)), Signal(self.channels, init=1)
        # Since the last tick the watched channel has sent, or had nothing to send; it goes before the others.
        content, tired = Signal(init=1), Signal()
        m.d.sync += time.eq(time + 1)
        rests = ((watched & self.leaves) | (watched & ~self.waits)).any()
        m.d.sync += self.held.eq(~watched & (tired & ~rests & (watched & self.could).any()).replicate(self.channels))
        m.d.comb += self.urgent.eq(watched & tired.replicate(self.channels))
        with m.If(rests):
            m.d.sync += [content.eq(1), tired.eq(0)]
        with m.If(time == self.period - 1):
            # A channel that could not send for a whole period, as it waits for room, is watched no longer.
            with m.If(content | rests | tired):
                m.d.sync += [watched.eq(watched.rotate_left(1)), content.eq(0), tired.eq(0)]
            with m.Else():
                m.d.sync += tired.eq(1)
        return m
