"""The watch over channels that are passed over, proved: whom it holds back, for whom, and when a channel is urgent."""

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Elaboratable, Module, Signal
import pytest

from groundwork.validation import ParameterError
from rtl.inputs.channel_watch import ChannelWatch
from rtl.inputs.watch_timer import WatchTimer
from tests.support.planted import plant
from tests.support.prove import Outcome, prove

PERIOD = 4


class WatchHarness(Elaboratable):
    """A watch and its timer, with anything at the inputs of the watch.

    Assumed is that only one channel sends a flit in a cycle, and one that has one. Asserted is

    - one channel at least is not held back, so that no input stands still;
    - who is held back is so for an urgent channel that could send in the cycle before;
    - who is urgent has a flit, if one did not just enter or leave, and has sent none for a period.
    - with ``patience``: no channel has a flit, and sends none, for so many cycles without being urgent.
    """

    def __init__(self, channels=2, patience=None, most=None):
        self.watch = ChannelWatch(channels)
        self.timer = WatchTimer(most or channels, period=PERIOD)
        self.patience = patience
        self.sync = ClockDomain("sync", reset_less=True)
        self.waits, self.could, self.leaves = (Signal(channels) for _ in range(3))

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, self.waits, self.could, self.leaves]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.watch, m.submodules.timer = watch, timer = self.watch, self.timer
        count = len(self.waits)
        m.d.comb += [
            watch.watched.eq(timer.watched),
            watch.tick.eq(timer.tick),
            watch.waits.eq(self.waits),
            watch.could.eq(self.could),
            watch.leaves.eq(self.leaves),
            Assume(((self.could | self.leaves) & ~self.waits) == 0),
            Assume((self.leaves & (self.leaves - 1)[:count]) == 0),
        ]
        could, waited = Signal(count), Signal(count)
        m.d.sync += [could.eq(self.could & watch.urgent), waited.eq(self.waits & ~self.leaves)]
        right = [~watch.held.all(), ~watch.held.any() | (could & ~watch.held).any(), (watch.urgent & ~waited) == 0]
        for number in range(count):
            age = Signal(range((self.patience or PERIOD) + 1), name=f"age{number}")
            with m.If(~self.waits[number] | self.leaves[number]):
                m.d.sync += age.eq(0)
            with m.Elif(age != (self.patience or PERIOD)):
                m.d.sync += age.eq(age + 1)
            right.append(
                watch.urgent[number] | (age != self.patience)
                if self.patience
                else ~watch.urgent[number] | (age >= PERIOD)
            )
        m.d.comb += Assert(Cat(right).all())
        return m


def checked(*, depth=None, **options):
    harness = WatchHarness(**options)
    return prove(harness, ports=harness.ports, depth=depth)


def longest_wait(channels):
    """It may have been watched just now, for all of a period but a cycle; then the others are, and it is."""
    return (channels + 1) * PERIOD - 1


@pytest.mark.parametrize("options", [{}, {"most": 4}, pytest.param({"channels": 3}, marks=pytest.mark.prove)], ids=str)
def test_held_back_for_one_that_could_send(options):
    assert checked(**options) == Outcome(True)


@pytest.mark.parametrize("channels", [2, 3])
def test_who_waits_becomes_urgent(channels):
    """Whatever the other channels do; catches a channel that is never watched. A shorter time fails."""
    assert checked(channels=channels, patience=longest_wait(channels)) == Outcome(True)
    assert checked(channels=channels, patience=longest_wait(channels) - 1, depth=20).frame is not None
    assert checked(channels=2, most=channels, patience=longest_wait(channels)) == Outcome(True)


@pytest.mark.parametrize(
    ("part", "line", "instead", "options"),
    [
        (ChannelWatch, "(self.urgent & self.could).any()", "self.urgent.any()", {}),
        (ChannelWatch, "~self.urgent & (self", "(self", {}),
        (ChannelWatch, "& waiting),", "& self.waits),", {}),
        (ChannelWatch, "self.tick & ~content)", "~content)", {}),
        (ChannelWatch, "~self.tick & (content", "(content", {"patience": longest_wait(2)}),
        (ChannelWatch, "self.urgent | self.watched & ", "self.watched & ", {"patience": longest_wait(2)}),
        (WatchTimer, "self.watched.rotate_left(1)", "self.watched", {"patience": longest_wait(2)}),
        (WatchTimer, "with m.If(self.tick):", "with m.If(1):", {}),
    ],
    ids=[
        "for one that cannot send",
        "all",
        "urgent after it has sent",
        "urgent at once",
        "content for ever",
        "urgent for a period",
        "always the same",
        "another in each cycle",
    ],
)
def test_a_fault_is_found(monkeypatch, part, line, instead, options):
    plant(monkeypatch, part, line, instead)
    assert checked(depth=30, **options).frame is not None


@pytest.mark.parametrize("part", [ChannelWatch, WatchTimer])
def test_refused(part):
    with pytest.raises(ParameterError, match="channels must be an integer of at least 2, not 1"):
        part(1)
