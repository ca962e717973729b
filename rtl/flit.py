"""Flits and packets: the unit that moves in one cycle, and the layout of a header, which says where to.

A packet is one header flit and any number of payload flits; ``last`` is set on its last flit, which may be the
header, and nowhere else, so a router needs no length. The header holds, from its lowest bit upwards, the route and
the message id; the bits above are free. In a packet of several messages every further one begins with a header of its
own, whose route is 0; to routers it is payload.

The route is a source route. Without copies it is one selector for each router on the way, that of the next
router lowest, and every router shifts its own out. With copies (model b) a processor's packet carries a mask
with a bit for each output, then one selector for each lane: the router copies the packet to every output in the
mask, and a copy that leaves by a lane keeps only this lane's selector, which names the output that it takes at
the neighbour. The selectors of the routers behind the neighbour follow, for a packet with more hops.

Alternatively the route is the packet's destination, which all routers look up in a table, or compare with their own
address (:class:`HeaderLayout`).
"""

from collections.abc import Sequence
from typing import cast

from amaranth.lib import data, stream
from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import ParameterError, check_integer

__all__ = ["MOST_WIDTH", "FlitLayout", "FlitStream", "HeaderLayout"]


MOST_WIDTH = 4096
"""The most bits of a flit."""


class FlitLayout(data.StructLayout):
    """One flit.

    Members
    -------
    data : :class:`unsigned(width)`
        A header or a word of payload.
    last : :class:`unsigned(1)`
        Set on the last flit of a packet.
    """

    def __init__(self, width: int) -> None:
        check_integer("width", width, minimum=1, maximum=MOST_WIDTH)
        super().__init__({"data": width, "last": 1})
        self.width = width


def FlitStream(width: int) -> stream.Signature:
    """The ready/valid stream of every port and lane: a :class:`stream.Signature` of :class:`FlitLayout`."""
    return stream.Signature(FlitLayout(width))


