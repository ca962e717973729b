"""What a source sends through one of its ports, message by message."""

from amaranth.hdl import Array, Const, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.rtl.endpoint.distributed.rules import Rule, table_of_port

__all__ = ["Source"]


class Source(wiring.Component):
    """The messages that a port of the source sends, in their order.

    A broadcast has parts, whose number is their message id. With ``sbt`` every port sends all of them; with ``nesbt``
    port j sends parts j, j + n, j + 2 n, ..., those of tree j. In a scatter the message id is the target, and its order is
    that of :func:`~fatcube.rtl.endpoint.distributed.rules.table_of_port`.

    Parameters
    ----------
    rule : :class:`Rule`
    dimensions : :class:`int`
        Bits of an address, n.
    port : :class:`int`
    message_bits : :class:`int`
        Bits of a message id.
    part_bits : :class:`int`
        Bits of the number of parts.

    Members
    -------
    address : :py:`In(dimensions)`
        The address of the node.
    active : :py:`In(1)`
        This node is the source.
    parts : :py:`In(part_bits)`
        Parts of a broadcast, M.
    taken : :py:`In(1)`
        The message is taken over.
    valid : :py:`Out(1)`
        There is one to send.
    message : :py:`Out(message_bits)`
        Its id.
    """

    address: Signal
    active: Signal
    parts: Signal
    taken: Signal
    valid: Signal
    message: Signal

    def __init__(self, rule: Rule, dimensions: int, *, port: int, message_bits: int, part_bits: int) -> None:
        self.rule = rule
        self.dimensions = dimensions
        self.port = port
        super().__init__(
            {
                "address": In(dimensions),
                "active": In(1),
                "parts": In(part_bits),
                "taken": In(1),
                "valid": Out(1),
                "message": Out(message_bits),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        if self.rule.scatters:
            table = table_of_port(self.dimensions, self.port)
            index = Signal(range(len(table) + 1))
            target = Array(Const(one, self.dimensions) for one in table)[index]
            m.d.comb += [
                self.valid.eq(self.active & (index < len(table))),
                self.message.eq(target ^ self.address),
            ]
            with m.If(self.taken):
                m.d.sync += index.eq(index + 1)
        else:
            stride = self.dimensions if self.rule.trees_of_ports else 1
            first = self.port if self.rule.trees_of_ports else 0
            # One turn of the ports beyond the last part.
            part = Signal(len(self.parts) + ceil_log2(stride + 1), init=first)
            m.d.comb += [
                self.valid.eq(self.active & (part < self.parts)),
                self.message.eq(part),
            ]
            with m.If(self.taken):
                m.d.sync += part.eq(part + stride)
        return m
