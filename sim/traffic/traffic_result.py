"""The result of a run with traffic: counts of sources, sinks and routers, and faults."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
import dataclasses
from typing import Any

from fatcube.noc.machines.traffic_machine import Destination, TrafficMachine
from fatcube.rtl.endpoint.traffic import SEQUENCE, Arrivals, LogEntry, PairEntry
from fatcube.rtl.endpoint.traffic_endpoint import COUNTERS
from fatcube.sim.builds.job import Observation
from fatcube.sim.builds.words import unpacker

__all__ = ["FAULTS", "TrafficResult", "result_of"]


FAULTS = ("lost", "doubled", "reordered", "torn", "corrupted", "misrouted", "late")
"""The kinds of faults of a packet: see :class:`fatcube.rtl.endpoint.sink.Sink`."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrafficResult:
    """The measurements of a run, read from sources, sinks and routers.

    Where packets are answered, those that are created, offered, accepted and delivered are requests, and a latency is the
    time from the creation of a request to the arrival of its reply.

    Attributes
    ----------
    cycles : :class:`int`
        Cycles until the last flit had moved.
    created, sent, arrived, refused : :class:`int`
        Packets created while measuring; all packets sent, all packets arrived, and all for which a queue had no room.
    offered, accepted, delivered : :class:`float`
        Flits per cycle and endpoint while measuring: of packets created, into the network, out of it.
    sources : tuple of (:class:`int`, :class:`int`)
        For each endpoint that creates packets, in order: the packets that it created, and its flits that went into the
        network, while measuring.
    measured : :class:`int`
        Packets created while measuring that have arrived intact.
    latency : :class:`float` or ``None``
        Cycles from the creation of the ``measured`` packets to the arrival of their tail flits, on average; ``None`` if
        there are none.
    waited : :class:`float` or ``None``
        The part of ``latency`` before the header was sent.
    longest : :class:`int`
        The highest latency of a measured packet.
    latencies : tuple of :class:`int`
        The latency histogram of the measured packets: packets in each bin; the last bin has all with higher latencies.
    illegal, errors : :class:`int`
        Packets sent on illegal routes, and errors counted by routers. The run has failed if the two differ.
    conflicts : :class:`int`
        Cycles, summed over the routers, in which an input waited for an output that another packet held.
    faults : dict
        Number of packets with each of :data:`FAULTS`; a lost packet may also have another fault.
    logs : tuple of list
        The :class:`entries <fatcube.rtl.endpoint.traffic.LogEntry>` of each sink, if the machine has logs.
    unknown : :class:`int`
        With a trace, packets that arrived and were not under way.
    pairs : tuple of list
        For each sink, the :class:`entry <fatcube.rtl.endpoint.traffic.PairEntry>` of each source, if the machine has details.
    lanes : tuple of list of :class:`int`
        For each node, the flits that left by each lane while measuring, by channel, then lane, if the machine counts
        them.
    failures : tuple of :class:`str`
        All faults and their places; empty if there are none.
    """

    cycles: int
    created: int
    sent: int
    arrived: int
    refused: int
    offered: float
    accepted: float
    delivered: float
    sources: tuple[tuple[int, int], ...]
    measured: int
    latency: float | None
    waited: float | None
    longest: int
    latencies: tuple[int, ...]
    illegal: int
    errors: int
    conflicts: int
    faults: dict[str, int]
    logs: tuple[list[Any], ...]
    unknown: int = 0
    pairs: tuple[list[Any], ...]
    lanes: tuple[list[int], ...]
    failures: tuple[str, ...]


