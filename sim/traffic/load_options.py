"""The options of a measurement under load, each declared once: flags, keys of sweep files and keys of records are these."""

import dataclasses
import functools

from fatcube.groundwork.options import Options, option
from fatcube.groundwork.validation import ParameterError
from fatcube.sim.traffic.given import flows, flows_given, hot_spots_given, pattern_given, permutation
from fatcube.sim.traffic.patterns import PATTERNS

__all__ = ["MOST_FLITS", "MOST_REPEATS", "LoadOptions"]


MOST_REPEATS = 20
MOST_FLITS = (1 << 16) - 1
"""Flits of a packet: what fits into its stamp."""
_MOST_CYCLES = 1 << 24


@dataclasses.dataclass(frozen=True, kw_only=True)
class LoadOptions(Options):
    """The traffic that a network is put under, and how long it is measured.

    Parameters
    ----------
    pattern : :class:`str`
        One of :data:`fatcube.sim.traffic.patterns.PATTERNS`, or ``permutation:`` and the destinations of all processors with
        commas between them, or a file with these.
    hotspot : :class:`str`
        Hot spots, such as ``3:0.2,7:0.1``: these shares of all packets go to these processors, the rest to all alike.
    traffic : :class:`str`
        Flows with their rates, ``source,destination,flits_per_cycle`` with semicolons between them, or a CSV file with these
        columns. Loads are those of the busiest source, and the others send in proportion.
    loads : tuple of :class:`float`
        Offered loads; none: those around saturation, which is looked for.
    packet_flits : tuple of :class:`int`
        Flits of a packet, its header among them; if there are several, each is as likely.
    burst : :class:`int`
        Packets of a burst on average; 0: they come one by one, in every cycle with the same probability (Bernoulli).
    reply_flits : :class:`int`
        Flits of the packet that answers each packet; 0: none is answered.
    warm_up, measured : :class:`int`
        Cycles before measurement, and of measurement. The load is kept up for another ``warm_up`` cycles afterwards.
    repeats : :class:`int`
        Runs of each load, with other random numbers.
    seed : :class:`int`
        Seed of all random numbers.
    details : :class:`bool`
        Measure also the latency of each pair of processors and the utilisation of each lane.

    Raises
    ------
    ParameterError
        If one of them is out of range.
    """

    pattern: str = option(
        "uniform",
        "Traffic pattern, or permutation:FILE, with the destination of each processor.",
        choices=tuple(PATTERNS),
        parse=functools.partial(pattern_given, names=tuple(PATTERNS)),
    )
    hotspot: str = option(
        "",
        "Processors with the share of all packets that goes to each, such as 3:0.2,7:0.1; the rest is uniform.",
        parse=hot_spots_given,
    )
    traffic: str = option(
        "",
        "CSV file of flows: source, destination and flits per cycle. A load is that of the busiest source, by default as in the file.",
        parse=flows_given,
    )
    loads: tuple[float, ...] = option(
        (),
        "Offered loads, in flits per cycle and port of a processor, such as 0.1,0.2; 12 loads around saturation if "
        "not given.",
        several=float,
        above=0,
        maximum=1,
        each="load",
    )
    packet_flits: tuple[int, ...] = option(
        (8,),
        "Flits per packet, including the header; several lengths, such as 8,64, have equal probability.",
        several=int,
        minimum=1,
        maximum=MOST_FLITS,
    )
    burst: int = option(
        0,
        "Mean number of packets in a burst, in which a source offers a load of 1; 0: no bursts.",
        minimum=0,
        maximum=1024,
    )
    reply_flits: int = option(
        0,
        "Flits of the reply to each packet, over separate ports and channels (--message-classes 2); 0: no replies.",
        minimum=0,
        maximum=MOST_FLITS,
    )
    warm_up: int = option(
        1000, "Cycles of load before the measurement, and again after it.", minimum=0, maximum=_MOST_CYCLES
    )
    measured: int = option(3000, "Cycles of the measurement.", minimum=1, maximum=_MOST_CYCLES)
    repeats: int = option(
        5, "Runs per load; several give a confidence interval of the latency.", minimum=1, maximum=MOST_REPEATS
    )
    seed: int = option(0, "Seed of the random traffic.", minimum=0)
    details: bool = option(
        False, "Also measure the latency of each pair and the utilisation of each lane, for the record."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.packet_flits:
            raise ParameterError("packet flits must be one number or several, not none")
        said = [name for name in ("traffic", "hotspot") if getattr(self, name)]
        if self.pattern != "uniform":
            said.append("pattern")
        if len(said) > 1:
            raise ParameterError(f"{said[1]} must be left out with {said[0]}, which says where packets go")

    @property
    def word(self) -> str:
        """The traffic in a few words, as titles have it."""
        if self.traffic:
            number = len(flows(self.traffic))
            return f"given ({number} flow{'s' if number > 1 else ''})"
        if self.hotspot:
            return f"hot-spot ({self.hotspot})"
        return f"permutation ({len(targets)})" if (targets := permutation(self.pattern)) else self.pattern
