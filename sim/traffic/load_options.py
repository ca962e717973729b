"""The options of a measurement under load, each declared once: flags, keys of sweep files and keys of records are these."""

import dataclasses

from fatcube.groundwork.options import Options, option
from fatcube.groundwork.validation import ParameterError
from fatcube.sim.traffic.patterns import PATTERNS

__all__ = ["FEWEST_FLITS", "MOST_FLITS", "MOST_REPEATS", "LoadOptions"]


MOST_REPEATS = 20
FEWEST_FLITS, MOST_FLITS = 3, (1 << 16) - 1
"""Flits of a packet: what fits into the counters, and a header, a stamp and a signature, of which a narrow flit holds a part."""
_MOST_CYCLES = 1 << 24


@dataclasses.dataclass(frozen=True, kw_only=True)
class LoadOptions(Options):
    """The traffic that a network is put under, and how long it is measured.

    Parameters
    ----------
    pattern : :class:`str`
        One of :data:`fatcube.sim.traffic.patterns.PATTERNS`.
    loads : tuple of :class:`float`
        Offered loads; none: those around saturation, which is looked for.
    packet_flits : tuple of :class:`int`
        Flits of a packet, its header among them; if there are several, each is as likely.
    burst : :class:`int`
        Packets of a burst on average; 0: they come one by one, in every cycle with the same probability (Bernoulli).
    reply_flits : :class:`int`
        Flits of the packet that answers each packet; 0: none is answered.
    warm_up, measured : :class:`int`
        Cycles before measurement, and of measurement. As many as of warm-up follow in which the load is kept up.
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

    pattern: str = option("uniform", "Traffic pattern.", choices=PATTERNS)
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
        minimum=FEWEST_FLITS,
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
