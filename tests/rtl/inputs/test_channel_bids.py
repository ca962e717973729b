# amaranth: UnusedElaboratable=no
"""Which headers begin to bid in a router with virtual channels while targets are reserved, proved."""

from amaranth.hdl import Assert, Assume, ClockDomain, Elaboratable, Module, Signal
import pytest

from fatcube.rtl.inputs import channel_input
from fatcube.rtl.inputs.bid_state import BidState
from fatcube.rtl.inputs.channel_input import ChannelInput
from fatcube.rtl.inputs.input_channel import InputChannel
from fatcube.rtl.units.channel_units import ChannelUnits
from tests.support.channel_router_harness import SMALLEST
from tests.support.parameters import router_parameters
from tests.support.planted import plant
from tests.support.prove import Outcome, prove
from tests.support.streams import simulate


class BidHarness(Elaboratable):
    """The input of a lane with several channels and two targets, or that of a processor, with anything from the allocator.

    Assumed is that flits enter one at a time and only where there is space, that only a bid wins, and that a packet keeps its
    output only if it was sure to continue. Asserted is

    - a header that begins to bid for a reserved target is that of an urgent channel, and it is the turn of the input;
    - with ``patience``, where one channel at most is urgent: of the cycles in a row in which its header could begin, as its
      target is ready, it is the turn of the input and the output is not kept by another packet, there are fewer than that
      in which it does not bid.
    """

    def __init__(self, source=1, patience=None, **options):
        self.patience = patience
        self.unit = unit = ChannelUnits(router_parameters(**{**SMALLEST, **options})).input(source)
        self.sync = ClockDomain("sync", reset_less=True)
        self.free = {name: Signal.like(getattr(unit.allocator, name), name=name) for name in _FREE}
        self.urgent = Signal.like(unit.urgent)
        self.rooms = [Signal.like(unit.room(output)) for output in range(len(unit.rooms))]
        self.valid = Signal(unit.channels)
        self.payload = Signal(unit.width + 1)

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, *self.free.values(), self.urgent, *self.rooms, self.valid, self.payload]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        unit = self.unit
        m.submodules.unit, state = _elaborated(unit, platform)
        m.d.comb += [getattr(unit.allocator, name).eq(value) for name, value in self.free.items()]
        m.d.comb += unit.urgent.eq(self.urgent)
        m.d.comb += [unit.room(output).eq(room) for output, room in enumerate(self.rooms)]
        for number, into in enumerate(unit.i):
            m.d.comb += [into.valid.eq(self.valid[number]), into.payload.as_value().eq(self.payload)]
            m.d.comb += Assume(~self.valid[number] | into.ready)
        sure = Signal()
        m.d.sync += sure.eq(unit.allocator.sure & unit.allocator.won)
        m.d.comb += [
            Assume((self.valid & (self.valid - 1)[: len(self.valid)]) == 0),
            Assume(~unit.allocator.won | unit.allocator.bid.any()),
            Assume(~unit.allocator.stays | sure),
        ]
        bids = (state.turn & unit.allocator.head.replicate(unit.channels)) & unit.allocator.bid.any().replicate(
            unit.channels
        )
        before, others, urgent = Signal(unit.channels), Signal.like(unit.allocator.bid), Signal.like(unit.urgent)
        named = Signal.like(unit.allocator.bid)
        m.d.sync += [
            before.eq(bids & (~unit.allocator.won).replicate(unit.channels)),
            others.eq(unit.allocator.reserved & ~unit.allocator.named),
            named.eq(unit.allocator.reserved & unit.allocator.named),
            urgent.eq(unit.urgent),
        ]
        if self.patience:
            missed = Signal(range(self.patience + 1))
            same = (unit.urgent == urgent) & (unit.urgent & ~unit.idle & ~unit.left).any()
            could = (
                same & (unit.allocator.due & unit.allocator.ready & unit.allocator.named & ~unit.allocator.shut).any()
            )
            m.d.comb += Assume((unit.urgent & (unit.urgent - 1)[: len(unit.urgent)]) == 0)
            with m.If(~could):
                m.d.sync += missed.eq(0)
            with m.Elif(~(bids & unit.urgent).any() & (missed != self.patience)):
                m.d.sync += missed.eq(missed + 1)
            m.d.comb += Assert(missed != self.patience)
        else:
            begins = bids & ~before
            m.d.comb += Assert(
                (~begins.any() | ((unit.allocator.bid & others) == 0))
                & (((begins & ~urgent) == 0) | ((unit.allocator.bid & named) == 0))
            )
        return m


