"""The all-to-all on cubes, the same seen from every node.

Only the messages of node 0 are scheduled; the other nodes do what it does, seen from where they stand. A message
from place s of node 0 to place t of node r crosses a link in every dimension in which r differs from 0, in any
order, m^2 2^(d - 1) messages in every dimension. On its way it changes from place s to place t once: it turns.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
import itertools
from typing import NamedTuple

from fatcube.groundwork.solving import solve
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.constructions.coloring import color_edges
from fatcube.schedules.constructions.edelman import between_nodes
from fatcube.schedules.constructions.necklaces import round_robin
from fatcube.schedules.schedule import Schedule

__all__ = ["all_to_all", "between_nodes_over_one_port", "most_steps"]


class _Send(NamedTuple):
    """A message that leaves place ``src`` of a node for place ``dst`` across ``dimension``, or within the node."""

    src: int
    dimension: int | None
    message: Message
    dst: int


class _Hop(NamedTuple):
    """A send that has its step: a message comes to place ``dst`` across ``dimension``, or within its node."""

    step: int
    dimension: int | None
    dst: int


class _Turn(NamedTuple):
    """A hop across ``dimension`` on which a message comes to the place that is ``shift`` farther."""

    dimension: int
    shift: int


class _Distance(NamedTuple):
    """The node and the shift that m messages have in common."""

    node: int
    shift: int


_Turns = tuple[_Turn, ...]
MOST_CHOICES = 5_000  # of an integer program that is worth solving


def all_to_all(topology: Topology, ports: PortModel | str) -> Schedule:
    """A symmetric :class:`Schedule` of AAS on a cube, of few steps: see the functions that build it."""
    ports = PortModel.parse(ports)
    d, m = topology.degree, topology.m
    k = ports.processor_ports(d, m)
    if k > 1:
        moves = _many_ports(d, m, min(topology.f, m), k)
    elif m <= topology.f * d:
        moves = _one_port(d, m, topology.f)
    else:
        moves = min(
            _few_lanes(d, m, topology.f),
            _one_port(d, m, topology.f),
            key=lambda moves: max(move.step for move in moves),
        )
    return Schedule.from_moves(topology, ports, Collective.AAS, None, moves, symmetric=True)


def most_steps(d: int, m: int, f: int) -> int:
    """Steps that an all-to-all with one port never has more of, in a part of the time that its schedule takes."""
    return max(move.step for move in _one_port(d, m, f))


def between_nodes_over_one_port(d: int, m: int, f: int) -> list[Move]:
    """The moves of what node 0 has for other nodes, in d P / 2 steps if m <= f d.

    They are those of :func:`_one_port` with 2^d - 1 steps for each shift, which the messages within a node do not need.
    """
    return _one_port(d, m, f, local=False)


def _one_port(d: int, m: int, f: int, *, local: bool = True) -> list[Move]:
    """For models 1 and b, in d P / 2 + m - 1 steps if m <= f d.

    The ports need this number of steps (:func:`fatcube.schedules.bounding.totals.ports_in_total`; fat-cube paper, equation 14), so
    there is no shorter one. The paper has no algorithm for it beside d = m = 2.

    For each shift e from 1 to m - 1 there are 2^d steps, in which whatever place l of a node sends goes to place
    l + e of a node, so all arrive at different places. In these steps every place sends its m - 1 local
    messages, one for each shift, and its messages to place l + e of the 2^d - 1 other nodes make their turn, in
    the dimensions that :func:`round_robin` says. Now each message is at the place that it is for, and the other
    hops follow, in which every message keeps its place. All hops of one message are then sent by one
    place, so they are in different steps by themselves, and their order is free. So each part is an edge
    colouring with steps for colours: places on one side, the f lanes of each dimension on the other.

    Proof of the number of steps: the turns of one shift have 2^d sends of each place, and in each dimension at
    most ceil(m (2^d - 1) / d) <= f 2^d. The other n = m d 2^(d - 1) - (m - 1)(2^d - 1) sends of each place
    meet m^2 2^(d - 1) - u in a dimension with u turns, and round robin makes u at least the average over the
    dimensions, rounded down. Since the average of m^2 2^(d - 1) - u is m n / d <= f n, none is over f n. By
    König's theorem (m - 1) 2^d + n = m d 2^(d - 1) + m - 1 steps do.
    """
    hops: defaultdict[Message, list[_Hop]] = defaultdict(list)
    straight: list[_Send] = [
        _Send(place, i, Message(place, node * m + place), place)
        for place in range(m)
        for node in range(1, 1 << d)
        for i in _dimensions(d, node)
    ]
    steps = turned = 0
    for shift in range(1, m):
        turns = _local_sends(m, shift) if local else []
        for place, node, dimension in round_robin(d, m, start=turned):
            target = (place + shift) % m
            message = Message(place, node * m + target)
            turns.append(_Send(place, dimension, message, target))
            straight += [_Send(target, i, message, target) for i in _dimensions(d, node) if i != dimension]
            turned += 1
        steps = _color_sends(hops, turns, f, steps)
    _color_sends(hops, straight, f, steps)
    return _moves(hops, m)


def _few_lanes(d: int, m: int, f: int) -> list[Move]:
    """For models 1 and b with m > f d, in which lanes are scarcer than ports: mostly in ceil(P m / (2 f)) steps.

    The lanes need this number of steps (:func:`fatcube.schedules.bounding.totals.lanes_in_total`; fat-cube paper, equation 16, which does
    not say how). As in :func:`_one_port` there are steps for each shift, and at most one hop of a message in those
    of a shift other than 0, but now the lanes must never be idle. So a message may turn twice, by shifts that add
    up to its own, and in which dimension each message turns by which shifts is an integer program: the m messages
    to one node that turn alike are one choice, and for each shift there must be steps enough for the hops in each
    dimension, over f lanes, and for the sends of each place. The steps are edge colourings again.

    The number of steps is known once it is solved. For f = 1, d <= 3 and m <= 8 it is the number that the lanes
    need. For f > 1 the m hops of a choice need not fill whole steps, and it can be more; the same holds where there are
    too many choices to solve for, and every message turns once as in :func:`_one_port`.
    """
    distances = itertools.starmap(_Distance, itertools.product(range(1, 1 << d), range(m)))
    choices = {distance: _turns(_dimensions(d, distance.node), distance.shift, m) for distance in distances}
    turns = _balanced_turns(d, m, f, choices) if sum(map(len, choices.values())) <= MOST_CHOICES else None
    if turns is None:
        return _one_port(d, m, f)
    sends: defaultdict[int, list[_Send]] = defaultdict(list)
    for (node, shift), turn in turns.items():
        for place in range(m):
            target = (place + shift) % m
            message = Message(place, node * m + target)
            src = place
            for dimension, part in sorted(turn, key=lambda one: one.shift):
                sends[part].append(_Send(src, dimension, message, (src + part) % m))
                src = (src + part) % m
            sends[0] += [_Send(target, i, message, target) for i in _dimensions(d, node) if i not in dict(turn)]
    hops: defaultdict[Message, list[_Hop]] = defaultdict(list)
    steps = 0
    for shift in range(1, m):
        steps = _color_sends(hops, _local_sends(m, shift) + sends[shift], f, steps)
    _color_sends(hops, sends[0], f, steps)
    return _moves(hops, m)


def _local_sends(m: int, shift: int) -> list[_Send]:
    """The messages of every place to the place of its own node that is ``shift`` farther."""
    return [_Send(place, None, Message(place, (place + shift) % m), (place + shift) % m) for place in range(m)]


def _turns(dimensions: Sequence[int], shift: int, m: int) -> list[_Turns]:
    """The ways in which a message that must be shifted can turn: not at all, once, or twice."""
    once: list[_Turns] = [(_Turn(i, shift),) for i in dimensions] if shift else [()]
    twice: list[_Turns] = [
        (_Turn(i, first), _Turn(j, (shift - first) % m))
        for i, j in itertools.permutations(dimensions, 2)
        for first in range(1, m)
        if first < (shift - first) % m
    ]
    return once + twice


def _balanced_turns(
    d: int, m: int, f: int, choices: Mapping[_Distance, Sequence[_Turns]]
) -> dict[_Distance, _Turns] | None:
    """One of the choices for each key, so that the fewest steps do; ``None`` if that is not found soon."""
    from ortools.sat.python import cp_model  # takes half a second, which only a search is worth

    model = cp_model.CpModel()
    hops: defaultdict[tuple[int, int], list[cp_model.IntVar]] = defaultdict(list)
    chosen: dict[tuple[_Distance, _Turns], cp_model.IntVar] = {}
    for distance, turns in choices.items():
        for turn in turns:
            chosen[distance, turn] = variable = model.new_bool_var("")
            for i in _dimensions(d, distance.node):
                hops[dict(turn).get(i, 0), i].append(variable)
        model.add_exactly_one(chosen[distance, turn] for turn in turns)
    steps = [model.new_int_var(0, m * m << d, "") for _ in range(m)]
    for shift in range(m):
        for i in range(d):
            model.add(m * sum(hops[shift, i]) <= f * steps[shift])
        model.add(sum(sum(hops[shift, i]) for i in range(d)) + (shift > 0) <= steps[shift])
    model.add(sum(steps) >= -(-(m * m << d - 1) // f))
    model.minimize(sum(steps))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # and no clock: the same case has the same answer in every run
    solver.parameters.max_deterministic_time = 2
    if solve(solver, model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return {distance: turn for (distance, turn), variable in chosen.items() if solver.boolean_value(variable)}


def _color_sends(hops: MutableMapping[Message, list[_Hop]], sends: Sequence[_Send], f: int, before: int) -> int:
    """Put sends into steps after ``before``, and return the last of these.

    Within a node there is no lane, so every place can send at once.
    """
    lanes: Counter[int | None] = Counter()
    edges = []
    for send in sends:
        edges.append((send.src, (send.dimension, send.src if send.dimension is None else lanes[send.dimension] % f)))
        lanes[send.dimension] += 1
    last = before
    for send, color in zip(sends, color_edges(edges)):
        hops[send.message].append(_Hop(before + 1 + color, send.dimension, send.dst))
        last = max(last, before + 1 + color)
    return last


def _many_ports(d: int, m: int, f: int, k: int) -> list[Move]:
    """For models d and \\*, in ceil(P m / (2 f)) steps if f < m, or in P / 2 and what the local messages need.

    ``f`` is the number of lanes used, at most m. These are the numbers of steps that the lanes
    need (:func:`fatcube.schedules.bounding.totals.lanes_in_total`), or in model d with f >= m the ports
    (:func:`fatcube.schedules.bounding.totals.ports_in_total`): P / 2 + ceil((m - 1) / d). So there is no shorter one, unless
    there are more than m lanes in model \\*.

    The m^2 messages to each node r cross each dimension together, as a block. Blocks are put in order by an edge
    colouring, nodes r on one side and dimensions on the other, with 2^(d - 1) colours: so in every dimension
    one block follows the other without gaps, and no node's messages are in the same block of two dimensions.
    (For m = f = 1 it is the paper's Fig. 7.) In a block the message from place s to place s + e is number
    e m + s, and f messages cross in a step. A message keeps its place until its last hop, where it turns.

    Proof: the f <= m messages that cross a dimension in a step are sent by different places, since those come
    round robin. They arrive at different places too. That is clear where all turn by the same e or none turns.
    Where the last x of those that turn by e and the first f - x of those that turn by e + 1, or of the next
    block, cross together, they arrive at places e - x to e - 1 and e + 1 to e + f - x (or 0 to f - x - 1, where
    e = m - 1) from place i on, which are different if f < m; and if f = m, no step has both. So a place sends
    and receives at most one message a dimension and step, d in all. The numbers of a message in its blocks
    differ by at most m - 1, so from one to the next of its hops there are at least m^2 - m + 1 >= f, and they
    are in different steps. The local messages need no lane. In model \\* the m - 1 other ports of every place take
    them in the first step; in model d with f >= m every step after P / 2 takes d shifts. In model d with f < m they
    go where ports are left, of which there are enough; that they also fit is seen and not proved, and for
    f = m - 1 it can take one step more.
    """
    moves = between_nodes(d, m, f)
    return moves + _local_moves(moves, m, k)


def _local_moves(moves: Sequence[Move], m: int, k: int) -> list[Move]:
    """The moves of the local messages, each in the first step in which both places have a port left."""
    sent: Counter[tuple[int, int]] = Counter()
    received: Counter[tuple[int, int]] = Counter()
    for move in moves:
        sent[move.step, move.src % m] += 1
        received[move.step, move.dst % m] += 1
    left = [(place, (place + shift) % m) for shift in range(1, m) for place in range(m)]
    local: list[Move] = []
    step = 0
    while len(local) < m * (m - 1):
        step += 1
        for src, dst in left:
            if sent[step, src] < k and received[step, dst] < k:
                sent[step, src] += 1
                received[step, dst] += 1
                local.append(Move(step, src, dst, Message(src, dst)))
        left = [pair for pair in left if pair not in {(move.src, move.dst) for move in local}]
    return local


def _moves(hops: Mapping[Message, Iterable[_Hop]], m: int) -> list[Move]:
    """The moves of messages whose hops are known."""
    moves = []
    for message, crossed in hops.items():
        src = message.source
        for hop in sorted(crossed, key=lambda hop: hop.step):
            node = src // m if hop.dimension is None else src // m ^ 1 << hop.dimension
            dst = node * m + hop.dst
            moves.append(Move(hop.step, src, dst, message))
            src = dst
    return moves


def _dimensions(d: int, node: int) -> list[int]:
    """The dimensions in which ``node`` differs from node 0."""
    return [i for i in range(d) if node >> i & 1]
