"""A published schedule, judged: its steps against the bound, its cycles on the RTL, and those of our schedule beside them."""

from collections.abc import Sequence
import dataclasses
from pathlib import Path
from typing import Any

from fatcube.studies.figures import Figures
from fatcube.studies.given_schedules import judged_runs, machine_of
from fatcube.studies.referee.published import Published
from groundwork.progress import doing
from groundwork.validation import ParameterError
from noc.topologies import topology_from_json
from rtl.port_model import PortModel
from schedules.bounds import lower_bound
from schedules.collective import Collective
from schedules.construct import construct
from schedules.exchange.formats import foreign_from
from schedules.parted.build import flits_of_part
from schedules.schedule import Schedule
from sim.collectives.simulate import Run

__all__ = ["MESSAGES", "Judged", "judge", "with_bound"]


MESSAGES = 1, 16, 256
"""The flits that a processor has, or gets, of each message of the collective: F. A part of P has ⌈F / P⌉ of them."""

_SEED = 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class Judged(Figures):
    """What is known of a published schedule.

    Members
    -------
    name, by, repository, commit, path, made : as of :class:`Published`
    sha256 : :class:`str`, if a program has written the file
    refused : :class:`str`
        Why it is no schedule of the step model; then nothing else is known.
    topology : mapping
    collective : :class:`str`
    parts, transfers, steps : :class:`int`
    bound : :class:`int`
        The lower bound on the steps with so many parts, of model d.
    reason : :class:`str`
        Its argument.
    ours : :class:`int`
        The steps of our schedule of the same collective, with undivided messages.
    flits : tuple of :class:`int`
        The messages F of the runs, as far as the payload fits into the message memory.
    lockstep, dataflow, ours_lockstep, ours_dataflow : tuple of :class:`int`
        Cycles of the runs in their order, read out of the hardware.
    delivered : :class:`int`
        Messages that were compared word by word, in all runs of the published schedule.
    failures : tuple of :class:`str`
        What any run found wrong: deliveries, packets on wires against the schedule, conflicts, predicted cycles.
    """

    name: str
    by: str
    repository: str
    commit: str
    path: str
    made: str | None = None
    sha256: str | None = None
    refused: str | None = None
    topology: dict[str, Any] | None = None
    collective: str | None = None
    parts: int | None = None
    transfers: int | None = None
    steps: int | None = None
    bound: int | None = None
    reason: str | None = None
    ours: int | None = None
    flits: Sequence[int] = ()
    lockstep: Sequence[int] = ()
    dataflow: Sequence[int] = ()
    ours_lockstep: Sequence[int] = ()
    ours_dataflow: Sequence[int] = ()
    delivered: int | None = None
    failures: Sequence[str] = ()

    @property
    def network(self) -> str:
        """The network in words; a graph by its nodes and links, of which parallel ones count each."""
        assert self.topology is not None
        return str(topology_from_json(self.topology))


def with_bound(row: Judged) -> Judged:
    """A row with the lower bound of today, which runs do not count for."""
    if row.refused is not None:
        return row
    assert row.collective is not None and row.parts is not None
    collective = Collective.parse(row.collective)
    root = 0 if collective.rooted else None
    bound = lower_bound(topology_from_json(row.topology), PortModel.D_PORT, collective, root, parts=row.parts)
    return dataclasses.replace(row, bound=bound.steps, reason=bound.reason)


def judge(published: Published, checkouts: Path) -> Judged:
    """The schedule, read from its file, and judged.

    Raises
    ------
    MissingCheckout, ToolError, OSError
        If there is no such file.
    """
    names = ("name", "by", "repository", "commit", "path", "made", "sha256")
    about = Judged(**{name: getattr(published, name) for name in names})
    content = published.content(checkouts)
    try:
        foreign = foreign_from(content, collective=published.collective)
        schedule = foreign.schedule(published.topology, PortModel.D_PORT)
    except ParameterError as error:
        return dataclasses.replace(about, refused=str(error))
    root = 0 if schedule.collective.rooted else None
    ours = construct(schedule.topology, schedule.ports, schedule.collective, root).found.expanded()
    row = dataclasses.replace(
        about,
        topology=schedule.topology.to_json(),
        collective=schedule.collective.value,
        parts=schedule.parts,
        transfers=schedule.size,
        steps=schedule.steps,
        ours=ours.steps,
    )
    return with_bound(_run(row, schedule, ours))


def _run(row: Judged, schedule: Schedule, ours: Schedule) -> Judged:
    """The row with what was measured on the machine that both schedules run on."""
    cases = [(one, lockstep) for one in (schedule, ours) for lockstep in (True, False)]
    machine = machine_of([schedule, ours], max(MESSAGES))
    runs = [
        Run(schedule=one, payload_flits=flits_of_part(flits, one.parts), lockstep=lockstep, seed=_SEED)
        for one, lockstep in cases
        for flits in MESSAGES
    ]
    with doing(f"running {row.name}"):
        results, failures = judged_runs(machine, runs)
    few = len(MESSAGES)
    cycles = [tuple(result.cycles for result in results[few * case : few * (case + 1)]) for case in range(len(cases))]
    return dataclasses.replace(
        row,
        flits=MESSAGES,
        lockstep=cycles[0],
        dataflow=cycles[1],
        ours_lockstep=cycles[2],
        ours_dataflow=cycles[3],
        delivered=sum(result.delivered for result in results[: 2 * few]),
        failures=tuple(failures),
    )
