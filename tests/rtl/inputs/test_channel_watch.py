"""The watch over channels that are passed over, proved: which is urgent, and when."""

from amaranth.hdl import Assert, Cat, ClockDomain, Elaboratable, Module, Signal
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.inputs.channel_watch import ChannelWatch
from tests.support.planted import plant
from tests.support.prove import Outcome, prove

PATIENCE = 4


class WatchHarness(Elaboratable):
    """A watch, with anything at its inputs. Asserted is

    - an urgent channel has had flits, and sent none, for ``PATIENCE`` cycles, up to this cycle or one of the two before;
    - with ``bound``: no channel has flits, and sends none, for so many cycles without being urgent in one of them.
    """

    def __init__(self, channels=(1, 2), bound=None):
        self.watch = ChannelWatch(channels, patience=PATIENCE)
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
        right = []
        for number in range(len(self.idle)):
            rests = self.left[number] | self.idle[number]
            if self.bound:
                right.append(_cycles(m, ~rests & ~urgent[number], self.bound) != self.bound)
                continue
            waited, before, long_before = _cycles(m, ~rests, PATIENCE) == PATIENCE, Signal(), Signal()
            m.d.sync += [before.eq(waited), long_before.eq(before)]
            right.append(~urgent[number] | waited | before | long_before)
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


#: It begins to wait just behind a look, waits for two others, and is urgent two cycles after the second.
LONGEST = 2 * PATIENCE + 2


@pytest.mark.parametrize("channels", [(1, 2), (2, 2), (1,)])
def test_one_that_waits_is_urgent(channels):
    assert checked(channels=channels) == Outcome(True)


@pytest.mark.parametrize("channels", [(1, 2), (2, 2), (1,)])
def test_who_waits_becomes_urgent(channels):
    """Whatever the other channels do; catches a channel that no look is at. A shorter time fails."""
    assert checked(channels=channels, bound=LONGEST) == Outcome(True)
    assert checked(channels=channels, bound=LONGEST - 1, depth=30).frame is not None


@pytest.mark.parametrize(
    ("line", "instead", "options"),
    [
        ("waited.eq(waited & ~(left | idle))", "waited.eq(waited & ~left)", {}),
        ("waited.eq(waited & ~(left | idle))", "waited.eq(waited & ~idle)", {}),
        ("urgent.eq(urgent & ~(left | idle))", "urgent.eq(urgent)", {}),
        ("urgent.eq((urgent | waited) & ~(left | idle))", "urgent.eq(~(left | idle))", {}),
        ("urgent.eq((urgent | waited) & ~(left | idle))", "urgent.eq(urgent & waited)", {"bound": LONGEST}),
        ("looks.eq(time.all())", "looks.eq(0)", {"bound": LONGEST}),
    ],
    ids=["though it sent", "though idle", "for ever", "too soon", "never", "no look"],
)
def test_a_fault_is_found(monkeypatch, line, instead, options):
    plant(monkeypatch, ChannelWatch, line, instead)
    assert checked(depth=30, **options).frame is not None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"channels": [1, 0], "patience": 2}, "channels must be an integer of at least 1, not 0"),
        ({"channels": [1], "patience": 3}, "patience must be a power of two, not 3"),
        ({"channels": [1], "patience": 1}, "patience must be an integer of at least 2, not 1"),
    ],
)
def test_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        ChannelWatch(**options)
