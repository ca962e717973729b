"""Traffic on the hardware: random packets from sources to sinks, their latencies, and whatever went wrong with them."""

from collections import Counter
from collections.abc import Sequence
import dataclasses
import random
from typing import Any, NamedTuple

from groundwork.validation import ParameterError, check_integer
from noc.fabric import Links
from noc.traffic_machine import Destination, TrafficMachine
from rtl.endpoint.sink import Arrivals
from rtl.endpoint.traffic import SEQUENCE, Setup, TrafficRegion
from rtl.endpoint.traffic_endpoint import COUNTERS
from sim.build import build
from sim.job import EVERY, JobRun, Observation, Write
from sim.observe import Observer, observe
from sim.words import packer, unpacker

__all__ = ["FAULTS", "RATE_UNITS", "Traffic", "TrafficResult", "jobs_of", "run_traffic"]


RATE_UNITS = 1 << 16
"""The parts of one in which hardware counts the probability of a packet, and of a pause."""

FAULTS = ("lost", "doubled", "reordered", "torn", "corrupted", "misrouted", "late")
"""What can be wrong with a packet: see :class:`rtl.endpoint.sink.Sink`."""


class _Setup(NamedTuple):
    """The fields of :class:`rtl.endpoint.traffic.Setup`."""

    seed: int
    address: int
    ways: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class Traffic:
    """The traffic of a run.

    Parameters
    ----------
    rate : :class:`int`
        Packets that every source creates per 65,536 cycles, on average.
    packet_flits : :class:`int`
        Flits of a packet, header and signature among them.
    warm_up, measured, cool_down : :class:`int`
        Cycles in which packets are created: before those that are measured, measured, and after.
    pause : :class:`int`
        Cycles out of 65,536, on average, in which a sink takes nothing.
    source_pause : :class:`int`
        Cycles out of 65,536, on average, in which a source offers nothing behind the header of a packet.
    cuts : list of :class:`int`
        Cycles after which the run is cut by a reset and begun anew, one after the other.
    bin_cycles : :class:`int`
        Cycles of a bin of the histogram of latencies, a power of two.
    seed : :class:`int`
        Seed of the random numbers of all endpoints.
    timeout : :class:`int`
        Cycles without a moving flit that end the run.
    destinations : list of list of :class:`Destination` or ``None``
        Those of each endpoint, of which one is picked for each packet, each entry as likely as any. If not given, all
        other endpoints that it reaches over one lane. Figures in flits that are offered count the flits of each packet
        as ``packet_flits``.
    """

    rate: int
    packet_flits: int
    warm_up: int = 0
    measured: int = 1000
    cool_down: int = 0
    pause: int = 0
    source_pause: int = 0
    cuts: Sequence[int] = ()
    bin_cycles: int = 1
    seed: int = 0
    timeout: int = 1000
    destinations: Sequence[Sequence[Destination]] | None = None

    def __post_init__(self) -> None:
        check_integer("rate", self.rate, minimum=0, maximum=RATE_UNITS - 1)
        check_integer("packet flits", self.packet_flits, minimum=1, maximum=(1 << 16) - 1)
        for name in ("warm up", "cool down"):
            check_integer(name, getattr(self, name.replace(" ", "_")), minimum=0, maximum=1 << 30)
        check_integer("measured", self.measured, minimum=1, maximum=1 << 30)
        for name in ("pause", "source pause"):
            check_integer(name, getattr(self, name.replace(" ", "_")), minimum=0, maximum=RATE_UNITS - 1)
        for cut in self.cuts:
            check_integer("cut", cut, minimum=1, maximum=1 << 30)
        if self.bin_cycles not in [1 << shift for shift in range(32)]:
            raise ParameterError(f"bin cycles must be a power of two below 2**32, not {self.bin_cycles!r}")
        check_integer("timeout", self.timeout, minimum=1, maximum=1 << 30)


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrafficResult:
    """The measurements of a run, read out of sources, sinks and routers.

    Attributes
    ----------
    cycles : :class:`int`
        Cycles until the last flit had moved.
    created, sent, arrived, refused : :class:`int`
        Packets created while measuring; packets sent and arrived at all, and those for which a queue had no room.
    offered, accepted, delivered : :class:`float`
        Flits per cycle and endpoint while measuring: of packets created, into the network, out of it.
    measured : :class:`int`
        Packets created while measuring that have arrived intact.
    latency : :class:`float` or ``None``
        Cycles from the creation of these to the arrival of their last flit, on average; ``None`` if there are none.
    waited : :class:`float` or ``None``
        Of these, the cycles until the first flit was sent.
    longest : :class:`int`
        The longest of these latencies.
    latencies : tuple of :class:`int`
        The histogram of these latencies: packets in each bin; the last one has all that are longer.
    headers : :class:`int`
        The headers alone among the packets that arrived.
    illegal, errors : :class:`int`
        Packets sent on ways that are illegal, and the errors that routers counted. The run has failed if they differ.
    conflicts : :class:`int`
        Cycles, summed over the routers, in which an input waited for an output that another packet had.
    faults : dict
        The packets with each of :data:`FAULTS`; a packet can be lost and have another one.
    failures : tuple of :class:`str`
        Every fault and its place; empty if there is none.
    """

    cycles: int
    created: int
    sent: int
    arrived: int
    refused: int
    offered: float
    accepted: float
    delivered: float
    measured: int
    latency: float | None
    waited: float | None
    longest: int
    latencies: tuple[int, ...]
    headers: int
    illegal: int
    errors: int
    conflicts: int
    faults: dict[str, int]
    failures: tuple[str, ...]