def result_of(
    machine: TrafficMachine,
    ways: Sequence[Sequence[Destination]],
    observation: Observation,
    *,
    measured: int,
    packet_flits: int,
) -> TrafficResult:
    """The result of a run to these destinations, of ``measured`` cycles and with packets of ``packet_flits`` flits."""
    endpoints = range(machine.endpoints)
    words = iter(observation.payload)
    unpack = unpacker(Arrivals())
    unpack_log, unpack_pair = unpacker(LogEntry()), unpacker(PairEntry())
    counters, numbered, used, arrivals, histograms, logs, pairs = [], [], [], [], [], [], []
    for _ in endpoints:
        counters.append(dict(zip(COUNTERS, next(words))))
        numbered.append(next(words))
        used.append(next(words))
        arrivals.append([unpack(word) for word in next(words)])
        histograms.append(next(words))
        pairs.append([unpack_pair(word) for word in next(words)])
        logs.append([unpack_log(word) for word in next(words)[: counters[-1]["measured"]]])
    _count_the_unseen(machine, ways, counters, numbered, arrivals)
    illegal = sum(
        number for each, numbers in zip(ways, used, strict=True) for way, number in zip(each, numbers) if way.illegal
    )
    # Load is that of requests, and latencies are those of replies; without replies, both are those of all packets.
    begins = [endpoint for endpoint in endpoints if not machine.answering(endpoint)]
    ends = [endpoint for endpoint in endpoints if machine.answering(endpoint) or not machine.answers]
    total, created, ended = (_total(counters[endpoint] for endpoint in some) for some in (endpoints, begins, ends))
    topology, ports = machine.network.topology, machine.network.processor_ports
    working = [endpoint for endpoint in begins if machine.alone or topology.works(endpoint // ports)]
    flits, arrived = measured * len(working), ended["measured"]
    return TrafficResult(
        cycles=observation.ends["cycles"],
        created=created["offered"],
        sent=total["sent"],
        arrived=total["arrived"],
        refused=total["refused"],
        offered=created["offered"] * packet_flits / flits,
        accepted=created["accepted"] / flits,
        delivered=created["delivered"] / flits,
        sources=tuple((counters[endpoint]["offered"], counters[endpoint]["accepted"]) for endpoint in begins),
        measured=arrived,
        latency=ended["latency"] / arrived if arrived else None,
        waited=created["waited"] / arrived if arrived else None,
        longest=max(counters[endpoint]["longest"] for endpoint in ends),
        latencies=tuple(map(sum, zip(*(histograms[endpoint] for endpoint in ends)))),
        illegal=illegal,
        errors=sum(observation.counters["error_count"]),
        conflicts=sum(observation.counters["conflict_count"]),
        faults={fault: total[fault] for fault in FAULTS},
        logs=tuple(logs),
        unknown=observation.ends.get("unknown", 0),
        pairs=tuple(pairs),
        lanes=tuple(words),
        failures=(*_failures(machine, observation, counters, illegal), *_unanswered(machine, numbered, used)),
    )


def _total(counters: Iterable[dict[str, int]]) -> Counter[str]:
    total = Counter[str]()
    for counted in counters:
        total.update(counted)
    return total


def _count_the_unseen(
    machine: TrafficMachine,
    ways: Sequence[Sequence[Destination]],
    counters: Sequence[dict[str, int]],
    numbered: Sequence[Sequence[int]],
    arrivals: Sequence[Sequence[Any]],
) -> None:
    """Add to the counters of sinks the faults that only the counts of sources show.

    Such faults are packets lost after the last one that a sink has received from a source, and copies meant for other sinks.
    """
    endpoints = range(machine.endpoints)
    copies = [{sink for way in each for sink in way.copies} for each in ways]
    for sink in endpoints:
        counted = counters[sink]
        for source in endpoints:
            for sent, place in (
                (numbered[source][sink] if source != sink or not copies[source] else 0, source),
                (numbered[source][source] if sink in copies[source] else 0, source + (1 << machine.address_bits)),
            ):
                expected = arrivals[sink][place].expected
                if sent:
                    counted["lost"] += (sent - expected) % (1 << SEQUENCE)
                else:
                    counted["misrouted"] += expected


def _unanswered(
    machine: TrafficMachine, numbered: Sequence[Sequence[int]], used: Sequence[Sequence[int]]
) -> Iterator[str]:
    """Messages on endpoints whose number of answers to another endpoint differs from the number of its requests."""
    half = machine.network.processor_ports // 2
    for endpoint in filter(machine.answering, range(machine.endpoints)):
        for other, asked in enumerate(numbers[endpoint - half] for numbers in numbered):
            answered = used[endpoint][other] % (1 << SEQUENCE)
            if not machine.answering(other) and asked != answered:
                yield f"endpoint {endpoint}: {asked} requests of endpoint {other}, {answered} answers"


def _failures(
    machine: TrafficMachine, observation: Observation, counters: Sequence[dict[str, int]], illegal: int
) -> list[str]:
    failures = []
    if observation.ends["stalled"]:
        failures.append(
            f"the run stalled: a source could not send, and no flit moved until cycle {observation.ends['cycles']}"
        )
    if not illegal:
        failures += observation.errors(lanes_turn=machine.network.options.shared_lanes)
    elif (errors := sum(observation.counters["error_count"])) != illegal:
        failures.append(f"routers counted {errors} headers for turns that are not there, where {illegal} were sent")
    for endpoint, counted in enumerate(counters):
        for fault in FAULTS:
            if (number := counted[fault]) and (fault != "reordered" or machine.network.keeps_order):
                failures.append(f"endpoint {endpoint}: {number} packet{'s' if number > 1 else ''} {fault}")
    return failures
