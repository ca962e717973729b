"""Digests of netlists that names and hierarchy do not change, and that any other change does."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
import pytest

from noc.shared import Shared
from tests.support.canonical import canonical_digest


class Counter(wiring.Component):
    """Counts by a step while it is enabled; ``name`` is that of its register."""

    def __init__(self, *, name="count", start=3, step=1, swapped=False, late=False):
        self.name, self.start, self.step, self.swapped, self.late = name, start, step, swapped, late
        super().__init__({"enable": In(1), "other": In(1), "o": Out(8)})

    def elaborate(self, platform):
        m = Module()
        count = Signal(8, init=self.start, name=self.name)
        enable, other = (self.other, self.enable) if self.swapped else (self.enable, self.other)
        with m.If(enable & ~other):
            m.d.sync += count.eq(count + self.step)
        m.d["sync" if self.late else "comb"] += self.o.eq(count)
        return m


class Within(wiring.Component):
    """The same as a part of another module."""

    def __init__(self, part):
        self.part = part
        super().__init__(part.signature)

    def elaborate(self, platform):
        m = Module()
        m.submodules.inner = self.part
        wiring.connect(m, wiring.flipped(self), self.part)
        return m


def digest(component):
    return canonical_digest(Shared(component, "top"))


@pytest.fixture(scope="module")
def plain():
    return digest(Counter())


@pytest.mark.parametrize("make", [Counter, lambda: Counter(name="other_name"), lambda: Within(Counter(name="deep"))])
def test_names_and_hierarchy_do_not_count(plain, make):
    assert digest(make()) == plain


@pytest.mark.parametrize("change", [{"start": 2}, {"step": 3}, {"swapped": True}, {"late": True}], ids=str)
def test_whatever_else_changes_counts(plain, change):
    """Catches a digest without initial values, constants, the order of inputs, or registers."""
    assert digest(Counter(**change)) != plain
