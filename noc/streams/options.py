"""The options of the AXI4-Streams at the ports of a network, each declared once: flags and keys of files follow from them."""

import dataclasses

from fatcube.groundwork.options import Options, option
from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.interface.byte_interface import check_port_width
from fatcube.rtl.interface.trailer import TrailerLayout

__all__ = ["StreamOptions"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class StreamOptions(Options):
    """The packets that the AXI4-Streams of a network carry, and the way in which they send them.

    Parameters
    ----------
    byte_exact : :class:`bool`
        Packets have any number of bytes: there are TKEEP and TUSER, and a trailer flit ends each packet.
    user_bits : :class:`int`
        With them, bits of TUSER; bit 0 is the error bit.
    port_widths : tuple of :class:`int`
        With them, bits of TDATA of each port, or of all where it is one; none for those of a flit.
    store_packets : :class:`int`
        The flits, header and trailer among them, of the longest packet that a port stores to send it whole: the network gets
        its first flit when the port has its last, and a longer packet is dropped. 0: packets are not stored, if there is no
        longest packet of the network, with which they always are.

    Raises
    ------
    ParameterError
        If an option is out of range, or one is given that needs byte-exact packets.
    """

    byte_exact: bool = option(
        False, "Packets of any number of bytes: TKEEP, and TUSER with an error bit, which a trailer flit carries."
    )
    user_bits: int = option(1, "Bits of TUSER; bit 0 is the error bit. Needs --byte-exact.", minimum=1, maximum=512)
    port_widths: tuple[int, ...] = option(
        (),
        "Bits of TDATA, 8 to 512: of all ports, or one number for each, as 8,32,32,512; the bits of a flit if not given; "
        "needs --byte-exact.",
        several=int,
        minimum=8,
        maximum=512,
        each="port width",
    )
    store_packets: int = option(
        0,
        "Buffer each packet and send it when it is complete; drop packets longer than N flits. 0: off (--longest-packet "
        "buffers by itself).",
        minimum=0,
        maximum=4096,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("user_bits", "port_widths"):
            if name in self.given and not self.byte_exact:
                raise ParameterError(
                    f"{name.replace('_', ' ')} must be left out without byte-exact packets (--byte-exact)"
                )

    def widths(self, ports: int, width: int) -> tuple[int, ...]:
        """The bits of TDATA of each port of a network whose flits have ``width`` bits.

        Raises
        ------
        ParameterError
            If widths are given for another number of ports, or one does not go together with that of a flit.
        """
        given = self.port_widths or (width,)
        if self.port_widths and len(given) not in (1, ports):
            raise ParameterError(
                f"port widths must be one integer, or one for each of the {ports} ports, not {len(given)} integers"
            )
        if self.port_widths:
            for one in given:
                check_port_width(one, width)
        return given * ports if len(given) == 1 else given

    def longest(self, width: int, longest_packet: int) -> int:
        """The flits of the longest packet that a port stores; 0 if it stores none.

        Parameters
        ----------
        width : :class:`int`
            Bits of a flit.
        longest_packet : :class:`int`
            The flits of the longest packet of the network, 0 for any number.

        Raises
        ------
        ParameterError
            If both are given, no packet would fit, or a trailer does not fit into a flit.
        """
        if self.byte_exact:
            TrailerLayout(width, self.user_bits)
        if self.store_packets and longest_packet:
            raise ParameterError(
                f"store packets must be left out with --longest-packet {longest_packet}, with which ports store packets of up to "
                f"{longest_packet} flits already, not {self.store_packets}"
            )
        least = 3 if self.byte_exact else 2
        named = "store packets" if self.store_packets else "longest packet"
        longest = self.store_packets or longest_packet
        if 0 < longest < least:
            parts = "header, word and trailer" if self.byte_exact else "header and word"
            raise ParameterError(f"{named} must be 0 or at least {least} flits ({parts}), not {longest}")
        return longest
