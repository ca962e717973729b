"""Random units of all statements and operators: what is written of each is proved to do what Amaranth says."""

import random

from amaranth.hdl import Array, Cat, Const, Module, Mux, Signal, signed
from amaranth.lib import memory, wiring
from amaranth.lib.wiring import In, Out
import pytest

from fatcube.noc.shared import Shared
from tests.support.cases import some
from tests.support.equivalence import prove_equivalent
from tests.support.written_verilog import written_modules


class Drawn(wiring.Component):
    """A unit drawn from a seed: values of all operators, decisions within decisions, and a unit of the same kind in it."""

    def __init__(self, seed, *, inner=True):
        self.seed, self.inner = seed, inner
        super().__init__(
            {"a": In(4), "b": In(signed(5)), "c": In(1), "d": In(9), "x": Out(7), "y": Out(signed(6)), "z": Out(5)}
        )

    def elaborate(self, platform):
        m = Module()
        choose = random.Random(self.seed)
        known = [self.a, self.b, self.c, self.d]
        if self.inner:
            m.submodules.inner = inner = Drawn(self.seed + 1_000_000, inner=False)
            m.d.comb += [getattr(inner, name).eq(value(choose, known)) for name in ("a", "b", "c", "d")]
            known += [inner.x, inner.y, inner.z]
        registers = [
            Signal(shape, name=f"register{n}", init=n, reset_less=n == 2)
            for n, shape in enumerate((3, signed(4), 6, 8))
        ]
        known += registers
        if self.inner:
            known.append(remembered(m, choose, known))
        for number in range(6):
            wire = Signal(choose.choice((1, 3, 6, signed(5))), name=f"wire{number}", init=choose.choice((0, 1)))
            statements(m, m.d.comb, choose, [wire], known, 2)
            known.append(wire)
        shared = value(choose, known)
        known += [shared, shared]
        statements(m, m.d.sync, choose, [*registers[:3], registers[3][2:7]], known, 3)
        m.d.comb += registers[3][:2].eq(value(choose, known[:4]))
        outputs = [self.x, self.y, self.z]
        statements(m, m.d.comb, choose, outputs, known, 3)
        return m


def remembered(m, choose, known):
    """The read data of a memory with one write port."""
    kind = choose.randrange(3)
    m.submodules.words = words = memory.Memory(shape=6, depth=4, init=choose.choice(([], [1, 2, 3])))
    write = words.write_port(granularity=choose.choice((None, 3)))
    read = words.read_port(domain="comb") if kind == 0 else words.read_port(transparent_for=[write] * (kind == 1))
    m.d.comb += [port.addr.eq(value(choose, known, 1)) for port in (write, read)]
    m.d.comb += [write.data.eq(value(choose, known, 1)), write.en.eq(value(choose, known, 1))]
    if kind == 0:
        return read.data
    if kind == 2:
        m.d.comb += read.en.eq(value(choose, known, 1))
    read_once = Signal(reset_less=True)  # The port of a clock has no initial value.
    with m.If(read.en):
        m.d.sync += read_once.eq(1)
    return Mux(read_once, read.data, 0)


def value(choose, known, depth=3):
    """A value of all kinds, made of known ones."""
    one = choose.choice(known)
    if depth == 0 or choose.random() < 0.15:
        return (
            one
            if choose.random() < 0.85
            else Const(choose.randrange(-4, 9), choose.choice((1, 3, 4, signed(4), signed(6))))
        )

    def inner():
        return value(choose, known, depth - 1)

    match choose.randrange(17):
        case 0:
            return inner() + inner()
        case 1:
            return inner() - inner()
        case 2:
            return inner() & inner()
        case 3:
            return inner() | inner()
        case 4:
            return inner() ^ inner()
        case 5:
            return ~inner()
        case 6:
            return -inner()
        case 7:
            left, right = inner(), inner()
            return choose.choice(
                (left == right, left != right, left < right, left <= right, left > right, left >= right)
            )
        case 8:
            return choose.choice((inner().any(), inner().all(), inner().xor(), inner().bool()))
        case 9:
            return Mux(inner(), inner(), inner())
        case 10:
            return Cat(inner(), inner())
        case 11:
            whole = inner()
            start = choose.randrange(len(whole))
            return whole[start : choose.randrange(start, len(whole)) + 1]
        case 12:
            return Array([inner() for _ in range(choose.randrange(1, 5))])[one]
        case 13:
            return inner() << one[:2]
        case 14:
            return inner().as_unsigned() >> one[:3]
        case 15:
            return choose.choice((inner().as_signed(), inner().as_unsigned(), inner().replicate(2)))
        case _:
            # Of signed values, Amaranth's own backends do not agree on bits above the highest one.
            whole = inner().as_unsigned()
            return choose.choice((whole.bit_select(one[:3], 2), whole.word_select(one[:2], 2)))


def target(choose, signal, known):
    """A whole signal, a part of it, one at a variable place, or an element of an array."""
    match choose.randrange(6):
        case 0:
            return signal[: max(1, len(signal) // 2)]
        case 1:
            return signal[len(signal) // 2 :]
        case 2:
            return signal.bit_select(choose.choice(known)[:2], 2) if len(signal) > 2 else signal
        case 3:
            return signal.word_select(choose.choice(known)[:2], 2) if len(signal) > 2 else signal
    return signal


def statements(m, domain, choose, signals, known, depth):
    """Assignments to ``signals``, and decisions around them."""
    for _ in range(choose.randrange(1, 4)):
        match choose.randrange(4) if depth else 0:
            case 1:
                with m.If(value(choose, known)):
                    statements(m, domain, choose, signals, known, depth - 1)
                if choose.random() < 0.5:
                    with m.Elif(value(choose, known)):
                        statements(m, domain, choose, signals, known, depth - 1)
                if choose.random() < 0.7:
                    with m.Else():
                        statements(m, domain, choose, signals, known, depth - 1)
            case 2:
                test = choose.choice(known)[:2]
                with m.Switch(test):
                    for pattern in choose.sample(["00", "01", "1-", "-1"] if len(test) == 2 else ["0", "1"], 2):
                        with m.Case(pattern):
                            statements(m, domain, choose, signals, known, depth - 1)
                    if choose.random() < 0.5:
                        with m.Default():
                            statements(m, domain, choose, signals, known, depth - 1)
            case _:
                if len(signals) > 1 and choose.random() < 0.15:
                    domain += Cat(signals).eq(value(choose, known))
                elif len(signals) > 1 and choose.random() < 0.15:
                    domain += Array(signals)[choose.choice(known)].eq(value(choose, known))
                else:
                    domain += target(choose, choose.choice(signals), known).eq(value(choose, known))


# Those of every day are proved within a second.
@pytest.mark.parametrize("seed", some(range(100), (22, 32, 49)))
def test_a_random_unit(seed):
    """Catches an expression of another width or sign, a decision that is lost, and bits that something else drives."""
    shared = Shared(Drawn(seed), "drawn")
    proof = prove_equivalent("drawn", shared.modules(), written_modules(shared), {}, mapped=True)
    assert "are equal in every cycle" in proof
