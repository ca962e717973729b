"""The interface of a router's input: the ports that every kind has to the allocator, the crossbar and the router."""

from collections.abc import Mapping, Sequence
from typing import Any

from amaranth.hdl import Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.flit import FlitLayout, FlitStream
from fatcube.rtl.optional_ports import OptionalPorts

__all__ = ["Input"]


class Input(OptionalPorts):
    """The base of all inputs. Ports of no bits are no ports of the module.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    dialogue : :class:`wiring.Signature`
        The dialogue with the allocator, as the input sees it.
    channels : :class:`int`
        The streams of flits that enter.
    routes_bits : :class:`int`
        Bits of the routing tables, or of the router's address; 0 where headers have routes.
    members : mapping
        Further members of a kind of inputs.

    Members
    -------
    i : :py:`In(FlitStream(width)).array(channels)`
        Flits in.
    flit : :py:`Out(FlitLayout(width))`
        The flit in front, with its route as the next router is to see it.
    allocator : :py:`Out(dialogue)`
        The dialogue with the allocator.
    left : :py:`Out(channels)`
        A flit leaves the buffer of the channel.
    routes : :py:`In(routes_bits)`
        The routing tables, or the router's address.
    error : :py:`Out(1)`
        A packet that is no error yet is one from this cycle on: its header, which is for no output that can be reached, or
        the flit at which it is ended, leaves.
    """

    i: Sequence[stream.Interface]
    flit: data.View
    allocator: Any
    left: Signal
    routes: Signal
    error: Signal

    def __init__(
        self,
        width: int,
        dialogue: wiring.Signature,
        *,
        channels: int = 1,
        routes_bits: int = 0,
        members: Mapping[str, Any] | None = None,
    ) -> None:
        self.width = width
        self.channels = check_integer("channels", channels, minimum=1)
        super().__init__(
            {
                "i": In(FlitStream(width)).array(channels),
                "flit": Out(FlitLayout(width)),
                "allocator": Out(dialogue),
                "left": Out(channels),
                "routes": In(routes_bits),
                "error": Out(1),
                **(members or {}),
            }
        )
