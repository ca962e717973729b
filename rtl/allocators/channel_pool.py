"""The free channels of an output: one is kept ready for the next packet."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.one_hot import first_after

__all__ = ["ChannelPool"]


class ChannelPool(wiring.Component):
    """Keeps one of several channels ready, so that a header which wins the output has its channel in the same cycle.

    A channel is ready only if there is room for its header. Of several, the next one after the last given is ready first:
    behind the others, packets may still wait in the next buffer. If there is no other, a channel is ready again in the
    cycle after its packet has ended.

    Parameters
    ----------
    channels : :class:`int`
        The number of channels.

    Members
    -------
    fit : :py:`In(channels)`
        There will be room for a packet to begin in the next cycle, if no flit is sent on that channel in this one.
    refit : :py:`In(channels)`
        There will be room for a packet to begin in the next cycle, if a flit is sent on that channel in this one.
    another : :py:`In(channels)`
        There will be room for two flits in the next cycle, if none is sent on that channel in this one.
    given : :py:`In(1)`
        The channel that is ready is given to a packet in this cycle, with its header.
    freed : :py:`In(channels)`
        The packet that has the channel ends in this cycle; its header may be given the channel in the same one.
    ready : :py:`Out(channels)`
        The channel that is ready, one-hot; zero if there is none. Registers.
    ample : :py:`Out(1)`
        There is room for a flit behind the header on the channel that is ready. A register if there are several.
    busy : :py:`Out(channels)`
        A packet has the channel. Registers.
    """

    fit: Signal
    refit: Signal
    another: Signal
    given: Signal
    freed: Signal
    ready: Signal
    ample: Signal
    busy: Signal

    def __init__(self, channels: int) -> None:
        self.channels = check_integer("channels", channels, minimum=1)
        super().__init__(
            {
                "fit": In(channels),
                "refit": In(channels),
                "another": In(channels),
                "given": In(1),
                "freed": In(channels),
                "ready": Out(channels),
                "ample": Out(1),
                "busy": Out(channels),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        taken = self.ready & self.given.replicate(self.channels)
        m.d.sync += self.busy.eq((self.busy | taken) & ~self.freed)
        spare = Signal(self.channels)
        m.d.comb += spare.eq(self.fit & ~self.busy & ~self.ready)
        if self.channels == 1:
            m.d.sync += self.ready.eq(spare | self.ready & ~self.given | self.freed & self.refit)
            m.d.comb += self.ample.eq(self.another)
            return m
        latest = Signal(self.channels, init=1 << (self.channels - 1))  # The channel made ready last.
        following = Signal(self.channels)
        m.d.comb += following.eq(first_after(spare, latest))
        freed = self.freed & self.refit
        with m.If(self.given | ~self.ready.any()):
            m.d.sync += [
                self.ready.eq(Mux(spare.any(), following, freed)),
                self.ample.eq((following & self.another).any()),
            ]
            with m.If(spare.any()):
                m.d.sync += latest.eq(following)
            with m.Elif(freed.any()):
                m.d.sync += latest.eq(freed)
        with m.Else():
            m.d.sync += self.ample.eq((self.ready & self.another).any())
        return m
