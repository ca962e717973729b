"""Verilog of a router, a fabric, a network or a system: a module for each kind of unit, each of them once."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from amaranth.hdl import Elaboratable, Fragment, Instance, Module, Signal, Value
from amaranth.hdl._ast import SignalDict
from amaranth.hdl._ir import Design, PortDirection
from amaranth.hdl._mem import MemoryInstance
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError, shown
from fatcube.noc.descriptions.ports import port_meaning
from fatcube.noc.shared import AS_MODULES, InVerilog, Shared
from fatcube.noc.verilog.comments import comment as comment_lines
from fatcube.noc.verilog.comments import members_of, parameters_of, purpose_of, wrapped
from fatcube.noc.verilog.expressions import operators_in, signals_in
from fatcube.noc.verilog.names import Names, snake_case
from fatcube.noc.verilog.source_map import module_source
from fatcube.noc.verilog.statements import Set, signals_set, simple
from fatcube.noc.verilog.unit import Child, Port, Unit
from fatcube.rtl.crossbar import LOWER, SELECTOR, UPPER
from fatcube.rtl.ports import verilog_name
from fatcube.rtl.protocols import PROTOCOLS

__all__ = ["Written", "to_verilog", "written"]


# The warnings of `verilator --lint-only -Wall` for all Verilog that is written; docs/tasks/flows.md, "Lint".
_WAIVERS = [
    "/* verilator lint_off DECLFILENAME */",  # One file holds all modules.
    "/* verilator lint_off PINCONNECTEMPTY */",  # Units of a kind have the same ports, and not all are used everywhere.
    "/* verilator lint_off PROCASSINIT */",  # Registers have an initial value and a reset.
    "/* verilator lint_off UNUSEDSIGNAL */",  # Nor are all bits of them used.
]
# The waiver for Verilog in which a stream crosses from one clock to another. The reset of one side clears its own
# registers synchronously, and asynchronously those that synchronize it to the other side.
_CROSSING_WAIVER = "/* verilator lint_off SYNCASYNCNET */"
_SELECTORS = "LUTs of the crossbar: without keep_hierarchy, synthesis would restructure them into more LUTs."


class Written(NamedTuple):
    """A file of Verilog, and where its modules come from, as :func:`fatcube.noc.verilog.source_map.module_source` has it."""

    text: str
    modules: Mapping[str, Any]


def to_verilog(shared: Shared, *, comment: str = "") -> str:
    """The Verilog text of a :class:`Shared` component and of all modules that it uses.

    ``comment`` is put before it, each line as a Verilog comment.

    Raises
    ------
    ParameterError
        If it is no :class:`Shared` component, or a module has more ports than can be written (see :class:`Shared`), or statements or pads for which there is no
        Verilog.
    """
    return written(shared, comment=comment).text


def written(shared: Shared, *, comment: str = "") -> Written:
    """As :func:`to_verilog`, with the source of each module."""
    if not isinstance(shared, Shared):
        raise ParameterError(
            "shared must be a Shared component, as of Fabric(network).shared() or of the attribute shared of a PacketNetwork, "
            f"not the {type(shared).__name__} {shown(shared)}"
        )
    writer = _Writer(shared)
    writer.add(shared)
    lines = [f"// {line}".rstrip() for line in comment.splitlines()]
    waivers = [*_WAIVERS, _CROSSING_WAIVER] if writer.crosses else _WAIVERS
    ends = ["", *(waiver.replace("lint_off", "lint_on") for waiver in waivers)]  # For what is read behind this file.
    return Written("\n".join([*lines, *waivers, *writer.texts(), *ends, ""]), writer.modules)


class _Writer:
    """The modules of one file.

    Parameters
    ----------
    top : :class:`Shared`
        The top module. The names of units begin with its name, so that files fit into one design.
    """

    def __init__(self, top: Shared) -> None:
        self.modules: dict[str, Any] = {}
        self.crosses = False  # whether a stream crosses from one clock to another
        self._top = top.name
        self._there: set[str] = set()
        self._known: dict[str, str] = {}  # names of modules by their text
        self._written: dict[str, _Text] = {}
        self._names = Names(_names_of(top))

    def add(self, shared: Shared) -> None:
        """Write a component and what it uses, unless it is there."""
        if shared.name in self._there:
            return
        self._there.add(shared.name)
        for other in shared.uses:
            self.add(other)
        component = InVerilog(shared.component)
        ports = {
            "__".join(map(str, path)): (
                Value.cast(value),
                PortDirection.Input if member.flow == In else PortDirection.Output,
            )
            for path, member, value in component.signature.flatten(component)
        }
        fragment = Fragment.get(component, AS_MODULES)
        self._design = fragment.prepare(ports=ports, hierarchy=(shared.name,))
        listed = [
            Port(
                name,
                signal,
                direction == PortDirection.Output,
                meaning=port_meaning(component.usual(name)),
            )
            for name, signal, direction in self._design.ports
            if len(signal)
        ]
        listed.sort(key=lambda port: _place(port.name))
        unit = Unit(self._design, self._design.fragment, listed, self)
        self._written[shared.name] = _Text(_about(shared.component), _header(unit, listed), unit.body, None, [])
        self.modules[shared.name] = module_source(shared.component, unit)

    def absorbs(self, fragment: Fragment) -> bool:
        """Whether a unit is a wire or a gate for each output, or of Amaranth's library, and so no module of its own."""
        if _is_apart(self._design, fragment):
            return False
        return type(_origin(fragment)).__module__.startswith("amaranth.lib.") or _is_small(fragment)

    def members(self, fragment: Fragment) -> list[Signal]:
        """The signals of the signature of a component."""
        return [port.signal for port in _members(_origin(fragment))]

    def child(self, fragment: Fragment) -> Child:
        """The module of a fragment within the component that is being written."""
        origin, path = _origin(fragment), self._design.fragments[fragment].name
        ports = _ports_of(self._design, fragment, origin)
        listed = [(port.name, port.signal, port.output) for port in ports]
        apart = _is_apart(self._design, fragment)
        unit = Unit(self._design, fragment, ports, self)
        self.crosses |= any(domain.async_reset for domain in unit.domains)
        header = _header(unit, ports, "(* iopad_external_pin *) " if apart else "")
        key = "\n".join([*header, *unit.body])
        if key not in self._known:
            self._known[key] = self._names.add(
                f"{self._top}_{snake_case(type(origin).__name__) if origin else path[-1]}"
            )
            about = [*_about(origin), *([f"// {_SELECTORS}", "(* keep_hierarchy *)"] if apart else [])]
            self._written[self._known[key]] = _Text(
                about, header, unit.body, None if origin is None else type(origin), []
            )
            self.modules[self._known[key]] = module_source(origin, unit)
        self._written[self._known[key]].places.append(".".join(path))
        return Child(self._known[key], listed)

    def texts(self) -> Iterator[str]:
        """The text of each module. Where units of one class differ, each module names its units."""
        kinds = Counter(one.kind for one in self._written.values())
        for name, one in self._written.items():
            where = comment_lines(f"This is {_listed(one.places)}.") if one.kind and kinds[one.kind] > 1 else []
            attributes = [line for line in one.about if line.startswith("(*")]
            about = [line for line in one.about if line not in attributes]
            yield _module(name, [*about, *where, *attributes], one.header, one.body)