def run_traffic(
    machine: TrafficMachine,
    runs: Sequence[Traffic],
    *,
    links: Links | None = None,
    links_key: str = "",
    observer: Observer | None = None,
) -> list[TrafficResult]:
    """The results of several runs on one machine, which is built once.

    Parameters
    ----------
    machine : :class:`TrafficMachine`
    runs : list of :class:`Traffic`
    links, links_key
        Components to put into single lanes: see :func:`sim.build.build`.
    observer : :data:`sim.observe.Observer` or ``None``
        Where the runs are carried out, if not on a simulator that is built here.

    Raises
    ------
    ParameterError
        If packets are too short for their stamps, or an endpoint has more destinations than its table has entries.
    """
    ways = [_ways(machine, run) for run in runs]
    jobs = jobs_of(machine, runs)
    ends = ("finished", "stalled", "cycles")
    if observer is None:
        observations = observe(build(machine, links=links, links_key=links_key), jobs, ends=ends)
    else:
        observations = observer(jobs, ends)
    return [_result(machine, run, each, observation) for run, each, observation in zip(runs, ways, observations)]


def jobs_of(machine: TrafficMachine, runs: Sequence[Traffic]) -> list[JobRun]:
    """What the testbench does in each of these runs."""
    return [_job(machine, run, _ways(machine, run)) for run in runs]


def _ways(machine: TrafficMachine, run: Traffic) -> list[list[Destination]]:
    """The ways of each endpoint."""
    ways = []
    for endpoint in range(machine.endpoints):
        given = machine.destinations(endpoint) if run.destinations is None else run.destinations[endpoint]
        check_integer(f"destinations of endpoint {endpoint}", len(given), minimum=0, maximum=machine.table)
        ways.append(list(given))
    return ways


def _job(machine: TrafficMachine, run: Traffic, ways: Sequence[Sequence[Destination]]) -> JobRun:
    check_integer("packet flits", run.packet_flits, minimum=machine.fewest_flits, maximum=(1 << 16) - 1)
    machine.network.options.check_packet(run.packet_flits)
    dice = random.Random(run.seed)
    pack_setup, pack_way = packer(Setup()), packer(machine.way)
    cleared = {
        TrafficRegion.SETUP: 1,  # which stays so where a node has fewer endpoints than others: nothing is sent there
        TrafficRegion.NUMBERED: machine.endpoints,
        TrafficRegion.USED: machine.table,
        TrafficRegion.ARRIVED: 2 << machine.address_bits,
        TrafficRegion.LATENCIES: machine.bins,
    }
    writes: list[Write] = [(EVERY, EVERY, region.value, 0, 0, [0] * words) for region, words in cleared.items()]
    for endpoint, place in enumerate(machine.places):
        setup = _Setup(seed=dice.randrange(1, 1 << 32), address=endpoint, ways=len(ways[endpoint]))
        writes.append((*place, TrafficRegion.SETUP.value, 0, 0, [pack_setup(setup)]))
        writes.append((*place, TrafficRegion.ROUTES.value, 0, 0, [pack_way(way) for way in ways[endpoint]]))
    reads = {
        TrafficRegion.COUNTERS: len(COUNTERS),
        TrafficRegion.NUMBERED: machine.endpoints,
        TrafficRegion.USED: machine.table,
        TrafficRegion.ARRIVED: 2 << machine.address_bits,
        TrafficRegion.LATENCIES: machine.bins,
    }
    return {
        "settings": {
            "rate": run.rate,
            "packet_flits": run.packet_flits,
            "source_pause": run.source_pause,
            "pause": run.pause,
            "histogram_shift": run.bin_cycles.bit_length() - 1,
            "warm_up": run.warm_up,
            "measured": run.measured,
            "cool_down": run.cool_down,
            "timeout": run.timeout,
        },
        "writes": writes,
        "cuts": list(run.cuts),
        "drain": 1,
        "trace_depth": 0,
        "status": [],
        "counts": [],
        "reads": [(*place, region.value, 0, 0, words) for place in machine.places for region, words in reads.items()],
    }


