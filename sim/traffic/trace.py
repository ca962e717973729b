"""Traffic from a trace: packets are created in the cycles that a file lists; latencies are measured on the RTL.

Traces are long: of each packet there are some words in memory, and everything else of it is made when it is needed.
"""

import array
from collections.abc import Iterable, Iterator, Sequence
import csv
import dataclasses
from functools import cached_property
import hashlib
from pathlib import Path
import tempfile
from typing import Any, NamedTuple, TextIO, overload

import numpy

from fatcube.groundwork.digest import digest, source_digest
from fatcube.groundwork.strict.json_text import Rows, parse_json
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.rtl.endpoint.source import PREPARATION
from fatcube.sim.traffic.load_options import MOST_FLITS
from fatcube.sim.traffic.traffic import Fed, Traffic, run_traffic

__all__ = ["Trace", "TracedPacket", "TraceResult", "TraceTest", "read_trace"]


_COLUMNS = ("cycle", "source", "destination", "flits")
_MOST = {"cycle": (1 << 64) - 1, "source": 1 << 16, "destination": 1 << 16, "flits": MOST_FLITS}
_ROOM = 1024
"""Packets of a trace in a source, and in a sink: half of them, at one in each cycle, are as many cycles as a simulator is left alone."""
_LONGEST_LINE = 1000  # characters
_MOST_SAID = 20  # packets that did not arrive, each in a line


class TracedPacket(NamedTuple):
    """A packet of a trace.

    Members
    -------
    cycle : :class:`int`
        The cycle in which it is created, from 0.
    source, destination : :class:`int`
        Numbers of processors.
    flits : :class:`int`
        Length in flits, header included.
    """

    cycle: int
    source: int
    destination: int
    flits: int


class Trace(Sequence[TracedPacket]):
    """The packets of a trace by the cycles of their creation; those of one cycle are in the order in which they were given.

    Parameters
    ----------
    packets : iterable of :class:`TracedPacket`

    Raises
    ------
    ParameterError
        If a number of a packet is none, or there is no packet.
    """

    def __init__(self, packets: Iterable[TracedPacket]) -> None:
        cycle, source, destination, flits = columns = [array.array(kind) for kind in "QIII"]
        for packet in packets:
            if not 0 < packet.flits <= MOST_FLITS or min(packet) < 0:
                _checked(packet)
            try:
                cycle.append(packet.cycle)
                source.append(packet.source)
                destination.append(packet.destination)
                flits.append(packet.flits)
            except (OverflowError, TypeError):
                _checked(packet)
        if not flits:
            raise ParameterError("a trace must have at least one packet")
        self.cycle, self.source, self.destination, self.flits = map(numpy.asarray, columns)
        if (self.cycle[1:] < self.cycle[:-1]).any():
            order = numpy.argsort(self.cycle, kind="stable")
            self.cycle, self.source, self.destination, self.flits = (column[order] for column in self.columns)

    @property
    def columns(self) -> tuple["numpy.ndarray[Any, Any]", ...]:
        """The numbers of all packets: cycles, sources, destinations, flits."""
        return self.cycle, self.source, self.destination, self.flits

    def __len__(self) -> int:
        return len(self.flits)

    @overload
    def __getitem__(self, place: int) -> TracedPacket: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[TracedPacket]: ...
    def __getitem__(self, place: int | slice) -> TracedPacket | Sequence[TracedPacket]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        return TracedPacket(*(int(column[place]) for column in self.columns))

    def rows(self, *further: "numpy.ndarray[Any, Any]") -> Iterator[list[int]]:
        """The numbers of each packet, and ``further`` ones behind them."""
        for first in range(0, len(self), 1 << 12):
            columns = (column[first : first + (1 << 12)].tolist() for column in (*self.columns, *further))
            yield from map(list, zip(*columns))

    @property
    def digest(self) -> str:
        """The digest of all packets."""
        made = hashlib.sha256()
        for column in self.columns:
            made.update(column.tobytes())
        return made.hexdigest()[:24]


def read_trace(path: Path) -> Trace:
    """The packets in a file: CSV with columns cycle, source, destination and flits, or .jsonl with an object per line.

    Raises
    ------
    ParameterError
        If the file has another form; the message begins with the path and the line.
    OSError
        If the file cannot be read.
    """
    with path.open(encoding="utf-8-sig") as file:
        try:
            return Trace(_packets(path, file))
        except UnicodeDecodeError:
            raise ParameterError(f"{path} must be text in UTF-8") from None