class _Text(NamedTuple):
    """The parts of a module's text: the comment before it, its ports, its body, its class, and the units that it stands for."""

    about: Sequence[str]
    header: Sequence[str]
    body: Sequence[str]
    kind: type | None
    places: list[str]


_MOST_LISTED = 6


def _listed(places: Sequence[str]) -> str:
    """The names of the first units."""
    more = len(places) - _MOST_LISTED
    return ", ".join(places[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


def _names_of(shared: Shared) -> Iterator[str]:
    yield shared.name
    for other in shared.uses:
        yield from _names_of(other)


def _place(port: str) -> int:
    """Where a port of a shared component is listed: clocks and resets, then streams, then all others."""
    if port in _CLOCKS:
        return 0
    return 1 if "__" in port or port.startswith(_STREAMS) else 2


_CLOCKS = {name for protocol in PROTOCOLS.values() for name in protocol.clocks()}
# The beginnings of the names of streams, and of their own clocks, before a number.
_STREAMS = tuple(
    name.partition("{")[0] for protocol in PROTOCOLS.values() for name in (*protocol.streams, protocol.own) if name
)


def _is_apart(design: Design, fragment: Fragment) -> bool:
    """Whether a unit is one of the LUTs of a crossbar that synthesis is to keep."""
    path = design.fragments[fragment].name
    return path[-1] in (LOWER, UPPER) and path[-2].startswith(SELECTOR)


def _is_small(fragment: Fragment) -> bool:
    """Whether a unit is a wire or a gate for each output, which is no module of its own."""
    if fragment.subfragments or any(domain != "comb" for domain in fragment.statements):
        return False
    statements = simple(fragment.statements.get("comb", ()))
    return all(isinstance(one, Set) and operators_in(one.value) <= 1 for one in statements)


def _origin(fragment: Fragment) -> Elaboratable | None:
    """The unit that a fragment was made of, if that is a class of its own."""
    for one in fragment.origins or ():
        if not isinstance(one, (Module, Fragment)) and type(one).__name__ != "TransformedElaboratable":
            return one
    return None


def _members(origin: object) -> list[Port]:
    """The ports of the signature of a component."""
    if not isinstance(origin, wiring.Component):
        return []
    ports: list[Port] = []
    meanings, described = members_of(type(origin)), dict[object, str]()

    def once(of: object, title: str, meaning: str) -> str:
        """A meaning where what it is of first stands: one of several numbered members, or an interface."""
        return meaning if described.setdefault(of, title) == title else ""

    for path, member, value in origin.signature.flatten(origin):
        signal, (title, *inner) = Value.cast(value), map(str, path)
        if not isinstance(signal, Signal) or not len(signal):
            continue
        numbered = f"{title.rstrip('0123456789')}{{}}"
        about = meanings.get(title) or once(numbered, title, meanings.get(numbered, ""))
        if inner:
            interface = _interface(origin, title)
            meaning = once(interface, title, members_of(interface).get(inner[-1], ""))
            ports.append(Port(verilog_name(path), signal, member.flow == Out, meaning, title, about))
        else:
            ports.append(Port(verilog_name(path), signal, member.flow == Out, about))
    return ports


def _interface(origin: wiring.Component, name: str) -> type:
    """The class of the signature of a member, if it describes its members; :class:`object` of others."""
    member = origin.signature.members[name]
    if member.is_port:
        return object
    signature = member.signature
    found = type(signature.flip() if isinstance(signature, wiring.FlippedSignature) else signature)
    return object if found.__module__.startswith("amaranth.") else found  # Everybody knows streams.


def _ports_of(design: Design, fragment: Fragment, origin: object) -> list[Port]:
    """The ports of a unit: clocks and resets, those of its signature, and other signals that cross its border."""
    ports = _members(origin)
    listed = SignalDict((port.signal, None) for port in ports)
    inside = list(_below(fragment))
    places = {id(one) for one in inside}
    driven = SignalDict((signal, None) for one in inside for signal in _driven(one))
    clocks = SignalDict()
    for domain in fragment.domains.values():
        for number, signal in enumerate((domain.clk, domain.rst)):
            if signal is not None:
                clocks[signal] = number
    others = [
        Port(signal.name, signal, signal in driven)
        for signal in design.fragments[fragment].used_signals
        if len(signal) and signal not in listed and id(design.signal_lca[signal]) not in places
    ]
    others.sort(key=lambda port: clocks.get(port.signal, len(clocks)))
    first = [port for port in others if port.signal in clocks]
    names = Names()
    return [port._replace(name=names.add(port.name)) for port in (*first, *ports, *others[len(first) :])]


def _below(fragment: Fragment) -> Iterator[Fragment]:
    yield fragment
    for inner, _, _ in fragment.subfragments:
        yield from _below(inner)


def _driven(fragment: Fragment) -> Iterator[Signal]:
    """The signals that a fragment alone drives."""
    match fragment:
        case Instance():
            for value, kind in fragment.ports.values():
                if kind == "o" and isinstance(value, Value):
                    yield from signals_in(value)
        case MemoryInstance():
            for port in fragment._read_ports:
                yield from signals_in(port._data)
        case _:
            for statements in fragment.statements.values():
                yield from (one.signal for one in signals_set(simple(statements)))


def _about(origin: object) -> list[str]:
    """The comment before a module."""
    if origin is None:
        return []
    return [*comment_lines(purpose_of(type(origin))), *comment_lines(parameters_of(origin))]


def _header(unit: Unit, ports: Sequence[Port], mark: str = "") -> list[str]:
    """The lines of the ports: one a line, with its meaning, or below the meaning of those that belong together."""
    shown = [
        unit.declaration(port.signal, port.name, f"{mark}{'output' if port.output else 'input '} ") for port in ports
    ]
    room = max(map(len, shown), default=0) + 1
    lines: list[str] = []
    titled = ""
    for number, (port, text) in enumerate(zip(ports, shown, strict=True)):
        declared = f"  {text}{',' if number + 1 < len(ports) else ''}"
        if port.title != titled and port.about and port.title:
            lines += comment_lines(f"{port.title}: {port.about}", "  ")
        titled = port.title
        if not port.meaning:
            lines.append(declared)
        elif room + len(port.meaning) <= 112:
            lines.append(f"{declared:<{room + 2}}  // {port.meaning}")
        else:
            lines += [*comment_lines(port.meaning, "  "), declared]
    return lines


def _module(name: str, about: Sequence[str], header: Sequence[str], body: Sequence[str]) -> str:
    lines = ["", *about, f"module {name}(", *header, ");"]
    for line in body:
        lines += wrapped(f"  {line}" if line else "")
    return "\n".join([*lines, "endmodule"])
