"""prototype"""
from amaranth.hdl import Module, Mux, Signal, Cat
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out
from rtl.allocators.allocator import Allocator
from rtl.buffer import TwoFlitBuffer, RegisterBuffer
from rtl.crossbar import Crossbar
from rtl.flit import FlitStream
import os


class Merge(wiring.Component):
    def __init__(self, width, groups, arbiter):
        self.width, self.groups, self.arbiter = width, groups, arbiter
        super().__init__({"i": In(FlitStream(width)).array(groups), "o": Out(FlitStream(width)), "conflict": Out(1), "fresh": In(groups)})

    def elaborate(self, platform):
        m = Module()
        m.submodules.allocator = allocator = Allocator([[0]] * self.groups, 1, arbiter=self.arbiter, stages=2)
        m.submodules.crossbar = crossbar = Crossbar(self.width, self.groups, allocator.sources)
        lasts = []
        for number in range(self.groups):
            buffer = RegisterBuffer(self.width, 2) if os.environ.get("REGS") else TwoFlitBuffer(self.width, 0)
            m.submodules[f"buffer{number}"] = buffer
            wiring.connect(m, wiring.flipped(self.i[number]), buffer.i)
            begins, header = Signal(init=1, name=f"begins{number}"), Signal(name=f"header{number}")
            with m.If(buffer.free):
                m.d.sync += [header.eq(begins & buffer.arriving), begins.eq(Mux(buffer.arriving, buffer.loading.last, begins))]
            m.d.comb += [
                allocator.port("valid", number).eq(buffer.o.valid),
                allocator.port("last", number).eq(buffer.o.payload.last),
                allocator.port("requests", number).eq(header | self.fresh[number] & ~buffer.o.valid),
                buffer.o.ready.eq(allocator.port("advance", number)),
                crossbar.i[number].eq(buffer.o.payload.data),
            ]
            lasts.append(buffer.o.payload.last)
        m.d.comb += [
            crossbar.select(0).eq(allocator.port("select", 0)),
            self.o.payload.data.eq(crossbar.o[0]),
            self.o.payload.last.eq((allocator.port("grant", 0) & Cat(lasts)).any()),
            self.o.valid.eq(allocator.port("offer", 0)),
            allocator.port("ready", 0).eq(self.o.ready),
            self.conflict.eq(allocator.conflict),
        ]
        return m
