"""The measurements of a network at one offered load."""

from collections.abc import Sequence
import dataclasses
from fractions import Fraction
from typing import NamedTuple

from fatcube.rtl.endpoint.source import PREPARATION
from fatcube.sim.traffic.limit import Fullest

__all__ = [
    "ACCEPTED",
    "BINS",
    "LAST_BIN",
    "MEDIAN",
    "PERCENTILE_99",
    "SLOW",
    "STUDENT",
    "WAITING",
    "LaneFigures",
    "LoadPoint",
    "PairFigures",
    "quantile",
]


SLOW = 3
"""A network whose mean latency is more than so many times that without load is saturated."""
ACCEPTED = Fraction(95, 100)
"""A network that accepts a smaller part of what a processor offers is saturated."""
WAITING = 8
"""Packets of a processor's port, or bursts of them, that may be waiting at the end of a run more than at its beginning."""


STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093),
)
"""Two-sided quantiles of Student's t for 95 %, by degrees of freedom from 1 on."""

BINS = 2048
"""Bins of the histogram of latencies, of a cycle each."""
LAST_BIN = BINS - 1 - PREPARATION
"""The least latency in the last bin, whose packets are not told apart."""

MEDIAN, PERCENTILE_99 = Fraction(1, 2), Fraction(99, 100)
"""The parts of all packets whose latencies are in figures."""


def quantile(histogram: Sequence[tuple[int, int]], part: Fraction, last_bin: int | None = None) -> int | None:
    """The least latency that at least ``part`` of all packets have at most; 0 without packets.

    Parameters
    ----------
    histogram : sequence of (:class:`int`, :class:`int`)
        Latencies in cycles, ascending, and how many packets had each.
    part : :class:`Fraction`
    last_bin : :class:`int` or ``None``
        The latency whose packets may have taken longer. A quantile among these is not known: ``None``.
    """
    rank = part * sum(count for _, count in histogram)
    for latency, count in histogram:
        rank -= count
        if rank <= 0:
            return latency if last_bin is None or latency < last_bin else None
    return 0


class PairFigures(NamedTuple):
    """The packets of a pair of processors, over the ports of both and all repeats, as sinks added them up.

    Members
    -------
    source, destination : :class:`int`
    packets : :class:`int`
    latency : :class:`float`
        On average, in cycles.
    longest : :class:`int`
    """

    source: int
    destination: int
    packets: int
    latency: float
    longest: int


class LaneFigures(NamedTuple):
    """A lane from a node to another one.

    Members
    -------
    node, to : :class:`int`
    lane : :class:`int`
        Its number among those of the link.
    utilisation : :class:`float`
        Flits per cycle that crossed it, as the node counted them, on average over the repeats.
    by_loads : :class:`float`
        Flits per cycle that would, by the routes of packets, if the whole offered load were accepted.
    """

    node: int
    to: int
    lane: int
    utilisation: float
    by_loads: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class LoadPoint:
    """The measurements at one offered load; loads are in flits per cycle and port of a processor.

    Attributes
    ----------
    load : :class:`float`
        The requested load.
    offered, accepted : :class:`float`
        Flits of the packets that were created while measuring, and flits that went into the network.
    least : :class:`float` or ``None``
        The flits that went into the network from that processor of which the fewest did; ``None`` in records of earlier
        versions.
    latency : :class:`float`
        Cycles from the creation of a packet to the arrival of its last flit (where packets are answered, of the last flit of
        the reply), on average over the packets that were created while measuring, and over the repeats.
    confidence : :class:`float` or ``None``
        Half the width of its 95 % confidence interval, by Student's t over the repeats.
    median, percentile_99 : :class:`int` or ``None``
        Latencies that half and 99 % of all packets, over all repeats, do not exceed; ``None`` if ``last_bin`` or more.
    longest : :class:`int`
        The longest latency of all repeats, which is exact.
    last_bin : :class:`int`
        Packets with this latency or a longer one are counted together, in the last bin of the histogram.
    histogram : tuple of (:class:`int`, :class:`int`)
        Latencies and how many packets had each; the last bin has all that are longer.
    conflicts : :class:`int`
        Cycles, over all routers and repeats, in which an input waited for an output that another packet had.
    saturated : :class:`bool`
        The mean latency is more than :data:`SLOW` times that without load, or less than :data:`ACCEPTED` of what a
        processor offered was accepted, the difference being more than :data:`WAITING` packets per port and run. Latencies are
        then those of full queues.
    failures : tuple of :class:`str`
        Everything that went wrong with a packet.
    pairs : tuple of :class:`PairFigures`
        Of the pairs with packets, if there are details.
    lanes : tuple of :class:`LaneFigures`
        Of all lanes, if there are details.
    fullest : :class:`~fatcube.sim.traffic.limit.Fullest` or ``None``
        The fullest parts of the network; ``None`` in records of earlier versions.
    """

    load: float
    offered: float
    accepted: float
    latency: float
    confidence: float | None
    median: int | None
    percentile_99: int | None
    longest: int
    histogram: tuple[tuple[int, int], ...]
    conflicts: int
    saturated: bool
    failures: tuple[str, ...]
    pairs: tuple[PairFigures, ...] = ()
    lanes: tuple[LaneFigures, ...] = ()
    least: float | None = None
    last_bin: int = LAST_BIN
    fullest: Fullest | None = None
