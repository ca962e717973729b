"""What sees that a channel of an input is passed over, and lets it go before others."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_integer
from rtl.lanes.lane import check_channels

__all__ = ["ChannelWatch"]


class ChannelWatch(wiring.Component):
    """A channel that sent nothing in the time in which it was watched, although it has a flit, goes before others.

    Channels that take turns on an input, and inputs that take turns on an output, can stay out of step for as long as
    traffic does, so that one of them always asks in the wrong cycle. The other channels of the input are held back only
    while the urgent one could send if it won its output, so they never wait for a packet that waits for them.

    Parameters
    ----------
    channels : :class:`int`
        How many there are, at least 2.

    Members
    -------
    watched : :py:`In(channels)`
        The channel that is watched, one-hot, or none of them.
    tick : :py:`In(1)`
        In the next cycle it is another one.
    waits : :py:`In(channels)`
        The channel has a flit in front.
    could : :py:`In(channels)`
        There is room for that flit, and for a header a channel.
    leaves : :py:`In(channels)`
        A flit of the channel leaves in this cycle.
    urgent : :py:`Out(channels)`
        The channel goes before others until it sends. Registers.
    held : :py:`Out(channels)`
        The channel must not bid in the next cycle. Registers.
    """

    watched: Signal
    tick: Signal
    waits: Signal
    could: Signal
    leaves: Signal
    urgent: Signal
    held: Signal

    def __init__(self, channels: int) -> None:
        self.channels = check_channels(check_integer("channels", channels, minimum=2))
        super().__init__(
            {
                "tick": In(1),
                **dict.fromkeys(("watched", "waits", "could", "leaves"), In(channels)),
                **dict.fromkeys(("urgent", "held"), Out(channels)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        waiting = self.waits & ~self.leaves
        # Since the last tick the watched channel has sent, or had nothing to send.
        content, tired = Signal(), Signal()
        m.d.comb += tired.eq(self.tick & ~content)
        m.d.sync += [
            content.eq(~self.tick & (content | (self.watched & ~waiting).any())),
            self.urgent.eq((self.urgent | self.watched & tired.replicate(self.channels)) & waiting),
            self.held.eq(~self.urgent & (self.urgent & self.could).any().replicate(self.channels)),
        ]
        return m
