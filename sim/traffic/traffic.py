"""Traffic on the RTL: random packets from sources to sinks, their latencies and faults."""

from collections.abc import Sequence
import dataclasses
from pathlib import Path
import random
from typing import Any, NamedTuple

import numpy

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.lanes import Links
from fatcube.noc.machines.traffic_machine import Destination, TrafficMachine
from fatcube.noc.network import Network
from fatcube.rtl.endpoint.traffic import TrafficRegion
from fatcube.rtl.endpoint.traffic_endpoint import COUNTERS
from fatcube.rtl.inputs.retry_pause import DRAW_BITS
from fatcube.sim.builds.build import build
from fatcube.sim.builds.job import EVERY, Feed, JobRun, Write
from fatcube.sim.builds.observe import Observer, observe
from fatcube.sim.builds.words import packer
from fatcube.sim.traffic.traffic_result import FAULTS, TrafficResult, result_of

__all__ = ["FAULTS", "Fed", "RATE_UNITS", "Traffic", "TrafficResult", "jobs_of", "run_traffic"]


_NEVER = 1 << 30  # cycles without a moving flit
_SETTLED = 32  # cycles in which credits and permissions are back after the last flit, over registers on lanes

RATE_UNITS = 1 << 16
"""The unit of probabilities of packets and pauses in hardware: they are multiples of 1/65,536."""


class _Setup(NamedTuple):
    """The fields of :class:`fatcube.rtl.endpoint.traffic.Setup`."""

    seed: int
    address: int
    ways: int
    rate: int


class Fed(NamedTuple):
    """The packets of a trace, in a file that is read while the run goes, and the file for their latencies.

    Members
    -------
    packets : :class:`Path`
        :data:`~fatcube.sim.builds.feeding.WORDS` of 64 bits for each packet, by cycle of creation: see there.
    latencies : :class:`Path`
        A word of 64 bits for each packet of the file, in order: 0, or its latency if it has arrived.
    """

    packets: Path
    latencies: Path

    @classmethod
    def write(cls, folder: Path, packets: "numpy.ndarray[Any, Any]") -> "Fed":
        """Write the files in a folder, for packets as rows of words, by their cycles."""
        fed = cls(folder / "packets", folder / "latencies")
        packets.astype(numpy.uint64, copy=False).tofile(fed.packets)
        with fed.latencies.open("wb") as file:
            file.truncate(8 * len(packets))
        return fed


@dataclasses.dataclass(frozen=True, kw_only=True)
class Traffic:
    """The traffic of a run.

    Parameters
    ----------
    rate : :class:`int`
        Packets that every source creates per 65,536 cycles, on average.
    rates : list of :class:`int` or ``None``
        The rate of each endpoint, in place of ``rate``, if the sources of the machine have rates of their own.
    packet_flits : :class:`int`
        Flits of a packet, its header included.
    warm_up, measured, cool_down : :class:`int`
        Cycles in which packets are created: those before measurement, those measured, and those after.
    pause : :class:`int`
        Cycles out of 65,536, on average, in which a sink takes no flit.
    source_pause : :class:`int`
        Cycles out of 65,536, on average, in which a source offers no flit inside a packet, behind its header.
    burst_begin, burst_end : :class:`int`
        If the machine has bursts: of the cycles outside a burst, those out of 2**32 in which one begins, and of the
        cycles in a burst, those out of 65,536 in which it ends, on average. ``rate`` holds within a burst.
    cuts : list of :class:`int`
        Cycles after which a reset ends the run and it starts again, one after the other.
    bin_cycles : :class:`int`
        Width in cycles of a bin of the latency histogram, a power of two.
    seed : :class:`int`
        Seed of the random numbers of all endpoints.
    timeout : :class:`int`
        Cycles without a moving flit that end the run.
    destinations : list of list of :class:`Destination` or ``None``
        The destinations of each endpoint; each packet goes to one of these entries, all equally likely. The destinations of
        an answering endpoint are those of :meth:`~fatcube.noc.machines.traffic_machine.TrafficMachine.answers_of`. If not given,
        they are all other endpoints that it reaches over one lane. In offered loads, every packet counts as
        ``packet_flits`` flits.
    trace : :class:`Fed` or ``None``
        The packets that endpoints create, if the machine has traces; the run ends when they have arrived.
    """

    rate: int
    packet_flits: int
    rates: Sequence[int] | None = None
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
    trace: Fed | None = None

    def __post_init__(self) -> None:
        for rate in (self.rate, *(self.rates or ())):
            check_integer("rate", rate, minimum=0, maximum=RATE_UNITS - 1)
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
        if self.trace and self.cuts:
            raise ParameterError(f"cuts must be none with a trace, not {list(self.cuts)}")


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
        Components to put into single directions of lanes: see :func:`fatcube.sim.builds.build.build`.
    observer : :data:`fatcube.sim.builds.observe.Observer` or ``None``
        The place of the runs, if not a simulator that is built here.

    Raises
    ------
    ParameterError
        If an endpoint has more destinations than its table has entries.
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
    """The jobs of the testbench in each of these runs."""
    return [_job(machine, run, _ways(machine, run)) for run in runs]


