"""The JSON description beside generated Verilog, as a testbench asks it: ports, headers and routes.

Everything here is read from that file, so a test holds the Verilog against what is written beside it; of fatcube, it knows what
protocols call their ports.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
import dataclasses
import json
from pathlib import Path
import random
import re
from typing import Any, Self

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.rtl.protocols import protocol_of
from fatcube.rtl.protocols.protocol import Protocol
from fatcube.testing.packet import Packet

__all__ = ["Description", "HeaderFormat", "Route", "WordFormat"]

_FORMATS = tuple(f"fatcube.{what}/1" for what in ("router", "network", "system"))
_MESSAGE = "message_id"


@dataclasses.dataclass(frozen=True)
class Route:
    """A way from one port of a processor to another.

    Parameters
    ----------
    source, destination : :class:`int`
        The ports, numbered processor by processor, port by port.
    header : :class:`int`
        The lowest bits of a header that is sent on it: all below the message id.
    """

    source: int
    destination: int
    header: int


class WordFormat:
    """The fields of a word of hardware.

    Parameters
    ----------
    fields : list
        Each with its ``field``, the name, ``low``, the lowest bit, and ``bits``, as in the description. A name's spaces are
        underscores here.
    """

    def __init__(self, fields: Sequence[Mapping[str, Any]]) -> None:
        self._places: dict[str, tuple[int, int]] = {
            field["field"].replace(" ", "_"): (field["low"], field["bits"]) for field in fields
        }

    def fields(self) -> dict[str, tuple[int, int]]:
        """The lowest bit and the number of bits of each field, by name."""
        return dict(self._places)

    def pack(self, word: int = 0, **fields: int) -> int:
        """A word.

        Parameters
        ----------
        word : :class:`int`
            The initial value of all fields: for a header, the ``header`` of a :class:`Route`, for instance.
        fields : :class:`int`
            Values by name.

        Raises
        ------
        ParameterError
            If there is no such field, or a value does not fit into it.
        """
        for name, value in fields.items():
            if name not in self._places:
                raise ParameterError(f"field must be one of {', '.join(self._places)}, not {name}")
            low, bits = self._places[name]
            mask = (1 << bits) - 1
            word &= ~(mask << low)
            word |= check_integer(name, value, minimum=0, maximum=mask) << low
        return word

    def unpack(self, word: int) -> dict[str, int]:
        """The fields of a word, by name."""
        return {name: word >> low & (1 << bits) - 1 for name, (low, bits) in self._places.items()}


class HeaderFormat(WordFormat):
    """The fields of a header flit as a processor sends it: ``selector_of_router_0``, ``mask``, ``destination``, ``message_id``
    and others. Their changes on the way are described at the head of the Verilog.

    Attributes
    ----------
    route_bits : :class:`int`
        The bits below the message id, which routers read and may change.
    message_bits : :class:`int`
        Bits of the message id.
    """

    def __init__(self, fields: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(fields)
        self.route_bits, self.message_bits = self._places[_MESSAGE]

    def packet(self, payload: Iterable[int], header: int = 0, **fields: int) -> Packet:
        """A packet with that header, packed as by :meth:`pack`, and that payload."""
        return Packet([self.pack(header, **fields), *payload])

    def kept(self, words: Sequence[int]) -> list[int]:
        """The words of a packet, without the bits of the header that routers change: those below the message id."""
        return [words[0] >> self.route_bits, *words[1:]]


class Description:
    """A description of generated Verilog, from the JSON beside it.

    Parameters
    ----------
    about : mapping
        The description: docs/reference/network-files.md has all its keys.

    Attributes
    ----------
    about : mapping
        The parsed JSON.
    top : :class:`str`
        The top module.
    width : :class:`int`
        Bits of a flit, or of a word of an AXI4-Stream.
    header : :class:`HeaderFormat`
        The fields of a header.

    Raises
    ------
    ParameterError
        If it is none of a router, network or system.
    """

    def __init__(self, about: Mapping[str, Any]) -> None:
        found = about.get("format")
        if found not in _FORMATS:
            raise ParameterError(f"format must be one of {', '.join(_FORMATS)}, not {found!r}")
        self.about = about
        self.top: str = about["top"]
        self.parameters: Mapping[str, Any] = about["parameters"]
        self.width: int = self.parameters["width"]
        self.header = HeaderFormat(about["header"])
        self._protocol = protocol_of(about)

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """The description in a file.

        Raises
        ------
        ParameterError
            If it has another format.
        """
        return cls(json.loads(Path(path).read_text(encoding="utf-8")))

    @property
    def byte_exact(self) -> bool:
        """Whether packets of AXI4-Streams are of bytes, with TKEEP and TUSER."""
        return self.about.get("streams", {}).get("byte_exact", False)

    @property
    def word_bits(self) -> int:
        """Bits of a word of a packet: 8 where packets are of bytes."""
        return 8 if self.byte_exact else self.width

    @property
    def user_bits(self) -> int:
        """Bits of TUSER, bit 0 being the error bit; 0 where there is none."""
        return self.about["streams"]["user_bits"] if self.byte_exact else 0

    @property
    def most_words(self) -> int:
        """The most words of a packet that AXI4-Streams deliver; 0 for any number."""
        longest = self.parameters["longest_packet"] or self.about.get("streams", {}).get("store_packets", 0)
        if not longest:
            return 0
        # A header is one of the flits, and of packets of bytes a trailer too.
        return (longest - 2) * self.width // 8 if self.byte_exact else longest - 1

    @property
    def port_names(self) -> list[str]:
        """The names of the ports of the top module."""
        return [port["name"] for port in self.about["ports"]]

    def has_port(self, name: str) -> bool:
        """Whether the top module has that port."""
        return name in self.port_names

    @property
    def ports_per_processor(self) -> int:
        """Ports of each processor."""
        return self.about["ports_per_processor"]

    @property
    def endpoints(self) -> int:
        """Ports of all processors."""
        return len(self.about["processors"]) * self.ports_per_processor

    def processor_of(self, endpoint: int) -> int:
        """The processor that has that port: the ``tid`` of what it sends."""
        return endpoint // self.ports_per_processor

    def prefixes(self, endpoint: int) -> tuple[str, str]:
        """The names of the streams of a port, into the network and out of it."""
        return self.protocol.streams_of(endpoint, self.ports_per_processor)

    @property
    def protocol(self) -> Protocol:
        """The protocol of the ports of processors, with the names of ports; flits by default, as for a router."""
        return self._protocol

    @property
    def keeps_order(self) -> bool:
        """Whether packets from one port to another arrive in the order in which they are sent."""
        if self.about["routing"] is not None:
            return self.about["routing"]["keeps_order"]
        several_lanes = any(link["lanes"] > 1 for link in self.about["links"])
        several_channels = self.parameters["virtual_channels"] > 1
        return self.parameters["hops"] == 1 and not several_lanes and not several_channels

    def message_class(self, endpoint: int) -> int:
        """The message class of a port: ports of different classes send nothing to each other."""
        ports = self.ports_per_processor
        return endpoint % ports * self.parameters.get("message_classes", 1) // ports

    def headers(self, source: int) -> dict[int, list[int]]:
        """The headers of packets from a port of a network with a routing, by their destinations: with the processor as message id.

        Raises
        ------
        ParameterError
            If the description has not all routes.
        """
        routes = self.about["routing"]["routes"]
        if routes is None:
            raise ParameterError(
                f"routes must all be in the description, as of at most 256 ports, not of {self.endpoints}"
            )
        message = {_MESSAGE: self.processor_of(source)}
        found = {to: dict.fromkeys(headers) for to, headers in enumerate(routes[source])}
        return {
            to: [self.header.pack(int(one, 16), **message) for one in headers]
            for to, headers in found.items()
            if headers
        }

    def routes(self, *, most: int = 4096, seed: int = 0) -> list[Route]:
        """The routes of a network whose ports have flits: all of them, or a sample of at most ``most``.

        Without a routing, they are the routes that cross each lane at most once and at most as many links as packets can.
        """
        found = self._written_routes() if self.about["routing"] is not None else self._walked_routes(most, seed)
        if len(found) <= most:
            return found
        return random.Random(f"routes {seed}").sample(found, most)

    def _written_routes(self) -> list[Route]:
        routing = self.about["routing"]
        if routing["routes"] is None:
            return [Route(source, to, int(header, 16)) for source, to, header in routing["sample"]]
        return [
            Route(source, to, int(header, 16))
            for source, row in enumerate(routing["routes"])
            for to, headers in enumerate(row)
            for header in dict.fromkeys(headers)
        ]

    def _walked_routes(self, most: int, seed: int) -> list[Route]:
        """Follow the turns of the routers: all ways of at most one link, and of longer ones ``most`` at random."""
        walks = _Walks(self.about, self.header)
        if walks.hops == 1:
            return [route for source in range(self.endpoints) for route in walks.all_from(source)]
        pick = random.Random(f"walks {seed}")
        found = dict.fromkeys(walks.random_from(pick.randrange(self.endpoints), pick) for _ in range(most))
        return [route for route in found if route is not None]


class _Walks:
    """The ways through a network without a routing, along links and turns, with a selector for each router."""

    def __init__(self, about: Mapping[str, Any], header: HeaderFormat) -> None:
        self._header = header
        self.hops: int = about["parameters"]["hops"]
        names = about["router"]["inputs_and_outputs"]
        self._inputs = {names[number]["input"]: number for number in range(len(names))}
        self._outputs = [name["output"] for name in names]
        self._turns = {node: router["turns"] for router in about["routers"] for node in router["nodes"]}
        self._home = [(one["node"], one["local"]) for one in about["processors"]]
        self._at = {place: processor for processor, place in enumerate(self._home)}
        self._ports: int = about["ports_per_processor"]
        self._ends = {
            (link["node"], f"channel{link['channel']}_lane{lane}_out"): (
                link["to"],
                self._inputs[f"channel{link['channel_there']}_lane{lane}_in"],
            )
            for link in about["links"]
            for lane in range(link["lanes"])
        }

    def _first(self, source: int) -> tuple[int, int]:
        """The node and the input that packets of a port come in at."""
        processor, port = divmod(source, self._ports)
        node, local = self._home[processor]
        return node, self._inputs[f"processor{local}_send{port}"]

    def _port_at(self, node: int, output: int) -> int | None:
        """The port of a processor behind an output; ``None`` if it is a lane, or nothing is there."""
        found = re.fullmatch(r"processor(\d+)_receive(\d+)", self._outputs[output])
        if found is None or (node, int(found[1])) not in self._at:
            return None
        return self._at[node, int(found[1])] * self._ports + int(found[2])

    def _route(self, source: int, destination: int, way: Sequence[int]) -> Route:
        fields = {f"selector_of_router_{number}": output for number, output in enumerate(way)}
        return Route(source, destination, self._header.pack(**fields))

    def all_from(self, source: int) -> Iterator[Route]:
        """All routes from a port that cross at most one link."""
        node, number = self._first(source)
        for output in self._turns[node][number]:
            if (port := self._port_at(node, output)) is not None:
                yield self._route(source, port, [output])
            elif (end := self._ends.get((node, self._outputs[output]))) is not None:
                there, enters = end
                for last in self._turns[there][enters]:
                    if (port := self._port_at(there, last)) is not None:
                        yield self._route(source, port, [output, last])

    def random_from(self, source: int, pick: random.Random) -> Route | None:
        """A route from a port; ``None`` if the way that was tried ends nowhere."""
        node, number = self._first(source)
        way: list[int] = []
        crossed = set[tuple[int, int]]()
        while len(way) <= self.hops:
            output = pick.choice(self._turns[node][number])
            way.append(output)
            if (port := self._port_at(node, output)) is not None:
                return self._route(source, port, way)
            end = self._ends.get((node, self._outputs[output]))
            if end is None or (node, output) in crossed:
                return None
            crossed.add((node, output))
            node, number = end
        return None
