"""Circuit switching: an input at which circuits begin, or through which they pass.

A header is routed as with wormhole switching, and every output that it leaves by is held for it: that is the set-up. Where
its route ends, because it is delivered to a processor, is discarded or leads to an absent output, an answer returns, on a
wire beside each lane with one register per router. Until then, the first router keeps the header in front of its buffer and
the payload behind it. The tail flit frees each output as it passes. A header that is for no output is answered too, so that
its payload follows and is discarded, and no output stays held. A packet that is a header alone needs no circuit: it frees
each output as it leaves, and no answer returns.

With retries, a header that is blocked behind a lane for too long is dropped there and refused. The refusal returns as an
answer does, and each router frees the output on which it arrives. After a pause, the first router sends the header again,
which it has kept. A header alone is then set up like any other, as its first router has to keep it too, and the answer
frees the outputs behind it.

A route that crosses a lane twice can never be reserved, as its header waits for itself. With retries, only the input that it
comes from is blocked; without, the route keeps the outputs that it has reserved.

On a lane whose directions wait for each other, a header that holds an output may wait for the lane itself. With retries such
a header is refused too, and frees the output. One that holds an output to a processor stays there until it is taken.
"""

from collections.abc import Sequence
from typing import Any

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import wiring

from fatcube.groundwork.validation import ParameterError, check_boolean, check_integer
from fatcube.rtl.inputs.input_unit import InputUnit
from fatcube.rtl.inputs.limited_input import LimitedInput
from fatcube.rtl.inputs.packet_input import PacketInput
from fatcube.rtl.inputs.retry_pause import MOST_RETRY, RetryPause

__all__ = ["CircuitInput"]


