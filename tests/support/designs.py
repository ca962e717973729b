"""Designs whose cells are counted by hand."""

import sys

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import memory, stream, wiring
from amaranth.lib.wiring import In, Out


class Combinational(wiring.Component):
    """Output ``o``, a function of inputs ``a`` and ``b``."""

    def __init__(self, width, function, *, output_width=None):
        self._function = function
        super().__init__({"a": In(width), "b": In(width), "o": Out(output_width or width)})

    def elaborate(self, platform):
        m = Module()
        m.d.comb += self.o.eq(self._function(self.a, self.b))
        return m


class RegisteredAdder(wiring.Component):
    a: In(8)
    b: In(8)
    o: Out(8)

    def elaborate(self, platform):
        m = Module()
        m.d.sync += self.o.eq(self.a + self.b)
        return m


class Storage(wiring.Component):
    """A memory of ``depth`` words that is read in the same cycle or in the next."""

    def __init__(self, width, depth, *, registered=False):
        self._width, self._depth, self._registered = width, depth, registered
        address = range(depth)
        super().__init__(
            {"write": In(1), "at": In(address), "data": In(width), "read_at": In(address), "o": Out(width)}
        )

    def elaborate(self, platform):
        m = Module()
        # no_rw_check: or Yosys adds logic to a block RAM for a word that is written and read at once.
        m.submodules.memory = words = memory.Memory(
            shape=self._width, depth=self._depth, init=[], attrs={"no_rw_check": 1}
        )
        write = words.write_port()
        read = words.read_port(domain="comb")
        m.d.comb += [
            write.en.eq(self.write),
            write.addr.eq(self.at),
            write.data.eq(self.data),
            read.addr.eq(self.read_at),
        ]
        if self._registered:
            register = Signal(self._width, reset_less=True)
            m.d.sync += register.eq(read.data)
            m.d.comb += self.o.eq(register)
        else:
            m.d.comb += self.o.eq(read.data)
        return m


class Together(wiring.Component):
    """Designs beside each other, without a common input: what it is made of is what they are made of."""

    def __init__(self, *parts):
        self._parts = {f"part{number}": part for number, part in enumerate(parts)}
        super().__init__({name: Out(part.signature) for name, part in self._parts.items()})

    def elaborate(self, platform):
        m = Module()
        for name, part in self._parts.items():
            m.submodules[name] = part
            wiring.connect(m, wiring.flipped(getattr(self, name)), part)
        return m


class Everything(wiring.Component):
    """One of each kind of cell, with ports of each kind: nested, of a flow turned round, in an array."""

    i: In(stream.Signature(4))
    o: Out(stream.Signature(8))
    more: In(4).array(2)

    def elaborate(self, platform):
        m = Module()
        m.submodules.storage = storage = Storage(8, 16)
        m.d.comb += [
            storage.write.eq(self.i.valid),
            storage.at.eq(self.i.payload),
            storage.data.eq(Cat(*self.more)),
            storage.read_at.eq(self.i.payload),
            self.i.ready.eq(~self.o.ready),
        ]
        m.d.sync += [self.o.payload.eq(storage.o + Cat(*self.more)), self.o.valid.eq(self.i.valid)]
        return m


class Path(wiring.Component):
    """A path of ``depth`` steps, of which no LUT can hold two."""

    a: In(8)
    o: Out(8)

    def __init__(self, depth):
        self._depth = depth
        super().__init__()

    def elaborate(self, platform):
        m = Module()
        value = self.a
        for step in range(self._depth):
            mixed = Signal(8, name=f"step{step}")
            m.d.comb += mixed.eq(value ^ (value.rotate_left(1) & value.rotate_left(3)) ^ value.rotate_left(4))
            value = mixed
        m.d.comb += self.o.eq(value)
        return m


def without_tools(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/no/such/program")
