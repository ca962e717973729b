"""The plan of a run on a machine: in dataflow with barriers where they make it shorter."""

from collections.abc import Sequence

from fatcube.noc.machines.machine import Machine
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.sim.collectives.distributed import distributed_plan
from fatcube.sim.collectives.forecast import can_forecast, dataflow_cycles
from fatcube.sim.collectives.plan import Plan, compile_schedule
from fatcube.sim.collectives.run import Run

__all__ = ["plan_of", "plans_of"]


def plans_of(machine: Machine, runs: Sequence[Run]) -> list[Plan]:
    """The plan of each run, made once for those of one schedule and mode."""
    made: dict[tuple[int, bool], Plan] = {}
    plans = []
    for run in runs:
        key = id(run.schedule), run.lockstep
        if key not in made:
            made[key] = _compiled(machine, run)
        plans.append(_paced(made[key], machine, run))
    return plans


def plan_of(machine: Machine, run: Run) -> Plan:
    """The plan of one run."""
    [plan] = plans_of(machine, [run])
    return plan


def _compiled(machine: Machine, run: Run) -> Plan:
    if machine.distributed:
        return distributed_plan(run.schedule, machine.network, machine.distributed, lockstep=run.lockstep)
    return compile_schedule(run.schedule, machine.network, lockstep=run.lockstep)


def _paced(plan: Plan, machine: Machine, run: Run) -> Plan:
    """The plan, or that with a barrier after every step, if the forecast says that it takes longer without.

    Where processors share lanes, a packet of a later step can take a lane before one of an earlier step for which others wait.
    With barriers no packet overtakes another one, and a run takes as long as in lockstep.
    """
    if run.lockstep or not machine.barriers or not can_forecast(plan):
        return plan
    lengths = run.payload_flits, run.last_flits
    cycles = dataflow_cycles(plan, *lengths)
    if cycles is None or cycles <= lockstep_cycles(plan.schedule, machine.network, *lengths):
        return plan
    every = range(1, plan.schedule.steps)
    return compile_schedule(plan.schedule, machine.network, lockstep=False, barriers=every)
