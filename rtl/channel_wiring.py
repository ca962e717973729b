"""A router with virtual channels: its units, wired."""

from typing import Any

from amaranth.hdl import Cat, Module
from amaranth.lib import wiring

from fatcube.rtl.channel_units import ChannelUnits
from fatcube.rtl.crossbar import Crossbar
from fatcube.rtl.inputs.channel_input import ChannelInput
from fatcube.rtl.ports import inputs_of, outputs_of
from fatcube.rtl.router_counters import COUNTERS
from fatcube.rtl.router_parameters import RouterParameters

__all__ = ["wire_channels"]


_TO_ALLOCATOR = ("bid", "head", "last", "sure", "channel", "waits", "passed", "due")
_FROM_ALLOCATOR = ("won", "given", "more", "plenty", "ready", "shut", "stays", "reserved")
_ROOM = {"room": "room", "another": "more", "rich": "plenty", "whole": "whole"}
"""What is said of the room of an output, as the allocator names it and as the output does."""


def wire_channels(m: Module, router: Any, parameters: RouterParameters) -> None:
    """Add the units of a router to its module, and wire them to its ports."""
    units, options = ChannelUnits(parameters), parameters.options
    m.submodules.allocator = allocator = units.allocator()
    m.submodules.crossbar = crossbar = Crossbar(options.width, len(units.sources), allocator.sources)
    m.submodules.watch = watch = units.watch()
    errors = []
    inputs: list[ChannelInput] = []
    ports = inputs_of(router)
    for source, number in enumerate(units.sources):
        m.submodules[f"feed{number}"] = feed = units.feed(number)
        m.submodules[f"input{number}"] = unit = units.input(source)
        inputs.append(unit)
        enter = feed.i
        if (gate := units.gate(number)) is not None:
            m.submodules[f"gate{number}"] = gate
            wiring.connect(m, gate.o, enter)
            m.d.comb += gate.left.eq(unit.left)
            enter = gate.i
        if (guard := units.guard(number)) is not None:
            m.submodules[f"guard{number}"] = guard
            wiring.connect(m, guard.o, enter)
            m.d.comb += guard.legal.eq(unit.legal)
            errors.append(guard.error)
            enter = guard.i
        wiring.connect(m, wiring.flipped(ports[number]), enter)
        for channel, stream in enumerate(feed.o):
            wiring.connect(m, stream, unit.i[channel])
        m.d.comb += [
            feed.idle.eq(unit.idle),
            feed.left.eq(unit.left),
            unit.routes.eq(router.routes),
            watch.port("left", source).eq(unit.left),
            watch.port("idle", source).eq(unit.idle),
            unit.urgent.eq(watch.port("urgent", source)),
            crossbar.i[source].eq(unit.flit.data),
            *(allocator.port(name, source).eq(getattr(unit, name)) for name in _TO_ALLOCATOR),
            *(getattr(unit, name).eq(allocator.port(name, source)) for name in _FROM_ALLOCATOR),
        ]
        errors.append(unit.error)

    m.submodules.counters = counters = units.counters(len(errors))
    ports = outputs_of(router)
    for index, number in enumerate(parameters.outputs):
        m.submodules[f"output{number}"] = unit = units.output(number)
        grant, sources = allocator.port("grant", index), allocator.sources[index]
        m.d.comb += [
            crossbar.select(index).eq(allocator.port("select", index)),
            unit.flit.data.eq(crossbar.o[index]),
            unit.flit.last.eq((grant & Cat(inputs[source].last for source in sources)).any()),
            unit.offer.eq(allocator.port("offer", index)),
            unit.channel.eq(allocator.port("out", index)),
            unit.wanted.eq(allocator.port("wanted", index)),
            unit.holds.eq(allocator.port("holds", index)),
            allocator.port("open", index).eq(unit.open),
            allocator.port("begins", index).eq(unit.begins),
            allocator.port("soon", index).eq(unit.soon),
            *(allocator.port(name, index).eq(getattr(unit, there)) for name, there in _ROOM.items()),
            counters.sent[index].eq(unit.sent),
        ]
        for source in sources:
            m.d.comb += inputs[source].room(units.outputs(source).index(index)).eq(unit.room)
        leaving = unit.o
        for stage, register in enumerate(units.registers(number)):
            m.submodules[f"register{number}_{stage}"] = register
            wiring.connect(m, leaving, register.i)
            leaving = register.o
        wiring.connect(m, leaving, wiring.flipped(ports[number]))
    m.d.comb += [
        counters.conflict.eq(allocator.conflict),
        router.error.eq(counters.error),
        *(getattr(router, name).eq(getattr(counters, name)) for name in COUNTERS),
        *(one.eq(error) for one, error in zip(counters.errors, errors, strict=True)),
    ]
