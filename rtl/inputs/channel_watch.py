"""A watchdog that detects that a channel of an input is passed over, and gives it priority."""

from collections.abc import Sequence

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError, check_integer

__all__ = ["ChannelWatch"]


class ChannelWatch(wiring.Component):
    """Watches the channels of all inputs of a router in turn. One that has flits and sends none for long is urgent.

    The turns of inputs at an output, and of channels at an input, can stay in a fixed phase for as long as the traffic
    does, so that one channel always requests in the wrong cycle. At most one channel of a router is urgent, so an urgent
    channel never waits for another urgent one. A channel that cannot send even then, as it waits for room, is no longer
    watched after ``longest`` cycles, so that no other channel waits for it.

    Parameters
    ----------
    channels : list of :class:`int`
        The number of channels of each input.
    patience : :class:`int`
        Cycles in which a channel has flits and sends none until it is urgent, a power of two.
    longest : :class:`int`
        Cycles until another one is watched, a larger power of two.

    Members
    -------
    left{input} : :py:`In(channels[input])`
        A flit of the channel left in the cycle before.
    idle{input} : :py:`In(channels[input])`
        The channel has no flit.
    urgent{input} : :py:`Out(channels[input])`
        The channel has priority over others. It may have sent a flit in one of the last two cycles. Registers.
    """

    def __init__(self, channels: Sequence[int], *, patience: int = 256, longest: int = 4096) -> None:
        self.channels = [check_integer("channels", count, minimum=1) for count in channels]
        for name, value in (("patience", patience), ("longest", longest)):
            if value.bit_count() != 1:
                raise ParameterError(f"{name} must be a power of two, not {value}")
        self.longest = check_integer("longest", longest, minimum=2 * check_integer("patience", patience, minimum=2))
        self.patience = patience
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
        inputs = range(len(self.channels))
        watched = Signal(sum(self.channels), init=1)
        time = Signal(range(self.longest))
        rests = Signal()
        moves = Signal()
        tired = Signal()
        left, idle = (Cat(self.port(name, number) for number in inputs) for name in ("left", "idle"))
        m.d.comb += [moves.eq(rests | time.all()), tired.eq(~moves & (time >= self.patience))]
        m.d.sync += [
            rests.eq(~moves & (watched & (left | idle)).any()),
            Cat(self.port("urgent", number) for number in inputs).eq(watched & tired.replicate(len(watched))),
            time.eq(time + 1),
        ]
        with m.If(moves):
            m.d.sync += [time.eq(0), watched.eq(watched.rotate_left(1))]
        return m
