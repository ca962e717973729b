"""Digests of netlists that names and hierarchy do not change, and that any other change does."""

from amaranth.hdl import Const, Module, Signal
from amaranth.lib import memory, wiring
from amaranth.lib.wiring import In, Out
import pytest

from fatcube.noc.shared import Shared
from tests.support.canonical import Canonical, canonical_digest


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
    """The module as a part of another module."""

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


class Words(wiring.Component):
    """Reads a memory at a running address, through a copy of a counter."""

    def __init__(self, *, init=(1, 2, 3), reads=1, crossed=False, **counter):
        self.init, self.reads, self.crossed = init, reads, crossed
        self.counter = Shared(Counter(**counter), "counter")
        super().__init__({"enable": In(1), "other": In(1), "o": Out(8)})

    def elaborate(self, platform):
        m = Module()
        m.submodules.words = words = memory.Memory(shape=8, depth=256, init=self.init)
        m.submodules.counter = counter = self.counter.copy()
        read = words.read_port()
        one, other = (self.other, self.enable) if self.crossed else (self.enable, self.other)
        m.d.comb += [
            counter.enable.eq(one),
            counter.other.eq(other),
            read.addr.eq(counter.o),
            read.en.eq(Const(self.reads)),
            self.o.eq(read.data),
        ]
        return m

    def shared(self):
        return Shared(self, "words", uses=[self.counter])


@pytest.fixture(scope="module")
def words():
    return canonical_digest(Words().shared())


def test_names_within_a_copied_module_do_not_count(words):
    assert canonical_digest(Words(name="other_name").shared()) == words


@pytest.mark.parametrize(
    "change", [{"init": (1, 2, 4)}, {"reads": 0}, {"crossed": True}, {"step": 3}, {"start": 2}], ids=str
)
def test_whatever_changes_in_memories_copies_and_their_wires_counts(words, change):
    """Catches a digest without contents of memories, constants at them, ports of copies, or what copies are of."""
    assert canonical_digest(Words(**change).shared()) != words


def kept(component):
    text = Shared(Within(component), "top").modules()
    return Canonical().of_modules(text, ["setattr -mod -set keep_hierarchy 1 top.inner"])["top"]


def test_that_a_module_is_mapped_on_its_own_counts_and_names_of_its_ports_do_not(plain):
    """A module that synthesis keeps has another area than the same that is flattened."""
    found = kept(Counter())
    assert found == kept(Counter(name="other_name")) != plain
    assert found != kept(Counter(step=3))


def test_a_module_that_was_proved_equivalent_counts_as_the_other(words):
    other = Words(step=3).shared()
    equivalent = {digest(Counter(step=3)): digest(Counter())}
    assert Canonical(equivalent=equivalent).of_modules(other.modules())["words"] == words
