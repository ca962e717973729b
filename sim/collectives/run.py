"""A run on a machine, and its measurements."""

import dataclasses

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.schedules.collective import Message
from fatcube.schedules.cycles import check_last_flits
from fatcube.schedules.schedule import Schedule

__all__ = ["Run", "RunResult"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Run:
    """The schedule that is run, and the conditions.

    Parameters
    ----------
    schedule : :class:`Schedule`
        A schedule that the checker accepts.
    payload_flits : :class:`int`
        Payload flits of every message, F.
    last_flits : :class:`int` or ``None``
        Payload flits of the last part of every message of several parts, if it has fewer than the others.
    lockstep : :class:`bool`
        A barrier ends each step; otherwise dataflow.
    seed : :class:`int`
        Seed of the random payloads.
    timeout : :class:`int`
        Cycles without a moving flit after which the run counts as stalled.
    """

    schedule: Schedule
    payload_flits: int = 16
    last_flits: int | None = None
    lockstep: bool = True
    seed: int = 0
    timeout: int = 1000

    def __post_init__(self) -> None:
        check_integer("payload flits", self.payload_flits, minimum=1, maximum=MOST_FLITS - 1)
        if self.last_flits is not None:
            check_last_flits(self.last_flits, self.payload_flits, self.schedule.parts)
        check_integer("timeout", self.timeout, minimum=1, maximum=(1 << 32) - 1)

    def flits_of(self, message: Message) -> int:
        """Payload flits of a message of the schedule."""
        if self.last_flits is not None and message.part == self.schedule.parts - 1:
            return self.last_flits
        return self.payload_flits


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunResult:
    """The measurements of a run, read out of the hardware.

    Attributes
    ----------
    steps : :class:`int`
        Steps that the barrier completed; 0 in dataflow.
    cycles : :class:`int`
        Cycles from start to end.
    conflicts : :class:`int`
        Cycles, summed over the routers, in which an input waited for an output that another packet had.
    flits : :class:`int`
        Flits that left routers, summed over the routers.
    lane_flits : :class:`int` or ``None``
        Flits that crossed lanes; ``None`` if no lane had a monitor.
    lane_utilisation : :class:`float` or ``None``
        ``flits`` as a fraction of the flits that all lanes can carry in the cycles of the run; ``None`` also without lanes.
    delivered : :class:`int`
        Messages that are equal, word by word, to the loaded message or to the sum of all contributions.
    failures : tuple of :class:`str`
        Every fault and its place; empty if there is none.
    barriers : tuple of :class:`int`
        In dataflow, the steps after which all processors waited for each other.
    """

    steps: int
    cycles: int
    conflicts: int
    flits: int
    lane_flits: int | None
    lane_utilisation: float | None
    delivered: int
    failures: tuple[str, ...]
    barriers: tuple[int, ...] = ()
