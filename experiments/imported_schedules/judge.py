"""A published schedule, judged: its steps against the bound, its cycles on the RTL, and those of our schedule beside them."""

from collections.abc import Sequence
import dataclasses
from pathlib import Path
from typing import Any

from experiments.imported_schedules.published import Published
from fatcube.groundwork.progress import doing
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.formats.formats import foreign_from
from fatcube.schedules.pipelined.build import flits_of_part
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.sim.collectives.simulate import Run
from fatcube.studies.figures import Figures
from fatcube.studies.given_schedules import judged_runs, machine_of

__all__ = ["MESSAGES", "Judged", "judge", "with_bound", "with_ours"]


MESSAGES = 1, 16, 256
"""The flits that a processor has, or gets, of each message of the collective: F. A part of P has ⌈F / P⌉ of them."""

_SEED = 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class Judged(Figures):
    """The results for a published schedule.

    Members
    -------
    name, by, repository, commit, path, made : as of :class:`Published`
    sha256 : :class:`str`, if a program has written the file
    refused : :class:`str`
        Why it is no schedule of the step model; then nothing else is known.
    topology : mapping
    collective : :class:`str`
    homes : list of :class:`int`
        The processors at which the sums of an all-reduce become complete, if not at all.
    parts, transfers, steps : :class:`int`
    bound : :class:`int`
        The lower bound on the steps with this number of parts, of model d.
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
        The failures of any run: deliveries, packets on wires against the schedule, conflicts, predicted cycles.
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
    homes: Sequence[int] | None = None
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
        """The name of the network; a graph is described by its nodes and links, of which parallel ones count each."""
        assert self.topology is not None
        return topology_from_json(self.topology).name

    @property
    def problem(self) -> Problem:
        """The collective of the schedule, with undivided messages."""
        collective, topology = Collective.parse(self.collective), topology_from_json(self.topology)
        among = collective.among(None, None, None, self.homes)
        return Problem(topology, PortModel.D_PORT, collective, 0 if collective.rooted else None, among=among)

    @property
    def work(self) -> str:
        """The name of the collective, with the homes of sums."""
        among = self.problem.among
        return f"{self.collective}{'' if among.all else f' {among}'}"


def with_bound(row: Judged) -> Judged:
    """A row with the lower bound of today, which runs do not count for."""
    if row.refused is not None:
        return row
    bound = lower_bound(row.problem.changed(parts=row.parts))
    return dataclasses.replace(row, bound=bound.steps, reason=bound.reason)


def with_ours(rows: Sequence[Judged]) -> list[Judged]:
    """Rows with the steps and cycles of our schedules of today, which no file of others is needed for.

    The schedules of one network run on one machine. A row in which something failed then names it.
    """
    found = list(rows)
    together: dict[Topology, list[int]] = {}
    for number, row in enumerate(rows):
        if row.refused is None:
            together.setdefault(topology_from_json(row.topology), []).append(number)
    for numbers in together.values():
        schedules = [_ours(rows[number]) for number in numbers]
        machine = machine_of(schedules, max(MESSAGES))
        for number, ours in zip(numbers, schedules, strict=True):
            runs = _runs([ours])
            with doing(f"running ours of {rows[number].name}"):
                results, failures = judged_runs(machine, runs)
            cycles = [result.cycles for result in results]
            others = [failure for failure in rows[number].failures if not failure.startswith("ours: ")]
            found[number] = dataclasses.replace(
                rows[number],
                ours=ours.steps,
                ours_lockstep=cycles[: len(MESSAGES)],
                ours_dataflow=cycles[len(MESSAGES) :],
                failures=[*others, *(f"ours: {failure}" for failure in failures)],
            )
    return found


def _ours(row: Judged) -> Schedule:
    """Our schedule with undivided messages."""
    return construct(row.problem).found.expanded()


def _runs(schedules: Sequence[Schedule]) -> list[Run]:
    """The runs of each schedule in lockstep, and then in dataflow, of all :data:`MESSAGES`."""
    return [
        Run(schedule=one, payload_flits=flits_of_part(flits, one.parts), lockstep=lockstep, seed=_SEED)
        for one in schedules
        for lockstep in (True, False)
        for flits in MESSAGES
    ]


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
    row = dataclasses.replace(
        about,
        topology=schedule.topology.to_json(),
        collective=schedule.collective.value,
        homes=schedule.among.homes,
        parts=schedule.parts,
        transfers=schedule.size,
        steps=schedule.steps,
    )
    ours = _ours(row)
    return with_bound(_run(dataclasses.replace(row, ours=ours.steps), schedule, ours))


def _run(row: Judged, schedule: Schedule, ours: Schedule) -> Judged:
    """The row with what was measured on the machine that both schedules run on."""
    machine = machine_of([schedule, ours], max(MESSAGES))
    runs = _runs([schedule, ours])
    with doing(f"running {row.name}"):
        results, failures = judged_runs(machine, runs)
    few = len(MESSAGES)
    cycles = [tuple(result.cycles for result in results[first : first + few]) for first in range(0, len(runs), few)]
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
