"""The points of a sweep, run with Dask on this machine or a cluster; what was measured is kept."""

from collections.abc import Callable, Iterator, Mapping, Sequence
import contextlib
import dataclasses
import importlib.util
import logging
import threading
from typing import TYPE_CHECKING, Any

from fatcube.studies.duration import points_seconds
from fatcube.studies.keys import SEED, compute_keys, machine_with_room, point_key, runs_of
from fatcube.studies.measured import LoadedRouter, MeasuredRouter, MeasuredRun
from fatcube.studies.point import LoadedNetwork, Point
from fatcube.studies.results import Results
from groundwork.digest import digest
from groundwork.ending import held
from groundwork.progress import Bar
from groundwork.record import command_line, record, source_revision
from groundwork.validation import ParameterError, check_integer
from noc.cost import price
from noc.machines.machine import Machine
from noc.network import Network
from schedules.checker import check
from schedules.construct import best
from schedules.cycles import lockstep_cycles
from sim.builds.build import build
from sim.collectives.simulate import fitting_machine, simulate_all
from sim.traffic.load import LoadTest
from sim.traffic.saturation import LoadCurve
from sim.traffic.saturation import measure as measure_curve
from synth.silicon import crossbar_area, router_silicon

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["Summary", "alone", "dask_client", "measure", "sweep"]


_PATIENCE = 15  # seconds to find a scheduler

# Simulator builds and cocotb set up their surroundings by environment variables, which all threads of a worker share.
alone = threading.Lock()


@dataclasses.dataclass(frozen=True)
class Summary:
    """What a sweep did.

    Members
    -------
    measured, looked_up : :class:`int`
        Points that were measured now, and that were in the results before.
    failures : list of :class:`str`
        The points that failed, now or before, each with its reason, in the order of the points.
    """

    measured: int
    looked_up: int
    failures: list


def sweep(
    points: Sequence[Point | LoadedNetwork],
    results: Results,
    *,
    jobs: int = 2,
    scheduler: str | None = None,
    retry: bool = False,
    foretell: Callable[[float], None] = lambda seconds: None,
) -> Summary:
    """Measure the points that are not in ``results`` yet, and write each as soon as it is done.

    Parameters
    ----------
    points : list of :class:`~fatcube.studies.point.Point` and :class:`~fatcube.studies.point.LoadedNetwork`
    results : :class:`~fatcube.studies.results.Results`
    jobs : :class:`int`
        Processes on this machine, where there is no ``scheduler``.
    scheduler : :class:`str` or ``None``
        The address of a running Dask scheduler, whose workers have the same fatcube installed.
    retry : :class:`bool`
        Whether points that failed before are tried again.
    foretell : callable
        Is told, before anything is measured, roughly how many seconds that will take here, with so many jobs.

    Raises
    ------
    ParameterError
        If Dask is not installed or there is no scheduler at the address.
    RuntimeError
        If the scheduler is lost. What was measured is in the results.
    """
    check_integer("jobs", jobs, minimum=1)
    failures, waiting = {}, []
    compute_keys(points, jobs=jobs)
    for point in points:
        found = results.find(point_key(point))
        if found is None or (retry and found[1] is not None):
            waiting.append(point)
        elif found[1] is not None:
            failures[point_key(point)] = found[1]
    done = looked_up = len(points) - len(waiting)
    if not waiting:
        return _summary(0, looked_up, failures, points)
    foretell(points_seconds(waiting, _machines(points)) / jobs)
    with dask_client(jobs, scheduler) as client, Bar("measuring points", len(points), done=done) as bar:
        from distributed import as_completed

        futures = _submit(client, waiting, _machines(points))
        for future in as_completed(futures):
            point = futures[future]
            found, reason = _outcome(future, point)
            if found is None and reason is None:
                raise RuntimeError(
                    f"the connection to the scheduler was lost; {done} of {len(points)} points are in {results.path}, and "
                    "the same command continues from there"
                )
            results.put(point_key(point), point.parameters, record=found, reason=reason)
            if reason is not None:
                failures[point_key(point)] = reason
            done += 1
            bar.advance()
            future.release()
    return _summary(len(waiting), looked_up, failures, points)


def _summary(
    measured: int, looked_up: int, failures: Mapping[str, str], points: Sequence[Point | LoadedNetwork]
) -> Summary:
    return Summary(
        measured,
        looked_up,
        [f"{point}: {failures[point_key(point)]}" for point in points if point_key(point) in failures],
    )


@contextlib.contextmanager
def dask_client(jobs: int, scheduler: str | None) -> "Iterator[Client]":
    if importlib.util.find_spec("distributed") is None:
        raise ParameterError("fatcube sweep needs Dask: pip install 'fatcube[cluster]'")
    from dask import config
    from distributed import Client, LocalCluster

    # A worker that dies takes its task with it to another; that one may not bring down all of them.
    config.set({"distributed.scheduler.allowed-failures": 2})
    with contextlib.ExitStack() as stack:
        cluster: Any = scheduler
        if cluster is None:
            # A simulation needs a process of its own (see alone); what needs memory are the tools that it starts.
            with held():
                cluster = stack.enter_context(
                    LocalCluster(
                        n_workers=jobs,
                        threads_per_worker=1,
                        processes=True,
                        memory_limit=0,
                        dashboard_address="127.0.0.1:0",
                        silence_logs=logging.CRITICAL,
                        preload=["groundwork.workers"],
                    )
                )
        try:
            client = Client(cluster, timeout=_PATIENCE)
        except (OSError, ValueError, TypeError, ImportError) as error:
            raise ParameterError(
                "scheduler must be the address of a running Dask scheduler (as in "
                f"tcp://10.0.0.1:8786), not {scheduler!r}: {' '.join(str(error).split())}"
            ) from None
        stack.enter_context(client)
        try:
            yield client
        except KeyboardInterrupt:
            # To close a cluster takes seconds and prints what goes wrong meanwhile. It ends with the process.
            logging.disable(logging.CRITICAL)
            stack.pop_all()
            raise


