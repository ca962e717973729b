"""The points of a sweep, run with Dask on this machine or a cluster; what was measured is kept."""

from collections.abc import Callable, Iterator, Mapping, Sequence
import contextlib
import dataclasses
import importlib.util
import logging
from typing import TYPE_CHECKING, Any

from fatcube.groundwork.digest import digest
from fatcube.groundwork.ending import held
from fatcube.groundwork.progress import Bar
from fatcube.groundwork.record import command_line, source_revision
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.studies.duration import points_seconds
from fatcube.studies.keys import compute_keys, point_key
from fatcube.studies.measure import (
    build_simulator,
    find_schedule,
    join_load,
    join_point,
    line_of,
    machines_of,
    measure_cycles,
    measure_load,
    measure_router,
    measure_silicon,
    reason_of,
)
from fatcube.studies.point import LoadedNetwork, Point
from fatcube.studies.results import Results

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["Summary", "dask_client", "sweep"]


_PATIENCE = 15  # seconds to find a scheduler
_TOGETHER = 8  # points of a network that are run by one simulator


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
    foretell(points_seconds(waiting, machines_of(points)) / jobs)
    with dask_client(jobs, scheduler) as client, Bar("measuring points", len(points), done=done) as bar:
        from distributed import as_completed

        futures = _submit(client, waiting, machines_of(points))
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
                        preload=["fatcube.groundwork.workers"],
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

    def run_key(point: Point) -> str:
        return digest(sources, point.network.to_json(), [point.collective.value, point.root, point.payload_flits])

    together = _together(points, run_key)
    for index, point in enumerate(points):
        key = point_key(point)
        if isinstance(point, LoadedNetwork):
            load = submit(index, "load", measure_load, digest(sources, point.test.parameters), point.test)
            area = point.family and submit(index, "router", measure_router, digest(sources, point.parameters), point)
            futures[submit(index, "point", join_load, key, point, key, load, area, command_line())] = point
            continue
        network, silicon = point.network.to_json(), (point.family, list(point.seeds), point.fmax)
        machine = machines[point.network]
        built = submit(index, "build", build_simulator, digest(sources, machine.to_json()), machine)
        group = together[run_key(point)]
        found = [submit(index, "schedule", find_schedule, which, one) for which, one in group.items()]
        cycles = submit(index, "cycles", measure_cycles, digest(*group), list(group.values()), found, machine, built)
        area = submit(index, "silicon", measure_silicon, digest(sources, network, silicon), point)
        place = list(group).index(run_key(point))
        futures[submit(index, "point", join_point, key, point, key, cycles, place, area, command_line())] = point
    return futures


def _together(points: Sequence[Point | LoadedNetwork], run_key: Callable[[Point], str]) -> dict[str, dict[str, Point]]:
    """For the key of each run of a collective those that one simulator carries out with it, by their keys.

    To start a simulator takes as long as twenty runs of small networks; but a sweep that is killed has lost what was being
    measured, and so at most :data:`_TOGETHER` points of a network are run together.
    """
    together = dict[str, dict[str, Point]]()
    newest = dict[Network, dict[str, Point]]()
    for point in points:
        if isinstance(point, LoadedNetwork) or (key := run_key(point)) in together:
            continue
        if len(newest.setdefault(point.network, {})) == _TOGETHER:
            newest[point.network] = {}
        newest[point.network][key] = point
        together[key] = newest[point.network]
    return together


def _outcome(future: "Future", point: Point | LoadedNetwork) -> tuple[dict[str, Any] | None, str | None]:
    """The record and the reason of a failure, one of them ``None``; both if the scheduler was lost."""
    if future.status == "finished":
        found, problems = future.result()
        if found["how"]["source_hash"] != source_revision()[1]:
            problems = [f"the worker has other sources than this sweep ({found['how']['source_hash']})"]
        return (None, line_of("; ".join(problems))) if problems else (found, None)
    if future.status == "error":
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            return None, "the processes that measured it died, one after the other"
        return None, reason_of(error)
    return None, None
