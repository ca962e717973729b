"""The traffic between processors under given options: the tables of destinations of their sources, and their rates.

A source picks an entry of its table for each packet, all with equal probability. Shares are therefore numbers of entries: exact
where the smallest table that has them is not large, and otherwise within :data:`TOLERANCE` of the requested shares.
"""

from collections.abc import Sequence
import dataclasses
from fractions import Fraction
import math

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topology import Topology
from fatcube.sim.traffic.given import flows, hot_spots, permutation
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.patterns import destinations_of
from fatcube.sim.traffic.traffic import RATE_UNITS

__all__ = ["TOLERANCE", "Demand", "demand_of", "entries_of", "units_of"]


TOLERANCE = Fraction(1, 100)
"""The largest difference between a realized and a given share, as a part of the given one."""
_MOST_EXACT = 1 << 10  # entries of a table whose shares are exact
_MOST_ENTRIES = 1 << 12  # of any other table
_MULTIPLES = 32  # entries of the least share that are tried


@dataclasses.dataclass(frozen=True)
class Demand:
    """The destinations and rates of all processors.

    Members
    -------
    destinations : list of list of :class:`int`
        The table of each processor: the destinations of its packets, each repeated in proportion to its share.
    rates : list of :class:`Fraction` or ``None``
        The load of each processor as a fraction of the busiest one's; ``None`` if all that send anything send alike.
    busiest : :class:`Fraction` or ``None``
        The flits per cycle of the busiest processor, if they are given.
    """

    destinations: Sequence[Sequence[int]]
    rates: Sequence[Fraction] | None = None
    busiest: Fraction | None = None

    @property
    def packets_of_an_entry(self) -> list[int]:
        """For each processor the packets, of a number of all, that an entry of its table stands for: one, if all send alike."""
        if self.rates is None:
            return [1] * len(self.destinations)
        each = [rate / max(1, len(targets)) for rate, targets in zip(self.rates, self.destinations)]
        whole = math.lcm(*(one.denominator for one in each))
        return [int(one * whole) for one in each]

    def loads(self, load: float) -> list[Fraction]:
        """The load that each processor is to offer at this load of the busiest one."""
        rates = self.rates or [Fraction(bool(len(targets))) for targets in self.destinations]
        return [Fraction(load) * rate for rate in rates]

    def units(self, load: float, mean_flits: Fraction) -> list[int]:
        """The packets of each processor in 65,536 cycles, at this load of the busiest one."""
        return [units_of(mine, mean_flits) if mine else 0 for mine in self.loads(load)]

    def realized(self, load: float, mean_flits: Fraction) -> list[Fraction]:
        """The load that each processor offers, as sources create packets with probabilities in multiples of 1/65,536."""
        return [mine * mean_flits / RATE_UNITS for mine in self.units(load, mean_flits)]


def units_of(load: float | Fraction, mean_flits: Fraction) -> int:
    """Packets in 65,536 cycles of a source that offers this load, with packets of ``mean_flits`` flits on average."""
    return min(RATE_UNITS - 1, max(1, round(load * RATE_UNITS / mean_flits)))


def demand_of(options: LoadOptions, topology: Topology) -> Demand:
    """The demand under these options.

    Where processors have failed, hot spots and permutations send nothing to them; flows must not name them.

    Raises
    ------
    ParameterError
        If a processor that is named is none of the topology, the pattern is not for it, or no table of at most 4,096 entries
        has the shares that are given.
    """
    if options.traffic:
        return _of_flows(options, topology)
    if options.hotspot:
        return Demand(_of_hot_spots(options, topology))
    if targets := permutation(options.pattern):
        if len(targets) != topology.processors:
            raise ParameterError(
                f"destinations of a permutation must be {topology.processors} on the {topology.name}, one for each processor, not "
                f"{len(targets)}"
            )
        works = topology.works
        return Demand([[other] if works(own) and works(other) else [] for own, other in enumerate(targets)])
    return Demand(destinations_of(options.pattern, topology))


