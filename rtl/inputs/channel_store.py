"""The memory that the channels of an input share."""

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.flit import FlitLayout
from fatcube.rtl.queue import check_buffer_memory, memory_kind

__all__ = ["ChannelStore"]


class ChannelStore(wiring.Component):
    """Keeps the flits of all channels of an input, and shows one of them, and a note of another, in each cycle.

    The outputs show the places requested in the cycle before, including a flit that was written there in the same cycle.
    With distributed memory or registers, the places are registered in front of the memory; block memory has such registers
    itself.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    depth : :class:`int`
        Flits of each channel.
    channels : :class:`int`
        How many channels there are.
    noted : :class:`int`
        Bits of the note that is kept of each flit.
    memory : :class:`str`
        The kind of memory, one of :data:`fatcube.rtl.queue.BUFFER_MEMORIES`.

    Members
    -------
    write : :py:`In(1)`
        A flit is written in this cycle.
    flit : :py:`In(FlitLayout(width))`
        The flit that is written.
    note : :py:`In(noted)`
        The note of the flit, which is needed before the flit is in front.
    place, front_place, behind_place : :py:`In(place_bits)`
        The place where the flit is written, and the places of the flits to show in the next cycle. A place is the index of
        a flit within its channel in the lower bits, and the channel in the upper bits.
    front : :py:`Out(FlitLayout(width))`
        The flit at the ``front_place`` of the cycle before.
    behind : :py:`Out(FlitLayout(noted))`
        The note of the flit at the ``behind_place`` of the cycle before, and whether it is the last of its packet.

    Attributes
    ----------
    place_bits : :class:`int`
    """

    write: Signal
    flit: data.View
    note: Signal
    place: Signal
    front_place: Signal
    behind_place: Signal
    front: data.View
    behind: data.View

    def __init__(self, width: int, depth: int, channels: int, *, noted: int, memory: str = "auto") -> None:
        self.depth = check_integer("buffer depth", depth, minimum=2, maximum=4096)
        self.channels = check_integer("channels", channels, minimum=1)
        self.noted = check_integer("noted bits", noted, minimum=1)
        self.memory = memory_kind(check_buffer_memory(memory, depth), depth)
        self.place_bits = ceil_log2(depth) + ceil_log2(channels)
        super().__init__(
            {
                "write": In(1),
                "flit": In(FlitLayout(width)),
                "note": In(noted),
                **dict.fromkeys(("place", "front_place", "behind_place"), In(self.place_bits)),
                "front": Out(FlitLayout(width)),
                "behind": Out(FlitLayout(noted)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.d.comb += [
            self.front.eq(self._kept(m, "flits", self.flit.as_value(), self.front_place)),
            self.behind.eq(self._kept(m, "notes", Cat(self.note, self.flit.last), self.behind_place)),
        ]
        return m

    def _kept(self, m: Module, name: str, part: Value, place: Signal) -> Value:
        """Add a memory for a part of each flit; return its word at the ``place`` of the cycle before."""
        m.submodules[name] = flits = memory.Memory(
            shape=len(part),
            depth=1 << self.place_bits,
            init=(),
            attrs={} if self.memory == "distributed" else {"ram_style": self.memory},
        )
        writer = flits.write_port()
        m.d.comb += [writer.en.eq(self.write), writer.addr.eq(self.place), writer.data.eq(part)]
        if self.memory == "block":
            reader = flits.read_port(transparent_for=(writer,))
            m.d.comb += reader.addr.eq(place)
        else:
            reader = flits.read_port(domain="comb")
            before = Signal(self.place_bits, name=f"{name}_place")
            m.d.sync += before.eq(place)
            m.d.comb += reader.addr.eq(before)
        return reader.data
