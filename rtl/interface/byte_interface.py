# amaranth: UnusedElaboratable=no
"""The network interface of a processor port whose packets have any number of bytes, and whose beats any width."""

from typing import Any

from amaranth.hdl import DomainRenamer, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.late import read_at_exit
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.rtl.interface.axi_stream import AxiStreamSignature
from fatcube.rtl.interface.clock_crossing import ClockCrossing, check_crossing_depth
from fatcube.rtl.interface.interface import EVENTS, NetworkInterface
from fatcube.rtl.interface.keep_check import KeepCheck
from fatcube.rtl.interface.narrow import Narrow
from fatcube.rtl.interface.trailer import AppendTrailer, TakeTrailer, TrailerLayout
from fatcube.rtl.interface.widen import Widen

__all__ = ["ByteInterface", "check_port_width"]

read_at_exit(__file__)


def check_port_width(port_width: int, width: int) -> int:
    """Return ``port_width`` if a port with such beats can be attached to a network with flits of ``width`` bits.

    Raises
    ------
    ParameterError
        If it is no multiple of 8 from 8 to 512, or neither of the two widths divides the other.
    """
    if check_integer("port width", port_width, minimum=8, maximum=512) % 8:
        raise ParameterError(f"port width must be a multiple of 8, not {port_width}")
    if port_width % width and width % port_width:
        raise ParameterError(
            f"port width must divide the {width} bits of a flit, or be a multiple of them, not {port_width}"
        )
    return port_width


class ByteInterface(wiring.Component):
    """A :class:`NetworkInterface` for packets of bytes: a trailer is their last flit, and beats have another width than flits.

    Into the network, ``tkeep`` is checked, beats narrower than a flit are collected, the packet gets a trailer
    (:class:`TrailerLayout`), and the :class:`NetworkInterface` puts the header before it; beats wider than a flit are divided.
    Out of the network the order is reversed. Clock crossings pass the wider of both beats, so a port that is narrower
    than the network and has a faster clock loses nothing.

    A packet of B beats has F flits between header and trailer.

    Parameters
    ----------
    width, route_bits, message_bits, destinations, ways, longest, crossing_depth, port_domain
        See :class:`NetworkInterface`. The flits of ``longest`` include the header and the trailer.
    port_width : :class:`int`
        Bits of ``tdata``.
    user_bits : :class:`int`
        Bits of ``tuser``, of which bit 0 is the error bit.

    Members
    -------
    s_axis : :py:`In(AxiStreamSignature(port_width, dest_bits=table.dest_bits, keep=True, user_bits=user_bits))`
        The stream that the port sends. ``tkeep`` has to obey the rule of :class:`KeepCheck`; ``tuser`` of the last beat counts.
    m_axis : :py:`Out(AxiStreamSignature(port_width, id_bits=message_bits, keep=True, user_bits=user_bits))`
        The stream that the port receives.
    bad_keep, bad_keep_count
        Packets that have broken the rule on their way into the network; see :class:`AppendTrailer`.
    send, receive, routes, source, unknown, unknown_count, too_long, too_long_count, empty, empty_count
        See :class:`NetworkInterface`.

    Attributes
    ----------
    table : :class:`RouteTable`
    sends, receives : :class:`AxiStreamSignature`
        The streams of ``s_axis`` and ``m_axis``.

    Raises
    ------
    ParameterError
        If a parameter is out of range, the header or the trailer does not fit into a flit, or the widths do not go together.
    """

    s_axis: wiring.PureInterface
    m_axis: wiring.PureInterface
    send: stream.Interface
    receive: stream.Interface
    routes: data.View
    source: Signal
    unknown: Signal
    unknown_count: Signal
    too_long: Signal
    too_long_count: Signal
    empty: Signal
    empty_count: Signal
    bad_keep: Signal
    bad_keep_count: Signal

    def __init__(
        self,
        width: int,
        *,
        port_width: int,
        user_bits: int,
        crossing_depth: int = 0,
        port_domain: str = "port",
        **interface: Any,
    ) -> None:
        self._inner = NetworkInterface(width, **interface)
        self.table = self._inner.table
        TrailerLayout(width, user_bits)
        self.width = width
        self.port_width = check_port_width(port_width, width)
        self.crossing_depth = crossing_depth and check_crossing_depth(crossing_depth)
        self.port_domain = port_domain
        members = self._inner.signature.members
        of_bytes = {"width": port_width, "keep": True, "user_bits": user_bits}
        self.sends = self._inner.sends.changed(**of_bytes)
        self.receives = self._inner.receives.changed(**of_bytes)
        super().__init__(
            dict(members)
            | {"s_axis": In(self.sends), "m_axis": Out(self.receives), "bad_keep": Out(1), "bad_keep_count": Out(16)}
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.interface = inner = self._inner
        port = self.port_domain if self.crossing_depth else "sync"
        s_axis, m_axis = wiring.flipped(self.s_axis), wiring.flipped(self.m_axis)
        append = AppendTrailer(self.sends.changed(width=self.width, user_bits=self.sends.user_bits + 1))
        take = TakeTrailer(inner.receives, self.receives.user_bits)
        into = {
            "check": _in_domain(port, KeepCheck(self.sends)),
            **self._converters("in", self.port_width, self.width, port, "sync", append.stream),
            "append": append,
        }
        out = {
            "take": take,
            **self._converters("out", self.width, self.port_width, "sync", port, self.receives),
        }
        for first, stages, last in (s_axis, into, inner.s_axis), (inner.m_axis, out, m_axis):
            for name, stage in stages.items():
                m.submodules[name] = stage
                wiring.connect(m, first, stage.i)
                first = stage.o
            wiring.connect(m, first, last)

        wiring.connect(m, inner.send, wiring.flipped(self.send))
        wiring.connect(m, wiring.flipped(self.receive), inner.receive)
        m.d.comb += [inner.routes.eq(self.routes), inner.source.eq(self.source)]
        m.d.comb += [self.bad_keep.eq(append.torn), self.bad_keep_count.eq(append.torn_count)]
        for name in EVENTS:
            for output in (name, f"{name}_count"):
                m.d.comb += getattr(self, output).eq(getattr(inner, output))
        return m

    def _converters(
        self, way: str, width: int, wanted: int, i_domain: str, o_domain: str, stream: AxiStreamSignature
    ) -> dict[str, Any]:
        """The stages that convert beats of ``width`` bits to beats of ``wanted`` bits, with a clock crossing if there is one.

        A crossing passes the wider of both beats. ``stream`` is the signature of the output except for its width; the
        names of the stages end in ``way``.
        """
        before, after = stream.changed(width=width), stream.changed(width=wanted)
        stages: dict[str, Any] = {}
        if wanted > width:
            stages[f"widen_{way}"] = _in_domain(i_domain, Widen(before, wanted // width))
        if self.crossing_depth:
            wide = after if wanted > width else before
            stages[f"crossing_{way}"] = ClockCrossing(
                wide, depth=self.crossing_depth, i_domain=i_domain, o_domain=o_domain
            )
        if width > wanted:
            stages[f"narrow_{way}"] = _in_domain(o_domain, Narrow(before, width // wanted))
        return stages


def _in_domain(domain: str, stage: wiring.Component) -> Any:
    """The stage with its registers in ``domain``."""
    return DomainRenamer(domain)(stage)
