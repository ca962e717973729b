"""A packet: what sources send, and sinks and monitors receive."""

import dataclasses

__all__ = ["Packet"]

_SHOWN = 6  # words


@dataclasses.dataclass(slots=True)
class Packet:
    """The words of a packet, and its further properties.

    Parameters
    ----------
    words : list of :class:`int`
        Its words. Where ports have flits, the first one is the header, which
        :class:`~fatcube.testing.description.HeaderFormat` packs and unpacks. Where AXI4-Streams have TKEEP, they are bytes,
        whatever the width of the port.
    tdest : :class:`int`
        AXI4-Stream: the port that it is for.
    tid : :class:`int`
        AXI4-Stream: the processor that it is from.
    tuser : :class:`int`
        AXI4-Stream: TUSER of its last beat.
    channel : :class:`int`
        Lanes: the virtual channel that it uses.
    stop : (:class:`int`, :class:`int`) or ``None``
        For sources of streams: pause before the word with this number for this many cycles, whatever the pauses say.
    gap : :class:`int` or ``None``
        For sources of AXI4-Streams with TKEEP: the byte, not the last one, whose bit of TKEEP is 0, which breaks the rule.
    of_bytes : :class:`bool`
        Whether the words are bytes, for messages.
    at : :class:`float`
        For received packets: the simulation time, in ns, at which the last word moved.
    """

    words: list[int]
    tdest: int = 0
    tid: int = 0
    tuser: int = 0
    channel: int = 0
    stop: tuple[int, int] | None = None
    gap: int | None = None
    of_bytes: bool = False
    at: float = 0.0

    @property
    def unit(self) -> str:
        """The unit of its words, for a message."""
        return "byte" if self.of_bytes else "word"

    def __str__(self) -> str:
        """The words in hexadecimal, of many only the first."""
        more = f" … {len(self.words)} {self.unit}s" if len(self.words) > _SHOWN else ""
        return f"[{' '.join(f'{word:x}' for word in self.words[:_SHOWN])}{more}]"
