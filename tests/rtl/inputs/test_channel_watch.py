"""The watch over channels that are passed over, proved: whom it holds back, and for whom."""

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Elaboratable, Module, Signal
import pytest

from groundwork.validation import ParameterError
from rtl.inputs.channel_watch import ChannelWatch
from tests.support.planted import plant
from tests.support.prove import Outcome, prove

PERIOD = 4


class WatchHarness(Elaboratable):
    """A watch, with anything at its inputs.

    Assumed is that only one channel sends a flit in a cycle, and one that has one. Asserted is

    - one channel at least is not held back, so that no input stands still;
    - who is held back is so for a channel that could send in the cycle before, and did not;
    - with ``patience``: of so many cycles in which a channel could have sent, and did not, the others are held back in one.
    """

    def __init__(self, channels=2, patience=None):
        self.watch = ChannelWatch(channels, period=PERIOD)
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
        m.submodules.watch = watch = self.watch
        count = len(self.waits)
        m.d.comb += [
            watch.waits.eq(self.waits),
            watch.could.eq(self.could),
            watch.leaves.eq(self.leaves),
            Assume(((self.could | self.leaves) & ~self.waits) == 0),
            Assume((self.leaves & (self.leaves - 1)[:count]) == 0),
        ]
        before = Signal(count)
        m.d.sync += before.eq(self.could & ~self.leaves)
        right = [~watch.held.all(), ~watch.held.any() | (before & ~watch.held).any()]
        if self.patience:
            right = []
            for number in range(count):
                age = Signal(range(self.patience + 1), name=f"age{number}")
                others = Cat(watch.held[other] for other in range(count) if other != number)
                with m.If(~self.could[number] | self.leaves[number] | others.all()):
                    m.d.sync += age.eq(0)
                with m.Elif(age != self.patience):
                    m.d.sync += age.eq(age + 1)
                right.append(age != self.patience)
        m.d.comb += Assert(Cat(right).all())
        return m


def checked(*, depth=None, **options):
    harness = WatchHarness(**options)
    return prove(harness, ports=harness.ports, depth=depth)


def longest_wait(channels):
    """It may have been watched just now, the others are for two periods each; then it is for one, and a cycle more."""
    return 2 * channels * PERIOD + 2


@pytest.mark.parametrize("channels", [2, pytest.param(3, marks=pytest.mark.prove)])
def test_held_back_for_one_that_could_send(channels):
    assert checked(channels=channels) == Outcome(True)


def test_who_waits_is_seen():
    """Whatever the other channel does; catches a channel that is never watched. A shorter time fails."""
    assert checked(patience=longest_wait(2)) == Outcome(True)
    assert checked(patience=2 * PERIOD - 2, depth=16).frame is not None


@pytest.mark.parametrize(
    ("line", "instead", "options"),
    [
        ("(watched & self.could).any()", "1", {}),
        ("~watched & (tired", "(tired", {}),
        ("tired & ~rests &", "", {}),
        ("m.d.sync += tired.eq(1)", "pass", {"patience": longest_wait(2)}),
        ("watched.rotate_left(1)", "watched", {"patience": longest_wait(2)}),
    ],
    ids=["for one that cannot send", "all", "for one that has sent", "never tired", "always the same"],
)
def test_a_fault_is_found(monkeypatch, line, instead, options):
    plant(monkeypatch, ChannelWatch, line, instead)
    assert checked(depth=30, **options).frame is not None


def test_refused():
    with pytest.raises(ParameterError, match="channels must be an integer of at least 2, not 1"):
        ChannelWatch(1)
