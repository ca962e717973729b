"""Registers around a device, so that every path through it starts and ends in a register."""

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In

from synth.mapping import Design

__all__ = ["Registered", "registered_design"]


class Registered(wiring.Component):
    """A component with a register at every input and every output of another one.

    It has the ports of ``device``; the registers are in the ``sync`` domain. They hold no logic, so
    they never limit the clock: all paths between registers are paths of the device. They have no reset,
    so that the reset of the device is not theirs.

    Parameters
    ----------
    device : :class:`amaranth.lib.wiring.Component`
        The device under test.
    """

    def __init__(self, device):
        self._device = device
        super().__init__(device.signature)

    def elaborate(self, platform):
        m = Module()
        m.submodules.device = self._device
        outside = self.signature.flatten(self)
        inside = self.signature.flatten(self._device)
        for (path, member, port), (_, _, device_port) in zip(outside, inside):
            port, device_port = Value.cast(port), Value.cast(device_port)
            source, target = (port, device_port) if member.flow == In else (device_port, port)
            register = Signal(len(port), name="__".join(map(str, path)) + "__register", reset_less=True)
            m.d.sync += register.eq(source)
            m.d.comb += target.eq(register)
        return m


def registered_design(device, *, name, modules=""):
    """The :class:`~synth.mapping.Design` of ``device`` between registers; its top is ``registered_<name>``.

    The device is mapped on its own, or logic at its ports would be drawn into the registers (an AND at an
    output becomes the register's reset), and what is timed would not be what was counted.
    ``modules`` is as in :meth:`~synth.mapping.Design.of`.
    """
    top = f"registered_{name}"
    return Design.of(Registered(device), name=top, modules=modules, apart=(f"{top}.device",))
