"""Registers around a device, so that every path through it starts and ends in a register."""

from typing import Any

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.ports import verilog_name
from fatcube.synth.mapping import Design

__all__ = ["Folded", "Registered", "registered_design"]


class Registered(wiring.Component):
    """A component with a register at every input and every output of another one.

    It has the ports of ``device``; the registers are in the ``sync`` domain. They hold no logic, so they never limit
    the clock: all paths between registers are paths of the device. They have no reset, so that the device's reset does
    not include them.

    Parameters
    ----------
    device : :class:`amaranth.lib.wiring.Component`
        The device under test.
    """

    def __init__(self, device: wiring.Component) -> None:
        self._device = device
        super().__init__(device.signature)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.device = self._device
        outside = self.signature.flatten(self)
        inside = self.signature.flatten(self._device)
        for (path, member, port), (_, _, device_port) in zip(outside, inside):
            port, device_port = Value.cast(port), Value.cast(device_port)
            source, target = (port, device_port) if member.flow == In else (device_port, port)
            register = Signal(len(port), name=f"{verilog_name(path)}__register", reset_less=True)
            m.d.sync += register.eq(source)
            m.d.comb += target.eq(register)
        return m


class Folded(wiring.Component):
    """A :class:`Registered` device whose ports are folded to two, for chips with fewer pins than the device has ports.

    Its inputs come from one long shift register, and its outputs are reduced by XOR, four at a time with registers
    between, so that synthesis can remove no part of the device, and no path of the wrapper is longer than one LUT.

    Parameters
    ----------
    device : :class:`amaranth.lib.wiring.Component`
        The device under test.
    """

    i: Any  # i and o are ports, which Amaranth makes from the signature
    o: Any

    def __init__(self, device: wiring.Component) -> None:
        self._device = device
        super().__init__({"i": In(1), "o": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.registered = registered = Registered(self._device)
        ports = [(member.flow, Value.cast(port)) for _, member, port in registered.signature.flatten(registered)]
        inputs: Any = Cat(port for flow, port in ports if flow == In)
        values: Any = Cat(port for flow, port in ports if flow == Out)
        chain = Signal(len(inputs), reset_less=True)
        m.d.sync += chain.eq(Cat(self.i, chain))
        m.d.comb += inputs.eq(chain)
        while len(values) > 1:
            sums = Cat(values[start : start + 4].xor() for start in range(0, len(values), 4))
            values = Signal(len(sums), reset_less=True, name=f"sums{len(sums)}")
            m.d.sync += values.eq(sums)
        m.d.comb += self.o.eq(values)
        return m


def registered_design(device: wiring.Component, *, name: str, modules: str = "", few_pins: bool = False) -> Design:
    """The :class:`~fatcube.synth.mapping.Design` of ``device`` between registers; its top is ``registered_<name>``.

    The device is mapped separately. Otherwise logic at its ports would move into the registers (an AND at an output
    becomes the register's reset), and the timed netlist would not be the one that was counted. ``modules`` is as in
    :meth:`~fatcube.synth.mapping.Design.of`; ``few_pins`` folds the ports: see :class:`Folded`.
    """
    top = f"registered_{name}"
    if few_pins:
        return Design.of(Folded(device), name=top, modules=modules, keep_hierarchy=(f"{top}.registered.device",))
    return Design.of(Registered(device), name=top, modules=modules, keep_hierarchy=(f"{top}.device",))
