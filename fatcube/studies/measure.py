"""The measurements of the points of a sweep, as its workers make them, each in a process of its own."""

from collections.abc import Sequence
import threading
from typing import Any

from fatcube.groundwork.record import command_line, record
from fatcube.noc.cost import price
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.schedules.checker import check
from fatcube.schedules.construct import best
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.search import Finding
from fatcube.sim.builds.build import build
from fatcube.sim.collectives.run import RunResult
from fatcube.sim.collectives.simulate import fitting_machine, simulate_all
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.saturation import LoadCurve
from fatcube.sim.traffic.saturation import measure as measure_curve
from fatcube.studies.keys import SEED, machine_with_room, point_key, runs_of, surroundings
from fatcube.studies.measured import LoadedRouter, MeasuredRouter, MeasuredRun
from fatcube.studies.point import LoadedNetwork, Point
from fatcube.synth.silicon import crossbar_area, router_silicon

__all__ = [
    "alone",
    "build_simulator",
    "find_keys",
    "find_schedule",
    "join_load",
    "join_point",
    "line_of",
    "machines_of",
    "measure",
    "measure_cycles",
    "measure_load",
    "measure_router",
    "measure_silicon",
    "reason_of",
]


# Simulator builds and cocotb set up their surroundings by environment variables, which all threads of a worker share.
alone = threading.Lock()


def machines_of(points: Sequence[Point | LoadedNetwork]) -> dict[Network, Machine]:
    """A machine for each network, with room for all that ``points`` run on it, so that it is built once.

    The machine follows from all points, also those that are measured already: a sweep that is resumed has the same builds.
    """
    together = {}
    for point in points:
        if isinstance(point, Point):
            together.setdefault(point.network, []).append(point)
    return {
        network: fitting_machine(
            network,
            payload_flits=max(point.payload_flits for point in mine),
            reductions=any(point.collective.reduction for point in mine),
        )
        for network, mine in together.items()
    }


def measure(point: Point | LoadedNetwork) -> tuple[dict[str, Any], list[str]]:
    """Measure one point, here and now: return the record, and the failures of the run."""
    if isinstance(point, LoadedNetwork):
        area = measure_router(point) if point.family else None
        return join_load(point, point_key(point), measure_load(point.test), area, command_line())
    [machine] = machines_of([point]).values()
    cycles = measure_cycles([point], [find_schedule(point)], machine)
    return join_point(point, point_key(point), cycles, 0, measure_silicon(point), command_line())


def measure_load(test: LoadTest) -> LoadCurve:
    """The curve of a network under load."""
    with alone:
        return measure_curve(test)


def measure_router(point: LoadedNetwork) -> LoadedRouter:
    """Area and speed of the router of a network under load."""
    assert point.family is not None
    with alone:
        found = router_silicon(point.network, seeds=point.seeds, fmax=point.fmax, family=point.family)
    return LoadedRouter(
        comb_equivalents=found.area.comb_equivalents,
        ff=found.area.ff,
        fmax_mhz=found.fmax_mhz,
        seeds_mhz=found.to_json()["seeds_mhz"],
        commands=list(found.commands),
        nand2_equivalents=found.area.nand2_equivalents,
    )


def join_load(
    point: LoadedNetwork, key: str, curve: LoadCurve, area: LoadedRouter | None, command: str
) -> tuple[dict[str, Any], list[str]]:
    measured = {**curve.to_json(), **(area.to_json() if area else {})}
    return record(point.parameters, measured, key=key, seed=point.test.options.seed, command=command), curve.failures


def find_keys(points: Sequence[Point | LoadedNetwork], before: object = None) -> tuple[dict[str, str], list[str]]:
    """The surroundings of this worker and the keys of ``points``, of one network, whose netlists take most of the time.

    ``before`` is only there so that one task makes the netlists and the next finds them.
    """
    with alone:
        return surroundings(), [point_key(point) for point in points]


def build_simulator(machine: Machine) -> None:
    """Have the simulator of a machine in the cache."""
    with alone:
        build(machine)


