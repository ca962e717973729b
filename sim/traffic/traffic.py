"""Traffic on the hardware: random packets from sources to sinks, their latencies, and whatever went wrong with them."""

from collections.abc import Iterator, Sequence
import dataclasses
import random
from typing import NamedTuple

from groundwork.validation import ParameterError, check_integer
from noc.lanes import Links
from noc.machines.traffic_machine import Destination, TrafficMachine
from rtl.endpoint.traffic import Setup, TraceEntry, TrafficRegion
from rtl.endpoint.traffic_endpoint import COUNTERS
from sim.builds.build import build
from sim.builds.job import EVERY, JobRun, Write
from sim.builds.observe import Observer, observe
from sim.builds.words import packer
from sim.traffic.traffic_result import FAULTS, TrafficResult, result_of

__all__ = ["Entry", "FAULTS", "RATE_UNITS", "Traffic", "TrafficResult", "jobs_of", "run_traffic"]


RATE_UNITS = 1 << 16
"""The parts of one in which hardware counts the probability of a packet, and of a pause."""


class _Setup(NamedTuple):
    """The fields of :class:`rtl.endpoint.traffic.Setup`."""

    seed: int
    address: int
    ways: int


class Entry(NamedTuple):
    """A packet of a trace: the fields of :class:`rtl.endpoint.traffic.TraceEntry`."""

    cycle: int
    way: int


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
    burst_begin, burst_end : :class:`int`
        If the machine has bursts: cycles out of 2**32 without one that begin one, and cycles out of 65,536 of one that
        end it, on average. ``rate`` is that within a burst.
    cuts : list of :class:`int`
        Cycles after which the run is cut by a reset and begun anew, one after the other.
    bin_cycles : :class:`int`
        Cycles of a bin of the histogram of latencies, a power of two.
    seed : :class:`int`
        Seed of the random numbers of all endpoints.
    timeout : :class:`int`
        Cycles without a moving flit that end the run.
    destinations : list of list of :class:`Destination` or ``None``
        Those of each endpoint, of which one is picked for each packet, each entry as likely as any; of one that answers,
        as of :meth:`~noc.machines.traffic_machine.TrafficMachine.answers_of` it. If not given, all other endpoints that it reaches
        over one lane. Figures in flits that are offered count the flits of each packet
        as ``packet_flits``.
    trace : list of list of :class:`Entry` or ``None``
        What each endpoint creates, in order, if the machine has traces.
    """

    rate: int
    packet_flits: int
    warm_up: int = 0
    measured: int = 1000
    cool_down: int = 0
    pause: int = 0
    source_pause: int = 0
    burst_begin: int = 0
    burst_end: int = 0
    cuts: Sequence[int] = ()
    bin_cycles: int = 1
    seed: int = 0
    timeout: int = 1000
    destinations: Sequence[Sequence[Destination]] | None = None
    trace: Sequence[Sequence["Entry"]] | None = None

    def __post_init__(self) -> None:
        check_integer("rate", self.rate, minimum=0, maximum=RATE_UNITS - 1)
        check_integer("packet flits", self.packet_flits, minimum=1, maximum=(1 << 16) - 1)
        for name in ("warm up", "cool down"):
            check_integer(name, getattr(self, name.replace(" ", "_")), minimum=0, maximum=1 << 30)
        check_integer("measured", self.measured, minimum=1, maximum=1 << 30)
        check_integer("burst begin", self.burst_begin, minimum=0, maximum=(1 << 32) - 1)
        for name in ("pause", "source pause", "burst end"):
            check_integer(name, getattr(self, name.replace(" ", "_")), minimum=0, maximum=RATE_UNITS - 1)
        for cut in self.cuts:
            check_integer("cut", cut, minimum=1, maximum=1 << 30)
        if self.bin_cycles not in [1 << shift for shift in range(32)]:
            raise ParameterError(f"bin cycles must be a power of two below 2**32, not {self.bin_cycles!r}")
        check_integer("timeout", self.timeout, minimum=1, maximum=1 << 30)


def run_traffic(
    machine: TrafficMachine,
    runs: Sequence[Traffic],
    *,
    links: Links | None = None,
    observer: Observer | None = None,
) -> list[TrafficResult]:
    """The results of several runs on one machine, which is built once.

    Parameters
    ----------
    machine : :class:`TrafficMachine`
    runs : list of :class:`Traffic`
    links : dict
        Components to put into single directions of lanes: see :func:`sim.builds.build.build`.
    observer : :data:`sim.builds.observe.Observer` or ``None``
        Where the runs are carried out, if not on a simulator that is built here.

    Raises
    ------
    ParameterError
        If packets are too short for their stamps, or an endpoint has more destinations than its table has entries.
    """
    ways = [_ways(machine, run) for run in runs]
    jobs = [_job(machine, run, each) for run, each in zip(runs, ways)]
    ends = ("finished", "stalled", "cycles")
    if observer is None:
        observations = observe(build(machine, links=links), jobs, ends=ends)
    else:
        observations = observer(jobs, ends)
    return [
        result_of(machine, each, observation, measured=run.measured, packet_flits=run.packet_flits)
        for run, each, observation in zip(runs, ways, observations)
    ]


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
        **({TrafficRegion.PAIRS: machine.endpoints} if machine.details else {}),
    }
    writes: list[Write] = [(EVERY, EVERY, region.value, 0, 0, [0] * words) for region, words in cleared.items()]
    for endpoint, place in enumerate(machine.places):
        setup = _Setup(
            seed=dice.randrange(1, 1 << 32),
            address=endpoint,
            ways=0 if machine.answering(endpoint) else len(ways[endpoint]),
        )
        writes.append((*place, TrafficRegion.SETUP.value, 0, 0, [pack_setup(setup)]))
        writes.append((*place, TrafficRegion.ROUTES.value, 0, 0, [pack_way(way) for way in ways[endpoint]]))
    if machine.trace:
        writes += _trace(machine, run)
    reads = {
        TrafficRegion.COUNTERS: len(COUNTERS),
        TrafficRegion.NUMBERED: machine.endpoints,
        TrafficRegion.USED: machine.table,
        TrafficRegion.ARRIVED: 2 << machine.address_bits,
        TrafficRegion.LATENCIES: machine.bins,
        TrafficRegion.PAIRS: machine.endpoints if machine.details else 0,
        TrafficRegion.LOG: machine.log,
    }
    lanes = range(machine.nodes if machine.node_lanes else 0)
    return {
        "settings": {
            "rate": run.rate,
            "packet_flits": run.packet_flits,
            "source_pause": run.source_pause,
            "pause": run.pause,
            "histogram_shift": run.bin_cycles.bit_length() - 1,
            **({"burst_begin": run.burst_begin, "burst_end": run.burst_end} if machine.bursts else {}),
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
        "reads": [
            *((*place, region.value, 0, 0, words) for place in machine.places for region, words in reads.items()),
            *((node, machine.node_endpoints, TrafficRegion.LANES.value, 0, 0, machine.node_lanes) for node in lanes),
        ],
    }


def _trace(machine: TrafficMachine, run: Traffic) -> Iterator[Write]:
    """The writes of what each endpoint creates, with ones behind it, as at all that create nothing."""
    region, pack = TrafficRegion.TRACE.value, packer(TraceEntry())
    yield EVERY, EVERY, region, 0, 0, [(1 << TraceEntry().size) - 1] * (machine.trace + 1)
    for place, some in zip(machine.places, run.trace or ()):
        check_integer("packets of a trace at an endpoint", len(some), minimum=0, maximum=machine.trace)
        yield *place, region, 0, 0, list(map(pack, some))
