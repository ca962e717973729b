"""Traffic from a trace: packets are created in the cycles that a file lists; latencies are measured on the RTL."""

from collections import defaultdict
from collections.abc import Sequence
import csv
import dataclasses
from pathlib import Path
from typing import Any, NamedTuple

from fatcube.groundwork.files import read_bytes
from fatcube.groundwork.strict_json import parse_json
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.machines.traffic_machine import MOST_TRACED, TrafficMachine
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.rtl.endpoint.source import PREPARATION
from fatcube.rtl.endpoint.traffic import SEQUENCE
from fatcube.sim.traffic.load_options import MOST_FLITS
from fatcube.sim.traffic.traffic import Entry, Traffic, TrafficResult, run_traffic

__all__ = ["TracedPacket", "TraceResult", "TraceTest", "read_trace"]


_MOST_BYTES = 1 << 27


_COLUMNS = ("cycle", "source", "destination", "flits")
_MOST = {"cycle": 1 << 24, "source": 1 << 16, "destination": 1 << 16, "flits": MOST_FLITS}


class TracedPacket(NamedTuple):
    """A packet of a trace.

    Members
    -------
    cycle : :class:`int`
        The cycle in which it is created, from 0.
    source, destination : :class:`int`
        Numbers of processors. flits : :class:`int` Length in flits, header included.
    """

    cycle: int
    source: int
    destination: int
    flits: int


def read_trace(path: Path) -> list[TracedPacket]:
    """The packets in a file: CSV with columns cycle, source, destination and flits, or .jsonl with an object per line.

    Raises
    ------
    ParameterError
        If the file has another form; the message begins with the path and the line.
    OSError
        If the file cannot be read.
    """
    packets = []
    try:
        text = read_bytes(path, most=_MOST_BYTES, what="a trace").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ParameterError(f"{path} must be text: {error}") from None
    for number, row in _rows(path, text):
        try:
            if row.keys() != set(_COLUMNS):
                raise ParameterError(f"a packet must have {', '.join(_COLUMNS)}, not {', '.join(map(str, row))[:80]}")
            packets.append(_checked(TracedPacket(**row)))
        except ParameterError as error:
            raise ParameterError(f"{path}, line {number}: {error}") from None
    if not packets:
        raise ParameterError(f"{path} must have at least one packet")
    return packets


