"""What a simulation and its testbench, which runs in another process, tell each other in JSON files."""

import dataclasses
from typing import TypeAlias, TypedDict

__all__ = ["Job", "JobRun", "Observation", "Read", "Write"]


Read: TypeAlias = tuple[int, int, int, int, int]
"""What of the host bus to read: node, unit, region, bank, word."""

Write: TypeAlias = tuple[int, int, int, int, int, int]
"""The same and data to write there."""


class JobRun(TypedDict):
    """One run, as the testbench is told.

    Members
    -------
    settings : dict of :class:`int`
        Values of inputs of the system, by name.
    writes : list of :class:`tuple`
        What to write before the run.
    trace_depth : :class:`int`
        Packets that fit into the trace of a monitor.
    status, counts, reads : list of :class:`tuple`
        What to read after the run: the status of each port, how much each monitor saw, and the payload.
    """

    settings: dict[str, int]
    writes: list[Write]
    trace_depth: int
    status: list[Read]
    counts: list[Read]
    reads: list[Read]


class Job(TypedDict):
    """The runs of a testbench.

    Members
    -------
    nodes : :class:`int`
        Nodes of the system.
    results : :class:`str`
        The file for an :class:`Observation` of each run, one a line.
    runs : list of :class:`JobRun`
    """

    nodes: int
    results: str
    runs: list[JobRun]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Observation:
    """What the testbench saw in a run.

    Attributes
    ----------
    finished, stalled : :class:`int`
        Whether the run came to its end, or nothing moved any more.
    steps : :class:`int`
        Steps that the barrier ended.
    cycles : :class:`int`
        Cycles from start to end.
    flits, conflicts : list of :class:`int`
        The counters of each node's router.
    status : list of :class:`int`
        The :class:`~rtl.endpoint.program.PortStatus` of each processor port.
    counts : list of :class:`int`
        For each monitor packets in the lower 32 bits, flits above.
    traces : list of :class:`int`
        Every :class:`~rtl.endpoint.monitor.TraceEntry` of the first monitor, then of the next.
    payload : list of :class:`int`
        The words that were to be read.
    """

    finished: int
    stalled: int
    steps: int
    cycles: int
    flits: list[int]
    conflicts: list[int]
    status: list[int]
    counts: list[int]
    traces: list[int]
    payload: list[int]
