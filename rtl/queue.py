"""A queue of flits in a memory of the requested kind; all kinds behave alike, cycle by cycle."""

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import memory, stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError, check_boolean, check_choice, check_integer
from fatcube.rtl.flit import FlitStream

__all__ = ["BUFFER_MEMORIES", "FlitQueue", "check_buffer_memory", "memory_kind", "next_place"]


BUFFER_MEMORIES = ("auto", "registers", "distributed", "block")
"""The kinds of memory of a queue; ``auto`` is ``block`` from 65 flits on, and ``distributed`` below."""

_BLOCK_FROM = 65


def check_buffer_memory(memory: object, depth: int) -> str:
    """Return ``memory`` if it is the kind of memory of a buffer of ``depth`` flits.

    Raises
    ------
    ParameterError
        If it is none of :data:`BUFFER_MEMORIES`, or a kind is requested for a buffer too small to have a memory.
    """
    kind = check_choice("buffer memory", memory, BUFFER_MEMORIES)
    if depth <= 2 and kind in ("distributed", "block"):
        raise ParameterError(f"buffer memory must be auto or registers with a buffer depth of {depth}, not {kind}")
    return kind


def memory_kind(memory: str, depth: int) -> str:
    """The kind of memory for ``depth`` flits, where ``memory`` may be ``auto``."""
    return ("block" if depth >= _BLOCK_FROM else "distributed") if memory == "auto" else memory


def next_place(place: Signal, depth: int) -> Value:
    """The place after ``place`` in a circular memory of ``depth`` places."""
    return Mux(place == depth - 1, 0, place + 1)


class FlitQueue(wiring.Component):
    """A queue; a flit that enters an empty one can leave in the next cycle, and full rate takes two flits of depth.

    Where all of the memory is registers or a distributed memory, it is read in the cycle in which a flit leaves. A block
    memory is read a cycle ahead, and shows nothing that was written in the cycle before; a register beside it holds the
    flit that would otherwise come late.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    depth : :class:`int`
        Flits that fit.
    memory : :class:`str`
        One of :data:`BUFFER_MEMORIES`. ``registers`` and ``block`` are requested from synthesis by the attribute
        ``ram_style`` of the memory. A ``distributed`` one becomes registers where a device has no distributed memory.
    replaces : :class:`bool`
        A full queue takes a flit in the cycle in which one leaves, so that it has full rate with one flit of depth.

    Members
    -------
    i : :py:`In(FlitStream(width))`
        Flits in; ``ready`` follows from registers, and from ``o.ready`` if the queue ``replaces``.
    o : :py:`Out(FlitStream(width))`
        Flits out.
    """

    i: stream.Interface
    o: stream.Interface

    def __init__(self, width: int, depth: int, *, memory: str = "auto", replaces: bool = False) -> None:
        self.depth = check_integer("queue depth", depth, minimum=1, maximum=4096)
        self.memory = memory_kind(check_choice("buffer memory", memory, BUFFER_MEMORIES), depth)
        self.replaces = check_boolean("replaces", replaces)
        super().__init__({"i": In(FlitStream(width)), "o": Out(FlitStream(width))})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        level = Signal(range(self.depth + 1))
        push, pop = self.i.valid & self.i.ready, self.o.valid & self.o.ready
        room = level != self.depth
        m.d.comb += [self.i.ready.eq(room | self.o.ready if self.replaces else room), self.o.valid.eq(level != 0)]
        m.d.sync += level.eq(level + push - pop)

        payload = self.i.payload.as_value()
        m.submodules.memory = flits = memory.Memory(
            shape=payload.shape(),
            depth=self.depth,
            init=(),
            attrs={} if self.memory == "distributed" else {"ram_style": self.memory},
        )
        write, read = flits.write_port(), flits.read_port(domain="sync" if self.memory == "block" else "comb")
        place = Signal(range(self.depth))
        first = Signal(range(self.depth))
        leaves = Signal()  # The first flit leaves the memory.
        following = next_place(first, self.depth)
        with m.If(write.en):
            m.d.sync += place.eq(next_place(place, self.depth))
        with m.If(leaves):
            m.d.sync += first.eq(following)
        m.d.comb += [write.addr.eq(place), write.data.eq(payload)]
        if self.memory != "block":
            m.d.comb += [
                write.en.eq(push),
                leaves.eq(pop),
                read.addr.eq(first),
                self.o.payload.eq(read.data),
            ]
            return m

        beside = Signal.like(payload)
        held = Signal()
        stored = Signal.like(level)
        stays = Signal()
        m.d.comb += [
            # The first flit of the memory goes out or, if it has to wait, into the register beside the memory. A flit
            # in this register goes out first.
            stored.eq(level - held),
            leaves.eq(~held & (stored != 0)),
            stays.eq((held | leaves) & ~self.o.ready),
            # An entering flit goes into the register beside the memory if no flit is ahead of it in the next cycle.
            write.en.eq(push & (stays | (stored != leaves))),
            read.addr.eq(Mux(leaves, following, first)),
            self.o.payload.eq(Mux(held, beside, read.data)),
        ]
        m.d.sync += held.eq(stays | push & ~write.en)
        with m.If(~held | self.o.ready):
            m.d.sync += beside.eq(Mux(stays, read.data, payload))
        return m
