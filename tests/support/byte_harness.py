"""The parts of an interface for packets of bytes with anything at them, and what must hold of what comes out.

Beats are compared as tokens: one for each byte, and one for the end of a packet, with the error bit. So it does not matter how a
part divides bytes into beats.
"""

from amaranth.hdl import Assume, Cat, Const, Module, Mux, Signal
from amaranth.lib import wiring

from fatcube.rtl.interface.axi_stream import AxiStreamSignature
from fatcube.rtl.interface.keep_check import KeepCheck
from fatcube.rtl.interface.narrow import Narrow
from fatcube.rtl.interface.trailer import AppendTrailer, TakeTrailer
from fatcube.rtl.interface.widen import Widen
from tests.support.interface_harness import Harness

__all__ = ["NarrowHarness", "TrailerHarness", "WidenHarness"]

END = 1 << 8
TOKEN = 10  # bits: a byte, that it is an end, and its error bit


class TokenQueue:
    """Tokens that are in a design, the oldest first; several come and go in a cycle.

    ``tokens`` and ``number`` are those of a beat, as :func:`tokens_of` has them, and come if ``push`` is true; so many leave as
    ``leaving`` says. ``due`` is true when the design has to offer something: ``least`` tokens, or the end of a packet.
    """

    def __init__(self, m, tokens, number, *, depth, most, least):
        entries = [Signal(TOKEN, name=f"token{place}") for place in range(depth)]
        count, self.push, self.leaving, self.delivered = (
            Signal(range(depth + 1)),
            Signal(),
            Signal(range(most + 1)),
            Signal(2),
        )
        self.entries, self.count = entries, count
        left = count - self.leaving
        self.full = count + number > depth
        ends = Cat((place < count) & entry[8] for place, entry in enumerate(entries))
        self.due = (count >= least) | ends.any()
        m.d.sync += count.eq(left + Mux(self.push, number, 0))
        shifted = [*entries, *[Const(0, TOKEN)] * most]
        for place, entry in enumerate(entries):
            value = shifted[place]
            for step in range(1, most + 1):
                value = Mux(self.leaving == step, shifted[place + step], value)
            for index, token in enumerate(tokens):
                value = Mux(self.push & (left + index == place) & (index < number), token, value)
            m.d.sync += entry.eq(value)


def tokens_of(data, kept, last, error):
    """The tokens of a beat, and how many there are: its first ``kept`` bytes, and an end if it is the last."""
    lanes = len(data) // 8
    end = Cat(Const(END, 9), error)
    tokens = [Mux(place < kept, data[8 * place : 8 * place + 8], end) for place in range(lanes)]
    return [*tokens, end], kept + last


def leading(keep):
    """How many of the lowest bits are 1 before the first 0, said bit by bit."""
    number = Const(0)
    for place in reversed(range(len(keep))):
        number = Mux(keep[place], number + 1, 0)
    return number


class _Bytes(Harness):
    """Anything that has ``i`` and ``o``, between which bytes are neither lost nor changed nor out of order.

    The events are packets that break the rule of TKEEP; where the sender keeps it, packets that have come out.
    """

    #: Bits of a beat in, tokens that are in the part at most, and as many as it must not keep.
    width = 16
    depth = 8
    least = 1

    @property
    def bits(self):
        return self.width + self.width // 8 + 2  # data, keep, last, error

    def part(self, m):
        """Place the part; returns what it takes, what it gives, and the event that counts broken packets, if it has one."""
        raise NotImplementedError

    def elaborate(self, platform):
        m = Module()
        i, o, wrong = self.part(m)
        lanes = self.width // 8
        data, keep = self.payload[: self.width], self.payload[self.width : self.width + lanes]
        last, error = self.payload[-2], self.payload[-1]
        m.d.comb += [Cat(i.tdata, i.tkeep, i.tlast).eq(self.payload[:-1]), i.tuser.eq(error)]
        m.d.comb += [i.tvalid.eq(self.valid), o.tready.eq(self.ready)]
        taken = self._input(m, i.tready)
        kept = leading(keep)
        torn = (kept != lanes) & ~last | Cat(keep[place] & (kept <= place) for place in range(lanes)).any()
        ends, dropping = last | torn, Signal()
        with m.If(taken):
            m.d.sync += dropping.eq(~last & (dropping | torn))
        out_lanes = len(o.tkeep)
        tokens, number = tokens_of(data, kept, ends, error | torn)
        queue = TokenQueue(m, tokens, number, depth=self.depth, most=out_lanes + 1, least=self.least)
        counted = sum(o.tkeep[place] for place in range(out_lanes))
        given, leaving = tokens_of(o.tdata, counted, o.tlast, o.tuser[0])
        pop = o.tvalid & self.ready
        m.d.comb += [queue.push.eq(taken & ~dropping), queue.leaving.eq(Mux(pop, leaving, 0))]
        with m.If(pop & o.tlast & (queue.delivered != 3)):
            m.d.sync += queue.delivered.eq(queue.delivered + 1)
        queue.any = Mux(o.tvalid, queue.count != 0, queue.due)
        # As many tokens as are given are there, and are these; and a beat before the last is full.
        same = Cat(
            (place >= leaving) | (token == entry) for place, (token, entry) in enumerate(zip(given, queue.entries))
        )
        contiguous = o.tkeep & (o.tkeep + 1) == 0
        right = same.all() & (leaving <= queue.count) & contiguous & (o.tlast | o.tkeep.all())
        self._check(
            m,
            valid=o.tvalid,
            payload=Cat(right, o.tdata, o.tkeep, o.tlast, o.tuser),
            expected=Cat(Const(1, 1), o.tdata, o.tkeep, o.tlast, o.tuser),
            queue=queue,
            due=taken & ~dropping & (torn if self.breaks else last),
            wrong=wrong if self.breaks else pop & o.tlast,
            blocked=self.valid & ~i.tready,
        )
        if not self.breaks:
            m.d.comb += Assume(~self.valid | ~torn)
        return m

    #: The sender may break the rule of TKEEP.
    breaks = False


class WidenHarness(_Bytes):
    """A :class:`Widen` of one byte to two."""

    width, depth, least = 8, 5, 2

    def part(self, m):
        m.submodules.widen = widen = Widen(AxiStreamSignature(8, keep=True, user_bits=1), 2)
        return widen.i, widen.o, None


class NarrowHarness(_Bytes):
    """A :class:`Narrow` of two bytes to one."""

    def part(self, m):
        m.submodules.narrow = narrow = Narrow(AxiStreamSignature(16, keep=True, user_bits=1), 2)
        return narrow.i, narrow.o, None


class TrailerHarness(_Bytes):
    """Anything into :class:`KeepCheck`, :class:`AppendTrailer` and :class:`TakeTrailer`, of two bytes."""

    depth, least, breaks = 7, 3, True

    def part(self, m):
        m.submodules.check = check = KeepCheck(AxiStreamSignature(16, dest_bits=1, keep=True, user_bits=1))
        m.submodules.append = append = AppendTrailer(check.o.signature)
        m.submodules.take = take = TakeTrailer(AxiStreamSignature(16, id_bits=1), 1)
        wiring.connect(m, check.o, append.i)
        m.d.comb += [
            Cat(take.i.tdata, take.i.tlast, take.i.tvalid).eq(Cat(append.o.tdata, append.o.tlast, append.o.tvalid)),
            append.o.tready.eq(take.i.tready),
        ]
        return check.i, take.o, append.torn
