"""A run as JSON, with all that it is to show: for a testbench that knows neither the schedule nor the network."""

from typing import NotRequired, TypedDict

from fatcube.noc.machines.machine import Machine
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.sim.builds.job import JobRun
from fatcube.sim.collectives.judge import ExpectedContents
from fatcube.sim.collectives.planned import plan_of
from fatcube.sim.collectives.run import Run
from fatcube.sim.collectives.simulate import jobs_of, payload_of

__all__ = ["WrittenDelivery", "WrittenPacket", "WrittenRun", "written_run"]


class WrittenPacket(TypedDict):
    """A packet that crosses a wire: its step, 0 in dataflow, the id in its header, its flits, and its signature."""

    step: int
    message: int
    flits: int
    signature: int


class WrittenDelivery(TypedDict):
    """A message that is held after the run: where, which, and its words."""

    where: str
    words: list[int]


class WrittenRun(TypedDict):
    """A run, and what it is to show.

    Members
    -------
    job : :class:`JobRun`
        The words to load, set and read, by addresses of the host bus.
    steps, cycles : :class:`int`
        The counts that the hardware must reach; there are no ``cycles`` in dataflow, where no formula gives them.
    wires : list of list of :class:`WrittenPacket`
        The packets of each wire, in the order of the monitors.
    deliveries : list of :class:`WrittenDelivery`
        In the order of the job's ``reads``.
    """

    job: JobRun
    steps: int
    cycles: NotRequired[int]
    wires: list[list[WrittenPacket]]
    deliveries: list[WrittenDelivery]


def written_run(machine: Machine, run: Run) -> WrittenRun:
    """The :class:`WrittenRun` of ``run`` on ``machine``.

    Raises
    ------
    ParameterError
        If it cannot be run there.
    """
    network, schedule = machine.network, run.schedule
    plan = plan_of(machine, run)
    [job] = jobs_of(machine, [run])
    contents = ExpectedContents(payload_of(machine, run, plan, 0), network)
    wires: list[list[WrittenPacket]] = [
        [
            {
                "step": crossing.step if run.lockstep else 0,
                "message": crossing.message,
                "flits": sum(run.flits_of(plan.messages[number]) + 1 for number, _ in crossing.contents),
                "signature": contents.signature(crossing.contents),
            }
            for crossing in plan.crossings[wire]
        ]
        for wire in machine.wires
    ]
    deliveries: list[WrittenDelivery] = [
        {
            "where": f"processor {one.processor}, {'all banks' if one.bank is None else f'bank {one.bank}'}: message {one.message}",
            "words": contents.words(one.parts),
        }
        for one in plan.final
    ]
    written: WrittenRun = {
        "job": job,
        "steps": schedule.steps if run.lockstep else 0,
        "wires": wires,
        "deliveries": deliveries,
    }
    if run.lockstep:
        written["cycles"] = lockstep_cycles(schedule, network, run.payload_flits, run.last_flits)
    return written
