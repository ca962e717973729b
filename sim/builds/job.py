"""The JSON files between a simulation and its testbench, which runs in another process."""

from collections.abc import Sequence
import dataclasses
from typing import NotRequired, TypeAlias, TypedDict

__all__ = ["Job", "JobRun", "Observation", "Read", "Waves", "Write", "trace_reads"]


EVERY = 0xFFFF
"""As a node or unit that is written: every one."""

COUNTS = (1 << 24) - 1
"""The word of a monitor that has its counts: packets in the lower 32 bits, flits above."""

Read: TypeAlias = tuple[int, int, int, int, int, int]
"""A read by the addresses of the host bus: node, unit, region, bank, first word, number of words."""

Write: TypeAlias = tuple[int, int, int, int, int, list[int]]
"""A write by the same addresses: node, unit, region, bank, first word, words."""


class Feed(TypedDict):
    """The packets that sources are given while a run goes: see :mod:`fatcube.sim.builds.feeding`.

    Members
    -------
    packets, latencies : :class:`str`
        Files of words of 64 bits in the order of this machine: the packets by their cycles, and a word for each, which is 0,
        or its latency once it has arrived.
    room : :class:`int`
        Packets that fit into the ring of a source, and into that of a sink.
    places : list of (:class:`int`, :class:`int`)
        The node and unit of each endpoint.
    regions : dict of :class:`int`
        The regions of rings and of their counts: trace, given, taken, log and logged.
    period : :class:`int`
        The cycles after which a network in which nothing happens is as it was.
    settled : :class:`int`
        The cycles after the last flit from which on that is so.
    timeout : :class:`int`
        The cycles without a moving flit, while a source has a packet, that end the run.
    """

    packets: str
    latencies: str
    room: int
    places: list[tuple[int, int]]
    regions: dict[str, int]
    period: int
    settled: int
    timeout: int


class JobRun(TypedDict):
    """One run of a testbench.

    Members
    -------
    settings : dict of :class:`int`
        Values of inputs of the system, by name.
    writes : list of :data:`Write`
        The writes before the run.
    cuts : list of :class:`int`
        Cycles after which the run is cut by a reset, loaded again and begun anew, one after the other; none if not
        given.
    feed : :class:`Feed`
        The packets that sources are given during the run, if any.
    drain : :class:`int`
        Cycles after the end in which what is still under way arrives, and is seen.
    trace_depth : :class:`int`
        Packets that fit into the trace of a monitor.
    status, counts, reads : list of :data:`Read`
        The reads after the run: the status of each port, the counts of each monitor, and the payload.
    """

    settings: dict[str, int]
    writes: list[Write]
    cuts: NotRequired[list[int]]
    feed: NotRequired[Feed]
    drain: int
    trace_depth: int
    status: list[Read]
    counts: list[Read]
    reads: list[Read]


def trace_reads(run: JobRun, counts: Sequence[int]) -> list[Read]:
    """The reads of the traces of a run, given the counts of its monitors, which say how much of each trace there is."""
    return [
        (node, unit, region, bank, 0, min(count & 0xFFFFFFFF, run["trace_depth"]))
        for (node, unit, region, bank, *_), count in zip(run["counts"], counts)
    ]


class Lanes(TypedDict):
    """The lanes between nodes that are compiled by themselves.

    Members
    -------
    nodes, channels, lanes, units, banks : :class:`int`
        Nodes; of each the channels, the lanes of a channel, and the units that have memories; and the number of each
        memory that a unit has.
    inputs, outputs : list of :class:`str`
        The ports of a node that are driven and combined, in order.
    host_bytes : :class:`int`
        Bytes of a word on the host bus as Verilator stores it.
    memories : dict
        The path of a memory in a node by the number of its region, with ``unit``, ``monitor`` and ``bank`` in braces.
    leads_to : list of :class:`int`
        The input that each lane leads to by wires, both counted over nodes, then channels, then lanes; -1 if it leads
        nowhere, or there is a part in it.
    parts : list of :class:`str`
        The names of the parts in lanes.
    ends : list of :class:`int`
        Three numbers for each part: its first and its second end, counted in the same way, and whether it goes from the
        first to the second only.
    constants : dict of list of :class:`str`
        For each port of a node that is the same all the time, its value at every node, in hexadecimal.
    """

    nodes: int
    channels: int
    lanes: int
    units: int
    banks: int
    inputs: list[str]
    outputs: list[str]
    host_bytes: int
    memories: dict[str, str]
    leads_to: list[int]
    parts: list[str]
    ends: list[int]
    constants: dict[str, list[str]]


class Waves(TypedDict):
    """The waves to write.

    Members
    -------
    file : :class:`str`
        The VCD file.
    nodes : list of :class:`int`
        The nodes whose signals are in it.
    """

    file: str
    nodes: list[int]


class Job(TypedDict):
    """The runs of a testbench.

    Members
    -------
    nodes : :class:`int`
        Nodes of the system.
    ends : list of :class:`str`
        The outputs of the system that are read at the end of a run.
    counters : list of :class:`str`
        The counters of each router that are read then.
    lanes : :class:`Lanes` or ``None``
        The lanes between nodes that are compiled separately.
    waves : :class:`Waves` or ``None``
        The waveforms to write.
    results : :class:`str`
        The file for an :class:`Observation` of each run, one per line.
    runs : list of :class:`JobRun`
    """

    nodes: int
    ends: list[str]
    counters: list[str]
    lanes: Lanes | None
    waves: Waves | None
    results: str
    runs: list[JobRun]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Observation:
    """The values that the testbench read in a run.

    Attributes
    ----------
    ends : dict
        The outputs of the system at the end: ``finished`` and ``stalled``, of which one is 1, ``cycles`` from start to
        end, and with schedules ``steps`` that the barrier completed.
    counters : dict of lists of :class:`int`
        The counters of each node's router, by their names.
    status : list of :class:`int`
        The :class:`~fatcube.rtl.endpoint.program.PortStatus` of each processor port.
    counts : list of :class:`int`
        The packets of each monitor in the lower 32 bits, its flits above.
    traces : list of list of :class:`int`
        For each monitor its :class:`entries <fatcube.rtl.endpoint.monitor.TraceEntry>`.
    payload : list of list of :class:`int`
        The payload words of each of the ``reads``.
    """

    ends: dict[str, int]
    counters: dict[str, list[int]]
    status: list[int]
    counts: list[int]
    traces: list[list[int]]
    payload: list[list[int]]

    def errors(self, *, lanes_turn: bool) -> list[str]:
        """The nodes that counted errors, as failures.

        ``lanes_turn`` says that the lanes of which a node is the first end count flits in its place that cross too soon after
        one in the other direction.
        """
        return [
            f"router of node {node}: {number} header{'s' if number > 1 else ''} requested a turn that does not exist"
            + (", or flits crossed a lane of it too soon after one in the other direction" if lanes_turn else "")
            for node, number in enumerate(self.counters["error_count"])
            if number
        ]
