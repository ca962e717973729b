"""Identical hardware emitted once: many places in a network, one module in its Verilog.

Amaranth elaborates and emits every instance of a component anew, which for a large network is most of the
time and nearly all of the text. A :class:`Shared` component is elaborated once; each of its copies is an
``Instance`` of the module that this makes. Without a platform, as in Amaranth's own simulator, which knows no instances, each copy is
elaborated in its place.
"""

from collections.abc import Callable, Iterable, Iterator
import contextlib
import functools
import inspect
import re
from typing import Any

from amaranth.back import rtlil
from amaranth.hdl import ClockSignal, Elaboratable, Instance, Module, ResetSignal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In
from pygments.lexers import SystemVerilogLexer
from pygments.token import Name

from fatcube.groundwork.cache import Cache, cache_folder
from fatcube.groundwork.digest import digest, source_digest, versions
from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.ports import verilog_name, verilog_ports

__all__ = [
    "AS_MODULES",
    "Copy",
    "InVerilog",
    "Shared",
    "check_identifier",
    "check_port_bits",
    "module_name",
    "netlist_digest",
    "port_bits",
    "to_rtlil",
]


# Amaranth numbers the bits of input of a module in 16 bits: after two constants, and clock and reset among them. So it
# does the bits of output of a copy. Beyond, it ends with an assertion that fails, after most of the work.
_MOST_INPUT_BITS = (1 << 16) - 2 - 2
_MOST_OUTPUT_BITS = 1 << 16


def check_identifier(name: object) -> str:
    """Return ``name`` if it can be the name of a module in Verilog and in SystemVerilog.

    Raises
    ------
    ParameterError
        If it is a keyword, or anything but letters, digits and underscores that begin with no digit.
    """
    if isinstance(name, str) and re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
        # The text after it matters: some keywords are recognized by it only.
        kind, _ = next(SystemVerilogLexer().get_tokens(f"{name} x;"))
        if kind is Name:
            return name
    raise ParameterError(f"name must be a Verilog identifier of letters, digits and _ and no keyword, not {name!r}")


def module_name(part: str, prefix: str | None = None) -> str:
    """The name of the module of ``part``: that, or in a design with a name of its own, that after this prefix."""
    return part if prefix is None else f"{check_identifier(prefix)}_{part}"


def port_bits(signature: wiring.Signature) -> tuple[int, int]:
    """The bits of input and of output of a component with this signature, as a pair; clock and reset aside."""
    inputs = outputs = 0
    for _, member, value in signature.flatten(signature.create()):
        if member.flow == In:
            inputs += len(Value.cast(value))
        else:
            outputs += len(Value.cast(value))
    return inputs, outputs


def check_port_bits(name: str, inputs: int, outputs: int = 0, *, nodes: int = 0) -> None:
    """Refuse more bits of input of the module ``name``, or of output of a copy of it, than Amaranth can write.

    ``nodes`` are those of a network with these ports, of which the message says how many fit.

    Raises
    ------
    ParameterError
        If there are more.
    """
    for way, bits, most in (("input", inputs, _MOST_INPUT_BITS), ("output", outputs, _MOST_OUTPUT_BITS)):
        if bits > most:
            raise ParameterError(
                f"ports of module {name} must have at most {most} bits of {way}, which is what "
                f"Amaranth can write, not {bits}{f': {nodes * most // bits} of these {nodes} nodes fit' if nodes else ''}"
            )


class Shared:
    """A component that stands in a design many times.

    Parameters
    ----------
    component : :class:`wiring.Component`
        The component; it has registers in the ``sync`` domain.
    name : :class:`str`
        The name of its module.
    uses : list of :class:`Shared`
        The components of which it has copies.
    again : callable or ``None``
        Makes the same component once more, for a copy that is elaborated in its place.

    Raises
    ------
    ParameterError
        If the component is no :class:`wiring.Component`, or the name is no Verilog identifier, or the ports, or those of what
        it uses, have more bits than Amaranth can write: 65,532 of input, and 65,536 of output where there are copies.
    """

    def __init__(
        self,
        component: wiring.Component,
        name: str,
        *,
        uses: "Iterable[Shared]" = (),
        again: Callable[[], wiring.Component] | None = None,
    ) -> None:
        if not hasattr(component, "signature"):
            raise ParameterError(
                f"component must be a wiring.Component, not {type(component).__name__}, which has no signature"
            )
        self.component = component
        self.again = again
        self.name = check_identifier(name)
        self.uses = tuple(uses)
        inputs, _ = port_bits(component.signature)
        check_port_bits(name, inputs)
        for other in self.uses:
            check_port_bits(other.name, *port_bits(other.component.signature))

    def copy(self, *, reset: Value | None = None) -> wiring.Component:
        """One more of it, with the ports of the component; ``reset`` resets it besides the reset of the domain."""
        return Copy(self, reset)

    def modules(self) -> dict[str, str]:
        """RTLIL text of this module and of all that it uses, each once, by name."""
        texts = {}
        for other in self.uses:
            texts.update(other.modules())
        texts[self.name] = self._text
        return texts

    @functools.cached_property
    def _text(self) -> str:
        with _zeros_at_once():
            return to_rtlil(self.component, self.name)


