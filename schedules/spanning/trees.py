"""Schedules that follow spanning graphs (Johnsson and Ho, sections 4 to 7), in steps of one message each.

A broadcast uses the edges of one tree, each after the edge above it. A scatter uses the paths of the trees from the
source to all nodes. All-gather and all-to-all do the same from every node at once, over N translated graphs: every node
does the same in a dimension, so in one-port communication all nodes use one dimension per step (lemma 6.1), in n-port
communication each dimension once per step.

Transfers with the farthest to go have priority: among edges the one with the highest and then the largest subtree,
among messages those with the most hops left. For a broadcast over SBT this is the paper's order of decreasing subtrees,
for n-port communication it is reverse-breadth-first order.

Data that is divided into packets is a message of several parts, one per packet, and the parts are assigned to the n
trees of a graph in turn; earlier parts of a broadcast have priority. So the parts are pipelined through the trees.
Undivided, a broadcast uses one tree, and a scatter sends each message over one tree, such that the edges from the
source have nearly equal loads.

Packets of several messages (the paper's B > M), and personalized messages whose :class:`Order` is given, are sent by the
disciplines of :mod:`fatcube.schedules.spanning.phases` and :mod:`fatcube.schedules.spanning.pipelines`: in postorder with one port, in
reverse-breadth-first order or level by level with n.

Other collectives are made of these four in :mod:`fatcube.schedules.spanning.construct`.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
import dataclasses
import enum
import itertools
from typing import NamedTuple

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.spanning.graphs import BRG, NESBT, NRSBT, SBT, SBnT, SBnTc, SpanningGraph
from fatcube.schedules.spanning.packets import N_PORT, ONE_PORT, SEND_AND_RECEIVE, Execution, to_schedule
from fatcube.schedules.spanning.phases import by_label, by_level, by_size, farthest_first, in_phases, paths, rotating
from fatcube.schedules.spanning.pipelines import broadcast_by_label, broadcast_oldest_first, deliver
from fatcube.schedules.step_model import PortUse, StepModel

__all__ = ["MOST_MESSAGES", "Order", "along", "check_order", "personalized"]


MOST_MESSAGES = (1 << 16) - 1  # parts, and messages in a packet: more fit into no header and no memory


class Order(enum.StrEnum):
    """The order in which messages for different nodes are sent (sections 5 and 7).

    In postorder a node sends what is for the largest subtree first and what is for a child itself last; with n ports and
    all nodes as sources everything moves on level by level (theorem 7.3). In reverse-breadth-first order what is for the
    farthest level of a subtree is sent first; with n ports it is never delayed (theorem 7.4).
    """

    POSTORDER = "postorder"
    REVERSE_BREADTH_FIRST = "reverse-breadth-first"


def along(
    graph: SpanningGraph,
    ports: PortModel | str,
    collective: Collective | str,
    *,
    tree: int | None = None,
    one_partner: bool = False,
    parts: int = 1,
    per_packet: int = 1,
    order: Order | None = None,
) -> Schedule:
    """A :class:`Schedule` on the hypercube that follows a spanning graph.

    Parameters
    ----------
    graph : :class:`SpanningGraph`
        The graph; its source is the root. All-gather and all-to-all use its translations to every node.
    ports : :class:`PortModel` or :class:`str`
        Model 1 for one-port communication, model d or \\* for n-port communication.
    collective : :class:`Collective` or :class:`str`
        OAB, OAS, AAB or AAS.
    tree : :class:`int`, optional
        The only tree to use. By default, undivided messages of OAB and AAB use tree 0, and those of OAS and AAS all
        trees; part p of a divided message uses tree p mod the number of trees.
    one_partner : :class:`bool`
        True if a node exchanges messages with only one neighbour in a step, which the paper calls one-port.
    parts : :class:`int`
        The number of messages into which the data for every processor is divided.
    per_packet : :class:`int`
        The most messages in a packet. If it is more than one, all trees are used, each for its share of the parts.
    order : :class:`Order`, optional
        The order of messages of OAS and, with n ports, AAS; all trees are used then, as for several messages in a packet. By
        default, messages with the most hops left have priority.

    Raises
    ------
    ParameterError
        If the router copies messages, the collective is none of these, ``tree`` or ``parts`` is out of range, the
        collective has no such order, or all nodes cannot send several messages per packet along this graph with one port.
    """
    ports, collective = PortModel.parse(ports), Collective.parse(collective)
    if ports.copies:
        raise ParameterError(f"ports must be 1, d or * along a spanning graph, not {ports.value}")
    own = personalized(collective)
    if tree is not None:
        check_integer("tree", tree, minimum=0, maximum=graph.trees - 1)
    check_integer("parts", parts, minimum=1, maximum=MOST_MESSAGES)
    check_integer("per_packet", per_packet, minimum=1, maximum=MOST_MESSAGES)
    one_port = ports is PortModel.ONE or one_partner
    check_order(order, collective, one_port=one_port)
    if per_packet > 1 or order is not None:
        if tree is not None:
            raise ParameterError(f"tree must be None with an order or several messages in a packet, not {tree}")
        model = N_PORT if not one_port else ONE_PORT if one_partner else SEND_AND_RECEIVE
        made = to_schedule(_in_packets(graph, model, collective, parts, per_packet, order), ports, 1)[0]
        return dataclasses.replace(made, model=made.model.changed(port_use=_port_use(one_partner)))
    root = graph.source if collective.rooted else None

    def schedule(moves: Iterable[Move]) -> Schedule:
        return Schedule.from_moves(
            Hypercube(graph.n),
            ports,
            collective,
            root,
            moves,
            symmetric=not collective.rooted,
            parts=parts,
            model=StepModel(port_use=_port_use(one_partner)),
        )

    if parts > 1 and tree is None and one_port and collective is Collective.OAB and isinstance(graph, NESBT):
        return schedule(_labelled(graph, parts))
    jobs: list[_Job] = []
    for part in range(parts):
        way = part % graph.trees if tree is None and parts > 1 else tree
        if not own:
            jobs += _spreading(graph, way or 0, part, pipelined=collective is Collective.OAB)
        else:
            jobs += _delivering(graph, way, part)

    def needs(src: int, dst: int) -> Sequence[Hashable]:
        """The resources of a transfer: no two transfers of a step may share one."""
        if not collective.rooted:
            return ["the dimension of the step" if one_port else src ^ dst]
        if one_partner:
            return [src, dst]
        return [("from", src), ("to", dst)] if one_port else [(src, dst)]

    return schedule(_in_turn(jobs, needs))


def _port_use(one_partner: bool) -> PortUse:
    """The use of ports in which a node has one partner only, or any."""
    return PortUse.ONE_PARTNER if one_partner else PortUse.SEND_AND_RECEIVE


def check_order(order: Order | None, collective: Collective, *, one_port: bool) -> None:
    """Refuse an order of the messages of a collective that has none. Of a reversed collective, give the one it reverses.

    Raises
    ------
    ParameterError
        If it is refused.
    """
    if order is not None and not (collective is Collective.OAS or collective is Collective.AAS and not one_port):
        raise ParameterError(
            f"order must be left out along a spanning graph except for OAS, AOG and, with several ports, AAS, not {order}"
        )


def personalized(collective: Collective) -> bool:
    """True if every destination has a message of its own. Refuses collectives that follow no spanning graph."""
    if collective.reversal or collective.phases_of or collective.pairs:
        raise ParameterError(f"collective along a spanning graph must be OAB, OAS, AAB or AAS, not {collective.value}")
    return collective.personalized


def _in_packets(
    graph: SpanningGraph, model: str, collective: Collective, M: int, B: int, order: Order | None
) -> Execution:
    """The :class:`~fatcube.schedules.spanning.packets.Execution` of a collective along a graph in packets of up to B messages."""
    everybody, own = not collective.rooted, personalized(collective)
    if not everybody and not own:
        return broadcast_oldest_first(graph, model, M, B)
    if not everybody and (model != N_PORT or order is Order.POSTORDER):
        return deliver(graph, model, M, B, farthest_first=order is Order.REVERSE_BREADTH_FIRST)
    if model == N_PORT:
        when = farthest_first if own and order is not Order.POSTORDER else by_level
    else:
        when = next((order for kinds, order in _ONE_DIMENSION if type(graph) in kinds), None)
        if when is None:
            raise ParameterError(
                f"per_packet must be 1 for {collective.value} with one port along {type(graph).__name__}, not {B}"
            )
        model = ONE_PORT  # all nodes use one dimension at a time
    return in_phases(graph, model, M, B, when(graph), personalized=own, everybody=everybody)


_ONE_DIMENSION = [
    ((BRG,), by_level),
    ((SBT, NRSBT), lambda graph: by_size(graph, lambda tree: tree)),
    ((NESBT,), by_label),
    ((SBnT, SBnTc), rotating),
]
"""Orders in which every node uses the same dimension in a phase."""


def _labelled(graph: NESBT, parts: int) -> Iterator[Move]:
    """The moves of the one-port broadcast over n edge-disjoint trees by theorem 4.1, with packets of one part each."""
    for step, packets in enumerate(broadcast_by_label(graph, parts, 1).cycles, start=1):
        for src, dst, [piece] in packets:
            yield Move(step, src, dst, Message(graph.source, None, piece.first))


class _Job:
    """A message to be sent over an edge: its urgency, least first, and the jobs that have to follow it."""

    def __init__(self, src: int, dst: int, message: Message, urgency: tuple[int, ...]) -> None:
        self.src = src
        self.dst = dst
        self.message = message
        self.urgency = urgency
        self.after: list[_Job] = []


class _Subtree(NamedTuple):
    """The jobs of a node itself, and the height and the number of nodes of the subtree below it."""

    jobs: list[_Job]
    height: int
    size: int


def _spreading(graph: SpanningGraph, tree: int, part: int, pipelined: bool) -> list[_Job]:
    """The initial jobs of a message for every node; if ``pipelined``, earlier parts have priority over all else."""
    known: dict[int, _Subtree] = {}  # of nodes whose parent has not been visited yet
    for node in reversed([node for level in graph.levels(tree) for node in level]):
        found, height, size = [], 0, 1
        for child in graph.children(node, tree):
            after, below, nodes = known.pop(child)
            job = _Job(node, child, Message(graph.source, None, part), (part * pipelined, -below, -nodes, part))
            job.after = after
            found.append(job)
            height, size = max(height, below + 1), size + nodes
        known[node] = _Subtree(found, height, size)
    return known[graph.source].jobs


def _delivering(graph: SpanningGraph, tree: int | None, part: int) -> list[_Job]:
    """The initial jobs of messages of which every node has its own."""
    load: Counter[int] = Counter()
    first: list[_Job] = []
    ways: dict[int, list[tuple[int, ...]]] = {}
    for one in range(graph.trees) if tree is None else (tree,):
        for path in paths(graph, one):
            ways.setdefault(path[-1], []).append(path)
    # Messages without a choice of trees are first, then those with the farthest to go. Of those with as far to go, an SBnT
    # has an order that is the same from every source and, rotated, for every port of it (section 8.3).
    number = dict(zip(ways, itertools.count())) if isinstance(graph, SBnTc) else {node: node for node in ways}
    for node in sorted(
        ways, key=lambda node: (len({path[1] for path in ways[node]}), -len(ways[node][0]), number[node])
    ):
        path = min(ways[node], key=lambda path: (len(path), load[path[1]]))
        load[path[1]] += 1
        later: list[_Job] = []
        for hops, (src, dst) in enumerate(zip(path[-2::-1], path[:0:-1]), start=1):
            job = _Job(src, dst, Message(graph.source, node, part), (-hops, part))
            job.after, later = later, [job]
        first += later
    return first


def _in_turn(jobs: list[_Job], needs: Callable[[int, int], Sequence[Hashable]]) -> list[Move]:
    """The moves of jobs: in every step, those of the most urgent jobs whose resources are free."""
    moves: list[Move] = []
    step = 0
    while jobs:
        step += 1
        taken, waiting, next_ones = set(), [], []
        for job in sorted(jobs, key=lambda job: job.urgency):
            wanted = needs(job.src, job.dst)
            if taken.isdisjoint(wanted):
                taken.update(wanted)
                moves.append(Move(step, job.src, job.dst, job.message))
                next_ones += job.after
            else:
                waiting.append(job)
        jobs = waiting + next_ones
    return moves
