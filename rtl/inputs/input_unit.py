"""One input of a router: its buffer, and the route of the packet in front decoded into requests."""

from collections.abc import Callable, Sequence

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import wiring

from fatcube.groundwork.validation import check_boolean, check_integer
from fatcube.rtl.deep_buffer import input_buffer
from fatcube.rtl.inputs.packet_input import PacketInput

__all__ = ["InputUnit"]


class InputUnit(PacketInput):
    """Buffers an input and requests the outputs that the packet in front is for.

    The requests are decoded while the header moves into the buffer's first register and stand as long as it is
    there: arbitration starts from registers, and the flits after the header need no route.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    depth : :class:`int`
        Flits that the buffer holds.
    memory : :class:`str`
        The kind of memory of the buffer, as for :func:`~fatcube.rtl.deep_buffer.input_buffer`.
    outputs : list of :class:`int`
        The numbers of the outputs that this input can reach.
    selector_bits : :class:`int`
        Bits of one selector.
    selectors : :class:`int`
        Selectors in the route of a packet that arrives here. The first is this router's and is shifted out
        if others follow.
    destination_bits : :class:`int`
        Bits of the destination that the header starts with instead of selectors; nothing is shifted then. ``None``
        for selectors.
    routes_bits : :class:`int`
        Bits of ``routes``, the routing table or the router's address; if not given, the bits of a table.
    decode : callable or ``None``
        A function of a destination and ``routes`` that returns a bit for each number in ``outputs``: whether it is the
        output to take. If not given, ``routes`` is a table.
    mask_bits : :class:`int`
        Bits of the mask of outputs that the header starts with instead of a selector, one for each output of the
        router; nothing is shifted then. 0 for a selector.
    restarts : :class:`bool`
        A packet can end with its header, as circuits that are refused do.

    Members
    -------
    The members of :class:`PacketInput`.
    """

    def __init__(
        self,
        width: int,
        depth: int,
        *,
        memory: str = "auto",
        outputs: Sequence[int],
        selector_bits: int,
        selectors: int = 1,
        destination_bits: int | None = None,
        routes_bits: int | None = None,
        decode: Callable[[Value, Value], Sequence[Value]] | None = None,
        mask_bits: int = 0,
        restarts: bool = False,
    ) -> None:
        check_integer("selectors", selectors, minimum=1)
        self.depth = depth
        self.memory = memory
        self.outputs = tuple(outputs)
        self.selector_bits = selector_bits
        self.selectors = selectors
        self.destination_bits = destination_bits
        self.decode = decode
        self.mask_bits = mask_bits
        if routes_bits is None:
            routes_bits = 0 if destination_bits is None else selector_bits << destination_bits
        super().__init__(
            width,
            len(self.outputs),
            routes_bits=routes_bits,
            copies=mask_bits > 0,
            restarts=check_boolean("restarts", restarts),
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        route_bits = self.selector_bits if self.destination_bits is None else self.destination_bits
        shown = self.mask_bits or route_bits
        m.submodules.buffer = buffer = input_buffer(self.width, self.depth, shown=shown, memory=self.memory)
        [enter] = self.i
        wiring.connect(m, wiring.flipped(enter), buffer.i)
        m.d.comb += [
            self.flit.eq(buffer.o.payload),
            self.allocator.valid.eq(buffer.o.valid),
            self.allocator.last.eq(self.flit.last),
            self.left.eq(self.allocator.valid & self.allocator.advance),
            buffer.o.ready.eq(self.allocator.advance),
        ]
        if self.mask_bits:
            m.d.comb += self.copied.eq(self.header)

        # The flit after the last one of a packet is a header.
        expect_header = Signal(init=1)
        requesting = Signal()
        m.d.comb += requesting.eq(expect_header & buffer.arriving)
        with m.If(buffer.free):
            m.d.sync += [
                self.header.eq(requesting),
                expect_header.eq(Mux(buffer.arriving, buffer.loading.last, expect_header)),
            ]

        if self.restarts:
            with m.If(self.restart):
                m.d.sync += expect_header.eq(1)

        # The flit in front leaves when the buffer is free: then a new header makes requests, or there are none. `free`
        # settles late in the cycle, so it is an enable and nothing else.
        route = buffer.loading.data
        chosen = self._chosen(route)
        nowhere = ~chosen.any()
        with m.If(buffer.free):
            m.d.sync += [
                self.allocator.requests.eq(chosen & requesting.replicate(len(chosen))),
                self.allocator.discard.eq(requesting & nowhere | ~requesting & self.allocator.discard),
            ]

        if self.mask_bits:
            missing = Signal()
            others = Cat(route[output] for output in range(self.mask_bits) if output not in self.outputs)
            with m.If(buffer.free):
                m.d.sync += missing.eq(others.any() | nowhere)
            m.d.comb += self.error.eq(self.header & missing & self.allocator.advance)
        else:
            # It leaves at once.
            m.d.comb += self.error.eq(self.header & self.allocator.discard)

        if self.selectors > 1 and not self.mask_bits and self.destination_bits is None:
            kept = (self.selectors - 1) * self.selector_bits
            shifted = buffer.o.payload.data[self.selector_bits : self.selector_bits + kept]
            with m.If(self.header):
                m.d.comb += self.flit.data[:kept].eq(shifted)
        return m

    def _chosen(self, route: Value) -> Value:
        """The outputs that a header with this route is for, a bit for each."""
        if self.mask_bits:
            return Cat(route[output] for output in self.outputs)
        selector = route[: self.selector_bits]
        if self.destination_bits is not None:
            destination = route[: self.destination_bits]
            if self.decode is not None:
                return Cat(self.decode(destination, self.routes))
            selector = self.routes.word_select(destination, self.selector_bits)
        return Cat(selector == output for output in self.outputs)
