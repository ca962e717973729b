"""Every machine of the fat-cube paper's classification on one network: bounds, steps, and cycles on the RTL.

A cell is a collective, a router model and a step model. It is refused if it means nothing: routers that copy packets take one
message in each, and only some cubes have simplex links. Every other cell gets a schedule, which is checked and then run in
lockstep; what goes wrong there is its failure, and so is a cell that is refused for any other reason.

A schedule of adjacent transfers, or of fewer messages in a packet, is one of the wider model too. So a cell takes the
schedule of a narrower one if that is shorter than what is found for itself, and is not searched if that meets its bound.

Direct transfers run with wormhole switching, and with virtual cut-through on routers that copy packets. So no packet of
several messages has to fit into one buffer here.
"""

from collections.abc import Iterator, Sequence
import dataclasses
import itertools
from typing import Any

from fatcube.groundwork.cache import Cache, cache_folder
from fatcube.groundwork.digest import source_digest, versions
from fatcube.groundwork.progress import Bar, doing
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.construct import best, construct
from fatcube.schedules.cycles import largest_packets, lockstep_cycles
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.schedule_file import schedule_from_json, schedule_to_json
from fatcube.schedules.search import Finding, Outcome
from fatcube.schedules.size import check_size
from fatcube.schedules.step_model import STANDARD, Links, Transfers
from fatcube.schedules.wiring import common_network
from fatcube.sim.collectives.plan import most_entries
from fatcube.sim.collectives.run import RunResult
from fatcube.sim.collectives.simulate import Run, fitting_machine, longest_packet_of, simulate_all
from fatcube.sim.size import check_memory, check_simulation
from fatcube.studies.comparison import COLLECTIVES
from fatcube.studies.model_cells import PAYLOAD_FLITS, Cell, Result, cells_of, refusal

__all__ = [
    "PAYLOAD_FLITS",
    "Cell",
    "Result",
    "cells_of",
    "check_models",
    "machine_of",
    "measure",
    "networks_of",
    "refusal",
]


_SEED = 0
_ROOMS = ("groundwork", "rtl", "noc", "schedules")  # the sources on which a found schedule depends


@dataclasses.dataclass(frozen=True)
class _Found:
    """The schedule of a cell, and the cell's result before it runs."""

    cell: Cell
    result: Result
    schedule: Schedule


def check_models(topology: Topology) -> None:
    """Refuse a network that is too large for schedules to be built, or to be simulated.

    Raises
    ------
    ParameterError
        If it is.
    """
    check_simulation(topology)
    for ports, collective in itertools.product(PortModel, COLLECTIVES):
        if refusal(Cell(topology, ports, collective, STANDARD)) is None:
            check_size(Problem(topology, ports, collective, 0))


def measure(cells: Sequence[Cell], *, time_limit: float) -> list[Result]:
    """The result of each cell, in their order.

    The results of searches are kept in the cache, and so are the simulators. An interrupted command resumes from there.

    Parameters
    ----------
    cells : list of :class:`Cell`
        Successive cells with the same topology, transfers, links and router model share a machine.
    time_limit : :class:`float`
        Seconds of search for a cell.
    """
    return [result for group in _found(cells, time_limit) for result in _run(group)]


def networks_of(cells: Sequence[Cell], *, time_limit: float) -> list[tuple[Cell, Network]]:
    """The network of each machine that :func:`measure` runs cells on, and the first of these cells.

    By then, the results of their searches are in the cache.
    """
    found = ([one for one in group if isinstance(one, _Found)] for group in _found(cells, time_limit))
    return [(group[0].cell, machine_of([one.schedule for one in group]).network) for group in found if group]


def _found(cells: Sequence[Cell], time_limit: float) -> Iterator[list["_Found | Result"]]:
    """The results of searches for cells, those of one machine together."""
    earlier: list[_Found] = []
    with Bar("cells of models", len(cells)) as bar:
        for _, group in itertools.groupby(cells, _of_machine):
            found = []
            for cell in group:
                with doing(f"finding {cell}"):
                    found.append(_find(cell, earlier, time_limit))
                earlier += [found[-1]] if isinstance(found[-1], _Found) else []
                bar.advance()
            yield found


def _of_machine(cell: Cell) -> tuple[Topology, Transfers, Links, PortModel]:
    return cell.topology, cell.model.transfers, cell.model.links, cell.ports


def _narrower(cell: Cell, found: Sequence[_Found]) -> Schedule | None:
    """The shortest of those schedules that is one of a narrower model on the same hardware."""
    return min(
        (
            dataclasses.replace(one.schedule, model=cell.model)
            for one in found
            if one.cell.model <= cell.model
            and one.cell.model.links is cell.model.links
            and (one.cell.topology, one.cell.ports, one.cell.collective) == (cell.topology, cell.ports, cell.collective)
        ),
        key=lambda schedule: schedule.steps,
        default=None,
    )


