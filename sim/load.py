"""Latency and throughput of a network against offered load, measured on the hardware: warm-up, measurement, drain.

Source: W. J. Dally and B. Towles, "Principles and Practices of Interconnection Networks" (2004), chapters 23 and 24.
"""

from collections.abc import Iterable, Sequence
import dataclasses
from fractions import Fraction
from functools import cached_property
import itertools
import statistics
from typing import Any

from groundwork.validation import ParameterError, check_integer, check_number
from noc.latency import latency_without_load
from noc.routed_network import RoutedNetwork
from noc.routing.loads import load_bound
from noc.traffic_machine import Destination, TrafficMachine
from rtl.endpoint.source import PREPARATION
from sim.patterns import destinations_of, shares_of
from sim.traffic import RATE_UNITS, Traffic, TrafficResult, run_traffic

__all__ = ["BINS", "LoadPoint", "LoadTest", "MOST_REPEATS", "QUEUE", "around", "check_loads", "saturation"]


MOST_REPEATS = 20
#: Two-sided quantiles of Student's t for 95 %, by degrees of freedom from 1 on.
_STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093),
)

SLOW = 3
"""A network whose mean latency is more than so many times that without load is saturated."""
ACCEPTED = Fraction(95, 100)
"""A network that accepts a smaller part of what is offered is saturated."""

QUEUE = 64
"""Packets that can wait at a source."""
BINS = 2048
"""Bins of the histogram of latencies, of a cycle each."""
_COARSE, _FINE = 16, 8  # loads among which saturation is looked for, twice


def check_loads(loads: Iterable[float]) -> list[float]:
    """Return offered loads if each is above 0 and at most 1, in flits per cycle and port of a processor.

    Raises
    ------
    ParameterError
        If one is not.
    """
    return [check_number("load", load, above=0, maximum=1) for load in loads]