def _packets(path: Path, file: TextIO) -> Iterator[TracedPacket]:
    """The packets of a file, each checked."""
    read, none = (_json_rows if path.suffix == ".jsonl" else _csv_rows), True
    for number, row in read(path, file):
        try:
            if row.keys() != set(_COLUMNS):
                raise ParameterError(f"a packet must have {', '.join(_COLUMNS)}, not {', '.join(map(str, row))[:80]}")
            yield _checked(TracedPacket(**row))
        except ParameterError as error:
            raise ParameterError(f"{path}, line {number}: {error}") from None
        none = False
    if none:
        raise ParameterError(f"{path} must have at least one packet")


def _lines(path: Path, file: TextIO) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, each with its number. A device that never ends has no lines."""
    for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE + 1), ""), 1):
        if len(line) > _LONGEST_LINE:
            raise ParameterError(f"{path}, line {number}: a packet must have at most {_LONGEST_LINE:,} characters")
        if line.strip():
            yield number, line


def _json_rows(path: Path, file: TextIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """The packets of JSON lines, each with its line number."""
    for number, line in _lines(path, file):
        yield number, _json(path, number, line)


def _csv_rows(path: Path, file: TextIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """The packets of a file of comma-separated values, the first line of which names the columns."""
    head: list[str] = []
    for number, line in _lines(path, file):
        cells = next(csv.reader([line])) if '"' in line else line.rstrip("\n").split(",")
        if not head:
            head = [cell.strip() for cell in cells]
            if sorted(head) != sorted(_COLUMNS):
                break
        elif len(cells) != len(head):
            raise ParameterError(f"{path}, line {number}: a packet must have {len(head)} values, not {len(cells)}")
        else:
            yield number, {name: _integer(cell) for name, cell in zip(head, cells)}
    if sorted(head) != sorted(_COLUMNS):
        raise ParameterError(f"{path} must begin with a line {','.join(_COLUMNS)}, or be JSON lines (.jsonl)")


def _json(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = parse_json(line)
    except ParameterError as error:
        raise ParameterError(f"{path}, line {number}: {error}") from None
    if not isinstance(value, dict):
        raise ParameterError(f"{path}, line {number}: a packet must be an object with {', '.join(_COLUMNS)}")
    return value


def _integer(cell: str) -> int | str:
    """The integer in a cell; the text itself if it is not an integer."""
    try:
        return int(cell)
    except ValueError:
        return cell


def _checked(packet: TracedPacket) -> TracedPacket:
    for name, value in zip(_COLUMNS, packet):
        check_integer(name, value, minimum=int(name == "flits"), maximum=_MOST[name])
    return packet


@dataclasses.dataclass(frozen=True, kw_only=True)
class TraceResult:
    """The latencies of the packets of a trace, and what went wrong.

    Attributes
    ----------
    packets : :class:`Trace`
        The packets, in the order of their creation.
    latencies : array of :class:`int`
        Cycles from the creation of each of ``packets`` to the arrival of its tail flit; -1 if it did not arrive.
    cycles : :class:`int`
        Cycles until the last flit had moved.
    conflicts : :class:`int`
        Cycles, summed over all routers, in which an input waited for an output that another packet held.
    failures : tuple of :class:`str`
        All faults of packets; of packets that did not arrive, the first ones.
    """

    packets: Trace
    latencies: "numpy.ndarray[Any, Any]"
    cycles: int
    conflicts: int
    failures: tuple[str, ...]

    @property
    def arrived(self) -> "numpy.ndarray[Any, Any]":
        """Whether each packet arrived."""
        return self.latencies >= 0

    def to_json(self) -> dict[str, Any]:
        """The measurements, as in a record."""

        def rows() -> Iterator[list[int | None]]:
            for row in self.packets.rows(self.latencies):
                yield [*row[:-1], None if row[-1] < 0 else row[-1]]

        return {
            "cycles": self.cycles,
            "conflicts": self.conflicts,
            "columns": [*_COLUMNS, "latency"],
            "packets": Rows(len(self.packets), rows),
            "failures": list(self.failures),
        }


class TraceTest:
    """A network under the traffic of a trace.

    Each processor sends its packets over its ports in turn, in the order of their creation; packets of one cycle are in
    the order of the trace. A packet goes to the destination's port with the number of the port that sends it.

    Parameters
    ----------
    network : :class:`RoutedNetwork`
        If it needs a longest packet and none was given, the longest packet is at least that of the trace.
    packets : iterable of :class:`TracedPacket`

    Raises
    ------
    ParameterError
        If a packet is not possible on the network.
    """

    def __init__(self, network: RoutedNetwork, packets: Iterable[TracedPacket]) -> None:
        if not isinstance(network, RoutedNetwork):
            raise ParameterError(f"network must be one with a routing, not the {network.name}")
        self.packets = trace = packets if isinstance(packets, Trace) else Trace(packets)
        for name, last in (
            ("source", network.topology.processors - 1),
            ("destination", network.topology.processors - 1),
        ):
            if (beyond := getattr(trace, name) > last).any():
                packet = trace[int(beyond.argmax())]
                raise ParameterError(
                    f"packet {tuple(packet)}: {name} must be an integer from 0 to {last}, not {getattr(packet, name)}"
                )
        for flits in numpy.unique(trace.flits).tolist():
            try:
                network = network.for_packets(flits)
            except ParameterError as error:
                packet = trace[int((trace.flits == flits).argmax())]
                raise ParameterError(f"packet {tuple(packet)}: {error}") from None
        self.network = network
        ports = network.processor_ports
        port = _ranks(trace.source) % ports
        source, sink = (one.astype(numpy.uint64) * ports + port for one in (trace.source, trace.destination))
        # The ways of a source, with a number for each, are in the order in which packets take them first.
        kinds, first, kind = numpy.unique(
            source << 32 | sink << 16 | trace.flits, return_index=True, return_inverse=True
        )
        order = numpy.argsort(first, kind="stable")
        number = numpy.empty_like(order)
        number[order] = _ranks(kinds[order] >> 32)
        self._ways: list[list[tuple[int, int]]] = [[] for _ in range(network.endpoints)]
        for one in kinds[order].tolist():
            self._ways[one >> 32].append((one >> 16 & 0xFFFF, one & 0xFFFF))
        self._ends = source << 32 | sink << 16 | number[kind.reshape(-1)].astype(numpy.uint64)
        self.machine = TrafficMachine(network=network, ways=_room(max(map(len, self._ways))), trace=_ROOM)
        self._destinations = [
            [self.machine.way_to(source, sink)._replace(flits=flits) for sink, flits in some]
            for source, some in enumerate(self._ways)
        ]

    def __str__(self) -> str:
        return (
            f"a trace of {len(self.packets):,} packet{'s' if len(self.packets) > 1 else ''} on the {self.network.name}"
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """All inputs of the measurement except the sources, as in the record."""
        return {**self.network.to_json(), "trace": Rows(len(self.packets), self.packets.rows)}

    @cached_property
    def key(self) -> str:
        """The digest of these and of the sources."""
        return digest(self.network.to_json(), self.packets.digest, source_digest())

    @property
    def busy_cycles(self) -> int:
        """The cycles of the trace without those of long gaps, which are left out; at least one for each flit of the busiest port."""
        gaps = numpy.diff(self.packets.cycle, prepend=numpy.uint64(0))
        last = int(numpy.minimum(gaps, _ROOM).sum()) + int(self.packets.flits[-1])
        ports = (self._ends >> 32, self._ends >> 16 & 0xFFFF)
        busiest = (numpy.bincount(one.astype(numpy.int64), weights=self.packets.flits).max() for one in ports)
        return max(last, *map(int, busiest))

    def run(self) -> TraceResult:
        """Run the trace, and read back the latencies of its packets."""
        with tempfile.TemporaryDirectory(prefix="fatcube-trace-") as folder:
            fed = Fed.write(Path(folder), numpy.stack([self.packets.cycle, self._ends], axis=1))
            traffic = Traffic(
                rate=0,
                packet_flits=int(self.packets.flits.max()),
                measured=1,
                destinations=self._destinations,
                trace=fed,
            )
            [result] = run_traffic(self.machine, [traffic])
            found = numpy.fromfile(fed.latencies, dtype=numpy.uint64).astype(numpy.int64)
        latencies = numpy.where(found > 0, found - PREPARATION, -1)
        failures = list(result.failures)
        missing = numpy.flatnonzero(latencies < 0)
        if len(missing) and not failures:
            failures += [
                f"packet {tuple(self.packets[number])} was not seen to arrive"
                for number in missing[:_MOST_SAID].tolist()
            ]
            if len(missing) > _MOST_SAID:
                failures.append(f"nor were {len(missing) - _MOST_SAID} others")
        if result.unknown:
            failures.append(f"{result.unknown} packets arrived that are not those of the trace")
        return TraceResult(
            packets=self.packets,
            latencies=latencies,
            cycles=result.cycles,
            conflicts=result.conflicts,
            failures=tuple(failures),
        )


def _ranks(values: "numpy.ndarray[Any, Any]") -> "numpy.ndarray[Any, Any]":
    """For each value the number of equal values before it."""
    order = numpy.argsort(values, kind="stable")
    ordered, places = values[order], numpy.arange(len(values), dtype=numpy.uint64)
    begins = numpy.concatenate([[True], ordered[1:] != ordered[:-1]])
    ranks = numpy.empty(len(values), dtype=numpy.uint64)
    ranks[order] = places - numpy.maximum.accumulate(numpy.where(begins, places, 0)).astype(numpy.uint64)
    return ranks


def _room(number: int, least: int = 16) -> int:
    """The next power of two, so that similar traces run on the same machine."""
    return max(least, 1 << (number - 1).bit_length())
