"""The time that packets take through the interfaces of ports with byte-exact packets, as formulas that the hardware meets exactly."""

import dataclasses

from fatcube.rtl.protocols.axi_stream import CROSSING_CYCLES

__all__ = ["PortTiming", "port_timing"]


@dataclasses.dataclass(frozen=True)
class PortTiming:
    """Cycles of the network's clock for a packet of B beats at the port and F flits between header and trailer, as formulas.

    All hold for clocks that are the same, beats that are offered without a gap, and nothing that blocks a packet.

    Members
    -------
    latency_in : :class:`str`
        From the cycle in which the first beat is offered first on ``s_axis`` to the one in which the first router takes the
        header.
    last_in : :class:`str`
        From the same cycle to the one in which the first router takes the trailer.
    latency_out : :class:`str`
        From the cycle in which the trailer is taken from the last router to the one in which the last beat is taken on
        ``m_axis``, where flits arrive without gaps. A port that is narrower than the network takes the trailer later than the
        latency of the routers says; this is counted from the cycle that it says.
    cycles_in, cycles_out : :class:`str`
        From a packet to the next one, of as many bytes, where the port sends or receives nothing but these: the bandwidth is
        the bytes of a packet divided by this.
    """

    latency_in: str
    last_in: str
    latency_out: str
    cycles_in: str
    cycles_out: str


def port_timing(width: int, port_width: int, *, stored: bool, crossing: bool) -> PortTiming:
    """The time through an interface.

    Parameters
    ----------
    width, port_width : :class:`int`
        Bits of a flit, and of ``tdata``.
    stored : :class:`bool`
        The port sends whole packets only.
    crossing : :class:`bool`
        It has a clock of its own.
    """
    crossed = CROSSING_CYCLES * crossing
    narrower, wider = width > port_width, width < port_width
    cycles_in = cycles_out = "F + 2"
    if narrower:
        ratio = width // port_width
        collected = f"min(B, {ratio})"
        begins = collected, 1 + crossed
        # Without a crossing, which keeps a flit meanwhile, the beat behind the first flit waits for the header.
        ends = (f"max(B, {collected} + F)", 2 + crossed) if crossing else ("B", 3)
        out = _formula("B - F", 2 + crossed)
        # Without the beats that a crossing holds, a header holds up the beats behind it, one way and the other.
        cycles_in = "max(B, F + 2)" if crossing else "max(B + 1, F + 2)"
        cycles_out = "max(B, F + 2)" if crossing else f"max(B, {ratio} (F - 1) + 3)"
    else:
        begins, ends = ("", 1 + wider + crossed), ("F", 2 + wider + crossed)
        out = _formula("", 1 + wider + crossed)
    if stored:
        # Its first flit follows the last one into the buffer, in two cycles instead of the one of a register.
        text, cycles = ends
        begins, ends = (text, cycles + 1), ("2 F" if text == "F" else f"{text} + F", cycles + 2)
    return PortTiming(
        latency_in=_formula(*begins),
        last_in=_formula(*ends),
        latency_out=out,
        cycles_in=cycles_in,
        cycles_out=cycles_out,
    )


def _formula(text: str, cycles: int) -> str:
    return f"{text} + {cycles}" if text else str(cycles)