class CircuitInput(PacketInput):
    """An input with the logic for circuits around it.

    At a lane, flits pass as they arrive, and answers return. At a processor, a header that has left stays in front until
    it is answered, so that a refused one can be sent again and no payload precedes the answer.

    Parameters
    ----------
    unit : :class:`InputUnit` or :class:`LimitedInput`
        The input as such; where headers can be refused behind a lane, an :class:`InputUnit` that restarts.
    ends : list of :class:`bool`
        For each bit of its requests, whether a route ends there, at an output to a processor.
    first : :class:`bool`
        Ways begin here: a processor sends.
    retry : :class:`int`
        The cycles after which a header that is blocked behind a lane is refused; 0 for never.
    yields : :class:`bool`
        A header for which an output is held may be refused: it can be blocked by the lane there.

    Raises
    ------
    ParameterError
        If headers can be refused, and the unit does not restart.

    Members
    -------
    The members of :class:`PacketInput`.
    """

    def __init__(
        self,
        unit: InputUnit | LimitedInput,
        *,
        ends: Sequence[bool],
        first: bool = False,
        retry: int = 0,
        yields: bool = False,
    ) -> None:
        self.unit = unit
        self.ends = tuple(ends)
        self.first = check_boolean("first", first)
        self.retry = check_integer("setup retry", retry, minimum=0, maximum=MOST_RETRY)
        self.yields = check_boolean("yields", yields) and retry > 0
        if retry and not first and not unit.restarts:
            raise ParameterError("unit must restart where headers are refused, and this one does not")
        super().__init__(
            unit.width,
            len(unit.allocator.requests),
            routes_bits=len(unit.routes),
            answers=2 if retry else 1,
            draws=retry > 0 and first,
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.unit = unit = self.unit
        [entrance], [enter] = self.i, unit.i
        wiring.connect(m, wiring.flipped(entrance), enter)
        m.d.comb += [
            self.flit.eq(unit.flit),
            self.header.eq(unit.header),
            self.allocator.discard.eq(unit.allocator.discard),
            self.error.eq(unit.error),
            self.left.eq(unit.left),
            unit.routes.eq(self.routes),
        ]
        to_processor = Cat(request for request, ends in zip(unit.allocator.requests, self.ends) if ends).any()
        to_lane = Cat(request for request, ends in zip(unit.allocator.requests, self.ends) if not ends).any()
        leaves = Signal()
        sets_up = Signal()
        answer = Signal.like(self.answered)
        m.d.comb += [
            leaves.eq(unit.header & self.allocator.valid & self.allocator.advance),
            # Without retries, a header alone sets up nothing.
            sets_up.eq(unit.header & (Const(bool(self.retry)) | ~unit.flit.last)),
        ]
        # This register holds the answer of this router.
        here = to_processor if self.first else to_processor | unit.allocator.discard
        m.d.sync += answer.granted.eq(leaves & sets_up & here | self.answered.granted)
        m.d.comb += self.allocator.last.eq(unit.flit.last)
        alone = Signal()
        refuses = Signal()
        if self.retry:
            with m.If(leaves):
                m.d.sync += alone.eq(unit.flit.last)
            released = self.answered.refused | self.answered.granted & alone
            m.d.comb += [
                self.allocator.last.eq(unit.flit.last & ~to_lane),
                self.allocator.release.eq(released | refuses & self.allocator.held if self.yields else released),
            ]
        if self.first:
            self._keep(m, leaves, sets_up, answer)
        else:
            self._pass(m, leaves, to_processor, refuses, answer)
        return m

    def _keep(self, m: Module, leaves: Value, sets_up: Value, answer: Any) -> None:
        """Keep a header in front when it has left, until it is granted; if it is refused, let it leave again."""
        unit = self.unit
        keeps = Signal()
        waiting = Signal()
        hidden = Signal()
        m.d.comb += [keeps.eq(sets_up & ~unit.allocator.discard), hidden.eq(waiting)]
        answers = answer.granted
        if self.retry:
            m.submodules.pause = pause = RetryPause(self.retry)
            m.d.comb += [
                pause.draw.eq(self.draw),
                pause.refused.eq(answer.refused),
                pause.granted.eq(answer.granted),
                hidden.eq(waiting | pause.resting),
            ]
            m.d.sync += answer.refused.eq(self.answered.refused)
            answers = answer.granted | answer.refused
        with m.If(leaves & keeps):
            m.d.sync += waiting.eq(1)
        with m.Elif(answers):
            m.d.sync += waiting.eq(0)
        m.d.comb += [
            self.allocator.valid.eq(unit.allocator.valid & ~hidden),
            self.allocator.requests.eq(unit.allocator.requests & ~hidden.replicate(len(unit.allocator.requests))),
            unit.allocator.advance.eq(Mux(keeps, answer.granted, self.allocator.advance)),
        ]

    def _pass(self, m: Module, leaves: Value, to_processor: Value, refuses: Signal, answer: Any) -> None:
        """Pass answers back, and refuse a header that is blocked for too long."""
        unit = self.unit
        if self.retry:
            assert isinstance(unit, InputUnit)
            # A register holds whether the header has been blocked for long enough, as the requests depend on it.
            blocked = Signal(range(self.retry))
            enough = Signal()
            with m.If(~unit.header | self.allocator.advance | refuses):
                m.d.sync += [blocked.eq(0), enough.eq(0)]
            with m.Elif(blocked == self.retry - 1):
                m.d.sync += enough.eq(1)
            with m.Else():
                m.d.sync += blocked.eq(blocked + 1)
            # A header for which an output is held will leave, as the packet in front of it in the next router does.
            stays = self.allocator.held
            if self.yields:
                # It may wait for the lane. But while a header alone is not answered, the output is held for that one.
                alone = Signal()
                with m.If(leaves & unit.flit.last):
                    m.d.sync += alone.eq(1)
                with m.Elif(self.answered.granted | self.answered.refused):
                    m.d.sync += alone.eq(0)
                stays = alone | self.allocator.held & to_processor
            m.d.comb += refuses.eq(enough & ~stays)
            refused = refuses | self.answered.refused
            m.d.comb += unit.restart.eq(refused)
            m.d.sync += answer.refused.eq(refused)
        m.d.comb += [
            self.answer.eq(answer),
            self.allocator.valid.eq(unit.allocator.valid & ~refuses if self.yields else unit.allocator.valid),
            self.allocator.requests.eq(unit.allocator.requests & ~refuses.replicate(len(unit.allocator.requests))),
            unit.allocator.advance.eq(self.allocator.advance | refuses),
        ]