@dataclasses.dataclass(frozen=True, kw_only=True)
class LoadPoint:
    """The measurements at one offered load; loads are in flits per cycle and port of a processor.

    Attributes
    ----------
    load : :class:`float`
        What was asked for.
    offered, accepted : :class:`float`
        Flits of the packets that were created while measuring, and flits that went into the network.
    latency : :class:`float`
        Cycles from the creation of a packet to the arrival of its last flit, on average over the packets that were
        created while measuring, and over the repeats.
    confidence : :class:`float` or ``None``
        Its true value is within so much of it with a probability of 95 %, by Student's t over the repeats.
    median, percentile_99, longest : :class:`int`
        Of the latencies of all repeats. The first two are told apart up to 2,048 cycles.
    histogram : tuple of (:class:`int`, :class:`int`)
        Latencies and how many packets had each; the last bin has all that are longer.
    conflicts : :class:`int`
        Cycles, over all routers and repeats, in which an input waited for an output that another packet had.
    saturated : :class:`bool`
        The mean latency is more than :data:`SLOW` times that without load, or less than :data:`ACCEPTED` of what was
        offered was accepted. Latencies are then those of full queues.
    failures : tuple of :class:`str`
        Everything that went wrong with a packet.
    """

    load: float
    offered: float
    accepted: float
    latency: float
    confidence: float | None
    median: int
    percentile_99: int
    longest: int
    histogram: tuple[tuple[int, int], ...]
    conflicts: int
    saturated: bool
    failures: tuple[str, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class LoadTest:
    """A network under a traffic pattern.

    Packets are created at random times, in every cycle with the same probability (Bernoulli). All ports of a processor send
    alike, each to the port of the same number.

    Parameters
    ----------
    network : :class:`RoutedNetwork`
    pattern : :class:`str`
        One of :data:`sim.patterns.PATTERNS`.
    packet_flits : tuple of :class:`int`
        Flits of a packet, its header among them; if there are several, each is as likely.
    warm_up, measured : :class:`int`
        Cycles before measurement, and of measurement. As many as of warm-up follow in which the load is kept up.
    repeats : :class:`int`
        Runs of each load, with other random numbers.
    seed : :class:`int`
        Seed of all random numbers.

    Raises
    ------
    ParameterError
        If one of them is out of range, or the pattern is not for the network's processors.
    """

    network: RoutedNetwork
    pattern: str = "uniform"
    packet_flits: tuple[int, ...] = (8,)
    warm_up: int = 1000
    measured: int = 3000
    repeats: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.network, RoutedNetwork):
            raise ParameterError(f"network must be one with a routing, not {self.network}")
        check_integer("warm-up", self.warm_up, minimum=0, maximum=1 << 24)
        check_integer("measured", self.measured, minimum=1, maximum=1 << 24)
        check_integer("repeats", self.repeats, minimum=1, maximum=MOST_REPEATS)
        check_integer("seed", self.seed, minimum=0)
        if not self.packet_flits:
            raise ParameterError("packet flits must be one number or several, not none")
        for flits in self.packet_flits:
            check_integer("packet flits", flits, minimum=self.machine.fewest_flits, maximum=(1 << 16) - 1)
            self.network.options.check_packet(flits)
        _ = self._destinations  # Refuses a pattern that is not for the network.

    @cached_property
    def machine(self) -> TrafficMachine:
        """The network with a source and a sink at every port."""
        ways = max(map(len, self._destinations)) * len(self.packet_flits)
        return TrafficMachine(network=self.network, queue=QUEUE, bins=BINS, ways=ways)

    @property
    def mean_flits(self) -> Fraction:
        """Flits of a packet on average."""
        return Fraction(sum(self.packet_flits), len(self.packet_flits))

    @cached_property
    def _destinations(self) -> list[list[int]]:
        return destinations_of(self.pattern, self.network.topology)

    @cached_property
    def _ways(self) -> list[list[Destination]]:
        """For each endpoint the ways of its packets."""
        ports, ways = self.network.processor_ports, []
        for processor, targets in enumerate(self._destinations):
            for port in range(ports):
                known: dict[int, Destination] = {}
                some = []
                for target in targets:
                    other = target * ports + port
                    if other not in known:
                        known[other] = self.machine.way_to(processor * ports + port, other)
                    some += [known[other]._replace(flits=flits) for flits in self.packet_flits]
                ways.append(some)
        return ways

    @cached_property
    def latency_without_load(self) -> float:
        """The mean latency of packets that nothing holds up, in cycles, by formula."""
        network, total, number = self.network, 0, 0
        for processor, targets in enumerate(self._destinations):
            for target in targets:
                hops = network.hops_between(processor, target)
                for flits in self.packet_flits:
                    total += latency_without_load(network.options, hops + 1, flits)
                    number += 1
        return total / number

    @cached_property
    def bound(self) -> float:
        """The load from which on a lane or a receiver has a flit in every cycle: no more can be accepted of everybody."""
        ports = self.network.processor_ports
        shares = shares_of(self._destinations)
        return float(load_bound(self.network.ways, shares, self.network.lanes, ports=ports) / ports)

    def points(self, loads: Iterable[float], repeats: int | None = None) -> list[LoadPoint]:
        """The measurements at these offered loads.

        Raises
        ------
        ParameterError
            If a load is not above 0 and at most 1.
        """
        loads = check_loads(loads)
        repeats = repeats or self.repeats
        runs = [self._run(load, self.seed * MOST_REPEATS + number) for load in loads for number in range(repeats)]
        results = iter(run_traffic(self.machine, runs))
        return [self._point(load, list(itertools.islice(results, repeats))) for load in loads]

    def to_json(self) -> dict[str, Any]:
        """The parameters as they stand in a result record."""
        return {
            **self.network.to_json(),
            "pattern": self.pattern,
            "packet_flits": list(self.packet_flits),
            "warm_up": self.warm_up,
            "measured_cycles": self.measured,
            "repeats": self.repeats,
        }

    def _run(self, load: float, seed: int) -> Traffic:
        return Traffic(
            rate=min(RATE_UNITS - 1, max(1, round(load * RATE_UNITS / self.mean_flits))),
            packet_flits=max(self.packet_flits),
            warm_up=self.warm_up,
            measured=self.measured,
            cool_down=self.warm_up,
            seed=seed,
            destinations=self._ways,
        )

    def _point(self, load: float, results: Sequence[TrafficResult]) -> LoadPoint:
        means = [result.latency - PREPARATION for result in results if result.latency is not None]
        # What is offered is counted in packets, whatever their lengths.
        part = self.mean_flits / max(self.packet_flits)
        offered = statistics.fmean(result.offered for result in results) * float(part)
        accepted = statistics.fmean(result.accepted for result in results)
        latency = statistics.fmean(means) if means else 0.0
        confidence = None
        if len(means) > 1:
            confidence = _STUDENT[len(means) - 2] * statistics.stdev(means) / len(means) ** 0.5
        bins = [sum(counts) for counts in zip(*(result.latencies for result in results))]
        histogram = [(max(0, cycles - PREPARATION), count) for cycles, count in enumerate(bins) if count]
        return LoadPoint(
            load=load,
            offered=offered,
            accepted=accepted,
            latency=latency,
            confidence=confidence,
            median=_quantile(histogram, Fraction(1, 2)),
            percentile_99=_quantile(histogram, Fraction(99, 100)),
            longest=max(result.longest for result in results) - PREPARATION if means else 0,
            histogram=tuple(histogram),
            conflicts=sum(result.conflicts for result in results),
            saturated=latency > SLOW * self.latency_without_load or accepted < ACCEPTED * offered,
            failures=tuple(dict.fromkeys(failure for result in results for failure in result.failures)),
        )


def _quantile(histogram: Sequence[tuple[int, int]], part: Fraction) -> int:
    """The least value that at least this part of all is not above; 0 if there is none."""
    rank = part * sum(count for _, count in histogram)
    for value, count in histogram:
        rank -= count
        if rank <= 0:
            return value
    return 0


def saturation(test: LoadTest) -> float | None:
    """The least load, in steps of 1/128, at which the network is saturated; ``None`` if it is not even with load 1.

    It is looked for among 16 loads, then among 8 between two of these, with one run each.
    """
    coarse = test.points([number / _COARSE for number in range(1, _COARSE + 1)], repeats=1)
    found = next((number for number, point in enumerate(coarse) if point.saturated), None)
    if found is None:
        return None
    steps = [(found + number / _FINE) / _COARSE for number in range(1, _FINE)]
    fine = test.points(steps, repeats=1)
    return next((point.load for point in fine if point.saturated), coarse[found].load)


def around(saturated: float | None, number: int = 12) -> list[float]:
    """So many loads, two of them above the load at which a network is saturated, and the last of these 1."""
    if saturated is None:
        return [round((step + 1) / number, 4) for step in range(number)]
    below = [round(saturated * (step + 1) / (number - 2), 4) for step in range(number - 2)]
    return [*below, round((saturated + 1) / 2, 4), 1.0]
