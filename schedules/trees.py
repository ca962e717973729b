"""Schedules that follow spanning graphs (Johnsson and Ho, sections 4 to 7), in steps of one message each.

A broadcast goes over the edges of one tree, each after the edge above it. A scatter goes over the paths of the
trees from the source to everybody. All-gather and all-to-all do the same from every node at once, over N translated
graphs: what one node does in a dimension every node does in it, so for one-port communication all of them use one
dimension a step (lemma 6.1), for n-port communication each dimension once a step.

What goes first is what has farthest to go: among edges the one with the highest and then the largest subtree, among
messages those that still have the most hops. For a broadcast over SBT that is the paper's order of decreasing
subtrees, for n-port communication it is reverse-breadth-first order. A message of fatcube is never divided, so of
the n trees of a graph a broadcast uses one, and a scatter sends each message over one, such that the edges from the
source carry nearly the same.
"""

from collections import Counter

from noc.cubes import Hypercube
from rtl.parameters import ParameterError, check_integer
from rtl.port_model import PortModel
from schedules.collective import Collective, Message
from schedules.schedule import Schedule

__all__ = ["along"]


def along(graph, ports, collective, *, tree=None, one_partner=False):
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
        The only tree to use. Without, OAB and AAB use tree 0, and OAS and AAS all trees.
    one_partner : :class:`bool`
        Whether a node exchanges messages with one neighbour only in a step: what the paper calls one-port.

    Raises
    ------
    ParameterError
        If the router copies messages, the collective is another one, or there is no such tree.
    """
    ports, collective = PortModel.parse(ports), Collective.parse(collective)
    if ports.multicast:
        raise ParameterError(f"ports must be 1, d or * along a spanning graph, not {ports.value}")
    if collective not in (Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS):
        raise ParameterError(f"collective along a spanning graph must be OAB, OAS, AAB or AAS, not {collective.value}")
    if tree is not None:
        check_integer("tree", tree, minimum=0, maximum=graph.trees - 1)
    if collective in (Collective.OAB, Collective.AAB):
        jobs = _spreading(graph, tree or 0)
    else:
        jobs = _delivering(graph, tree)
    one_port = ports is PortModel.ONE or one_partner

    def needs(src, dst):
        """What no two transfers of a step may use."""
        if not collective.rooted:
            return ["the dimension of the step" if one_port else src ^ dst]
        if one_partner:
            return [src, dst]
        return [("from", src), ("to", dst)] if one_port else [(src, dst)]

    moves = [(step, src, dst, Message(graph.source, target)) for step, src, dst, target in _in_turn(jobs, needs)]
    root = graph.source if collective.rooted else None
    return Schedule.from_moves(Hypercube(graph.n), ports, collective, root, moves, symmetric=not collective.rooted)


class _Job:
    """A message over an edge: who goes first, and the jobs that can only come after it."""

    def __init__(self, src, dst, target, urgency):
        self.move = src, dst, target
        self.urgency = urgency
        self.after = []


def _spreading(graph, tree):
    """The jobs that come first, where every node shall have the message."""
    known = {}  # of a node whose parent is not looked at yet: its jobs, and the height and size of its subtree
    for node in reversed([node for level in graph.levels(tree) for node in level]):
        found, height, size = [], 0, 1
        for child in graph.children(node, tree):
            after, below, nodes = known.pop(child)
            job = _Job(node, child, None, (-below, -nodes))
            job.after = after
            found.append(job)
            height, size = max(height, below + 1), size + nodes
        known[node] = found, height, size
    return known[graph.source][0]


def _delivering(graph, tree):
    """The jobs that come first, where every node shall have a message of its own."""
    load = Counter()
    first = []
    paths = {node: [_path(graph, node, one) for one in (range(graph.trees) if tree is None else (tree,))]
             for node in range(graph.nodes) if node != graph.source}
    # Those that have no choice first, then those that have farthest to go.
    for node in sorted(paths, key=lambda node: (len({path[1] for path in paths[node]}), -len(paths[node][0]))):
        path = min(paths[node], key=lambda path: (len(path), load[path[1]]))
        load[path[1]] += 1
        job = None
        for hops, (src, dst) in enumerate(zip(path[-2::-1], path[:0:-1]), start=1):
            later, job = job, _Job(src, dst, node, (-hops,))
            job.after = [] if later is None else [later]
        first.append(job)
    return first


def _path(graph, node, tree):
    """The nodes from the source to ``node``."""
    path = [node]
    while path[-1] != graph.source:
        path.append(graph.parent(path[-1], tree))
    return path[::-1]


def _in_turn(jobs, needs):
    """The moves (step, src, dst, target): in every step the most urgent jobs that find what they need."""
    moves, step = [], 0
    while jobs:
        step += 1
        taken, waiting, next_ones = set(), [], []
        for job in sorted(jobs, key=lambda job: job.urgency):
            wanted = needs(*job.move[:2])
            if taken.isdisjoint(wanted):
                taken.update(wanted)
                moves.append((step, *job.move))
                next_ones += job.after
            else:
                waiting.append(job)
        jobs = waiting + next_ones
    return moves