def _elaborated(unit, platform):
    """An input, elaborated, and what it knows of its bid."""
    made = []

    def recorded(*given):
        made.append(of(*given))
        return made[-1]

    of = channel_input.BidState
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(ChannelInput.elaborate.__globals__, "BidState", recorded)
        module = unit.elaborate(platform)
    return module, made[0]


_FREE = ("won", "given", "more", "plenty", "ready", "shut", "stays", "reserved", "named")
#: The header of an urgent channel misses fewer cycles than this.
PATIENCE = 4
OPTIONS = [
    {},
    pytest.param({"source": 0}, marks=pytest.mark.long),
    pytest.param({"pipeline": 2, "buffer_depth": 4}, marks=pytest.mark.long),
    {"source": 0, "pipeline": 2, "buffer_depth": 4},
    {"switching": "store-and-forward", "longest_packet": 2},
    pytest.param({"virtual_channels": 4}, marks=pytest.mark.prove),
]


def checked(*, depth=None, **options):
    harness = BidHarness(**options)
    return prove(harness, ports=harness.ports, depth=depth)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_header_for_which_none_is_reserved_does_not_begin(options):
    assert checked(**options) == Outcome(True)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_header_for_which_one_is_reserved_bids_soon(options):
    # No other channel of a processor's input can have the bid. In two stages, an input knows later that a header could begin.
    patience = 2 if "source" in options else PATIENCE + ("pipeline" in options)
    assert checked(patience=patience, **options) == Outcome(True)
    assert checked(patience=patience - 1, depth=20, **options).frame is not None


def test_targets_for_which_headers_wait():
    """By hand: of channel 0 first the header that is for target 1, then that of channel 1, which is for target 0."""
    parameters = router_parameters(**SMALLEST)
    unit = ChannelUnits(parameters).input(1)

    async def testbench(ctx):
        async def enter(channel, output):
            for into in unit.i:  # which have the same payload
                ctx.set(into.payload.data, parameters.header.pack([output], 0))
            ctx.set(unit.i[channel].valid, 1)
            assert ctx.get(unit.i[channel].ready)
            await ctx.tick()
            ctx.set(unit.i[channel].valid, 0)

        assert ctx.get(unit.allocator.waits) == 0
        await enter(0, 1)
        assert ctx.get(unit.allocator.waits) == 0b10
        await enter(1, 0)
        assert ctx.get(unit.allocator.waits) == 0b11

    simulate(unit, testbench)


FAULTS = {
    "a header that others are reserved for": (BidState, "anybody.eq(ready & ~allocator.reserved)", "anybody.eq(ready)", {}),
    "not in its turn": (BidState, "own.eq(ready & allocator.named)", "own.eq(ready)", {}),
    "a header behind its packet": (ChannelInput, "Mux(self.allocator.last, ~reserves,", "Mux(self.allocator.last, 1,", {}),
    "a header that arrives": (ChannelInput, "~bid.continues & ~reserves", "~bid.continues", {}),
    "a packet that keeps its output": (ChannelInput, "& ~awaited", "", {"patience": PATIENCE + 1, "buffer_depth": 8}),
    "none for itself": (InputChannel, "self.ready | self.own & self.urgent.replicate(size)", "self.ready", {"patience": PATIENCE}),
    "others not held back": (ChannelInput, "held.eq(~self.urgent", "held.eq(0 & ~self.urgent", {"patience": PATIENCE}),
    "others not held back from its bid": (ChannelInput, "could |= bid.keeps &", "could |= 0 &", {"patience": PATIENCE}),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(monkeypatch, fault):
    part, line, instead, options = FAULTS[fault]
    plant(monkeypatch, part, line, instead)
    assert checked(depth=20, **options).frame is not None