def _result(
    machine: TrafficMachine, run: Traffic, ways: Sequence[Sequence[Destination]], observation: Observation
) -> TrafficResult:
    endpoints = range(machine.endpoints)
    words = iter(observation.payload)
    unpack = unpacker(Arrivals())
    counters, numbered, used, arrivals = [], [], [], []
    latencies = [0] * machine.bins
    for _ in endpoints:
        counters.append(dict(zip(COUNTERS, next(words))))
        numbered.append(next(words))
        used.append(next(words))
        arrivals.append([unpack(word) for word in next(words)])
        latencies = [bin + more for bin, more in zip(latencies, next(words))]
    _count_the_unseen(machine, ways, counters, numbered, used, arrivals)
    illegal = sum(
        number for each, numbers in zip(ways, used, strict=True) for way, number in zip(each, numbers) if way.illegal
    )
    total = Counter[str]()
    for counted in counters:
        total.update(counted)
    flits = run.measured * machine.endpoints
    measured = total["measured"]
    return TrafficResult(
        cycles=observation.ends["cycles"],
        created=total["offered"],
        sent=total["sent"],
        arrived=total["arrived"],
        refused=total["refused"],
        offered=total["offered"] * run.packet_flits / flits,
        accepted=total["accepted"] / flits,
        delivered=total["delivered"] / flits,
        measured=measured,
        latency=total["latency"] / measured if measured else None,
        waited=total["waited"] / measured if measured else None,
        longest=max(counted["longest"] for counted in counters),
        latencies=tuple(latencies),
        headers=total["headers"],
        illegal=illegal,
        errors=sum(observation.counters["error_count"]),
        conflicts=sum(observation.counters["conflict_count"]),
        faults={fault: total[fault] for fault in FAULTS},
        failures=tuple(_failures(machine, observation, counters, illegal)),
    )


def _count_the_unseen(
    machine: TrafficMachine,
    ways: Sequence[Sequence[Destination]],
    counters: Sequence[dict[str, int]],
    numbered: Sequence[Sequence[int]],
    used: Sequence[Sequence[int]],
    arrivals: Sequence[Sequence[Any]],
) -> None:
    """Add to the counters of sinks what these cannot know, as the sources tell.

    That is what never came after the latest packet of a source that they have seen, copies that are for others, and
    how many headers alone there are to be.
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
        headers = sum(
            number
            for each, numbers in zip(ways, used, strict=True)
            for way, number in zip(each, numbers)
            if way.flits == 1 and way.destination == sink and not way.illegal
        )
        counted["lost"] += max(0, headers - counted["headers"])
        counted["doubled"] += max(0, counted["headers"] - headers)


def _failures(
    machine: TrafficMachine, observation: Observation, counters: Sequence[dict[str, int]], illegal: int
) -> list[str]:
    failures = []
    if observation.ends["stalled"]:
        failures.append(
            f"the run stalled: a source could not send, and no flit moved until cycle {observation.ends['cycles']}"
        )
    if not illegal:
        failures += observation.illegal_headers()
    elif (errors := sum(observation.counters["error_count"])) != illegal:
        failures.append(f"routers counted {errors} headers for turns that are not there, where {illegal} were sent")
    for endpoint, counted in enumerate(counters):
        for fault in FAULTS:
            if (number := counted[fault]) and (fault != "reordered" or machine.network.keeps_order):
                failures.append(f"endpoint {endpoint}: {number} packet{'s' if number > 1 else ''} {fault}")
    return failures
