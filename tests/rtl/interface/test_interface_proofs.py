# amaranth: UnusedElaboratable=no
"""The parts of the interface proved, at their smallest: what comes out is what went in, and what is said of what does not."""

import pytest

from fatcube.rtl.interface.egress import Egress
from fatcube.rtl.interface.ingress import Ingress
from fatcube.rtl.interface.packet_buffer import PacketBuffer
from tests.support.interface_harness import EgressHarness, IngressHarness, PacketBufferHarness
from tests.support.planted import plant, some_of
from tests.support.prove import Outcome, prove_part

#: And the cycles after which nothing waits any more.
HARNESSES = {"ingress": (IngressHarness, 2), "egress": (EgressHarness, 3), "packet buffer": (PacketBufferHarness, 2)}
# The proof of the packet buffer takes longer than the others.
EVERY = [pytest.param(name, marks=pytest.mark.prove) if name == "packet buffer" else name for name in HARNESSES]


def checked(part, *, depth=None, sooner=0, **claim):
    return prove_part(*HARNESSES[part], depth=depth, sooner=sooner, **claim)


@pytest.mark.parametrize("part", HARNESSES)
def test_packets_come_out_and_are_dropped(part):
    """The assumptions leave room for two packets, and for two that are dropped."""
    assert checked(part, goal=2, depth=20).frame is not None


@pytest.mark.parametrize("part", EVERY)
def test_nothing_ever_goes_wrong(part):
    assert checked(part) == Outcome(True)


@pytest.mark.parametrize("part", HARNESSES)
def test_nothing_waits_for_less(part):
    """The proved waiting times are no longer than the real ones."""
    assert checked(part, sooner=1, depth=10).frame is not None


WRONG = {
    "header sent twice": (
        "ingress",
        Ingress,
        "with m.Elif(header & flits.ready):",
        "with m.Elif(header & flits.ready & self.send.valid):",
    ),
    "unknown packet partly swallowed": (
        "ingress",
        Ingress,
        "beats.tready & beats.tlast)",
        "beats.tready & (beats.tlast | swallowing))",
    ),
    "tdest of a later beat": ("ingress", Ingress, "passing & beats.tvalid |", "passing & beats.tvalid & entry.valid |"),
    "unknown said twice": ("ingress", Ingress, "self.unknown.eq(unknown)", "self.unknown.eq(unknown | swallowing)"),
    "unknown waits for ever": ("ingress", Ingress, "passing & flits.ready | swallowing", "passing & flits.ready"),
    "tid of the packet before": (
        "egress",
        Egress,
        "with m.If(~within):",
        "with m.If(flit.valid & flit.payload.last):",
    ),
    "word lost under backpressure": ("egress", Egress, "eq(beats.tready | ~within)", "eq(1)"),
    "header alone waits": ("egress", Egress, "eq(beats.tready | ~within)", "eq(beats.tvalid & beats.tready)"),
    "rollback keeps a flit": ("packet buffer", PacketBuffer, "[place.eq(whole),", "[place.eq(whole + 1),"),
    "overflow": ("packet buffer", PacketBuffer, "eq(place != first ^ self.depth)", "eq(1)"),
    "part of a packet is offered": ("packet buffer", PacketBuffer, "eq(first != whole)", "eq(first != place)"),
    "swallows for ever": ("packet buffer", PacketBuffer, "swallowing.eq(~last)", "swallowing.eq(1)"),
}
QUICK = {"unknown packet partly swallowed", "tid of the packet before", "rollback keeps a flit"}


@pytest.mark.parametrize("fault", some_of(WRONG, QUICK))
def test_a_fault_is_found(monkeypatch, fault):
    part, component, line, instead = WRONG[fault]
    plant(monkeypatch, component, line, instead)
    assert checked(part, depth=14).frame is not None
