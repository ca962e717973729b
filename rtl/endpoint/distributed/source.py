"""The messages that the source of a collective sends through one of its ports."""

from amaranth.hdl import Array, Const, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.rtl.endpoint.distributed.rules import Rule, table_of_port

__all__ = ["Source"]


class Source(wiring.Component):
    """The messages that a port of the source sends, in their order.

    A broadcast has numbered parts; the number of a part is its message id. With ``sbt`` every port sends all parts; with
    ``nesbt`` port j sends the parts of tree j, which are j, j + n, j + 2 n, .... In a scatter the message id is the target,
    and the order of the targets is given by :func:`~fatcube.rtl.endpoint.distributed.rules.table_of_port`.

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
        The message is taken.
    valid : :py:`Out(1)`
        There is a message to send.
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
            # It counts up to one round of the ports beyond the last part.
            part = Signal(len(self.parts) + ceil_log2(stride + 1), init=first)
            m.d.comb += [
                self.valid.eq(self.active & (part < self.parts)),
                self.message.eq(part),
            ]
            with m.If(self.taken):
                m.d.sync += part.eq(part + stride)
        return m