class _AsModules:
    """A platform for which copies are instances of modules that are made beside the design."""


AS_MODULES = _AsModules()


class InVerilog(Elaboratable):
    """A component whose ports have the names that they have in Verilog, none of them in an array."""

    def __init__(self, component: wiring.Component) -> None:
        self._component = component
        self._usual = dict[str, str]()
        members = {}
        for name, usual, member, value in verilog_ports(component):
            self._usual[name] = usual
            members[name] = member.flow(member.shape)
            setattr(self, name, value)
        self.signature = wiring.Signature(members)

    def usual(self, name: str) -> str:
        """The name that a port has where users give none."""
        return self._usual.get(name, name)

    def elaborate(self, platform: object) -> wiring.Component:
        return self._component


def to_rtlil(component: wiring.Component, name: str) -> str:
    """The RTLIL text of a component, whose ports have their names in Verilog (:func:`fatcube.rtl.ports.verilog_name`)."""
    return rtlil.convert(InVerilog(component), name=name, platform=AS_MODULES, emit_src=False)


@contextlib.contextmanager
def _zeros_at_once() -> Iterator[None]:
    """Have Amaranth write the contents of a memory that starts as zeros at once.

    It writes them bit by bit, which is most of the time for a processor. The text is the same.
    """
    emitter = rtlil.ModuleEmitter
    written = emitter.emit_memory

    def emit_memory(self: rtlil.ModuleEmitter, cell_idx: Any, cell: Any) -> None:
        bits = cell.width * len(cell.init)
        sigspec = self.sigspec

        def with_zeros(*parts: Any) -> str:
            contents = len(parts) == 1 and inspect.isgenerator(parts[0])
            return f"{bits}'{'0' * bits}" if contents else sigspec(*parts)

        if bits and not any(cell.init):
            self.sigspec = with_zeros
        try:
            written(self, cell_idx, cell)
        finally:
            self.sigspec = sigspec

    emitter.emit_memory = emit_memory
    try:
        yield
    finally:
        emitter.emit_memory = written


def netlist_digest(name: str, parameters: Any, make: Callable[[], Shared]) -> str:
    """The digest of the netlist of a component: of its RTLIL and that of all that it uses, comments and places left out.

    It is looked up in the cache by the component's name and parameters and by the sources that hardware is made from,
    so that it is computed once for each state of these.

    Parameters
    ----------
    name : :class:`str`
        The kind of component.
    parameters : JSON value
        All that its hardware follows from.
    make : callable
        Makes the component.
    """
    source = [name, parameters, source_digest("rtl", "noc"), versions(["amaranth"])]
    return Cache(cache_folder() / "netlists").look_up(source, lambda: digest(make().modules()))


class Copy(wiring.Component):
    """A component that is an instance of a module made elsewhere, and has its ports.

    Without a platform it is the component itself, made anew.

    Parameters
    ----------
    shared : :class:`Shared`
        The component that the module is made of.
    reset : :class:`Value` or ``None``
        The resets besides the reset of the domain.

    Raises
    ------
    ParameterError
        When it is elaborated without a platform, if it cannot be made anew.
    """

    def __init__(self, shared: Shared, reset: Value | None = None) -> None:
        super().__init__(shared.component.signature)
        self.shared = shared
        self._reset = reset

    def elaborate(self, platform: object) -> Instance | Module:
        return self._in_place() if platform is None else self._instance()

    def _in_place(self) -> Module:
        if self.shared.again is None or self._reset is not None:
            raise ParameterError(
                f"platform must be given for a design with {self.shared.name}, which is an instance in Verilog, not None"
            )
        m = Module()
        m.submodules.component = component = self.shared.again()
        ports = zip(self.signature.flatten(self), self.signature.flatten(component), strict=True)
        for (_, member, outer), (_, _, inner) in ports:
            outer, inner = Value.cast(outer), Value.cast(inner)
            m.d.comb += inner.eq(outer) if member.flow == In else outer.eq(inner)
        return m

    def _instance(self) -> Instance:
        reset = ResetSignal(allow_reset_less=True)
        if self._reset is not None:
            reset = reset | self._reset
        ports = {"i_clk": ClockSignal(), "i_rst": reset}
        names: dict[str, str] = getattr(self.shared.component, "port_names", {})
        for path, member, value in self.signature.flatten(self):
            direction, name = "i" if member.flow == In else "o", verilog_name(path)
            ports[f"{direction}_{names.get(name, name)}"] = value
        return Instance(self.shared.name, **ports)
