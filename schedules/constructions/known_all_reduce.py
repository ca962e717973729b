"""All-reduces by known algorithms: the ring, several rings, and recursive halving and doubling.

All are a reduce-scatter and an all-gather, of which the first is the second run backwards (:mod:`fatcube.schedules.constructions.reversal`).

- ring: sums go round a Hamiltonian cycle, one link per step, in 2 (N - 1) steps (Patarasuk and Yuan, 2009). Two rings divide each sum
  into two parts, which go round in opposite senses.
- halving and doubling: in phase k processors p and p xor 2^k exchange all that they have, 2^k messages each, one after the
  other (Thakur, Rabenseifner and Gropp, 2005). On a mesh such processors are up to w / 2 links apart. There packets go along the
  line between them, and those that want the same lane in the same direction take turns.
"""

from collections.abc import Sequence

import networkx

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.constructions.all_reduce import all_reduce
from fatcube.schedules.constructions.reversal import backwards
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import STANDARD, StepModel, Transfers

__all__ = ["doubling", "ring"]


def ring(topology: Topology, ports: PortModel, *, rings: int = 1) -> Schedule:
    """The all-reduce around a Hamiltonian cycle, in one sense or with two ``rings`` in both; one processor on each node."""
    cycle = _cycle(topology)
    count = len(cycle)
    moves = [
        Move(step, node, cycle[(place + turn) % count], Message(cycle[(place + turn * (1 - step)) % count], None, part))
        for part, turn in enumerate((1, -1)[:rings])
        for step in range(1, count)
        for place, node in enumerate(cycle)
    ]
    return _both(Schedule.from_moves(topology, ports, Collective.AAB, None, moves, parts=rings))


def doubling(topology: Topology, ports: PortModel) -> Schedule:
    """The all-reduce by recursive halving and doubling, of 2^n nodes with a processor on each."""
    phases = topology.nodes.bit_length() - 1
    assert topology.nodes == 1 << phases == topology.processors
    moves, before = [], 0
    for phase in range(phases):
        for number in range(1 << phase):
            taking: list[set[tuple[int, int]]] = []  # the lanes of each step, in their directions
            for here in range(topology.nodes):
                there = here ^ 1 << phase
                way = (here, *_line(topology, here, there))
                hops = {*zip(way, way[1:])}
                turn = next((turn for turn, taken in enumerate(taking) if not taken & hops), len(taking))
                taking += [set()] * (turn == len(taking))
                taking[turn] = taking[turn] | hops
                origin = here ^ number  # of those that differ from here in the bits of earlier phases
                moves.append(
                    Move(before + turn + 1, here, there, Message(origin, None), way[1:] if len(way) > 2 else ())
                )
            before += len(taking)
    direct = any(move.way for move in moves)
    model = StepModel(transfers=Transfers.DIRECT) if direct else STANDARD
    return _both(Schedule.from_moves(topology, ports, Collective.AAB, None, moves, model=model))


def _both(spread: Schedule) -> Schedule:
    """The all-reduce of an all-gather and its reversal."""
    return all_reduce(backwards(spread, spread.ports, Collective.AAR), spread)


def _cycle(topology: Topology) -> Sequence[int]:
    """A cycle through all nodes, found depth first: the next node is the one with the fewest ways on."""
    ends = {node: sorted(topology.adjacent[node]) for node in range(topology.nodes)}

    def extend(path: list[int]) -> list[int] | None:
        if len(path) == topology.nodes:
            return path if path[0] in ends[path[-1]] else None
        free = [node for node in ends[path[-1]] if node not in path]
        for node in sorted(free, key=lambda node: (sum(one not in path for one in ends[node]), node)):
            if found := extend([*path, node]):
                return found
        return None

    found = extend([0])
    assert found is not None
    return found


def _line(topology: Topology, here: int, there: int) -> tuple[int, ...]:
    """The nodes on a shortest way, without the first; on a mesh or a cube there is one along a dimension."""
    return tuple(networkx.shortest_path(topology.adjacent, here, there))[1:]
