"""The AXI4-Stream of a processor port, with AXI's own names."""

from collections.abc import Mapping
from typing import Any, Self

from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError, check_boolean, check_integer
from fatcube.rtl.protocols.axi_stream import AXI_STREAM, axi_stream_bits
from fatcube.rtl.protocols.protocol import HANDSHAKE, Role

__all__ = ["AxiStreamSignature"]


class AxiStreamSignature(wiring.Signature):
    """An AXI4-Stream, as seen by its transmitter.

    A beat is a word of ``tdata``, and is transferred in a cycle in which ``tvalid`` and ``tready`` are both 1. Once
    ``tvalid`` is 1, it and its payload are held until the transfer; ``tready`` may be deasserted at any time. A
    transmitter does not wait for ``tready`` before it asserts ``tvalid``. ``tdest`` and ``tid`` are the same in every
    beat of a packet.

    Without ``keep`` there is no TKEEP: a beat is the whole word of a flit, and all its bytes are valid. A transmitter of
    packets with any other number of bytes has to put that number into the packet. AXI itself allows only words of whole
    bytes; here a width that is no multiple of 8 is accepted too. There is never a TSTRB.

    Parameters
    ----------
    width : :class:`int`
        Bits of ``tdata``.
    dest_bits : :class:`int`
        Bits of ``tdest``; with 0 there is none.
    id_bits : :class:`int`
        Bits of ``tid``; with 0 there is none.
    keep : :class:`bool`
        There is ``tkeep``, and the width is a multiple of 8.
    user_bits : :class:`int`
        Bits of ``tuser``; with 0 there is none.

    Members
    -------
    tdata : :py:`Out(width)`
    tlast : :py:`Out(1)`
        This beat is the last of its packet.
    tdest : :py:`Out(dest_bits)`
        The destination of the packet.
    tid : :py:`Out(id_bits)`
        The source of the packet.
    tkeep : :py:`Out(width // 8)`
        The bytes of this beat that are bytes of the packet: all of them, and in the last beat any number of the lowest.
    tuser : :py:`Out(user_bits)`
        Sideband information about the packet; it is valid in the last beat.
    tvalid : :py:`Out(1)`
    tready : :py:`In(1)`

    Attributes
    ----------
    payload : mapping of :class:`str` to :class:`int`
        The bits of each member that moves with a beat.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or a width with ``keep`` is no multiple of 8.
    """

    payload: Mapping[str, int]

    def __init__(
        self, width: int, *, dest_bits: int = 0, id_bits: int = 0, keep: bool = False, user_bits: int = 0
    ) -> None:
        self.width = check_integer("width", width, minimum=1, maximum=4096)
        self.dest_bits = check_integer("destination bits", dest_bits, minimum=0, maximum=32)
        self.id_bits = check_integer("id bits", id_bits, minimum=0, maximum=32)
        self.keep = check_boolean("keep", keep)
        self.user_bits = check_integer("user bits", user_bits, minimum=0, maximum=4096)
        if keep and width % 8:
            raise ParameterError(f"width must be a multiple of 8 with TKEEP, not {width}")
        bits = axi_stream_bits(width, dest_bits=dest_bits, id_bits=id_bits, keep=keep, user_bits=user_bits)
        signals = list(AXI_STREAM.sized(bits))
        self.payload = {signal.name: size for signal, size in signals if signal.role not in HANDSHAKE}
        super().__init__({signal.name: (In if signal.role is Role.READY else Out)(size) for signal, size in signals})

    def changed(self, **given: Any) -> Self:
        """Return a signature like this one, with other values of the parameters ``given``."""
        mine = {name: getattr(self, name) for name in ("width", "dest_bits", "id_bits", "keep", "user_bits")}
        return type(self)(**mine | given)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AxiStreamSignature) and other.payload == self.payload

    def __repr__(self) -> str:
        further = f", keep={self.keep}, user_bits={self.user_bits}" if self.keep or self.user_bits else ""
        return f"AxiStreamSignature({self.width}, dest_bits={self.dest_bits}, id_bits={self.id_bits}{further})"
