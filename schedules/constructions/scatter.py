"""The scatter on cubes, with the fewest steps that there can be, for every d, m, f and router model."""

from collections.abc import Iterator

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.constructions.necklaces import Choice, round_robin
from fatcube.schedules.schedule import Schedule

__all__ = ["scatter"]


def scatter(topology: Topology, ports: PortModel | str, root: int) -> Schedule:
    """A :class:`Schedule` of OAS on a cube: farthest first, never waiting on the way.

    The root sends R = min(k, f d) messages per step to other nodes, the farthest first, and those for its own
    node with the ports that are left and in the end. A message that left in some step crosses a link in each
    of the next ones. It leaves by a dimension that :func:`round_robin` chose, and crosses the other dimensions
    in which its destination differs in cyclic order. It takes

        max(ceil((P - m) / R), ceil((P - 1) / k)) steps,

    which is the larger of the bounds by the lanes and by the ports of the root (:mod:`fatcube.schedules.bounds`), so
    there is no shorter one. (Fat-cube paper, Theorem 4, has ceil((P - m) / min(f d, m d)) + ceil((m - 1) / d)
    for model d and needs the modified trees of others for it. That is one more step where both divisions
    round up, and for f > 1 it is fewer than the root has ports for.)

    Proof. What leaves in one step are R <= f d messages that follow each other in :func:`round_robin`, so at
    most f of them leave by one dimension. Two messages meet on a link only if they left in the same step,
    since both have crossed as many links as the node is far from the root. Let them have left by i and j and
    be at the same node before they both cross k. Then the dimensions crossed so far are the same set, so j is
    one that the first crossed between i and k in cyclic order, and i is one that the second crossed between j
    and k. Both can be only if i = j, and of those there are at most f.
    No node but the root receives or sends more than R <= k messages per step, so any processor there will do;
    a message goes to the processor with its destination's place in the node.
    Farthest first is early enough. A message that has w + 1 links to cross is followed by all those that have
    at most w, and these are at least m d w >= R w, so it leaves at least w steps before the last one does.
    """
    ports = PortModel.parse(ports)
    m, d = topology.m, topology.degree
    k = ports.processor_ports(d, m)
    rate = min(k, topology.f * d)
    home, place = divmod(root, m)
    # By distance, so backwards the farthest come first; still round robin.
    remote = list(round_robin(d, m))[::-1]
    beside = [home * m + local for local in range(m) if local != place]
    moves = []
    step = sent = 0
    while sent < len(remote) or beside:
        step += 1
        leaving = remote[sent : sent + rate]
        sent += len(leaving)
        for choice in leaving:
            moves += _way(step, root, choice, d, m)
        for dst in beside[: k - len(leaving)]:
            moves.append(Move(step, root, dst, Message(root, dst)))
        del beside[: k - len(leaving)]
    return Schedule.from_moves(topology, ports, Collective.OAS, root, moves)


def _way(step: int, root: int, choice: Choice, d: int, m: int) -> Iterator[Move]:
    """The moves of the message for place ``choice.copy`` on the node that is ``choice.node`` from the root's."""
    home = root // m
    message = Message(root, (home ^ choice.node) * m + choice.copy)
    src, here = root, home
    for turn in range(d):
        dimension = 1 << (choice.dimension + turn) % d
        if choice.node & dimension:
            here ^= dimension
            dst = here * m + choice.copy
            yield Move(step, src, dst, message)
            src = dst
            step += 1
