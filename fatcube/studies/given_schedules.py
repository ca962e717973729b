"""A comparison of schedule files from any program: steps, lower bounds, and cycles on the RTL."""

from collections.abc import Mapping, Sequence
import dataclasses
from typing import Any

from amaranth.utils import ceil_log2

from fatcube.groundwork.progress import doing
from fatcube.noc.machines.machine import Machine
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.bounds import bound_of
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.pipelined.build import flits_of_part, lengths_of_parts
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.wiring import common_network
from fatcube.sim.collectives.plan import most_entries
from fatcube.sim.collectives.simulate import Run, RunResult, fitting_machine, longest_packet_of, simulate_all
from fatcube.sim.size import check_memory
from fatcube.studies.figures import Figures

__all__ = ["MESSAGE_FLITS", "Given", "compared", "judged_runs", "machine_of"]


MESSAGE_FLITS = 16
"""The flits of an undivided message that schedules are compared with."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Given(Figures):
    """A schedule beside others.

    Members
    -------
    schedule, network, collective : :class:`str`
        Its name, and what it is on.
    ports : :class:`str`
        The router model.
    parts, steps, bound : :class:`int`
    flits : :class:`int`
        Payload flits of a part of a message of :data:`MESSAGE_FLITS`.
    cycles : :class:`int`
        In lockstep, from the formula.
    model : :class:`str`
        The step model, empty for the default one.
    machine : mapping or ``None``
        The network of a network file, as a description has it.
    measured, dataflow : :class:`int` or ``None``
        Cycles read out of the hardware, in lockstep and in dataflow.
    failures : tuple of :class:`str`
        The failures of the runs.
    """

    schedule: str
    network: str
    collective: str
    ports: str
    parts: int
    steps: int
    bound: int
    flits: int
    cycles: int
    model: str = ""
    machine: Mapping[str, Any] | None = None
    measured: int | None = None
    dataflow: int | None = None
    failures: Sequence[str] = ()


def machine_of(schedules: Sequence[Schedule], flits: int, options: RouterOptions | None = None) -> Machine:
    """A machine on the network of these schedules, with all monitors, for messages of ``flits`` flits, whole or in parts.

    Its routers have default options, or these.
    """
    network = common_network(schedules, (options or RouterOptions()).changed(ports=schedules[0].ports))
    longest = [flits_of_part(flits, one.parts) for one in schedules]
    pairs = schedules[0].topology.processors ** 2  # as many messages as an all-to-all has, in each part
    words = ((1 << ceil_log2(pairs * one.parts)) << max(4, ceil_log2(most)) for one, most in zip(schedules, longest))
    machine = fitting_machine(
        network.for_packets(max(longest_packet_of(one, most) for one, most in zip(schedules, longest))),
        payload_flits=max(longest),
        memory_words=max(1 << 14, *words),
        steps=max(map(most_entries, schedules)),
        reductions=any(one.collective.reduction for one in schedules),
        combining=any(one.per_packet > 1 for one in schedules),
    )
    check_memory(machine)
    return machine


def judged_runs(machine: Machine, runs: Sequence[Run]) -> tuple[list[RunResult], list[str]]:
    """The results of runs, and all that is wrong with them: in lockstep also other steps or cycles than predicted, and conflicts."""
    results = simulate_all(machine, runs)
    failures: list[str] = []
    for run, result in zip(runs, results):
        failures += result.failures
        if run.lockstep:
            cycles = lockstep_cycles(run.schedule, machine.network, run.payload_flits, run.last_flits)
            predicted = run.schedule.steps, 0, cycles
            if (measured := (result.steps, result.conflicts, result.cycles)) != predicted:
                failures.append(f"{measured} steps, conflicts and cycles were counted, not {predicted}")
    return results, failures


def compared(
    name: str,
    schedule: Schedule,
    *,
    run: bool,
    bound: int | None = None,
    model: StepModel | None = None,
    options: RouterOptions | None = None,
) -> Given:
    """A schedule with its steps and cycles; with ``run`` it is carried out on the RTL.

    Of a schedule that was built, ``bound`` is the one that was proved, ``model`` the step model it was built for, and
    ``options`` are those of the routers of a network file.

    Raises
    ------
    ParameterError
        If no machine can run it.
    """
    machine = machine_of([schedule], MESSAGE_FLITS, options)
    flits, last = lengths_of_parts(MESSAGE_FLITS, schedule.parts)
    row = Given(
        schedule=name,
        network=str(schedule.topology),
        collective=schedule.work,
        ports=schedule.ports.value,
        parts=schedule.parts,
        steps=schedule.steps,
        bound=bound_of(schedule).steps if bound is None else bound,
        flits=flits,
        cycles=lockstep_cycles(schedule, machine.network, flits, last),
        model=str(schedule.model if model is None else model),
        machine=None if options is None else machine.network.to_json(),
    )
    if not run:
        return row
    with doing(f"running {name}"):
        runs = [
            Run(schedule=schedule, payload_flits=flits, last_flits=last, lockstep=lockstep)
            for lockstep in (True, False)
        ]
        results, failures = judged_runs(machine, runs)
    return dataclasses.replace(row, measured=results[0].cycles, dataflow=results[1].cycles, failures=tuple(failures))