def _of_flows(options: LoadOptions, topology: Topology) -> Demand:
    """The demand of flows: those of each source in proportion to their rates."""
    of_source: dict[int, dict[int, Fraction]] = {}
    for source, destination, rate in flows(options.traffic):
        for name, processor in (("source", source), ("destination", destination)):
            _check_processor(f"{name} of a flow", processor, topology)
        of_source.setdefault(source, {})[destination] = rate
    totals = [sum(of_source.get(source, {}).values(), Fraction(0)) for source in range(topology.processors)]
    tables = [
        entries_of(of_source.get(source, {}), f"processor {source}") if total else []
        for source, total in enumerate(totals)
    ]
    busiest = max(totals)
    return Demand(tables, [total / busiest for total in totals], busiest)


def _of_hot_spots(options: LoadOptions, topology: Topology) -> Sequence[Sequence[int]]:
    """The tables of all processors, which are alike: the shares of hot spots, and the rest to all, hot spots among them."""
    working = topology.working
    spots = hot_spots(options.hotspot)
    rest = (1 - sum((share for _, share in spots), Fraction(0))) / len(working)
    shares = dict.fromkeys(working, rest)
    for processor, share in spots:
        _check_processor("processor of a hot spot", processor, topology)
        shares[processor] += share
    table = entries_of({processor: share for processor, share in shares.items() if share}, "every processor")
    return [table if topology.works(processor) else [] for processor in range(topology.processors)]


def _check_processor(name: str, processor: int, topology: Topology) -> None:
    """Refuse a number that is none of a processor that works."""
    if processor >= topology.processors:
        raise ParameterError(f"{name} must be an integer from 0 to {topology.processors - 1}, not {processor}")
    if not topology.works(processor):
        raise ParameterError(f"{name} must be a processor that works in the {topology.name}, not {processor}")


def entries_of(shares: dict[int, Fraction], whose: str) -> list[int]:
    """A table in which each destination has as many entries as its part of the sum of ``shares`` says.

    Parameters
    ----------
    whose : :class:`str`
        The owner of the table, for the message.

    Raises
    ------
    ParameterError
        If a share would differ by more than :data:`TOLERANCE` in every table of at most 4,096 entries.
    """
    total = sum(shares.values(), Fraction(0))
    parts = {destination: share / total for destination, share in shares.items()}
    exact = math.lcm(*(part.denominator for part in parts.values()))
    sizes = [exact] if exact <= _MOST_EXACT else _sizes(min(parts.values()))
    counts: dict[int, int] = {}
    for size in sizes:
        counts = _apportioned(parts, size)
        if all(abs(Fraction(counts[one], size) - part) <= TOLERANCE * part for one, part in parts.items()):
            return [destination for destination in sorted(parts) for _ in range(counts[destination])]
    worst = max(parts, key=lambda one: abs(Fraction(counts[one], sizes[-1]) / parts[one] - 1))
    raise ParameterError(
        f"share of the packets of {whose} for {worst} must be realized within {int(TOLERANCE * 100)} % by a table of at most "
        f"{_MOST_ENTRIES} entries, not {float(parts[worst]):.3g}, for which that has {counts[worst]} entries"
    )


def _sizes(least: Fraction) -> list[int]:
    """Sizes of tables to try, ascending: powers of two, and those in which the least share is nearly a number of entries."""
    powers = {1 << power for power in range(6, _MOST_ENTRIES.bit_length())}
    multiples = {round(number / least) for number in range(1, _MULTIPLES + 1)}
    return sorted(powers | {size for size in multiples if size <= _MOST_ENTRIES})


def _apportioned(parts: dict[int, Fraction], size: int) -> dict[int, int]:
    """The entries of each destination in a table of this size, by largest remainders."""
    counts = {destination: int(part * size) for destination, part in parts.items()}
    left = size - sum(counts.values())
    by_remainder = sorted(parts, key=lambda one: (counts[one] - parts[one] * size, one))
    for destination in by_remainder[:left]:
        counts[destination] += 1
    return counts
