# amaranth: UnusedElaboratable=no
"""The parts for packets of bytes proved, at their smallest: no byte is lost, changed or moved, and no end of a packet is."""

import pytest

from fatcube.rtl.interface.keep_check import KeepCheck
from fatcube.rtl.interface.narrow import Narrow
from fatcube.rtl.interface.trailer import AppendTrailer, TakeTrailer
from fatcube.rtl.interface.widen import Widen
from tests.support.byte_harness import NarrowHarness, TrailerHarness, WidenHarness
from tests.support.planted import plant, some_of
from tests.support.prove import Outcome, prove_part

#: And the cycles after which nothing waits any more.
HARNESSES = {"widen": (WidenHarness, 1), "narrow": (NarrowHarness, 2), "trailer": (TrailerHarness, 2)}


def checked(part, *, depth=None, sooner=0, **claim):
    return prove_part(*HARNESSES[part], depth=depth, sooner=sooner, **claim)


@pytest.mark.parametrize("part", HARNESSES)
def test_packets_come_out(part):
    """The assumptions leave room for two packets, and where the sender may break the rule, for two that do."""
    assert checked(part, goal=2, depth=20).frame is not None


@pytest.mark.parametrize("part", HARNESSES)
def test_nothing_ever_goes_wrong(part):
    """Without bound, for beats of two bytes and of one, whatever the sender and the receiver do."""
    assert checked(part) == Outcome(True)


@pytest.mark.parametrize("part", ["narrow", "trailer"])
def test_nothing_waits_for_less(part):
    """The proved waiting times are no longer than the real ones; for one cycle, they could not be shorter."""
    assert checked(part, sooner=1, depth=10).frame is not None


WRONG = {
    "a byte over another": ("widen", Widen, "word_select(place, ", "word_select(0, "),
    "bytes of the flit before": ("widen", Widen, "with m.If(place == 0):", "with m.If(0):"),
    "a beat lost under backpressure": ("widen", Widen, "i.tready.eq(~o.tvalid | o.tready)", "i.tready.eq(1)"),
    "an end that waits": ("widen", Widen, "ends.eq(i.tlast | (", "ends.eq(("),
    "offered for one cycle": ("widen", Widen, "with m.Elif(o.tready):", "with m.Else():"),
    "a beat twice": ("narrow", Narrow, "o.tvalid.eq(~final)", "o.tvalid.eq(1)"),
    "a beat not sent": ("narrow", Narrow, "o.tready & final)", "o.tready)"),
    "an end too early": ("narrow", Narrow, 'o.tlast.eq(held["tlast"] & final)', 'o.tlast.eq(held["tlast"])'),
    "the higher beat first": ("narrow", Narrow, '("tdata", "tkeep")]', '("tkeep",)]'),
    "a gap": ("trailer", KeepCheck, "o.tkeep.eq(kept)", "o.tkeep.eq(i.tkeep)"),
    "fewer bytes before the last beat": ("trailer", KeepCheck, "| ~i.tlast & ~i.tkeep.all()", ""),
    "the rest not dropped": ("trailer", KeepCheck, 'm.next = "drop"', 'm.next = "pass"'),
    "dropped for ever": ("trailer", KeepCheck, "with m.If(i.tvalid & i.tlast):", "with m.If(0):"),
    "no error": ("trailer", KeepCheck, "Cat(Const(1,", "Cat(Const(0,"),
    "the trailer of the packet before": (
        "trailer",
        AppendTrailer,
        "with m.If(i.tvalid & i.tready & i.tlast):",
        "with m.If(i.tvalid & i.tlast):",
    ),
    "a trailer twice": ("trailer", AppendTrailer, "o.tvalid.eq(1), o.tlast.eq(1)", "o.tvalid.eq(1), o.tlast.eq(0)"),
    "a byte that does not count": ("trailer", TakeTrailer, "place < trailer", "place <= trailer"),
    "a beat overwritten": ("trailer", TakeTrailer, "o.tready | ~held & ~i.tlast", "o.tready | ~i.tlast"),
    "a beat of the packet before": ("trailer", TakeTrailer, "held.eq(~i.tlast)", "held.eq(1)"),
}
QUICK = {"bytes of the flit before", "a beat not sent", "a beat overwritten"}


@pytest.mark.parametrize("fault", some_of(WRONG, QUICK))
def test_a_fault_is_found(monkeypatch, fault):
    part, component, line, instead = WRONG[fault]
    plant(monkeypatch, component, line, instead)
    assert checked(part, depth=14).frame is not None
