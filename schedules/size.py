"""The size of a schedule, counted before anything is built: what would take minutes or gigabytes is refused at once.

The limits are measured: at them a schedule takes about ten seconds, and less than a gigabyte.
"""

import math

from fatcube.groundwork.validation import check_count
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topology import Topology
from fatcube.noc.topology_check import MOST_CHANNELS
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import through_nodes
from fatcube.schedules.collective import Collective
from fatcube.schedules.counting import port_for_each_link
from fatcube.schedules.participants import EVERYBODY
from fatcube.schedules.problem import Problem
from fatcube.schedules.spanning.graphs import SpanningGraph
from fatcube.schedules.step_model import STANDARD, PortUse

__all__ = [
    "check_along",
    "check_size",
    "check_transfers",
    "check_variables",
    "choices_along",
    "choices_needed",
    "transfers_needed",
]


MOST_PROCESSORS = 1 << 20
MOST_TRANSFERS = 300_000  # about 40 microseconds each, and 1 kilobyte
MOST_CHOICES = 16_000_000  # about a microsecond each
MOST_VARIABLES = 500_000  # of a search, about a kilobyte each


def transfers_needed(problem: Problem) -> int:
    """Transfers of a schedule that sends nothing needlessly, those alone that are stored: bases times messages.

    A message for one processor takes as many transfers as hops, or one within the node. One for everybody is received
    by P - 1 processors, a sum comes from P - 1. What has a root is stored for it. What has none is the same seen from
    every node of a class, and stored for the m processors of each of its bases: with h hops from base b to a node,
    AAS has the sum of m^2 h over all nodes and bases, and m (m - 1) within each base. Where nodes have different numbers
    of processors, m is the most, and a scatter is counted for the average of all roots.
    """
    topology, collective, parts = problem.topology, problem.collective, problem.parts
    if collective.phases_of:
        return sum(map(transfers_needed, problem.phases))
    if collective.pairs is not None:
        hops, node_of = topology.served_distances, topology.node_of
        return parts * sum(max(1, hops[node_of(src)][node_of(dst)]) for src, dst in collective.pairs(topology))
    others, homes = topology.processors - 1, topology.processors // len(topology.translations)
    each = _hops_from_processor(topology) + topology.m - 1 if collective.personalized else others
    return parts * each * (1 if collective.rooted else homes)


