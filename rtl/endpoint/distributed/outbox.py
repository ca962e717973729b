"""The source of the entries of a sending port that has no program."""

from collections.abc import Sequence
import functools
import operator

from amaranth.hdl import Const, Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.endpoint.program import ProgramEntry

__all__ = ["Outbox"]


class Outbox(wiring.Component):
    """One message, and the dimensions along which it is still to be sent: one in each step, the lowest first.

    With ``sbt`` the lowest dimension leads to the largest subtree. A message that is put in replaces the previous one, so
    the outbox must be empty then; in lockstep it is, as a message has left along all dimensions before the next one arrives.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit, W.
    routes : list of :class:`int`
        For each dimension that the port sends along, the route in a header.
    message_low, message_bits : :class:`int`
        The position of the message id in a header; the address of the source is above it.
    address_bits : :class:`int`
        Bits of an address.

    Members
    -------
    put : :py:`In(1)`
        A message is put in.
    dimensions : :py:`In(len(routes))`
        The dimensions along which it is to be sent, in the order of ``routes``.
    message : :py:`In(message_bits)`
        Its id, which is its slot in the message memory.
    bank : :py:`In(8)`
        The bank that it is in.
    source : :py:`In(address_bits)`
        The address of its source.
    sent : :py:`In(1)`
        The header of ``entry`` has left.
    waiting : :py:`Out(1)`
        There is something to send.
    entry : :py:`Out(ProgramEntry(width))`
        The entry that the next step sends.
    """

    put: Signal
    dimensions: Signal
    message: Signal
    bank: Signal
    source: Signal
    sent: Signal
    waiting: Signal
    entry: data.View

    def __init__(
        self, width: int, *, routes: Sequence[int], message_low: int, message_bits: int, address_bits: int
    ) -> None:
        self.routes = list(routes)
        self.message_low = message_low
        super().__init__(
            {
                "put": In(1),
                "dimensions": In(len(self.routes)),
                "message": In(message_bits),
                "bank": In(8),
                "source": In(address_bits),
                "sent": In(1),
                "waiting": Out(1),
                "entry": Out(ProgramEntry(width)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        left = Signal.like(self.dimensions)
        message = Signal.like(self.message)
        bank = Signal.like(self.bank)
        source = Signal.like(self.source)
        lowest = left & (~left + 1)[: len(left)]
        with m.If(self.put):
            m.d.sync += [
                left.eq(self.dimensions),
                message.eq(self.message),
                bank.eq(self.bank),
                source.eq(self.source),
            ]
        with m.Elif(self.sent):
            m.d.sync += left.eq(left & ~lowest)
        route_bits = self.message_low
        route = functools.reduce(
            operator.or_, (Mux(lowest[index], Const(route, route_bits), 0) for index, route in enumerate(self.routes))
        )
        m.d.comb += [
            self.waiting.eq(left.any()),
            self.entry.send.eq(self.waiting),
            self.entry.bank.eq(bank),
            self.entry.header.eq(
                route | message << self.message_low | source << (self.message_low + len(self.message))
            ),
        ]
        return m
