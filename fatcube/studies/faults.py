"""The cost of failures: steps of collectives against the bounds of the remaining network, diameter, classes, load, and the RTL.

Every set of failures is routed, which proves that its packets cannot deadlock (:class:`RoutedNetwork`), and has schedules, which
the checker accepts. Some run on the RTL: the collectives with the traces of all lanes, and random packets, none of which may be lost.
There failures are data. The routers are those of the whole network with all turns, the classes that any of the sets needs, and headers
with room for the longest way of any, and failed lanes are not connected.
"""

from collections.abc import Mapping, Sequence
import dataclasses
from typing import Any

from fatcube.groundwork.digest import digest
from fatcube.groundwork.progress import Bar
from fatcube.groundwork.record import record, source_revision
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.measures import diameter
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing.shortest_path import ShortestPath
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.saturation import saturation
from fatcube.sim.traffic.traffic import run_traffic
from fatcube.studies.load import DEPTH
from fatcube.studies.measure import alone
from fatcube.studies.results import Results
from fatcube.studies.sweep import dask_client

__all__ = ["COLLECTIVES", "PACKETS", "Case", "Room", "cases_left", "measure", "study"]


COLLECTIVES = (Collective.OAB, Collective.AAB, Collective.AAS, Collective.ALL_REDUCE)
ON_RTL = (Collective.AAB, Collective.ALL_REDUCE)
PACKETS = 100_000
"""Random packets that a network with failures takes on the RTL, at least."""

_FLITS = 4  # of a packet
_OPTIONS = LoadOptions(packet_flits=(_FLITS,))
_PART = 0.5  # of the load that the routes can take
_WIDTH = 64  # bits of a flit, so that headers carry the longest routes
_PAYLOAD_FLITS = 4


@dataclasses.dataclass(frozen=True)
class Room:
    """The virtual channels and hops that the routers of all cases on the RTL have."""

    classes: int
    hops: int


@dataclasses.dataclass(frozen=True)
class Case:
    """A set of failures of a network.

    Members
    -------
    whole : :class:`Topology`
    ports : :class:`PortModel`
    failed : tuple of :class:`str`
        The failures by their names; none: the whole network.
    room : :class:`Room` or ``None``
        The memories of the routers on the RTL; ``None``: it is not run there.
    """

    whole: Topology
    ports: PortModel
    failed: tuple[str, ...]
    room: Room | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """Everything that the figures depend on."""
        return {
            "study": "faults",
            "whole": self.whole.to_json(),
            "ports": self.ports.value,
            "failed": list(self.failed),
            "rtl": None if self.room is None else dataclasses.asdict(self.room),
        }

    @property
    def key(self) -> str:
        """The digest of the parameters and of the sources."""
        return digest(self.parameters, source_revision()[1])

    def __str__(self) -> str:
        return ", ".join(self.failed) or "none"


def measure(case: Case) -> dict[str, Any]:
    """The figures of a case; where the failures cut the network, only why.

    Raises
    ------
    ScheduleError
        If a schedule is wrong.
    RuntimeError
        If a packet is lost on the RTL, or a trace differs from its schedule.
    """
    try:
        topology = damaged(case.whole, case.failed)
    except ParameterError as error:
        return {"cut": str(error)}
    root = topology.working[0]
    found = {one.value: construct(Problem(topology, case.ports, one, root)) for one in COLLECTIVES}
    routing = ShortestPath(topology)
    network = RoutedNetwork(topology, RouterOptions(width=_WIDTH), routing=routing)  # refuses cycles of channels
    figures: dict[str, Any] = {
        "processors": len(topology.working),
        "diameter": diameter(topology.survivors),
        "classes": routing.classes,
        "hops": routing.longest,
        "load": LoadTest(network, _OPTIONS).bound,
        "collectives": {
            name: {"steps": check(one.found).steps, "lower_bound": one.bound.steps} for name, one in found.items()
        },
    }
    if case.room is not None:
        with alone:
            figures["rtl"] = {
                **_run_collectives(Network(topology, RouterOptions(ports=case.ports)), case, root),
                **_run_traffic(topology, case.room),
            }
    return figures


def _run_collectives(network: Network, case: Case, root: int) -> dict[str, Any]:
    """Steps and cycles of the collectives, whose traces equal their schedules."""
    runs = [
        Run(schedule=construct(Problem(network.topology, case.ports, one, root)).found, payload_flits=_PAYLOAD_FLITS)
        for one in ON_RTL
    ]
    machine = fitting_machine(network, payload_flits=_PAYLOAD_FLITS, reductions=True)
    results = simulate_all(machine, runs)
    failures = [failure for result in results for failure in result.failures]
    if failures:
        raise RuntimeError(failures[0])
    return {
        one.value: {"steps": result.steps, "cycles": result.cycles, "delivered": result.delivered}
        for one, result in zip(ON_RTL, results)
    }


def _run_traffic(topology: Topology, room: Room) -> dict[str, Any]:
    """Uniform traffic at half of the load that the routes can take, all of which arrives, and the load that saturates."""
    routing = ShortestPath(topology, least_classes=room.classes, least_hops=room.hops)
    options = RouterOptions(width=_WIDTH, buffer_depth=DEPTH, virtual_channels=room.classes, turns="all")
    network = RoutedNetwork(topology, options, routing=routing)
    searched = LoadTest(network, _OPTIONS)
    load = _PART * searched.bound
    cycles = int(PACKETS * _FLITS / (load * len(topology.working)) * 1.02)
    test = LoadTest(network, dataclasses.replace(_OPTIONS, measured=cycles, warm_up=1, repeats=1))
    [result] = run_traffic(test.machine, test.runs(load))
    if result.failures or result.arrived != result.sent or result.arrived < PACKETS:
        reason = (*result.failures, f"{result.arrived} of {result.sent} packets arrived")[0]
        raise RuntimeError(reason)
    figures = {"packets": result.arrived, "offered": load, "latency": result.latency}
    return {**figures, "saturation": saturation(searched)}


def cases_left(cases: Sequence[Case], results: Results) -> list[Case]:
    """The cases that are not in ``results`` yet."""
    return [case for case in cases if results.find(case.key) is None]


def study(
    cases: Sequence[Case], results: Results, *, jobs: int = 2, scheduler: str | None = None, what: str
) -> list[Mapping[str, Any] | str]:
    """The figures of each case, or why there are none; each is written as soon as it is there, and found again.

    Parameters and errors are those of :func:`fatcube.studies.sweep.sweep`.
    """
    left = cases_left(cases, results)
    if left:
        with dask_client(jobs, scheduler) as client, Bar(what, len(cases), done=len(cases) - len(left)) as bar:
            from distributed import as_completed

            futures = {client.submit(_outcome, case, key=f"fatcube-faults-{case.key}"): case for case in left}
            for future in as_completed(futures):
                case = futures[future]
                figures, reason = future.result()
                made = None if figures is None else record(case.parameters, figures, key=case.key, seed=0)
                results.put(case.key, case.parameters, record=made, reason=reason)
                bar.advance()
    outcomes: list[Mapping[str, Any] | str] = []
    for case in cases:
        stored = results.find(case.key)
        assert stored is not None
        made, reason = stored
        outcomes.append(reason or "" if made is None else made["measured"])
    return outcomes


def _outcome(case: Case) -> tuple[dict[str, Any] | None, str | None]:
    """The figures, or the reason why there are none, in one line."""
    try:
        return measure(case), None
    except Exception as error:
        return None, " ".join(f"{type(error).__name__}: {error}".split())[:500]
