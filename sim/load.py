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

from groundwork.validation import ParameterError, check_integer
from noc.latency import latency_without_load
from noc.routed_network import RoutedNetwork
from noc.routing.loads import load_bound
from noc.traffic_machine import Destination, TrafficMachine
from rtl.endpoint.source import PREPARATION
from sim.load_options import MOST_REPEATS, LoadOptions
from sim.observe import Bench
from sim.patterns import destinations_of, shares_of
from sim.traffic import RATE_UNITS, Traffic, TrafficResult, run_traffic

__all__ = ["BINS", "LoadPoint", "LoadTest", "QUEUE"]


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


@dataclasses.dataclass(frozen=True)
class LoadTest:
    """A network under a traffic pattern.

    Packets are created at random times, in every cycle with the same probability (Bernoulli). All ports of a processor send
    alike, each to the port of the same number.

    Parameters
    ----------
    network : :class:`RoutedNetwork`
    options : :class:`LoadOptions`
    bench : :class:`Bench` or ``None``
        Where the network stands already and is measured, if not on a simulator.

    Raises
    ------
    ParameterError
        If the pattern or the packets are not for the network, or another one stands on the bench.
    """

    network: RoutedNetwork
    options: LoadOptions = LoadOptions()
    bench: Bench | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.network, RoutedNetwork):
            raise ParameterError(f"network must be one with a routing, not {self.network}")
        for flits in self.options.packet_flits:
            check_integer("packet flits", flits, minimum=self.machine.fewest_flits, maximum=(1 << 16) - 1)
            self.network.options.check_packet(flits)
        _ = self._destinations  # Refuses a pattern that is not for the network.

    @cached_property
    def machine(self) -> TrafficMachine:
        """The network with a source and a sink at every port."""
        if self.bench is not None:
            machine = self.bench.machine
            if not isinstance(machine, TrafficMachine) or machine.network != self.network:
                raise ParameterError(f"bench must be one with {self.network} and traffic, not {machine}")
            return machine
        ways = max(map(len, self._destinations)) * len(self.options.packet_flits)
        return TrafficMachine(network=self.network, queue=QUEUE, bins=BINS, ways=ways)

    @property
    def mean_flits(self) -> Fraction:
        """Flits of a packet on average."""
        return Fraction(sum(self.options.packet_flits), len(self.options.packet_flits))

    @cached_property
    def _destinations(self) -> list[list[int]]:
        return destinations_of(self.options.pattern, self.network.topology)

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
                    some += [known[other]._replace(flits=flits) for flits in self.options.packet_flits]
                ways.append(some)
        return ways

    @cached_property
    def latency_without_load(self) -> float:
        """The mean latency of packets that nothing holds up, in cycles, by formula."""
        network, total, number = self.network, 0, 0
        for processor, targets in enumerate(self._destinations):
            for target in targets:
                hops = network.hops_between(processor, target)
                for flits in self.options.packet_flits:
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
        loads = dataclasses.replace(self.options, loads=tuple(loads)).loads
        repeats = min(repeats or self.options.repeats, self.options.repeats)
        runs = [run for load in loads for run in self.runs(load)[:repeats]]
        observer = None if self.bench is None else self.bench.observe
        results = iter(run_traffic(self.machine, runs, observer=observer))
        return [self._point(load, list(itertools.islice(results, repeats))) for load in loads]

    def runs(self, load: float) -> list[Traffic]:
        """The runs at an offered load, each with random numbers of its own."""
        first = self.options.seed * MOST_REPEATS
        return [self._run(load, first + number) for number in range(self.options.repeats)]

    @property
    def parameters(self) -> dict[str, Any]:
        """All that is measured depends on, besides the sources, as it stands in the record."""
        return {**self.network.to_json(), **self.options.to_json()}

    def __str__(self) -> str:
        return f"{self.options.pattern} traffic on {self.network}"

    def _run(self, load: float, seed: int) -> Traffic:
        return Traffic(
            rate=min(RATE_UNITS - 1, max(1, round(load * RATE_UNITS / self.mean_flits))),
            packet_flits=max(self.options.packet_flits),
            warm_up=self.options.warm_up,
            measured=self.options.measured,
            cool_down=self.options.warm_up,
            seed=seed,
            destinations=self._ways,
        )

    def _point(self, load: float, results: Sequence[TrafficResult]) -> LoadPoint:
        means = [result.latency - PREPARATION for result in results if result.latency is not None]
        # What is offered is counted in packets, whatever their lengths.
        part = self.mean_flits / max(self.options.packet_flits)
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
