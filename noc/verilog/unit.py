"""One unit as a Verilog module: its wires, registers, memories, processes and instances."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from amaranth.hdl import ClockDomain, Const, Fragment, Instance, Signal, Value
from amaranth.hdl._ast import SignalDict
from amaranth.hdl._ir import Design, RequirePosedge
from amaranth.hdl._mem import MemoryInstance

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.verilog.connections import Connections
from fatcube.noc.verilog.expressions import Expressions, signals_in
from fatcube.noc.verilog.memories import Memory
from fatcube.noc.verilog.names import Names, width_of
from fatcube.noc.verilog.processes import clocked, masks_of, settled
from fatcube.noc.verilog.statements import Set, Statement, effective, runs, simple, values_of
from fatcube.noc.verilog.texts import Named, bits_of, literal

__all__ = ["Child", "Modules", "Port", "Unit"]


class Port(NamedTuple):
    """A port of a module: its name, its signal, whether it leads out, its meaning, and the interface that it is of."""

    name: str
    signal: Signal
    output: bool
    meaning: str = ""
    title: str = ""
    about: str = ""


class Child(NamedTuple):
    """An instance: the module that it is of, the names of its ports, what is connected, and whether it leads out."""

    module: str
    ports: Sequence[tuple[str, Value, bool]]
    parameters: Mapping[str, object] = {}


class Modules(Protocol):
    """The writer of all modules of a design."""

    def absorbs(self, fragment: Fragment) -> bool:
        """Whether a fragment is written as a part of the module that it stands in."""
        ...

    def members(self, fragment: Fragment) -> Sequence[Signal]:
        """The signals of its signature, if it was made of a component."""
        ...

    def child(self, fragment: Fragment) -> Child:
        """The module of a fragment."""
        ...


class _Definition(NamedTuple):
    """The definition of a wire: its bits, the expression, and the names in the expression."""

    bits: int
    text: str
    needs: frozenset[str]


class Unit:
    """The text of one module.

    Parameters
    ----------
    design : :class:`Design`
        The design that the fragment is part of.
    fragment : :class:`Fragment`
        The unit.
    ports : list of :class:`Port`
        Its ports, none of them without bits.
    modules : :class:`Modules`
        The writer of the modules of its instances.

    Members
    -------
    body : list of :class:`str`
        The lines between the ports of the module and its end.
    signals : dict of :class:`str` to :class:`Signal`
        The signals with a name, by that.
    instances : dict of :class:`str` to :class:`str`
        The modules of its instances, by the names of these.
    domains : list of :class:`ClockDomain`
        The clock domains of registers and memories.
    """

    def __init__(self, design: Design, fragment: Fragment, ports: Sequence[Port], modules: Modules) -> None:
        self._design, self._modules, self._ports = design, modules, ports
        self._names = Names()
        self._taken = SignalDict((port.signal, self._names.add(port.name)) for port in ports)
        self._ours = SignalDict((port.signal, port) for port in ports)
        self._unclocked: list[Statement] = []
        self._clocked: list[tuple[ClockDomain, list[Statement]]] = []
        self._children: list[tuple[str, Child]] = []
        self._memories: list[Memory] = []
        self._known = SignalDict()  # all signals of the module
        self._wanted = SignalDict()  # names for the signals of inner units
        self._inner = SignalDict()  # signals that inner units read, and that another value may replace
        self._absorb(fragment, "")
        self._sets = settled(effective(self._unclocked))
        self._known.update(SignalDict((one.signal, None) for one in self._sets))
        self._clocked = [(domain, effective(statements)) for domain, statements in self._clocked]
        self._by_child = SignalDict(
            (signal, None)
            for _, child in self._children
            for _, value, output in child.ports
            if output
            for signal in signals_in(value)
        )
        self._registers = SignalDict()
        for _, statements in self._clocked:
            self._registers.update(masks_of(statements))
        self._read_data = SignalDict((signal, None) for memory in self._memories for signal, _ in memory.outputs)
        for memory in self._memories:
            for signal, register in memory.outputs:
                (self._registers if register else self._by_child)[signal] = (1 << len(signal)) - 1
        self._instead = SignalDict()
        self._definitions: dict[str, _Definition] = {}
        self._used: set[str] = set()
        self._connect()
        self._apart = SignalDict()  # names of registers among the bits of a signal that has others as well
        for signal in masks_of(self._sets):
            if signal in self._registers:
                self._apart[signal] = self._names.add(f"{self._taken[signal]}_register")
        self._expressions = Expressions(self._named, self._define)
        for value in self._values():
            self._expressions.count(value)
        self.body = self._body()
        self.signals = {name: signal for signal, name in self._taken.items()}
        self.instances = {name: child.module for name, child in self._children}
        self.domains = list(self._domains())

    def _absorb(self, fragment: Fragment, prefix: str) -> None:
        """Take the logic of a fragment, whose names begin with ``prefix``, and its inner units."""
        self._unclocked += simple(fragment.statements.get("comb", ()))
        for name, statements in fragment.statements.items():
            if name != "comb":
                domain = fragment.domains[name]
                there = [found for one, found in self._clocked if one is domain]
                if not there:
                    there = [[]]
                    self._clocked.append((domain, there[0]))
                there[0].extend(simple(statements))
        for signal in self._design.fragments[fragment].used_signals:
            self._known[signal] = None
        for inner, _, _ in fragment.subfragments:
            self._add(fragment, inner, prefix)

    def _add(self, outer: Fragment, inner: Fragment, prefix: str) -> None:
        name = f"{prefix}{self._design.fragments[inner].name[-1]}"
        match inner:
            case RequirePosedge():
                return
            case MemoryInstance():
                memory = Memory(self._names.add(name, "memory"), inner, outer.domains)
                self._memories.append(memory)
                for value, wanted in memory.names():
                    if isinstance(value, Signal) and not value.name:
                        self._wanted.setdefault(value, wanted)
                for value in memory.inputs:
                    self._known.update(SignalDict((signal, None) for signal in signals_in(value)))
                return
            case Instance() if all(isinstance(value, Value) and kind != "io" for value, kind in inner.ports.values()):
                ports = [(port, value, kind == "o") for port, (value, kind) in inner.ports.items() if len(value)]
                child = Child(inner.type, ports, inner.parameters)
            case _ if type(inner) is Fragment and self._modules.absorbs(inner):
                self._name_absorbed(outer, inner, name)
                self._absorb(inner, f"{name}__")
                return
            case _ if type(inner) is Fragment:
                child = self._modules.child(inner)
            case _:
                raise ParameterError(f"design must have no pads, which are not written as Verilog, unlike {name}")
        name = self._names.add(name, "unit")
        self._children.append((name, child))
        for port, value, output in child.ports:
            if isinstance(value, Signal) and value not in self._ours:
                self._known[value] = None
                self._wanted.setdefault(value, f"{name}__{port}")
                if not output:
                    self._inner[value] = None

    def _name_absorbed(self, outer: Fragment, inner: Fragment, name: str) -> None:
        """Find names for the signals of a fragment that is absorbed, and those for which something else may stand."""
        around = self._design.fragments[outer].used_signals
        ports = {id(port) for port in self._modules.members(inner)}
        for signal in self._design.fragments[inner].used_signals:
            if signal in self._ours or signal in self._wanted:
                continue
            if id(signal) in ports or signal not in around:
                self._wanted[signal] = f"{name}__{signal.name}"
            if id(signal) in ports:
                self._inner[signal] = None

    def _domains(self) -> Iterator[ClockDomain]:
        """The clock domains of registers and memories, each as often as it is used."""
        yield from (domain for domain, _ in self._clocked)
        for memory in self._memories:
            yield from memory.used_domains

    def _values(self) -> Iterator[Value]:
        """All values that are read in the module."""
        yield from (one.value for one in self._sets)
        for _, statements in self._clocked:
            yield from values_of(statements)
        for _, child in self._children:
            yield from (value for _, value, output in child.ports if not output)
        for memory in self._memories:
            yield from memory.inputs

    def _connect(self) -> None:
        """Replace signals that need no wire, and name the others."""
        reads = SignalDict()
        for value in (*self._values(), *(port.signal for port in self._ports if port.output)):
            for signal in signals_in(value):
                reads[signal] = reads.get(signal, 0) + 1
        for domain in self._domains():
            for signal in (domain.clk, domain.rst):
                if signal is not None:
                    reads[signal] = reads.get(signal, 0) + 2  # An edge is that of a signal, not of an expression.
                    self._inner[signal] = None
        for memory in self._memories:
            self._inner.update(SignalDict((signal, None) for value in memory.inputs for signal in signals_in(value)))
        connections = Connections(self._sets, reads, self._ours, self._inner, self._by_child, self._registers)
        self._sets, self._instead = connections.sets, connections.instead
        driven = masks_of(self._sets)
        for signal in self._known:
            if signal in self._ours or signal in self._instead or not len(signal):
                continue
            if not (signal in driven or signal in self._registers or signal in self._by_child):
                self._instead[signal] = Const(signal.init, len(signal))  # Nothing sets it.
            elif reads.get(signal) or signal in driven or signal in self._registers:
                self._taken[signal] = self._names.add(self._wanted.get(signal, signal.name))

    def _named(self, signal: Signal) -> Named | Value:
        """The name of a signal, or the value that replaces it."""
        if signal in self._instead:
            return self._instead[signal]
        if signal not in self._taken:
            self._taken[signal] = self._names.add(self._wanted.get(signal, signal.name))
        self._used.add(self._taken[signal])
        return Named(self._taken[signal], len(signal))

    def _define(self, name: str, value: Value) -> str:
        name = self._names.add(name)
        self._definition(name, value, 0, len(value))
        return name

    def _definition(self, name: str, value: Value, start: int, stop: int) -> None:
        """Give ``name`` the bits of a value."""
        outer, self._used = self._used, set()
        text = self._expressions.text(value, start, stop)
        self._definitions[name] = _Definition(stop - start, text, frozenset(self._used))
        self._used = outer | {name}

    # Text.

    def _body(self) -> list[str]:
        processes: list[list[str]] = []
        parts = SignalDict()
        for one in self._sets:
            parts.setdefault(one.signal, []).append(one)
        for signal, sets in parts.items():
            processes.append(self._assignments(signal, sets))
        for domain, statements in self._clocked:
            processes += clocked(statements, domain, self._expressions, self._apart)
        memories = [memory.lines(self._expressions) for memory in self._memories]
        instances = [line for name, child in self._children for line in self._instance(name, child)]
        wires, early = self._ordered()
        blocks = [self._declarations(early), [*self._constant_outputs(), *wires], *processes, *memories, instances]
        return [line for block in blocks if block for line in ("", *block)]

    def declaration(self, signal: Signal, name: str, direction: str = "") -> str:
        """The declaration of a signal, without what ends it."""
        register = signal in self._registers and signal not in self._apart
        kind = "reg " if register else "wire"
        # As in Amaranth's own output, the register of a memory's port has no initial value: not all memories could have it.
        start = f" = {literal(signal.init, len(signal))}" if register and signal not in self._read_data else ""
        return f"{direction}{kind} {width_of(len(signal))}{name}{start}"

    def _declarations(self, early: Sequence[str]) -> list[str]:
        return [
            *(memory.declaration() for memory in self._memories),
            *(
                f"{self.declaration(signal, name)};"
                for signal, name in self._taken.items()
                if signal not in self._ours and name not in self._definitions
            ),
            *(
                f"reg  {width_of(len(signal))}{name} = {literal(signal.init, len(signal))};"
                for signal, name in self._apart.items()
            ),
            *(f"wire {width_of(self._definitions[name].bits)}{name};" for name in early),
        ]

    def _constant_outputs(self) -> list[str]:
        """Assignments to the outputs that nothing sets."""
        driven = masks_of(self._sets)
        return [
            f"assign {port.name} = {literal(port.signal.init, len(port.signal))};"
            for port in self._ports
            if port.output and not any(port.signal in one for one in (driven, self._registers, self._by_child))
        ]

    def _ordered(self) -> tuple[list[str], list[str]]:
        """Definitions of wires, each behind what it needs; and the names of those that need themselves, and are declared before."""
        lines: list[str] = []
        done: set[str] = set()
        under_way: set[str] = set()
        ports = {port.name for port in self._ports}
        early: dict[str, None] = {}

        def visit(name: str) -> None:
            if name in under_way:
                early[name] = None
            if name in done or name in under_way:
                return
            under_way.add(name)
            bits, text, needs = self._definitions[name]
            for other in sorted(needs & self._definitions.keys()):
                visit(other)
            done.add(name)
            under_way.remove(name)
            there = name in ports or name in early
            lines.append(f"assign {name} = {text};" if there else f"wire {width_of(bits)}{name} = {text};")

        for name in list(self._definitions):
            visit(name)
        return lines, [name for name in early if name not in ports]

    def _assignments(self, signal: Signal, sets: Sequence[Set]) -> list[str]:
        """The assignments to the parts of a signal, also to those that are registers, or that nothing sets."""
        if sets[0].whole:
            [one] = sets
            self._definition(self._taken[signal], one.value, one.at, one.at + len(signal))
            return []
        parts = [
            (one.start, one.stop, self._expressions.text(one.value, one.at, one.at + one.stop - one.start))
            for one in sets
        ]
        registers = self._registers.get(signal, 0)
        for start, stop in runs(registers):
            parts.append((start, stop, bits_of(Named(self._apart[signal], len(signal)), start, stop)))
        left = ~(masks_of(sets)[signal] | registers) & ((1 << len(signal)) - 1)
        for start, stop in runs(left if signal not in self._by_child else 0):
            parts.append((start, stop, literal(signal.init >> start, stop - start)))
        return [f"assign {self._expressions.text(signal, start, stop)} = {text};" for start, stop, text in parts]

    def _instance(self, name: str, child: Child) -> list[str]:
        parameters = ", ".join(f".{key}({_parameter(value)})" for key, value in child.parameters.items())
        lines = [f"  .{port}({self._connection(value, output)})" for port, value, output in child.ports]
        opening = f"{child.module} #({parameters}) {name} (" if parameters else f"{child.module} {name} ("
        return [opening, *(f"{line}," for line in lines[:-1]), *lines[-1:], ");"]

    def _connection(self, value: Value, output: bool) -> str:
        unused = output and isinstance(value, Signal) and value not in self._taken and value not in self._instead
        return "" if unused else self._expressions.text(value)


def _parameter(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
