"""The watch over channels that are passed over, proved: which is urgent, and when."""

from amaranth.hdl import Assert, Cat, ClockDomain, Elaboratable, Module, Signal
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.inputs.channel_watch import ChannelWatch
from tests.support.planted import plant
from tests.support.prove import Outcome, prove

PATIENCE, LONGEST = 2, 4


class WatchHarness(Elaboratable):
    """A watch, with anything at its inputs. Asserted is

    - one channel at most is urgent, and not for more than ``LONGEST`` cycles;
    - it has had flits, and sent none, for ``PATIENCE`` cycles, up to this cycle or one of the two before;
    - with ``bound``: no channel has flits, and sends none, for so many cycles without being urgent in one of them.
    """

    def __init__(self, channels=(1, 2), bound=None):
        self.watch = ChannelWatch(channels, patience=PATIENCE, longest=LONGEST)
        self.bound = bound
        self.sync = ClockDomain("sync", reset_less=True)
        self.left, self.idle = Signal(sum(channels)), Signal(sum(channels))

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, self.left, self.idle]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.watch = watch = self.watch
        inputs = range(len(watch.channels))
        urgent = Cat(watch.port("urgent", number) for number in inputs)
        m.d.comb += [
            Cat(watch.port("left", number) for number in inputs).eq(self.left),
            Cat(watch.port("idle", number) for number in inputs).eq(self.idle),
        ]
        right = [(urgent & (urgent - 1)[: len(urgent)]) == 0]
        for number in range(len(self.idle)):
            rests = self.left[number] | self.idle[number]
            if self.bound:
                right.append(_cycles(m, ~rests & ~urgent[number], self.bound) != self.bound)
                continue
            waited, before, long_before = _cycles(m, ~rests, PATIENCE) == PATIENCE, Signal(), Signal()
            m.d.sync += [before.eq(waited), long_before.eq(before)]
            right += [
                ~urgent[number] | waited | before | long_before,
                _cycles(m, urgent[number], LONGEST) != LONGEST,
            ]
        m.d.comb += Assert(Cat(right).all())
        return m


def _cycles(m, condition, most):
    """How many cycles before this one a condition has held without a break, up to ``most``."""
    count = Signal(range(most + 1))
    with m.If(~condition):
        m.d.sync += count.eq(0)
    with m.Elif(count != most):
        m.d.sync += count.eq(count + 1)
    return count


def checked(*, depth=None, merged=False, **options):
    harness = WatchHarness(**options)
    return prove(harness, ports=harness.ports, depth=depth, merged=merged)


def longest_wait(channels):
    """The others are watched, all for as long as can be; it may have rested when it was watched itself."""
    return (channels - 1) * LONGEST + PATIENCE + 3


@pytest.mark.parametrize("channels", [(1, 2), (2, 2), (1,)])
def test_one_that_waits_is_urgent(channels):
    assert checked(channels=channels) == Outcome(True)


@pytest.mark.parametrize("channels", [(1, 2), (2, 2), (1,)])
def test_who_waits_becomes_urgent(channels):
    """Whatever the other channels do; catches a channel that is never watched. A shorter time fails."""
    assert checked(channels=channels, bound=longest_wait(sum(channels))) == Outcome(True)
    assert checked(channels=channels, bound=longest_wait(sum(channels)) - 1, depth=30).frame is not None


@pytest.mark.parametrize(
    ("line", "instead", "options"),
    [
        ("(watched & (left | idle)).any()", "(watched & left).any()", {}),
        ("(watched & (left | idle)).any()", "(watched & idle).any()", {}),
        ("tired.eq(~moves & ", "tired.eq(", {}),
        ("(time >= self.patience)", "(time >= self.patience - 1)", {}),
        ("rests | time.all()", "rests", {"bound": longest_wait(3)}),
        ("rests.eq(~moves & ", "rests.eq(", {"bound": longest_wait(3)}),
        ("watched.rotate_left(1)", "watched", {"bound": longest_wait(3)}),
    ],
    ids=[
        "though idle",
        "though it sent",
        "the next one",
        "too soon",
        "for ever",
        "one is passed over",
        "always the same",
    ],
)
def test_a_fault_is_found(monkeypatch, line, instead, options):
    plant(monkeypatch, ChannelWatch, line, instead)
    assert checked(depth=30, **options).frame is not None
    if line == "watched.rotate_left(1)":  # Merging what agrees hides nothing.
        assert checked(merged=True, **options).frame is not None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"channels": [1, 0]}, "channels must be an integer of at least 1, not 0"),
        ({"channels": [1], "patience": 3}, "patience must be a power of two, not 3"),
        ({"channels": [1], "patience": 8, "longest": 8}, "longest must be an integer of at least 16, not 8"),
    ],
)
def test_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        ChannelWatch(**options)