class HeaderLayout:
    """The places of route and message id in a header flit.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit, W.
    processor_outputs : :class:`int`
        Outputs of a router that lead to processor ports; they are numbered first.
    lane_outputs : :class:`int`
        Outputs of a router that lead to lanes; they are numbered after the processor outputs.
    message_bits : :class:`int`
        Bits of a message id.
    hops : :class:`int`
        The most links that a packet may cross. With 1 hop (the papers' step) a packet that came in from a
        lane goes to a processor, so no lane needs to reach another lane.
    copies : :class:`bool`
        A processor's packet carries a mask.
    classes : :class:`int`
        Classes of virtual channels of a lane, one of which each selector names above the output.
    destinations : :class:`int`
        Destinations that a header names instead of a route, by number; each router has a table with the
        selector for each of them, or a :class:`~fatcube.rtl.route_computation.RouteComputation`. 0 for a source route.

    Attributes
    ----------
    selector_bits : :class:`int`
        Bits of the selector of one router, in a route or in a table.
    class_bits : :class:`int`
        Its upper bits, which name the class of virtual channels.
    route_bits : :class:`int`
        Bits of the whole route.

    Raises
    ------
    ParameterError
        If a count is out of range or the header does not fit into a flit.
    """

    def __init__(
        self,
        width: int,
        *,
        processor_outputs: int,
        lane_outputs: int,
        message_bits: int,
        hops: int = 1,
        copies: bool = False,
        classes: int = 1,
        destinations: int = 0,
    ) -> None:
        check_integer("width", width, minimum=1, maximum=MOST_WIDTH)
        check_integer("processor outputs", processor_outputs, minimum=1)
        check_integer("lane outputs", lane_outputs, minimum=0)
        check_integer("message bits", message_bits, minimum=0)
        check_integer("hops", hops, minimum=0, maximum=64)
        self.width = width
        self.processor_outputs = processor_outputs
        self.lane_outputs = lane_outputs
        self.message_bits = message_bits
        self.hops = hops
        self.copies = copies
        self.class_bits = ceil_log2(check_integer("channel classes", classes, minimum=1))
        self.destinations = check_integer("destinations", destinations, minimum=0, maximum=0 if copies else 1 << 32)
        if destinations:
            # One more output, which stands in tables for none.
            self.selector_bits = ceil_log2(self.outputs + 1) + self.class_bits
            self.route_bits = ceil_log2(destinations)
        elif copies:
            self.selector_bits = ceil_log2(processor_outputs if hops <= 1 else self.outputs)
            self.route_bits = self.outputs + (lane_outputs + max(hops - 1, 0)) * self.selector_bits
        else:
            self.selector_bits = ceil_log2(processor_outputs + lane_outputs) + self.class_bits
            self.route_bits = self.selector_bits * (hops + 1)
        needed = self.route_bits + message_bits
        if width < needed:
            raise ParameterError(
                f"width must be an integer of at least {needed} (a header has {self.route_bits} bits of route "
                f"and {message_bits} of message id), not {width}"
            )

    @property
    def outputs(self) -> int:
        """Outputs of a router."""
        return self.processor_outputs + self.lane_outputs

    def selector(self, output: int, channel_class: int = 0) -> int:
        """The selector of an output and, if that is a lane, of a class of its virtual channels."""
        return output | channel_class << self.selector_bits - self.class_bits

    @property
    def nowhere(self) -> int:
        """The selector that a table has where no packet is to go."""
        return self.outputs

    def branch(self, lane_output: int) -> slice:
        """The bits that hold the selector of the copy that leaves by lane ``lane_output``, as a slice."""
        start = self.outputs + lane_output * self.selector_bits
        return slice(start, start + self.selector_bits)

    @property
    def beyond(self) -> slice:
        """The bits that hold the selectors of the routers behind the neighbours, with copies, as a slice."""
        start = self.branch(self.lane_outputs).start
        return slice(start, self.route_bits)

    @property
    def message(self) -> slice:
        """The bits that hold the message id, as a slice."""
        return slice(self.route_bits, self.route_bits + self.message_bits)

    def pack(self, outputs: Sequence[int] | Sequence[Sequence[int]], message: int) -> int:
        """A header flit as an integer.

        Parameters
        ----------
        outputs : list
            Without copies: the :meth:`selector` for each router on the way, which is the number of the output where
            channels have one class. With copies: a list of one
            entry for each copy, ``(processor output,)`` or ``(lane output, output beyond it)``,
            where lane outputs are numbered as outputs of the router; that of a packet with one copy can name further
            outputs, router by router. With destinations: the destination alone.
        message : :class:`int`
            The message id.
        """
        if message >> self.message_bits:
            raise ParameterError(f"message must be an integer from 0 to {(1 << self.message_bits) - 1}, not {message}")
        header = message << self.route_bits
        if self.copies:
            for copy in cast("Sequence[Sequence[int]]", outputs):
                header |= 1 << copy[0]
                for index, output in enumerate(copy[1:]):
                    first = self.branch(copy[0] - self.processor_outputs).start
                    header |= output << (first if index == 0 else self.beyond.start + (index - 1) * self.selector_bits)
        else:
            for index, output in enumerate(cast("Sequence[int]", outputs)):
                header |= output << index * self.selector_bits
        return header

    def unpack_message(self, header: int) -> int:
        """The message id of a header flit, at any router on its way."""
        return header >> self.route_bits & (1 << self.message_bits) - 1

    def fields(self) -> list[tuple[str, int, int]]:
        """The fields of a header as a processor sends it, as ``(name, lowest bit, bits)``."""
        if self.copies:
            names = [("mask", 0, self.outputs)]
            names += [
                (
                    f"selector beyond lane output {self.processor_outputs + lane}",
                    self.branch(lane).start,
                    self.selector_bits,
                )
                for lane in range(self.lane_outputs)
            ]
            names += [
                (
                    f"selector of router {index}",
                    self.beyond.start + (index - 2) * self.selector_bits,
                    self.selector_bits,
                )
                for index in range(2, self.hops + 1)
            ]
        elif self.destinations:
            names = [("destination", 0, self.route_bits)]
        else:
            names = [
                (f"selector of router {index}", index * self.selector_bits, self.selector_bits)
                for index in range(self.hops + 1)
            ]
        return [*names, ("message id", self.route_bits, self.message_bits)]