def _machines(points: Sequence[Point | LoadedNetwork]) -> dict[Network, Machine]:
    """A machine for each network, with room for all that ``points`` run on it, so that it is built once.

    That follows from all points, also those that are measured already: a sweep that goes on has the same builds.
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


def _submit(
    client: "Client", points: Sequence[Point | LoadedNetwork], machines: Mapping[Network, Machine]
) -> "dict[Future, Point | LoadedNetwork]":
    """A future for each point, with the point. What several points need is one task.

    Earlier points go first with all that they need, so that a sweep that is killed has finished some points rather
    than begun all of them.
    """
    tasks = {}

    def submit(index: int, name: str, function: Callable[..., Any], key: str, *arguments: Any) -> "Future":
        key = f"fatcube-{name}-{key}"
        if key not in tasks:
            tasks[key] = client.submit(function, *arguments, key=key, priority=-index, pure=True)
        return tasks[key]

    futures = {}
    _, sources = source_revision()
    for index, point in enumerate(points):
        key = point_key(point)
        if isinstance(point, LoadedNetwork):
            load = submit(index, "load", measure_load, digest(sources, point.test.parameters), point.test)
            area = point.family and submit(index, "router", measure_router, digest(sources, point.parameters), point)
            futures[submit(index, "point", _join_load, key, point, key, load, area, command_line())] = point
            continue
        network, silicon = point.network.to_json(), (point.family, list(point.seeds), point.fmax)
        running = [point.collective.value, point.root, point.payload_flits]
        machine = machines[point.network]
        built = submit(index, "build", _build, digest(sources, machine.to_json()), machine)
        cycles = submit(index, "cycles", measure_cycles, digest(sources, network, running), point, machine, built)
        area = submit(index, "silicon", measure_silicon, digest(sources, network, silicon), point)
        futures[submit(index, "point", _join, key, point, key, cycles, area, command_line())] = point
    return futures


def _outcome(future: "Future", point: Point | LoadedNetwork) -> tuple[dict[str, Any] | None, str | None]:
    """The record and the reason of a failure, one of them ``None``; both if the scheduler was lost."""
    if future.status == "finished":
        found, problems = future.result()
        if found["how"]["source_hash"] != source_revision()[1]:
            problems = [f"the worker has other sources than this sweep ({found['how']['source_hash']})"]
        return (None, _line("; ".join(problems))) if problems else (found, None)
    if future.status == "error":
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            return None, "the processes that measured it died, one after the other"
        return None, _line(f"{error}") or type(error).__name__
    return None, None


def _line(text: str, most: int = 500) -> str:
    return " ".join(text.split())[:most]


# What the workers do


def measure(point: Point | LoadedNetwork) -> tuple[dict[str, Any], list[str]]:
    """All of one point, here and now: the record, and what went wrong in the run."""
    if isinstance(point, LoadedNetwork):
        area = measure_router(point) if point.family else None
        return _join_load(point, point_key(point), measure_load(point.test), area, command_line())
    [machine] = _machines([point]).values()
    return _join(point, point_key(point), measure_cycles(point, machine), measure_silicon(point), command_line())


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
    )


def _join_load(
    point: LoadedNetwork, key: str, curve: LoadCurve, area: LoadedRouter | None, command: str
) -> tuple[dict[str, Any], list[str]]:
    measured = {**curve.to_json(), **(area.to_json() if area else {})}
    return record(point.parameters, measured, key=key, seed=point.test.options.seed, command=command), curve.failures


def _build(machine: Machine) -> None:
    with alone:
        build(machine)


def measure_cycles(point: Point, machine: Machine, built: None = None) -> tuple[MeasuredRun, list[str]]:
    """Schedule, and the run of it on the RTL of ``machine``, in lockstep and in dataflow; and what went wrong in it.

    A schedule that is longer than the machine's programs gets a larger one of its own. ``built`` is only there so
    that one task builds the simulator and the others find it.
    """
    found = best(point.network.topology, point.network.options.ports, point.collective, point.root or 0, seed=SEED)
    check(found.found)
    machine, runs = machine_with_room(machine, found), runs_of(point, found)
    with alone:
        lockstep, dataflow = simulate_all(machine, runs)
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


def _join(
    point: Point, key: str, run: tuple[MeasuredRun, list[str]], silicon: MeasuredRouter, command: str
) -> tuple[dict[str, Any], list[str]]:
    cycles, problems = run
    fmax = silicon.fmax_mhz
    measured = {**cycles.to_json(), **silicon.to_json(), "microseconds": fmax and cycles.cycles / fmax}
    return record(point.parameters, measured, key=key, seed=SEED, command=command), problems
