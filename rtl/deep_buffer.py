"""The input buffers of a router of more than two flits, and the choice of a buffer.

Whether the flit in front leaves is the last signal of a cycle to settle. In no buffer does it reach a memory: the write
data and address depend on registers and on the entering flit only.
"""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, memory, wiring

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.buffer import InputBuffer, RegisterBuffer, TwoFlitBuffer
from fatcube.rtl.queue import FlitQueue, check_buffer_memory, memory_kind, next_place

__all__ = ["MemoryBuffer", "QueuedBuffer", "input_buffer"]


def input_buffer(width: int, depth: int, *, shown: int, memory: str = "auto") -> InputBuffer:
    """The buffer of an input.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    depth : :class:`int`
        Flits that fit.
    shown : :class:`int`
        The number of lowest data bits of ``loading`` that are used, besides ``last``.
    memory : :class:`str`
        The kind of memory of a buffer of more than two flits, one of :data:`fatcube.rtl.queue.BUFFER_MEMORIES`. All kinds
        behave alike.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or a kind is requested for a buffer that has no memory.
    """
    check_integer("buffer depth", depth, minimum=1, maximum=4096)
    kind = memory_kind(check_buffer_memory(memory, depth), depth)
    if depth == 1:
        return RegisterBuffer(width, depth)
    if depth == 2:
        return TwoFlitBuffer(width, shown)
    if kind == "distributed":
        return MemoryBuffer(width, depth, shown)
    return QueuedBuffer(width, depth, shown, memory=kind)


class MemoryBuffer(InputBuffer):
    """Keeps all of its flits in a distributed memory, of which the flit in front is read in the cycle in which it leaves.

    The part of a flit that ``loading`` shows has a memory of its own, from which the flit behind the one in front is read,
    and a register for the flit in front, loaded as in any :class:`InputBuffer`. So most of a flit passes neither a register
    nor a multiplexer.
    The memory is written in every cycle in which there is room, whether or not a flit enters.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    depth : :class:`int`
        Flits that fit, at least 3.
    shown : :class:`int`
        The number of lowest data bits that ``loading`` provides, besides ``last``; no others of it are used.

    Members
    -------
    The members of :class:`InputBuffer`; ``i.ready`` and the upper bits of ``o.payload`` are one level of logic, or a memory,
    away from registers.
    """

    def __init__(self, width: int, depth: int, shown: int) -> None:
        super().__init__(width, check_integer("buffer depth", depth, minimum=3, maximum=4096))
        self.shown = check_integer("shown bits", shown, minimum=0, maximum=width)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        # The places where the next flit is written, of the flit in front, and of the flit behind it.
        place = Signal(range(self.depth))
        first = Signal(range(self.depth))
        second = Signal(range(self.depth), init=1)
        enters = Signal()
        waiting = Signal()
        shown, upper = self._part_shown(self.i.payload), self.i.payload.data[self.shown :]
        m.d.comb += [
            self.free.eq(~self.o.valid | self.o.ready),
            enters.eq(self.i.valid & self.i.ready),
            self.arriving.eq(waiting | enters),
            self._part_shown(self.loading).eq(Mux(waiting, self._memory(m, "shown", shown, place, second), shown)),
            self.o.payload.data[self.shown :].eq(self._memory(m, "upper", upper, place, first)),
        ]
        with m.If(enters):
            m.d.sync += place.eq(next_place(place, self.depth))
        with m.If(self.free):
            m.d.sync += [
                self._part_shown(self.o.payload).eq(self._part_shown(self.loading)),
                self.o.valid.eq(self.arriving),
                first.eq(Mux(self.o.valid, second, first)),
                second.eq(Mux(self.o.valid, next_place(second, self.depth), second)),
            ]

        # The count of flits includes one that left in the cycle before, so whether one leaves only feeds a register.
        level = Signal(range(self.depth + 1))
        level_next = Signal(range(self.depth + 1))
        left = Signal()
        # Comparisons of the level, registered.
        full = Signal()
        two = Signal()
        more = Signal()
        m.d.comb += [
            level_next.eq(level + enters - left),
            self.i.ready.eq(~full | left),
            waiting.eq(more | two & ~left),
        ]
        m.d.sync += [
            left.eq(self.o.valid & self.free),
            level.eq(level_next),
            full.eq(level_next == self.depth),
            two.eq(level_next == 2),
            more.eq(level_next > 2),
        ]
        return m

    def _part_shown(self, flit: data.View) -> Value:
        """The part of a flit that ``loading`` shows."""
        return Cat(flit.data[: self.shown], flit.last)

    def _memory(self, m: Module, name: str, part: Value, place: Value, read: Value) -> Value:
        """Add a memory for a part of each flit that enters; return the part at the place ``read``."""
        m.submodules[name] = flits = memory.Memory(shape=len(part), depth=self.depth, init=())
        writer, reader = flits.write_port(), flits.read_port(domain="comb")
        m.d.comb += [
            writer.en.eq(self.i.ready),
            writer.addr.eq(place),
            writer.data.eq(part),
            reader.addr.eq(read),
        ]
        return reader.data


class QueuedBuffer(InputBuffer):
    """A :class:`TwoFlitBuffer`, and before it a queue in a memory for the flits that it has no room for.

    A flit bypasses the queue if the queue is empty and the :class:`TwoFlitBuffer` has room. Whether it has room depends on
    registers only, and so does the control of the queue.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    depth : :class:`int`
        Flits that fit, at least 3: all but two of them in the queue.
    shown : :class:`int`
        The number of lowest data bits of ``loading`` that are used, besides ``last``.
    memory : :class:`str`
        The kind of memory of the queue, as for :class:`~fatcube.rtl.queue.FlitQueue`.

    Members
    -------
    The members of :class:`InputBuffer`; ``i.ready`` and the upper bits of ``o.payload`` are a few levels of logic away from
    registers.
    """

    def __init__(self, width: int, depth: int, shown: int, *, memory: str) -> None:
        super().__init__(width, check_integer("buffer depth", depth, minimum=3, maximum=4096))
        self.shown = check_integer("shown bits", shown, minimum=0, maximum=width)
        self.memory = check_buffer_memory(memory, depth)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.front = front = TwoFlitBuffer(self.width, self.shown)
        m.submodules.queue = queue = FlitQueue(self.width, self.depth - 2, memory=self.memory, replaces=True)
        waiting = queue.o.valid
        m.d.comb += [
            queue.i.payload.eq(self.i.payload),
            queue.i.valid.eq(self.i.valid & (waiting | ~front.i.ready)),
            queue.o.ready.eq(front.i.ready),
            self.i.ready.eq(queue.i.ready),
            front.i.payload.eq(Mux(waiting, queue.o.payload.as_value(), self.i.payload.as_value())),
            front.i.valid.eq(waiting | self.i.valid),
            self.free.eq(front.free),
            self.arriving.eq(front.arriving),
            self.loading.eq(front.loading),
        ]
        wiring.connect(m, front.o, wiring.flipped(self.o))
        return m