def choices_needed(problem: Problem) -> int:
    """The choices of :mod:`fatcube.schedules.constructions.greedy` and of the bounds, roughly: neighbours of nodes, messages.

    For messages for everybody the bound (:func:`fatcube.schedules.bounds.fan_out`) looks at all channels in every step of a
    broadcast, which costs two, and greedy, for every message, at a third of them in every step of all and at all m
    processors of a node and its neighbours whenever one receives. For messages for one processor greedy sorts those on
    their way, half of them on average, in every step, which takes three times as long as looking at a neighbour. The
    bound of an all-to-all counts, for every channel of a node, ways over all channels.
    """
    problem = problem.normal.changed(model=STANDARD, parts=1, among=EVERYBODY)
    topology, ports, collective = problem.topology, problem.ports, problem.collective
    nodes, m, degree = topology.nodes, topology.m, topology.degree
    rate = ports.processor_ports(degree, m)
    others = topology.processors - 1
    lanes = topology.f * degree or topology.processors  # on one node, no lane limits the steps
    cube = isinstance(topology, (FatCube, Hypercube))
    homes = 1 if collective.rooted else topology.processors // len(topology.translations)
    if collective.pairs is not None:
        return 3 * max(topology.served_distances[topology.node_of(0)]) * transfers_needed(problem) // 2
    through = [] if collective.rooted else [bound.steps for bound in through_nodes(problem)]
    if collective.personalized and collective.rooted:
        return 0 if cube else 3 * max(others // rate, others // lanes) * others // 2
    if collective.personalized:
        crossings = degree * nodes * degree // 2
        if cube or port_for_each_link(topology, ports) and isinstance(topology, (DenseGHC, SparseGHC)):
            return crossings
        hops = _hops_from_processor(topology) + m - 1
        steps = max([hops // rate, m * hops // lanes, *through])
        return crossings + 3 * steps * homes * others // 2
    steps = max(max(topology.served_distances[topology.node_of(0)]), math.ceil(math.log(topology.processors, 1 + rate)))
    spreading = 2 * (degree + 1) * steps * nodes
    if not collective.rooted and cube and rate == 1:
        return spreading
    if not collective.rooted:
        steps = max([others // rate, others // lanes, *through])
    return spreading + homes * (degree + 1) * (steps * nodes // 3 + topology.processors * m)


def choices_along(graph: SpanningGraph, collective: Collective | str, parts: int, one_port: bool) -> int:
    """The choices of :func:`fatcube.schedules.spanning.construct.construct_along`, for packets of one message: in every step all that wait.

    The source sends n messages in one port for a part of a broadcast, and N - 1 for one of a scatter; with one port all
    nodes use one dimension a step, so of an all-to-all only one of n N / 2 hops is made. Over n ports it takes a part
    of these steps, half of them at worst: half of a spanning binomial tree is in one branch.

    Parameters
    ----------
    graph : :class:`SpanningGraph`
    collective : :class:`Collective` or :class:`str`
        Any; one that is the reversal of another is built like that one, and an all-reduce like an all-gather.
    parts : :class:`int`
        The messages that the data of a pair of processors is divided into.
    one_port : :class:`bool`
        Whether a node sends over one port per step.
    """
    collective = Collective.parse(collective)
    n, others = graph.n, graph.nodes - 1
    if collective.rooted:
        waiting = steps = others if collective.personalized else n
    else:
        waiting, steps = (others, n * graph.nodes // 2) if collective.personalized else (others // 2, others)
    rate = 1 if one_port else n if graph.trees > 1 else min(n, 2)
    return parts * waiting * parts * steps // rate


def check_along(graph: SpanningGraph, problem: Problem) -> None:
    """As :func:`check_size`, for a schedule along a spanning graph."""
    what = f"for {problem.collective.value} in {problem.parts} parts on the {problem.topology.name}"
    check_count("transfers of a schedule", transfers_needed(problem), maximum=MOST_TRANSFERS, what=what)
    one_port = problem.model.port_use is PortUse.ONE_PARTNER or problem.ports is PortModel.ONE
    choices = choices_along(graph, problem.collective, problem.parts, one_port)
    check_count("choices that a schedule takes", choices, maximum=MOST_CHOICES, what=what)


def check_size(problem: Problem) -> None:
    """Refuse what cannot be built, and what could be, but not in about ten seconds and two gigabytes.

    In many parts it may take a few minutes.

    Raises
    ------
    ParameterError
        If a schedule of the problem has more transfers, or takes more choices, or if
        there can be none (:func:`fatcube.schedules.step_model.check_ways`).
    """
    problem.topology.check()
    collective, problem = problem.collective.value, problem.normal
    topology, what = problem.topology, f"for {collective} on the {problem.topology.name}"
    check_count("channels of all nodes", topology.nodes * topology.degree, maximum=MOST_CHANNELS, what=what)
    check_count("processors", topology.processors, maximum=MOST_PROCESSORS, what=what)
    if problem.parts > 1:
        what = f"for {collective} in {problem.parts} parts on the {topology.name}"
    check_count("transfers of a schedule", transfers_needed(problem), maximum=MOST_TRANSFERS, what=what)
    check_count("choices that a schedule takes", choices_needed(problem), maximum=MOST_CHOICES, what=what)


def check_transfers(number: int, what: str) -> None:
    """Refuse a schedule that is to be written out and would have too many transfers; ``what`` names the schedule.

    Raises
    ------
    ParameterError
        If there are more than :data:`MOST_TRANSFERS`.
    """
    check_count("transfers of a schedule", number, maximum=MOST_TRANSFERS, what=what)


def check_variables(number: int, what: str) -> None:
    """Refuse a search of more than :data:`MOST_VARIABLES` variables."""
    check_count("variables of a search", number, maximum=MOST_VARIABLES, what=what)


def _hops_from_processor(topology: Topology) -> int:
    """Hops from a processor to all others, on average over all of them."""
    return topology.all_hops // topology.processors
