"""The interface of a router's output: the ports that every kind has to the allocator, the crossbar and the router."""

from collections.abc import Mapping
from typing import Any

from amaranth.hdl import Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.flit import FlitLayout
from fatcube.rtl.optional_ports import OptionalPorts

__all__ = ["Output"]


class Output(OptionalPorts):
    """The base of all outputs. Ports of no bits are no ports of the module.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    port : :class:`wiring.Signature`
        The stream or the lane that leaves here, as its sender sees it.
    dialogue : :class:`wiring.Signature`
        The dialogue with the allocator, as the allocator sees it.
    members : mapping
        Further members of a kind of outputs.

    Members
    -------
    flit : :py:`In(FlitLayout(width))`
        The flit that the crossbar has for this output.
    allocator : :py:`In(dialogue)`
        The dialogue with the allocator, which offers that flit.
    sent : :py:`Out(1)`
        A flit leaves the router.
    o : :py:`Out(port)`
    """

    flit: data.View
    allocator: Any
    sent: Signal
    o: Any

    def __init__(
        self, width: int, port: wiring.Signature, dialogue: wiring.Signature, members: Mapping[str, Any] | None = None
    ) -> None:
        self.width = check_integer("width", width, minimum=1)
        super().__init__(
            {
                "flit": In(FlitLayout(width)),
                "allocator": In(dialogue),
                "sent": Out(1),
                "o": Out(port),
                **(members or {}),
            }
        )
