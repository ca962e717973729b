# amaranth: UnusedElaboratable=no
"""Which headers begin to bid in a router with virtual channels while targets are reserved, proved."""

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Elaboratable, Module, Signal
import pytest

from rtl.channel_units import ChannelUnits
from rtl.inputs.channel_input import ChannelInput
from rtl.inputs.channel_watch import ChannelWatch
from rtl.inputs.input_channel import InputChannel
from tests.support.parameters import router_parameters
from tests.support.planted import plant, some_of
from tests.support.prove import Outcome, prove

SMALLEST = {
    "processors": 1,
    "channels": 1,
    "turns": "all",
    "virtual_channels": 2,
    "buffer_depth": 3,
    "width": 2,
    "injection_channels": 1,
    "ejection_channels": 1,
}


class BidHarness(Elaboratable):
    """The input of a lane with two channels and two targets, with anything from the allocator.

    Assumed is that flits enter one at a time and only where there is space, and that only a bid wins. Asserted is

    - a header that begins to bid for a reserved target is one for which it is reserved;
    - with ``patience``: while the header of the only urgent channel could begin, as its target is ready, its output is not
      kept by a packet, and no packet of the input keeps its own, there are fewer cycles than that in which it does not bid,
      between two in which a flit of the input wins.
    """

    def __init__(self, patience=None, **options):
        self.patience = patience
        self.unit = ChannelUnits(router_parameters(**{**SMALLEST, **options})).input(1)
        self.sync = ClockDomain("sync", reset_less=True)
        unit = self.unit
        self.free = {name: Signal.like(getattr(unit, name), name=name) for name in _FREE}
        self.rooms = [Signal.like(unit.room(output)) for output in range(len(unit.rooms))]
        self.valid = Signal(unit.channels)
        self.payload = Signal(unit.width + 1)

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, *self.free.values(), *self.rooms, self.valid, self.payload]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.unit = unit = self.unit
        m.d.comb += [getattr(unit, name).eq(value) for name, value in self.free.items()]
        m.d.comb += [unit.room(output).eq(room) for output, room in enumerate(self.rooms)]
        for number, into in enumerate(unit.i):
            m.d.comb += [into.valid.eq(self.valid[number]), into.payload.as_value().eq(self.payload)]
            m.d.comb += Assume(~self.valid[number] | into.ready)
        m.d.comb += [
            Assume((self.valid & (self.valid - 1)[: len(self.valid)]) == 0),
            Assume(~unit.won | unit.bid.any()),
        ]
        bid, won, reserved, urgent = (Signal(len(unit.bid)) for _ in range(4))
        begins = Signal()
        m.d.sync += [
            bid.eq(unit.bid & unit.head.replicate(len(bid))),
            won.eq(unit.won.replicate(len(won))),
            reserved.eq(unit.reserved),
            urgent.eq(unit.urgent),
        ]
        m.d.comb += begins.eq(unit.head & (unit.bid & ~(bid & ~won)).any())
        right = [~begins | ((unit.bid & reserved & ~urgent) == 0)]
        if self.patience:
            right = []
            could = unit.urgent & unit.ready & ~unit.shut & (~unit.stays).replicate(len(bid))
            urgent = unit.watch.urgent
            alone = (urgent & (urgent - 1)[: len(urgent)]) == 0
            for number in range(len(bid)):
                missed = Signal(range(self.patience + 1), name=f"missed{number}")
                with m.If(~could[number] | unit.won):
                    m.d.sync += missed.eq(0)
                with m.Elif(alone & ~(unit.head & unit.bid[number]) & (missed != self.patience)):
                    m.d.sync += missed.eq(missed + 1)
                right.append(missed != self.patience)
        m.d.comb += Assert(Cat(right).all())
        return m


_FREE = ("watched", "tick", "won", "given", "more", "plenty", "ready", "shut", "stays", "reserved")
PATIENCE = 3
OPTIONS = [{}, {"pipeline": 2, "buffer_depth": 4}, pytest.param({"virtual_channels": 4}, marks=pytest.mark.prove)]


def checked(*, depth=None, **options):
    harness = BidHarness(**options)
    return prove(harness, ports=harness.ports, depth=depth)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_header_for_which_none_is_reserved_does_not_begin(options):
    assert checked(**options) == Outcome(True)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_header_for_which_one_is_reserved_bids_soon(options):
    assert checked(patience=PATIENCE, **options) == Outcome(True)
    assert checked(patience=PATIENCE - 1, depth=20, **options).frame is not None


FAULTS = {
    "a header that others are reserved for": (InputChannel, "self.ready & (~self.reserved | self.urgent.replicate(size))", "self.ready", {}),
    "a header behind its packet": (ChannelInput, "Mux(self.last, ~reserves,", "Mux(self.last, 1,", {}),
    "a header that arrives": (ChannelInput, "~bid.continues & ~reserves", "~bid.continues", {}),
    "none for itself": (InputChannel, "~self.reserved | self.urgent.replicate(size)", "~self.reserved", {"patience": PATIENCE}),
    "others not held back": (ChannelWatch, "self.held.eq(", "self.held.eq(0 & ", {"patience": PATIENCE}),
}  # fmt: skip


@pytest.mark.parametrize("fault", some_of(FAULTS, set(FAULTS)))
def test_a_fault_is_found(monkeypatch, fault):
    part, line, instead, options = FAULTS[fault]
    plant(monkeypatch, part, line, instead)
    assert checked(depth=20, **options).frame is not None
