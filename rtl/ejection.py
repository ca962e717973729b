"""Several channels of a router's output to a port of a processor."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from groundwork.validation import check_integer
from rtl.arbiters.least_recent import longest_ago
from rtl.flit import FlitLayout, FlitStream
from rtl.queue import FlitQueue

__all__ = ["Ejection"]


class Ejection(wiring.Component):
    """Buffers the packets that arrive on channels side by side, and delivers them one after the other.

    So a packet whose flits come with pauses, or that waits its turn, does not hold up those of other channels in the
    router. Whose packet has begun to be delivered is delivered to its end; then comes the channel that was served longest
    ago. A flit takes a cycle.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    channels : :class:`int`
        How many there are, at least 2.
    depth : :class:`int`
        Flits in the buffer of each.
    memory : :class:`str`
        What these are kept in, one of :data:`~rtl.queue.BUFFER_MEMORIES`.

    Members
    -------
    flit : :py:`In(FlitLayout(width))`
    channel : :py:`In(ceil_log2(channels))`
        The one that the flit comes on.
    valid : :py:`In(1)`
        There is a flit. Only on a channel that is ready.
    ready : :py:`Out(channels)`
        There is room in the buffer of that channel. Registers.
    o : :py:`Out(FlitStream(width))`
    """

    flit: data.View
    channel: Signal
    valid: Signal
    ready: Signal
    o: stream.Interface

    def __init__(self, width: int, channels: int, *, depth: int, memory: str = "auto") -> None:
        self.channels = check_integer("channels", channels, minimum=2)
        self.depth = depth
        self.memory = memory
        self.width = width
        super().__init__(
            {
                "flit": In(FlitLayout(width)),
                "channel": In(ceil_log2(channels)),
                "valid": In(1),
                "ready": Out(channels),
                "o": Out(FlitStream(width)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        queues = [FlitQueue(self.width, self.depth, memory=self.memory) for _ in range(self.channels)]
        # The packet of the channel in `taking` has begun; what is offered stays until it is taken.
        within, taking = Signal(), Signal(self.channels)
        waiting, begins, chosen = Signal(self.channels), Signal(self.channels), Signal(self.channels)
        for number, queue in enumerate(queues):
            m.submodules[f"queue{number}"] = queue
            m.d.comb += [
                queue.i.payload.eq(self.flit),
                queue.i.valid.eq(self.valid & (self.channel == number)),
                self.ready[number].eq(queue.i.ready),
                waiting[number].eq(queue.o.valid),
                queue.o.ready.eq(self.o.ready & chosen[number]),
            ]
            with m.If(chosen[number]):
                m.d.comb += self.o.payload.eq(queue.o.payload)
        m.d.comb += [
            begins.eq(longest_ago(m, waiting, chosen & (self.o.valid & ~within).replicate(self.channels))),
            chosen.eq(Mux(within, taking, begins)),
            self.o.valid.eq((chosen & waiting).any()),
        ]
        with m.If(self.o.valid):
            m.d.sync += [within.eq(~(self.o.ready & self.o.payload.last)), taking.eq(chosen)]
        return m