def _ways(machine: TrafficMachine, run: Traffic) -> list[list[Destination]]:
    """The destinations of each endpoint, checked."""
    ways = []
    for endpoint in range(machine.endpoints):
        given = machine.destinations(endpoint) if run.destinations is None else run.destinations[endpoint]
        check_integer(f"destinations of endpoint {endpoint}", len(given), minimum=0, maximum=machine.table)
        ways.append(list(given))
    return ways


def _job(machine: TrafficMachine, run: Traffic, ways: Sequence[Sequence[Destination]]) -> JobRun:
    machine.network.options.check_packet(run.packet_flits)
    dice = random.Random(run.seed)
    if run.rates is not None and not machine.rates:
        raise ParameterError("rates must be those of a machine whose sources have rates of their own, not of this one")
    if run.trace and not machine.trace:
        raise ParameterError(
            "trace must be one for a machine whose sources have room for packets of a trace, not for this one"
        )
    pack_setup, pack_way = packer(machine.setup), packer(machine.way)
    cleared = {
        TrafficRegion.SETUP: 1,  # remains zero where a node has fewer endpoints than others, which send nothing
        TrafficRegion.NUMBERED: machine.endpoints,
        TrafficRegion.USED: machine.table,
        TrafficRegion.ARRIVED: 2 << machine.address_bits,
        TrafficRegion.LATENCIES: machine.bins,
        **({TrafficRegion.PAIRS: machine.endpoints} if machine.details else {}),
        **({TrafficRegion.GIVEN: 1} if machine.trace else {}),
    }
    writes: list[Write] = [(EVERY, EVERY, region.value, 0, 0, [0] * words) for region, words in cleared.items()]
    for endpoint, place in enumerate(machine.places):
        setup = _Setup(
            seed=dice.randrange(1, 1 << 32),
            address=endpoint,
            ways=0 if machine.answering(endpoint) else len(ways[endpoint]),
            rate=run.rate if run.rates is None else run.rates[endpoint],
        )
        writes.append((*place, TrafficRegion.SETUP.value, 0, 0, [pack_setup(setup)]))
        writes.append((*place, TrafficRegion.ROUTES.value, 0, 0, [pack_way(way) for way in ways[endpoint]]))
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
    job: JobRun = {
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
            "timeout": _NEVER if run.trace else run.timeout,
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
    if run.trace:
        job["feed"] = _feed(machine, run.trace, run.timeout)
    return job


def _feed(machine: TrafficMachine, trace: Fed, timeout: int) -> Feed:
    """The feed for the sources of a machine."""
    regions = ("trace", "given", "taken", "log", "logged")
    return {
        "packets": str(trace.packets),
        "latencies": str(trace.latencies),
        "room": machine.trace,
        "places": [*machine.places],
        "regions": {name: TrafficRegion[name.upper()].value for name in regions},
        "period": _period(machine.network),
        "settled": 2 * (_SETTLED + machine.network.options.turn_round),
        "timeout": timeout,
    }


def _period(network: Network) -> int:
    """The cycles after which a network without packets is as it was: in most, one.

    Where routers copy packets, the turn goes round their ports; where circuits are tried again, random numbers repeat.
    """
    if network.options.setup_retry:
        return (1 << DRAW_BITS) - 1
    return network.router().crossbar_ports if network.options.copies else 1
