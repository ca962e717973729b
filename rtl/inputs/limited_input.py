"""An input of a router at which packets have limits or are held back: for all switching but plain wormhole."""

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import wiring

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.inputs.input_unit import InputUnit
from fatcube.rtl.inputs.packet_guard import PacketGuard, StopTimer
from fatcube.rtl.inputs.packet_input import PacketInput
from fatcube.rtl.inputs.room_gate import RoomGate
from fatcube.rtl.switching import check_switching

__all__ = ["LimitedInput"]


class LimitedInput(PacketInput):
    """An :class:`InputUnit` with the logic that limits packets or holds them back.

    At a gated input a header enters when there is room for the longest packet. With store-and-forward, it leaves when its
    whole packet has arrived. A packet that is too long is ended, as is one whose sender stalls inside it, and the remainder
    is dropped. A header for no output is not held back: its packet is discarded at once.

    Parameters
    ----------
    unit : :class:`InputUnit`
    switching : :class:`str`
        One of :data:`~fatcube.rtl.switching.SWITCHING`.
    longest : :class:`int`
        The most flits of a packet, its header among them; 0 for any number.
    timeout : :class:`int`
        The cycles that a sender may stop inside a packet; 0 for any number.
    gated : :class:`bool`
        A header comes in only with room for the longest packet.

    Members
    -------
    The members of :class:`PacketInput`. Not every flit that is in front and advances leaves the buffer (``left``), as the guard
    inserts the tail flit of a packet that it ends.
    """

    def __init__(
        self, unit: InputUnit, *, switching: str = "wormhole", longest: int = 0, timeout: int = 0, gated: bool = False
    ) -> None:
        self.unit = unit
        self.switching = check_switching(switching, longest=longest, depth=unit.depth)
        self.longest = longest
        self.timeout = check_integer("stop timeout", timeout, minimum=0, maximum=1 << 16)
        self.gated = gated
        super().__init__(unit.width, len(unit.allocator.requests), routes_bits=len(unit.routes), copies=unit.copies)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.unit = unit = self.unit
        m.submodules.guard = guard = PacketGuard(unit.width, longest=self.longest)
        m.d.comb += [
            self.left.eq(unit.left),
            self.allocator.last.eq(self.flit.last),
            self.copied.eq(unit.copied),
            unit.routes.eq(self.routes),
        ]

        [enter] = unit.i
        [entrance] = self.i
        if self.gated:
            m.submodules.gate = gate = RoomGate(unit.width, depth=unit.depth, longest=self.longest)
            wiring.connect(m, gate.o, enter)
            m.d.comb += gate.left.eq(self.left)
            enter = gate.i
        if self.timeout:
            m.submodules.timer = timer = StopTimer(unit.width, self.timeout)
            wiring.connect(m, timer.o, enter)
            m.d.comb += [timer.swallowing.eq(guard.swallowing), guard.stopped.eq(timer.stopped)]
            enter = timer.i
        wiring.connect(m, wiring.flipped(entrance), enter)

        if self.switching == "store-and-forward":
            whole = self._whole(m, enters=unit.i[0].valid & unit.i[0].ready, leaves=self.left)
            m.d.comb += guard.held_back.eq(unit.header & ~unit.allocator.discard & ~whole & ~guard.stopped)
        # The header was an error already: a packet makes one at most.
        reported = Signal()
        with m.If(unit.header):
            m.d.sync += reported.eq(unit.error)
        m.d.comb += [
            guard.flit.eq(unit.flit),
            guard.valid.eq(unit.allocator.valid),
            guard.advance.eq(self.allocator.advance),
            unit.allocator.advance.eq(self.allocator.advance & ~guard.held_back),
            self.flit.eq(guard.ended),
            self.allocator.valid.eq(guard.offered),
            self.header.eq(unit.header),
            self.allocator.requests.eq(
                unit.allocator.requests & ~guard.held_back.replicate(len(unit.allocator.requests))
            ),
            self.allocator.discard.eq(unit.allocator.discard),
            self.error.eq(unit.error | guard.error & (unit.header | ~reported)),
        ]
        return m

    def _whole(self, m: Module, *, enters: Value, leaves: Value) -> Signal:
        """The packet in front is in the buffer to its last flit, or has the most flits there that a packet may have."""
        unit = self.unit
        whole = Signal()
        flits = Signal(range(unit.depth + 1))
        packets = Signal(range(unit.depth + 1))
        flits_next = Signal.like(flits)
        packets_next = Signal.like(packets)
        m.d.comb += [
            flits_next.eq(flits + enters - leaves),
            packets_next.eq(packets + (enters & unit.i[0].payload.last) - (leaves & unit.flit.last)),
        ]
        m.d.sync += [
            flits.eq(flits_next),
            packets.eq(packets_next),
            whole.eq(packets_next.any() | (flits_next >= self.longest)),
        ]
        return whole