def _rows(path: Path, text: str) -> list[tuple[int, dict[str, Any]]]:
    """The packets of the lines that are not empty, each with its line number."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if path.suffix == ".jsonl":
        return [(number, _json(path, number, line)) for number, line in lines]
    cells = [(number, next(csv.reader([line]))) for number, line in lines]
    head = [cell.strip() for cell in cells[0][1]] if cells else []
    if sorted(head) != sorted(_COLUMNS):
        raise ParameterError(f"{path} must begin with a line {','.join(_COLUMNS)}, or be JSON lines (.jsonl)")
    rows = []
    for number, row in cells[1:]:
        if len(row) != len(head):
            raise ParameterError(f"{path}, line {number}: a packet must have {len(head)} values, not {len(row)}")
        rows.append((number, {name: _integer(cell) for name, cell in zip(head, row)}))
    return rows


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
    packets : tuple of :class:`TracedPacket`
        The packets, in the order of their creation.
    latencies : tuple of :class:`int` or ``None``
        Cycles from the creation of each of ``packets`` to the arrival of its tail flit; ``None`` if it did not arrive.
    cycles : :class:`int`
        Cycles until the last flit had moved.
    conflicts : :class:`int`
        Cycles, summed over all routers, in which an input waited for an output that another packet held.
    failures : tuple of :class:`str`
        All faults of packets.
    """

    packets: tuple[TracedPacket, ...]
    latencies: tuple[int | None, ...]
    cycles: int
    conflicts: int
    failures: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The measurements, as in a record."""
        rows = [[*packet, latency] for packet, latency in zip(self.packets, self.latencies)]
        return {
            "cycles": self.cycles,
            "conflicts": self.conflicts,
            "columns": [*_COLUMNS, "latency"],
            "packets": rows,
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
    packets : list of :class:`TracedPacket`

    Raises
    ------
    ParameterError
        If a packet is not possible on the network, or a processor sends or receives too many.
    """

    def __init__(self, network: RoutedNetwork, packets: Sequence[TracedPacket]) -> None:
        if not isinstance(network, RoutedNetwork):
            raise ParameterError(f"network must be one with a routing, not {network}")
        if not packets:
            raise ParameterError("a trace must have at least one packet")
        self.packets = tuple(sorted(map(_checked, packets), key=lambda packet: packet.cycle))
        last, ports = network.topology.processors - 1, network.processor_ports
        sent: dict[int, int] = defaultdict(int)
        ends = []
        for packet in self.packets:
            try:
                for name in ("source", "destination"):
                    check_integer(name, getattr(packet, name), minimum=0, maximum=last)
                network = network.for_packets(packet.flits)
            except ParameterError as error:
                raise ParameterError(f"packet {tuple(packet)}: {error}") from None
            port = sent[packet.source] % ports
            sent[packet.source] += 1
            ends.append((packet.source * ports + port, packet.destination * ports + port))
        self.network = network
        self._ends = ends
        self._ways: list[dict[tuple[int, int], int]] = [{} for _ in range(network.endpoints)]
        at_source, at_sink = [0] * network.endpoints, [0] * network.endpoints
        for packet, (source, sink) in zip(self.packets, ends):
            self._ways[source].setdefault((sink, packet.flits), len(self._ways[source]))
            at_source[source] += 1
            at_sink[sink] += 1
        for name, counts in (("source", at_source), ("destination", at_sink)):
            check_integer(f"packets of the {name} with most", max(counts), minimum=1, maximum=MOST_TRACED)
        self.machine = TrafficMachine(
            network=network,
            ways=_room(max(map(len, self._ways))),
            trace=_room(max(at_source)),
            log=_room(max(at_sink)),
        )
        self._destinations = [
            [self.machine.way_to(source, sink)._replace(flits=flits) for sink, flits in some]
            for source, some in enumerate(self._ways)
        ]

    def __str__(self) -> str:
        return f"a trace of {len(self.packets):,} packet{'s' if len(self.packets) > 1 else ''} on {self.network}"

    @property
    def parameters(self) -> dict[str, Any]:
        """All inputs of the measurement except the sources, as in the record."""
        return {**self.network.to_json(), "trace": [list(packet) for packet in self.packets]}

    def run(self) -> TraceResult:
        """Run the trace, and read back the latencies of its packets."""
        machine = self.machine
        entries: list[list[Entry]] = [[] for _ in machine.places]
        for packet, (source, sink) in zip(self.packets, self._ends):
            entries[source].append(Entry(packet.cycle, self._ways[source][sink, packet.flits]))
        traffic = Traffic(
            rate=0,
            packet_flits=max(packet.flits for packet in self.packets),
            measured=self.packets[-1].cycle + 1,
            destinations=self._destinations,
            trace=entries,
        )
        return self._result(*run_traffic(machine, [traffic]))

    def _result(self, result: TrafficResult) -> TraceResult:
        """The latencies of all packets, each found in the log of its sink by its source and sequence number."""
        found = {
            (entry.source, sink, entry.sequence, entry.created): entry.latency
            for sink, log in enumerate(result.logs)
            for entry in log
        }
        numbers: dict[tuple[int, int], int] = defaultdict(int)
        latencies: list[int | None] = []
        failures = list(result.failures)
        for packet, ends in zip(self.packets, self._ends):
            key = (*ends, numbers[ends] % (1 << SEQUENCE), packet.cycle)
            numbers[ends] += 1
            latency = found.pop(key, None)
            latencies.append(None if latency is None else latency - PREPARATION)
            if latency is None and not result.failures:
                failures.append(f"packet {tuple(packet)} was not seen to arrive")
        if found:
            failures.append(f"{len(found)} packets arrived that are not those of the trace")
        return TraceResult(
            packets=self.packets,
            latencies=tuple(latencies),
            cycles=result.cycles,
            conflicts=result.conflicts,
            failures=tuple(failures),
        )


def _room(number: int, least: int = 16) -> int:
    """The next power of two, so that similar traces run on the same machine."""
    return max(least, 1 << (number - 1).bit_length())
