"""Identical hardware emitted once: many places in a network, one module in its Verilog.

Amaranth elaborates and emits every instance of a component anew, which for a large network is most of the
time and nearly all of the text. A :class:`Shared` component is elaborated once; each of its copies is an
``Instance`` of the module that this makes.
"""

from amaranth.back import rtlil
from amaranth.hdl import ClockSignal, Instance, ResetSignal
from amaranth.lib import wiring
from amaranth.lib.wiring import In

__all__ = ["Shared"]


class Shared:
    """A component that stands in a design many times.

    Parameters
    ----------
    component : :class:`wiring.Component`
        The component; it has registers in the ``sync`` domain.
    name : :class:`str`
        The name of its module.
    uses : list of :class:`Shared`
        What the component itself has copies of.
    """

    def __init__(self, component, name, *, uses=()):
        self.component = component
        self.name = name
        self.uses = tuple(uses)

    def copy(self):
        """One more of it, with the ports of the component."""
        return _Copy(self.component.signature, self.name)

    def modules(self):
        """RTLIL text of this module and of all that it uses, each once, by name."""
        texts = {}
        for other in self.uses:
            texts.update(other.modules())
        texts[self.name] = rtlil.convert(self.component, name=self.name, emit_src=False)
        return texts


class _Copy(wiring.Component):
    def __init__(self, signature, name):
        super().__init__(signature)
        self._name = name

    def elaborate(self, platform):
        ports = {"i_clk": ClockSignal(), "i_rst": ResetSignal()}
        for path, member, value in self.signature.flatten(self):
            direction = "i" if member.flow == In else "o"
            ports[f"{direction}_{'__'.join(map(str, path))}"] = value
        return Instance(self._name, **ports)