def find_schedule(point: Point) -> Finding | str:
    """The checked schedule of a point; or the reason why there is none, which is no reason for those run with it."""
    try:
        found = best(point.problem, seed=SEED)
        check(found.found)
        return found
    except Exception as error:
        return reason_of(error)


def measure_cycles(
    points: Sequence[Point], found: Sequence[Finding | str], machine: Machine, built: None = None
) -> list[tuple[MeasuredRun, list[str]] | str]:
    """For each point its schedule and the runs of it on the RTL of ``machine``, in lockstep and in dataflow, and what went
    wrong in them; or the reason why they could not be.

    One simulator carries out all of them. A schedule that is longer than the machine's programs gets a larger machine of
    its own. ``built`` is only there so that one task builds the simulator and the others find it.
    """
    outcomes: list[Any] = list(found)
    groups: dict[Machine, list[int]] = {}
    for index, one in enumerate(found):
        if not isinstance(one, str):
            groups.setdefault(machine_with_room(machine, one), []).append(index)
    for fitting, group in groups.items():
        for index, outcome in zip(group, _run(fitting, [(points[index], outcomes[index]) for index in group])):
            outcomes[index] = outcome
    return outcomes


def _run(machine: Machine, group: Sequence[tuple[Point, Finding]]) -> list[tuple[MeasuredRun, list[str]] | str]:
    """The outcomes on one machine. If that ends with an error, each is run alone, to find out which one it is of."""
    runs = [runs_of(point, found) for point, found in group]
    places = [place for some in runs for place in range(len(some))]
    try:
        with alone:
            results = iter(simulate_all(machine, [run for some in runs for run in some], places=places))
    except Exception as error:
        return [reason_of(error)] if len(group) == 1 else [outcome for one in group for outcome in _run(machine, [one])]
    return [_measured(point, found, next(results), next(results)) for point, found in group]


def _measured(point: Point, found: Finding, lockstep: RunResult, dataflow: RunResult) -> tuple[MeasuredRun, list[str]]:
    measured = MeasuredRun(
        steps=lockstep.steps,
        lower_bound=found.bound.steps,
        proved=found.proved,
        found_by=found.by,
        cycles=lockstep.cycles,
        dataflow_cycles=dataflow.cycles,
        predicted_cycles=lockstep_cycles(found.found, point.network, point.payload_flits),
        conflicts=lockstep.conflicts,
        dataflow_conflicts=dataflow.conflicts,
        delivered=lockstep.delivered + dataflow.delivered,
        lane_utilisation=lockstep.lane_utilisation,
    )
    return measured, [*lockstep.failures, *dataflow.failures]


def measure_silicon(point: Point) -> MeasuredRouter:
    """Area and speed of the network's router, and the area of its crossbar alone."""
    with alone:
        router = router_silicon(point.network, seeds=point.seeds, fmax=point.fmax, family=point.family)
        crossbar = crossbar_area(point.network, family=point.family)
    cost = price(point.network.topology, point.network.options.ports)
    return MeasuredRouter(router=router, crossbar=crossbar, cost=cost)


def join_point(
    point: Point,
    key: str,
    outcomes: Sequence[tuple[MeasuredRun, list[str]] | str],
    place: int,
    silicon: MeasuredRouter,
    command: str,
) -> tuple[dict[str, Any], list[str]]:
    outcome = outcomes[place]
    if isinstance(outcome, str):
        raise RuntimeError(outcome)
    cycles, problems = outcome
    fmax = silicon.fmax_mhz
    measured = {**cycles.to_json(), **silicon.to_json(), "microseconds": fmax and cycles.cycles / fmax}
    return record(point.parameters, measured, key=key, seed=SEED, command=command), problems


def reason_of(error: object) -> str:
    """An error, in one line."""
    return line_of(f"{error}") or type(error).__name__


def line_of(text: str, most: int = 500) -> str:
    """A text in one line of at most ``most`` characters."""
    return " ".join(text.split())[:most]
