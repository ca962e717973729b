"""Several channels of a router's output to a port of a processor."""

from amaranth.hdl import Module, Mux, Signal

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.arbiters.least_recent import longest_ago
from fatcube.rtl.flit import FlitStream
from fatcube.rtl.outputs.channel_output import ChannelOutput
from fatcube.rtl.outputs.channel_room import ChannelRoom
from fatcube.rtl.queue import FlitQueue

__all__ = ["Ejection"]


class Ejection(ChannelOutput):
    """Buffers the packets that arrive on channels side by side, and delivers them one after the other.

    So a packet whose flits arrive with pauses, or that waits for its turn, does not block packets of other channels in the
    router. A packet is delivered to its tail flit before the least recently served channel is next. A flit takes a cycle.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    channels : :class:`int`
        The number of channels, at least 2.
    depth : :class:`int`
        Flits in the buffer of each.
    memory : :class:`str`
        The kind of memory of these buffers, one of :data:`~fatcube.rtl.queue.BUFFER_MEMORIES`.

    Members
    -------
    The members of :class:`ChannelOutput`. ``whole`` is ``room``.
    """

    def __init__(self, width: int, channels: int, *, depth: int, memory: str = "auto") -> None:
        self.depth = depth
        self.memory = memory
        super().__init__(width, FlitStream(width), check_integer("channels", channels, minimum=2))

    def elaborate(self, platform: object) -> Module:
        m = Module()
        queues = [FlitQueue(self.width, self.depth, memory=self.memory) for _ in range(self.channels)]
        # The packet of the channel in `taking` has begun; what is offered stays until it is taken.
        within = Signal()
        taking = Signal(self.channels)
        waiting = Signal(self.channels)
        begins = Signal(self.channels)
        chosen = Signal(self.channels)
        left = Signal(self.channels)
        for number, queue in enumerate(queues):
            m.submodules[f"queue{number}"] = queue
            m.submodules[f"room{number}"] = room = ChannelRoom(self.depth)
            m.d.comb += [
                queue.i.payload.eq(self.flit),
                queue.i.valid.eq(self.allocator.offer & (self.allocator.channel == number)),
                room.sent.eq(queue.i.valid),
                room.returned.eq(left[number]),
                self.allocator.room[number].eq(room.room),
                self.allocator.more[number].eq(room.more),
                self.allocator.plenty[number].eq(0),
                # A packet that waits here holds no lane, so room for its header is enough.
                self.allocator.whole[number].eq(room.room),
                waiting[number].eq(queue.o.valid),
                queue.o.ready.eq(self.o.ready & chosen[number]),
            ]
            m.d.sync += left[number].eq(queue.o.valid & queue.o.ready)
            with m.If(chosen[number]):
                m.d.comb += self.o.payload.eq(queue.o.payload)
        m.d.comb += [
            begins.eq(longest_ago(m, waiting, chosen & (self.o.valid & ~within).replicate(self.channels))),
            chosen.eq(Mux(within, taking, begins)),
            self.o.valid.eq((chosen & waiting).any()),
            self.allocator.open.eq(1),
            self.allocator.begins.eq(1),
            self.allocator.soon.eq(1),
            self.sent.eq(self.o.valid & self.o.ready),
        ]
        with m.If(self.o.valid):
            m.d.sync += [within.eq(~(self.o.ready & self.o.payload.last)), taking.eq(chosen)]
        return m
