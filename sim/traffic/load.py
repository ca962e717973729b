"""Latency and throughput of a network against offered load, measured on the hardware: warm-up, measurement, drain.

Source: W. J. Dally and B. Towles, "Principles and Practices of Interconnection Networks" (2004), chapters 23 and 24.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
import dataclasses
from fractions import Fraction
from functools import cached_property
import itertools
import statistics
from typing import Any

from amaranth.utils import ceil_log2
import numpy

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.latency import latency_without_load
from fatcube.noc.machines.traffic_machine import Destination, TrafficMachine
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing.loads import Lane, Shares, lane_loads, load_bound
from fatcube.rtl.endpoint.source import PREPARATION, TURNAROUND
from fatcube.sim.builds.observe import Bench
from fatcube.sim.traffic.demand import Demand, demand_of, units_of
from fatcube.sim.traffic.fullest import fullest_parts
from fatcube.sim.traffic.load_options import MOST_REPEATS, LoadOptions
from fatcube.sim.traffic.load_point import (
    ACCEPTED,
    BINS,
    MEDIAN,
    PERCENTILE_99,
    SLOW,
    STUDENT,
    WAITING,
    LaneFigures,
    LoadPoint,
    PairFigures,
    quantile,
)
from fatcube.sim.traffic.traffic import RATE_UNITS, Traffic, TrafficResult, run_traffic

__all__ = ["LoadTest", "QUEUE"]


QUEUE = 64
"""Packets that can wait at a source."""
_LONGEST_BURST = RATE_UNITS // 8  # cycles: its end is drawn with a probability in these units


@dataclasses.dataclass(frozen=True)
class LoadTest:
    """A network under a traffic pattern.

    Packets are created at random times: in every cycle with the same probability (Bernoulli), or in bursts. In a burst a
    source offers a load of 1, and bursts and the times between them have geometric lengths. All ports of a processor send
    alike, each to the port of the same number.

    With replies, packets are requests over the lower half of a processor's ports. Their receiver answers each over the
    upper half, one after the other, and takes no further request while :data:`QUEUE` wait. Load is then that of requests,
    and latencies are those from the creation of a request to the arrival of its reply.

    Parameters
    ----------
    network : :class:`RoutedNetwork`
        Options that these packets need are derived if not given: a longest packet, and two message classes for replies.
    options : :class:`LoadOptions`
    bench : :class:`Bench` or ``None``
        Where the network stands already and is measured, if not on a simulator.

    Raises
    ------
    ParameterError
        If the pattern or the packets are not for the network, packets are answered in a network with one message class,
        or another network stands on the bench.
    """

    network: RoutedNetwork
    options: LoadOptions = LoadOptions()
    bench: Bench | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.network, RoutedNetwork):
            raise ParameterError(f"network must be one with a routing, not the {self.network.name}")
        if self.options.reply_flits:
            object.__setattr__(self, "network", self.network.for_replies())
        object.__setattr__(self, "network", self.network.for_packets(max(self._lengths)))
        if self.options.reply_flits and self.network.message_classes % 2:
            raise ParameterError(
                f"message classes must be 2, or another even number, with replies, not "
                f"{self.network.message_classes}: otherwise requests and replies can deadlock"
            )
        if self.options.burst * self.mean_flits > _LONGEST_BURST:
            raise ParameterError(
                f"burst must be at most {int(_LONGEST_BURST / self.mean_flits)} packets of {float(self.mean_flits):g} flits, "
                f"not {self.options.burst}"
            )
        _ = self.demand  # Refuses a pattern that is not for the network.
        if self.options.burst and self.demand.rates is not None:
            raise ParameterError(
                f"burst must be 0 with flows, whose sources have different rates, not {self.options.burst}"
            )
        if self.bench is not None:
            _ = self.machine  # Refuses another one.

    @cached_property
    def machine(self) -> TrafficMachine:
        """The network with a source and a sink at every port.

        Raises
        ------
        ParameterError
            If packets take lanes in turn, or replies several routes, which sources do not send, or the bench is another machine.
        """
        if self.bench is not None:
            machine = self.bench.machine
            if not isinstance(machine, TrafficMachine) or machine.network != self.network:
                raise ParameterError(f"bench must be one with the {self.network.name} and traffic, not {machine}")
            # Without a burst a source that has them creates nothing; unused details are not checked.
            if machine.bursts != (self.options.burst > 0):
                raise ParameterError(
                    f"burst must be {'given' if machine.bursts else '0'} on a bench that was made "
                    f"{'for' if machine.bursts else 'without'} bursts, not {self.options.burst}"
                )
            if (machine.answers > 0) != (self.options.reply_flits > 0):
                raise ParameterError(
                    f"reply flits must be {'given' if machine.answers else '0'} on a bench that was made "
                    f"{'with' if machine.answers else 'without'} replies, not {self.options.reply_flits}"
                )
            if self.demand.rates is not None and not machine.rates:
                raise ParameterError("traffic of flows requires a bench whose sources have rates of their own")
            if self.options.details and not machine.details:
                raise ParameterError("details require a bench that was made with details")
            return machine
        routes = len(self.network.ways.alternatives)
        ways = max(map(len, self._destinations)) * len(self.options.packet_flits) * routes
        # Room for every pattern and two lengths of packets, so that all of these run on the same machine.
        room = max(ways, 2 * self.network.topology.processors, self.network.endpoints)
        return TrafficMachine(
            network=self.network,
            queue=QUEUE,
            bins=BINS,
            ways=1 << ceil_log2(room),
            bursts=self.options.burst > 0,
            details=self.options.details,
            answers=QUEUE if self.options.reply_flits else 0,
            rates=self.demand.rates is not None,
        )

    @property
    def mean_flits(self) -> Fraction:
        """Flits of a packet on average."""
        return Fraction(sum(self.options.packet_flits), len(self.options.packet_flits))

    @property
    def _lengths(self) -> list[int]:
        """Flits of all kinds of packets."""
        return [*self.options.packet_flits, *([self.options.reply_flits] if self.options.reply_flits else [])]

    @property
    def _replies(self) -> Fraction:
        """Flits of replies for each flit of requests."""
        return self.options.reply_flits / self.mean_flits

    @cached_property
    def demand(self) -> Demand:
        """The destinations and rates of all processors."""
        return demand_of(self.options, self.network.topology)

    @property
    def _destinations(self) -> Sequence[Sequence[int]]:
        return self.demand.destinations

    @property
    def loads(self) -> tuple[float, ...]:
        """The requested loads: those of the options, or that of given flows; none if saturation is to be looked for."""
        own = self.demand.busiest
        return self.options.loads or (() if own is None else (float(own / self._ports),))

    @cached_property
    def _shares(self) -> Shares:
        """The traffic matrix for a load of 1 of the busiest processor, as it is realized."""
        shares = Shares.even(self._destinations)
        return shares if self.demand.rates is None else shares.of_sources(self.demand.rates)

    @cached_property
    def _ways(self) -> list[list[Destination]]:
        """For each endpoint the ways of its packets."""
        ports, ways = self.network.processor_ports, []
        for processor, targets in enumerate(self._destinations):
            for port in range(ports):
                endpoint = processor * ports + port
                if self.machine.answering(endpoint):
                    replies = self.machine.answers_of(endpoint)
                    ways.append([way._replace(flits=self.options.reply_flits) for way in replies])
                    continue
                known: dict[int, list[Destination]] = {}
                some = []
                for target in targets:
                    other = target * ports + port
                    if other not in known:
                        known[other] = self.machine.ways_to(endpoint, other)
                    some += [way._replace(flits=flits) for way in known[other] for flits in self.options.packet_flits]
                ways.append(some)
        return ways

    @property
    def _ports(self) -> int:
        """Ports of a processor that send requests; the others send replies."""
        return self.network.processor_ports // (2 if self.options.reply_flits else 1)

    @cached_property
    def latency_without_load(self) -> float:
        """The mean latency of packets that nothing holds up, in cycles, by formula."""
        options, lengths, reply = self.network.options, self.options.packet_flits, self.options.reply_flits
        there, back = self._packets_by_hops
        total = sum(
            packets * latency_without_load(options, hops + 1, flits)
            for hops, packets in there.items()
            for flits in lengths
        )
        if reply:
            total += len(lengths) * sum(
                packets * (TURNAROUND + latency_without_load(options, hops + 1, reply))
                for hops, packets in back.items()
            )
        return total / (len(lengths) * sum(there.values()))

    @property
    def _packets_by_hops(self) -> tuple[Counter[int], Counter[int]]:
        """The packets to all destinations by the hops that they take, and by those that packets back from there take."""
        ways, topology = self.network.ways, self.network.topology
        row_of = {home: row for row, home in enumerate(ways.homes)}
        rows = numpy.array([row_of.get(topology.node_of(processor), -1) for processor in range(topology.processors)])
        there, back = Counter[int](), Counter[int]()
        for row, targets, each in zip(rows, self._destinations, self.demand.packets_of_an_entry):
            others = rows[numpy.asarray(targets, dtype=int)]
            for one in ways.alternatives:
                for found, hops in ((there, one.lengths[row, others]), (back, one.lengths[others, row])):
                    found.update({number: each * count for number, count in enumerate(numpy.bincount(hops).tolist())})
        return there, back

    @cached_property
    def bound(self) -> float:
        """The load from which on a lane or a receiver has a flit in every cycle: no more can be accepted of everybody."""
        network = self.network
        bound = load_bound(network.ways, self._shares, network.lanes, ports=self._ports, replies=self._replies)
        return float(bound / self._ports)

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
        return f"{self.options.word} traffic on the {self.network.name}"

    def _run(self, load: float, seed: int) -> Traffic:
        within, begin, end = load, 0, 0
        if self.options.burst:
            within = 1.0
            begin, end = _bursts(load, float(self.options.burst * self.mean_flits))
        return Traffic(
            rate=units_of(within, self.mean_flits),
            rates=self._rates(load),
            burst_begin=begin,
            burst_end=end,
            packet_flits=max(self.options.packet_flits),
            warm_up=self.options.warm_up,
            measured=self.options.measured,
            cool_down=self.options.warm_up,
            seed=seed,
            destinations=self._ways,
        )

    def _rates(self, load: float) -> list[int] | None:
        """The packets per 65,536 cycles of each endpoint at this load of the busiest, if they differ; 0 for those that answer."""
        if self.demand.rates is None:
            return None
        units = self.demand.units(load, self.mean_flits)
        return [mine * (port < self._ports) for mine in units for port in range(self.network.processor_ports)]

    def _point(self, load: float, results: Sequence[TrafficResult]) -> LoadPoint:
        means = [result.latency - PREPARATION for result in results if result.latency is not None]
        # Offered load is counted in packets, whatever their lengths.
        part = self.mean_flits / max(self.options.packet_flits)
        offered = statistics.fmean(result.offered for result in results) * float(part)
        latency = statistics.fmean(means) if means else 0.0
        several = len(means) > 1
        confidence = STUDENT[len(means) - 2] * statistics.stdev(means) / len(means) ** 0.5 if several else None
        bins = [sum(counts) for counts in zip(*(result.latencies for result in results))]
        histogram = [(max(0, cycles - PREPARATION), count) for cycles, count in enumerate(bins) if count]
        last_bin = self.machine.bins - 1 - PREPARATION
        processors = self._processors(results)
        lanes = tuple(self._lanes(load, results)) if self.options.details else ()
        return LoadPoint(
            load=load,
            offered=offered,
            accepted=statistics.fmean(result.accepted for result in results),
            latency=latency,
            confidence=confidence,
            median=quantile(histogram, MEDIAN, last_bin),
            percentile_99=quantile(histogram, PERCENTILE_99, last_bin),
            longest=max(result.longest for result in results) - PREPARATION if means else 0,
            histogram=tuple(histogram),
            conflicts=sum(result.conflicts for result in results),
            least=min(accepted for sends, (_, accepted) in zip(self._destinations, processors) if len(sends)),
            saturated=latency > SLOW * self.latency_without_load or any(itertools.starmap(self._starved, processors)),
            failures=tuple(dict.fromkeys(failure for result in results for failure in result.failures)),
            pairs=tuple(self._pairs(results)) if self.options.details else (),
            lanes=lanes,
            last_bin=last_bin,
            fullest=fullest_parts(
                *(self.network, Shares.even(self._destinations), processors, lanes, results),
                starved=[self._starved(*figures) for figures in processors],
                ports=self._ports,
                replies=self._replies,
            ),
        )

    def _processors(self, results: Sequence[TrafficResult]) -> list[tuple[float, float]]:
        """The offered and the accepted load of each processor, in flits per cycle and port, on average over runs."""
        cycles, ports = self.options.measured * len(results) * self._ports, self._ports
        together = [[sum(counts) for counts in zip(*some)] for some in zip(*(result.sources for result in results))]
        return [
            (
                sum(packets for packets, _ in mine) * float(self.mean_flits) / cycles,
                sum(flits for _, flits in mine) / cycles,
            )
            for mine in (together[first : first + ports] for first in range(0, len(together), ports))
        ]

    def _starved(self, offered: float, accepted: float) -> bool:
        """Whether a processor was kept from sending what it offered, and not only has more packets waiting than before."""
        waiting = WAITING * max(1, self.options.burst) * float(self.mean_flits) / self.options.measured
        return accepted < ACCEPTED * offered and offered - accepted > waiting

    def _pairs(self, results: Sequence[TrafficResult]) -> Iterator[PairFigures]:
        """The figures of each pair of processors that has packets, by source, then destination, which may be who answers."""
        ports, together = self.network.processor_ports, dict[tuple[int, int], list[Any]]()
        for result in results:
            for sink, entries in enumerate(result.pairs):
                if self.options.reply_flits and not self.machine.answering(sink):
                    continue
                for source, entry in enumerate(entries):
                    if entry.packets:
                        sent, arrived = source // ports, sink // ports
                        pair = (arrived, sent) if self.options.reply_flits else (sent, arrived)
                        together.setdefault(pair, []).append(entry)
        for pair, entries in sorted(together.items()):
            packets = sum(entry.packets for entry in entries)
            latency = sum(entry.latency for entry in entries) / packets - PREPARATION
            yield PairFigures(*pair, packets, latency, max(entry.longest for entry in entries) - PREPARATION)

    def _lanes(self, load: float, results: Sequence[TrafficResult]) -> Iterator[LaneFigures]:
        """The figures of each lane, by node, channel and number."""
        topology = self.network.topology
        cycles, offered = self.options.measured * len(results), load * self._ports
        for (node, channel, lane), share in self.lane_loads.items():
            flits = sum(result.lanes[node][channel * topology.f + lane] for result in results)
            to, _ = self.network.ways.ends[node][channel]
            yield LaneFigures(node, to, lane, flits / cycles, float(share) * offered)

    @cached_property
    def lane_loads(self) -> dict[Lane, Fraction]:
        """The flits of each lane for one that every processor offers."""
        return lane_loads(self.network.ways, self._shares, self.network.lanes, replies=self._replies)


def _bursts(load: float, cycles: float) -> tuple[int, int]:
    """The probabilities that a burst begins and that it ends, in units of hardware, for a length of bursts and a load.

    Where such bursts would leave no time between them, they are longer.
    """
    most_begin = (1 << 32) - 1
    if load == 1:
        return most_begin, 0
    end = max(1, min(round(RATE_UNITS / cycles), round((1 - load) / load * RATE_UNITS)))
    begin = end / RATE_UNITS * load / (1 - load)
    return min(most_begin, round(begin * (1 << 32))), min(end, RATE_UNITS - 1)
