"""The points of a sweep, run with Dask on this machine or a cluster; what was measured is kept."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from fatcube.studies.keys import keep_key, known_key, point_key, surroundings
from fatcube.studies.measure import (
    build_simulator,
    find_keys,
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
_TOGETHER = 8  # points of a network that are run by one simulator, or whose keys one task computes
_DIED = "the processes that worked on it died, one after the other"


@dataclasses.dataclass(frozen=True)
class Summary:
    """The outcome of a sweep.

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
        Called, before anything is measured, with roughly how many seconds it will take here, with this number of jobs;
        whether a point whose key is not known yet was measured before is judged by its parameters.

    Raises
    ------
    ParameterError
        If Dask is not installed or there is no scheduler at the address.
    RuntimeError
        If the scheduler is lost, or a worker that computes keys has other sources or tools. What was measured is in the
        results.
    """
    check_integer("jobs", jobs, minimum=1)
    machines = machines_of(points)
    run = _Run(points, results, retry)
    unknown = [place for place, point in enumerate(points) if known_key(point) is None]
    waiting = run.waiting(sorted({*range(len(points))} - {*unknown}))
    if not waiting and not unknown:
        return run.summary()
    new = [points[place] for place in unknown if not results.has(points[place].parameters)]
    foretell(points_seconds([*waiting.values(), *new], machines) / jobs)
    with dask_client(jobs, scheduler) as client, Bar("measuring points", len(points), done=run.done) as bar:
        from distributed import as_completed

        asked, futures = _submit_keys(client, points, unknown), _submit(client, waiting, machines)
        completed = as_completed([*asked, *futures])
        for future in completed:
            before = run.done
            if future in asked:
                _keep_keys(run, future, [points[place] for place in asked[future]])
                more = _submit(client, run.waiting(asked[future]), machines)
                futures |= more
                completed.update(more)
            else:
                run.put(futures[future], *_outcome(run, future))
            future.release()
            bar.advance(run.done - before)
    return run.summary()


class _Run:
    """The points of a sweep while it runs: which are done, and which are measured."""

    def __init__(self, points: Sequence[Point | LoadedNetwork], results: Results, retry: bool) -> None:
        self._points, self._results, self._retry = points, results, retry
        self._failures: dict[str, str] = {}
        self._measured: set[str] = set()  # the keys of what is measured now
        self._looked_up = 0
        self.done = 0

    def waiting(self, places: Iterable[int]) -> dict[int, Point | LoadedNetwork]:
        """By their places, those of the points there that are to be measured; their keys are known.

        The others are done: one has been measured before, or is with another that has the same key.
        """
        found = {}
        for place in places:
            point, key = self._points[place], point_key(self._points[place])
            stored = None if key in self._measured else self._results.find(key)
            if stored is not None and not (self._retry and stored[1] is not None):
                self._looked_up += 1
                if stored[1] is not None:
                    self._failures[key] = stored[1]
            elif key not in self._measured:
                self._measured.add(key)
                found[place] = point
                continue
            self.done += 1
        return found

    def put(self, point: Point | LoadedNetwork, found: dict[str, Any] | None, reason: str | None) -> None:
        """Write what was measured of a point, or the reason why that failed."""
        key = point_key(point)
        self._results.put(key, point.parameters, record=found, reason=reason)
        if reason is not None:
            self._failures[key] = reason
        self.done += 1

    def lost(self) -> RuntimeError:
        """The exception for a scheduler that is gone."""
        return RuntimeError(
            f"the connection to the scheduler was lost; {self.done} of {len(self._points)} points are in "
            f"{self._results.path}, and the same command continues from there"
        )

    def summary(self) -> Summary:
        """The summary at the end."""
        keys = [point_key(point) for point in self._points]
        failures = [
            f"{point}: {self._failures[key]}" for key, point in zip(keys, self._points) if key in self._failures
        ]
        return Summary(len(keys) - self._looked_up, self._looked_up, failures)


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


def _submit_keys(
    client: "Client", points: Sequence[Point | LoadedNetwork], unknown: Iterable[int]
) -> "dict[Future, list[int]]":
    """A future for the keys of a few of the points at these places, with their places.

    Keys of one network's points, which share its netlists, are computed one after the other. An earlier point is measured
    first, so that the first point starts before all keys are known.
    """
    together = dict[Network, list[list[int]]]()
    for place in unknown:
        groups = together.setdefault(points[place].network, [[]])
        if len(groups[-1]) == _TOGETHER:
            groups.append([])
        groups[-1].append(place)
    asked, sources = {}, source_revision()[1]
    for groups in together.values():
        before = None
        for group in groups:
            some = [points[place] for place in group]
            key = f"fatcube-key-{digest(sources, [point.parameters for point in some])}"
            before = client.submit(find_keys, some, before, key=key, priority=-group[0], pure=False)
            asked[before] = group
    return asked


def _keep_keys(run: _Run, future: "Future", points: Sequence[Point | LoadedNetwork]) -> None:
    """Have the keys that a worker computed in the cache of this machine."""
    if future.status == "error" and type(future.exception()).__name__ == "KilledWorker":
        raise RuntimeError(f"{points[0]}: {_DIED}")
    if future.status not in ("error", "finished"):
        raise run.lost()
    theirs, keys = future.result()
    for name, version in surroundings().items():
        if theirs.get(name) != version:
            what = "other sources" if name == "fatcube" else f"another {name}"
            raise RuntimeError(f"a worker has {what} than this sweep ({theirs.get(name)})")
    for point, key in zip(points, keys, strict=True):
        keep_key(point, key)


def _submit(
    client: "Client", waiting: Mapping[int, Point | LoadedNetwork], machines: Mapping[Network, Machine]
) -> "dict[Future, Point | LoadedNetwork]":
    """A future for each point, which is there by its place, with the point. What several points need is one task.

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

    together = _together(waiting.values(), run_key)
    for index, point in waiting.items():
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


def _together(points: Iterable[Point | LoadedNetwork], run_key: Callable[[Point], str]) -> dict[str, dict[str, Point]]:
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


def _outcome(run: _Run, future: "Future") -> tuple[dict[str, Any] | None, str | None]:
    """The record and the reason of a failure, one of them ``None``."""
    if future.status == "finished":
        found, problems = future.result()
        if found["how"]["source_hash"] != source_revision()[1]:
            problems = [f"the worker has other sources than this sweep ({found['how']['source_hash']})"]
        return (None, line_of("; ".join(problems))) if problems else (found, None)
    if future.status == "error":
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            return None, _DIED
        return None, reason_of(error)
    raise run.lost()
