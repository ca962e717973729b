"""The JSON files between a simulation and its testbench, which runs in another process."""

import dataclasses
from typing import TypeAlias, TypedDict

__all__ = ["Job", "JobRun", "Observation", "Read", "Write"]


Read: TypeAlias = tuple[int, int, int, int, int]
"""A read on the host bus: node, unit, region, bank, word."""

Write: TypeAlias = tuple[int, int, int, int, int, int]
"""A write on the host bus: the same, and the data."""


class JobRun(TypedDict):
    """One run of a testbench.

    Members
    -------
    settings : dict of :class:`int`
        Values of inputs of the system, by name.
    writes : list of :class:`tuple`
        The writes before the run.
    trace_depth : :class:`int`
        Packets that fit into the trace of a monitor.
    status, counts, reads : list of :class:`tuple`
        The reads after the run: the status of each port, the counts of each monitor, and the payload.
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
        The file for an :class:`Observation` of each run, one per line.
    runs : list of :class:`JobRun`
    """

    nodes: int
    results: str
    runs: list[JobRun]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Observation:
    """The values that the testbench read in a run.

    Attributes
    ----------
    finished, stalled : :class:`int`
        1 if the run came to its end, or if nothing moved any more.
    steps : :class:`int`
        Steps that the barrier completed.
    cycles : :class:`int`
        Cycles from start to end.
    flits, conflicts : list of :class:`int`
        The counters of each node's router.
    status : list of :class:`int`
        The :class:`~rtl.endpoint.program.PortStatus` of each processor port.
    counts : list of :class:`int`
        The packets of each monitor in the lower 32 bits, its flits above.
    traces : list of :class:`int`
        Every :class:`~rtl.endpoint.monitor.TraceEntry` of the first monitor, then of the next.
    payload : list of :class:`int`
        The words of all ``reads``.
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
