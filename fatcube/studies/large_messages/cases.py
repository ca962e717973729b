"""Networks of 1,024 nodes: the bound of an all-gather of whole messages, and the steps of trees that are built for it."""

from collections.abc import Callable
import dataclasses
import functools
import resource
import time
from typing import Any

import networkx

from fatcube.groundwork.progress import doing
from fatcube.groundwork.workers import in_processes
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.noc.topology import Topology
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.pipelined.best import best_in_parts
from fatcube.schedules.pipelined.compact import check_trees, grown_trees
from fatcube.schedules.problem import Problem
from fatcube.studies.large_messages.cells import PORTS

__all__ = ["CASES", "Case", "irregular_of_degree", "measure_cases"]


def irregular_of_degree(degree: int, nodes: int, *, seed: int = 1) -> Graph:
    """A graph drawn at random in which every node has ``degree`` links, each to another node."""
    drawn = networkx.random_regular_graph(degree, nodes, seed=seed)
    links = sorted((min(link), max(link)) for link in drawn.edges)
    return Graph(tuple(f"n{node}" for node in range(nodes)), (1,) * nodes, tuple(links))


CASES: dict[str, Callable[[], Topology]] = {
    "hypercube-1024": lambda: Hypercube(10),
    "torus-32x32": lambda: Torus(w=32, d=2),
    "mesh-32x32": lambda: Mesh(w=32, d=2),
    "irregular-1024-of-degree-4": lambda: irregular_of_degree(4, 1024),
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Case:
    """An all-gather of whole messages on a large network.

    Members
    -------
    name, topology : :class:`str`
    steps, lower_bound : :class:`int`
    reason : :class:`str`
        The argument for the bound.
    stored : :class:`int`
        Transfers that are stored: of one node only, where all nodes look alike.
    seconds : :class:`float`
        Processor time in which bound and trees were made and checked.
    megabytes : :class:`int`
        The most memory that the process had.
    """

    name: str
    topology: str
    steps: int
    lower_bound: int
    reason: str
    stored: int
    seconds: float
    megabytes: int

    @property
    def ratio(self) -> float:
        """Steps by the bound."""
        return self.steps / self.lower_bound

    def to_json(self) -> dict[str, Any]:
        """The case as it stands in a file."""
        return {**dataclasses.asdict(self), "ratio": self.ratio}


def measure_cases() -> list[Case]:
    """All :data:`CASES`, each in a process of its own, whose memory is then that of the case."""
    found = []
    for name, topology in CASES.items():
        with doing(f"building an all-gather on {name}"):
            found += [case for _, case in in_processes([functools.partial(measured, name, topology())], jobs=1)]
    return found


def measured(name: str, topology: Topology) -> Case:
    """A case, in this process."""
    started = time.process_time()
    bound = lower_bound(Problem(topology, PORTS, Collective.AAB))
    if len(topology.translations) > 1:
        schedule = best_in_parts(Problem(topology, PORTS, Collective.AAB, None, parts=1)).schedule
        assert schedule is not None
        check(schedule)
        steps, stored = schedule.steps, len(schedule.transfers)
    else:
        trees = grown_trees(topology)
        check_trees(trees)
        steps, stored = trees.steps, trees.entered.size - topology.nodes
    return Case(
        name=name,
        topology=str(topology),
        steps=steps,
        lower_bound=bound.steps,
        reason=bound.reason,
        stored=stored,
        seconds=time.process_time() - started,
        megabytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    )
