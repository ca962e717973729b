"""The AXI4-Stream of a processor port, with AXI's own names."""

from collections.abc import Mapping

from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_integer

__all__ = ["AxiStreamSignature"]


class AxiStreamSignature(wiring.Signature):
    """An AXI4-Stream, as whoever sends on it sees it.

    A beat is a word of ``tdata``, and moves in a cycle in which ``tvalid`` and ``tready`` are both 1. Once ``tvalid`` is
    1, it and all that goes with it stay until then; ``tready`` may come and go. Nobody waits for ``tready`` before he
    raises ``tvalid``. ``tdest`` and ``tid`` are the same in every beat of a packet.

    There is no TKEEP and no TSTRB: a beat is the word of a flit, whole, and all its bytes count. Who sends other
    numbers of bytes says in the packet how many they are. AXI itself knows only words of whole bytes; a width that is
    no multiple of 8 is taken too.

    Parameters
    ----------
    width : :class:`int`
        Bits of ``tdata``.
    dest_bits : :class:`int`
        Bits of ``tdest``; with 0 there is none.
    id_bits : :class:`int`
        Bits of ``tid``; with 0 there is none.

    Members
    -------
    tdata : :py:`Out(width)`
    tlast : :py:`Out(1)`
        This beat is the last of its packet.
    tdest : :py:`Out(dest_bits)`
        Where the packet is to go.
    tid : :py:`Out(id_bits)`
        Where the packet comes from.
    tvalid : :py:`Out(1)`
    tready : :py:`In(1)`

    Attributes
    ----------
    payload : mapping of :class:`str` to :class:`int`
        The bits of each member that moves with a beat.
    """

    payload: Mapping[str, int]

    def __init__(self, width: int, *, dest_bits: int = 0, id_bits: int = 0) -> None:
        self.width = check_integer("width", width, minimum=1, maximum=4096)
        self.dest_bits = check_integer("destination bits", dest_bits, minimum=0, maximum=32)
        self.id_bits = check_integer("id bits", id_bits, minimum=0, maximum=32)
        all_bits = {"tdata": width, "tlast": 1, "tdest": dest_bits, "tid": id_bits}
        self.payload = {name: bits for name, bits in all_bits.items() if bits}
        super().__init__(
            {**{name: Out(bits) for name, bits in self.payload.items()}, "tvalid": Out(1), "tready": In(1)}
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AxiStreamSignature) and other.payload == self.payload

    def __repr__(self) -> str:
        return f"AxiStreamSignature({self.width}, dest_bits={self.dest_bits}, id_bits={self.id_bits})"