def _find(cell: Cell, earlier: Sequence[_Found], time_limit: float) -> _Found | Result:
    """The checked schedule of a cell, also by what was found earlier, or its result if there is nothing to run."""
    because = refusal(cell)
    if because is not None:
        return Result(**cell.to_json(), refused=because)
    try:
        found = _cached(cell, _narrower(cell, earlier), time_limit)
        schedule = None if found["schedule"] is None else schedule_from_json(found["schedule"])
        if schedule is not None:
            check(schedule)
    except (ScheduleError, ValueError, RuntimeError) as error:
        return Result(**cell.to_json(), failures=(f"{type(error).__name__}: {error}",))
    del found["schedule"]
    result = Result(**cell.to_json(), **found)
    if schedule is None:
        return dataclasses.replace(result, failures=(f"no schedule found in {time_limit:g} s: {result.stopped}",))
    return _Found(cell, result, schedule)


def _cached(cell: Cell, narrower: Schedule | None, time_limit: float) -> dict[str, Any]:
    """The result of the search for a cell, in JSON values: from the cache, or new."""
    source = [
        source_digest(*_ROOMS),
        versions(["ortools"]),
        cell.problem.to_json(),
        time_limit,
        narrower and schedule_to_json(narrower),
    ]
    return Cache(cache_folder() / "models").look_up(source, lambda: _to_json(_best(cell, narrower, time_limit)))


def _best(cell: Cell, narrower: Schedule | None, time_limit: float) -> Finding:
    """The shortest schedule that is constructed, that a narrower model has, or, if neither meets the bound, that is found."""
    problem = cell.problem
    found = _shorter(construct(problem), narrower)
    if not found.proved:
        found = _shorter(best(problem, time_limit=time_limit, seed=_SEED), narrower)
    if found.stopped is Outcome.INTERRUPTED:
        raise KeyboardInterrupt
    return found


def _shorter(finding: Finding, narrower: Schedule | None) -> Finding:
    """The finding, or the schedule of a narrower model if that has fewer steps."""
    if narrower is None or (finding.steps is not None and finding.steps <= narrower.steps):
        return finding
    return dataclasses.replace(finding, schedule=narrower, by="found for a narrower model")


def _to_json(found: Finding) -> dict[str, Any]:
    return {
        "lower_bound": found.bound.steps,
        "reason": found.bound.reason,
        "steps": found.steps,
        "messages": None if found.schedule is None else sum(largest_packets(found.schedule)),
        "by": found.by,
        "stopped": found.stopped and found.stopped.value,
        "schedule": None if found.schedule is None else schedule_to_json(found.schedule),
    }


def _run(group: Sequence[_Found | Result]) -> Iterator[Result]:
    """The results of cells of one machine, in their order, with what their schedules took on it."""
    measured = iter(_simulated([one.schedule for one in group if isinstance(one, _Found)]))
    for one in group:
        yield one if isinstance(one, Result) else dataclasses.replace(one.result, **next(measured))


def _simulated(schedules: Sequence[Schedule]) -> list[dict[str, Any]]:
    """The measurements of each of these schedules on one machine, as members of their results."""
    if not schedules:
        return []
    try:
        machine = machine_of(schedules)
        runs = [Run(schedule=schedule, payload_flits=PAYLOAD_FLITS, seed=_SEED) for schedule in schedules]
        with doing(f"running {len(runs)} schedules on the {machine.network.name}"):
            results = simulate_all(machine, runs)
    except ParameterError as error:
        return [{"failures": (str(error),)} for _ in schedules]
    return [_measured(schedule, machine, result) for schedule, result in zip(schedules, results)]


def machine_of(schedules: Sequence[Schedule], options: RouterOptions = RouterOptions()) -> Machine:
    """The machine of schedules that differ in their packets and paths; its routers have these options and the turns of all.

    It has room for messages of :data:`PAYLOAD_FLITS` payload flits.
    """
    network = common_network(schedules, options)
    machine = fitting_machine(
        network.for_packets(max(longest_packet_of(schedule, PAYLOAD_FLITS) for schedule in schedules)),
        payload_flits=PAYLOAD_FLITS,
        steps=max(map(most_entries, schedules)),
    )
    check_memory(machine)
    return machine


def _measured(schedule: Schedule, machine: Machine, result: RunResult) -> dict[str, Any]:
    """The members of a cell's result that its run gives."""
    predicted = lockstep_cycles(schedule, machine.network, PAYLOAD_FLITS)
    failures = list(result.failures)
    if result.conflicts:
        failures.append(f"{result.conflicts} conflicts were counted in lockstep")
    if result.steps != schedule.steps:
        failures.append(f"{result.steps} steps were counted, not {schedule.steps}")
    if result.cycles != predicted:
        failures.append(f"{result.cycles} cycles were counted, not {predicted} as predicted")
    return {
        "failures": tuple(failures),
        "cycles": result.cycles,
        "predicted_cycles": predicted,
        "delivered": result.delivered,
    }
