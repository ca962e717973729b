"""The tables of ports in network files: the settings of each port of a processor."""

from collections.abc import Collection, Mapping, Sequence
import dataclasses
from typing import Any

from fatcube.groundwork.validation import ParameterError, check_choice, check_integer, shown
from fatcube.noc.network import Network
from fatcube.noc.shared import check_identifier
from fatcube.noc.streams.names import check_name, taken_names
from fatcube.noc.streams.options import StreamOptions
from fatcube.rtl.interface.byte_interface import check_port_width
from fatcube.rtl.protocols import PROTOCOLS, protocol_of_ports
from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.protocols.protocol import Protocol

__all__ = [
    "CLOCKS",
    "SCHEMA",
    "PortTable",
    "names_of",
    "own_clocks",
    "port_tables",
    "protocol_of_tables",
    "tables_of",
    "with_widths",
]


CLOCKS = ("own", "network")
"""The clock of a port: an input of its own, or that of the network."""


SCHEMA: Mapping[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "processor": {"type": "integer", "minimum": 0},
            "port": {"type": "integer", "minimum": 0},
            "name": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"},
            "width": {"type": "integer", "minimum": 8, "maximum": 512},
            "clock": {"enum": list(CLOCKS)},
            "interface": {"enum": list(PROTOCOLS)},
        },
        "required": ["processor"],
        "anyOf": [{"required": [name]} for name in ("name", "width", "clock", "interface")],
        "additionalProperties": False,
    },
}
"""The JSON Schema of the tables."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PortTable:
    """A table of a port, which has a name, a width, a clock, a protocol or several of them.

    Parameters
    ----------
    processor : :class:`int`
        The processor that has the port.
    port : :class:`int` or ``None``
        The number of the port there, which a processor with one port does not need.
    name : :class:`str` or ``None``
        The name of the port in Verilog.
    width : :class:`int` or ``None``
        Bits of TDATA there.
    clock : :class:`str` or ``None``
        One of :data:`CLOCKS`.
    interface : :class:`str` or ``None``
        The protocol of the port by its name, one of :data:`fatcube.rtl.protocols.PROTOCOLS`.

    Raises
    ------
    ParameterError
        If one of them is none of any network.
    """

    processor: int
    port: int | None = None
    name: str | None = None
    width: int | None = None
    clock: str | None = None
    interface: str | None = None

    def __post_init__(self) -> None:
        check_integer("processor", self.processor, minimum=0)
        if self.port is not None:
            check_integer("port", self.port, minimum=0)
        if self.name is not None:
            check_identifier(self.name)
        if self.width is not None:
            check_integer("width", self.width, minimum=8, maximum=512)
        if self.clock is not None:
            check_choice("clock", self.clock, CLOCKS)
        if self.interface is not None:
            check_choice("interface", self.interface, tuple(PROTOCOLS))
        if (self.name, self.width, self.clock, self.interface) == (None,) * 4:
            raise ParameterError("name, width, clock or interface must be given")

    def place(self, network: Network) -> int:
        """The number of the port in a network, where ports are numbered processor by processor.

        Raises
        ------
        ParameterError
            If it is not there.
        """
        each = network.processor_ports
        check_integer("processor", self.processor, minimum=0, maximum=network.topology.processors - 1)
        if self.port is None and each > 1:
            raise ParameterError(f"port must be given where processors have {each} ports")
        return self.processor * each + check_integer("port", self.port or 0, minimum=0, maximum=each - 1)


def port_tables(value: Any) -> tuple[PortTable, ...]:
    """The tables in the value of the key, JSON or TOML.

    Raises
    ------
    ParameterError
        If it is no list of such tables: the message begins with the number of the table.
    """
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise ParameterError(f"port must be a list of tables, [[port]] in TOML, not {shown(value)}")
    listed: list[dict[str, Any]] = value
    return tuple(_numbered(number, lambda one=one: _table(one)) for number, one in enumerate(listed, 1))


def _table(given: Mapping[str, Any]) -> PortTable:
    known = SCHEMA["items"]
    for key in given:
        if key not in known["properties"]:
            raise ParameterError(f"{key} must be left out, as ports have {', '.join(known['properties'])} only")
    for key in known["required"]:
        if key not in given:
            raise ParameterError(f"{key} must be given")
    return PortTable(**given)


def protocol_of_tables(tables: Sequence[PortTable], network: Network, interface: str) -> Protocol:
    """The protocol of the ports of a network: as tables say, and ``interface`` where none does.

    Raises
    ------
    ParameterError
        If a port is not there: the message begins with the number of the table.
    """
    interfaces = [interface] * _ports(network)
    for number, table in enumerate(tables, 1):
        if table.interface is not None:
            interfaces[_numbered(number, lambda table=table: table.place(network))] = table.interface
    return protocol_of_ports(interfaces)


def names_of(tables: Sequence[PortTable], network: Network, protocol: Protocol) -> dict[int, str]:
    """The names of the ports of a network that have any, by the numbers of the ports.

    Raises
    ------
    ParameterError
        If a port is not there, has two tables, or cannot have its name: the message begins with the number of the table.
    """
    taken = taken_names(protocol, network) if tables else {}
    seen: set[int] = set()
    names: dict[int, str] = {}

    def add(table: PortTable) -> None:
        place = table.place(network)
        if place in seen:
            raise ParameterError("processor and port must be those of no other table")
        seen.add(place)
        if table.name is not None:
            names[place] = check_name(table.name, place, taken)

    for number, table in enumerate(tables, 1):
        _numbered(number, lambda table=table: add(table))
    return names


def with_widths(
    streams: StreamOptions, tables: Sequence[PortTable], network: Network, protocol: Protocol
) -> StreamOptions:
    """The options of streams with the widths of tables; other ports keep the one width of all, which may be that of a flit.

    Raises
    ------
    ParameterError
        If a port cannot have its width: the message begins with the number of the table; or there are widths of each port already.
    """
    given = {number: table for number, table in enumerate(tables, 1) if table.width is not None}
    if not given:
        return streams
    flit = network.options.width
    if len(streams.port_widths) > 1:
        raise ParameterError(
            "port widths must be one integer, for the other ports, or left out where tables of ports have a width, not "
            f"{len(streams.port_widths)} integers"
        )
    widths = [*streams.port_widths, flit][:1] * _ports(network)

    def put(table: PortTable, width: int) -> None:
        place = table.place(network)
        if protocol.at(place).name != AXI_STREAM.name or not streams.byte_exact:
            raise ParameterError(f"width requires AXI4-Streams with byte-exact packets (byte_exact), not {width}")
        check_port_width(width, flit)
        widths[place] = width

    for number, table in given.items():
        _numbered(number, lambda table=table: put(table, table.width or 0))
    return streams.changed(port_widths=tuple(widths))


def own_clocks(
    tables: Sequence[PortTable], network: Network, protocol: Protocol, *, port_clocks: bool
) -> tuple[bool, ...]:
    """Whether each port of a network has a clock of its own: as tables say, and as ``port_clocks`` where none does.

    Ports with flits have the clock of the network.

    Raises
    ------
    ParameterError
        If a port is not there, or has no AXI4-Streams: the message begins with the number of the table.
    """
    streams = [protocol.at(port).name == AXI_STREAM.name for port in range(_ports(network))]
    own = [port_clocks and stream for stream in streams]

    def put(table: PortTable, clock: str) -> None:
        place = table.place(network)
        if not streams[place]:
            raise ParameterError(f"clock requires ports with AXI4-Streams (interface {AXI_STREAM.name}), not {clock}")
        own[place] = clock == CLOCKS[0]

    for number, table in enumerate(tables, 1):
        if table.clock is not None:
            _numbered(number, lambda table=table: put(table, table.clock or ""))
    return tuple(own)


def tables_of(
    names: Mapping[int, str], own: Collection[int], interfaces: Mapping[int, str], network: Network
) -> list[dict[str, Any]]:
    """The tables that give the ports of a network these names and protocols and, to those in ``own``, clocks; as JSON has them.

    They are in the order of the ports.
    """
    each = network.processor_ports
    return [
        {
            "processor": place // each,
            **({"port": place % each} if each > 1 else {}),
            **({"name": names[place]} if place in names else {}),
            **({"clock": CLOCKS[0]} if place in own else {}),
            **({"interface": interfaces[place]} if place in interfaces else {}),
        }
        for place in sorted({*names, *own, *interfaces})
    ]


def _ports(network: Network) -> int:
    """The ports of all processors."""
    return network.topology.processors * network.processor_ports


def _numbered(number: int, make: Any) -> Any:
    try:
        return make()
    except ParameterError as error:
        raise ParameterError(f"port table {number}: {error}") from None
