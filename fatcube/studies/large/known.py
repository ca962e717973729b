"""All-reduces by known algorithms beside ours: the ring, two rings, and recursive halving and doubling.

All are a reduce-scatter and an all-gather, of which the first is the second run backwards (:mod:`schedules.constructions.reversal`).

- ring: sums go round a Hamiltonian cycle, one link per step, in 2 (N - 1) steps (Patarasuk and Yuan, 2009). Two rings divide each sum
  into two parts, which go round in opposite senses.
- halving and doubling: in phase k processors p and p xor 2^k exchange all that they have, 2^k messages each, one after the
  other (Thakur, Rabenseifner and Gropp, 2005). On a mesh such processors are up to w / 2 links apart. There packets go along the
  line between them, and those that want the same lane in the same direction take turns.
"""

from collections.abc import Iterator, Sequence
import dataclasses
from typing import Any

import networkx

from fatcube.studies.large.cells import PORTS
from fatcube.studies.large.times import cycles_bound
from groundwork.progress import doing
from noc.topology import Topology
from rtl.router_options import RouterOptions
from schedules.checker import check
from schedules.collective import Collective, Message, Move
from schedules.constructions.all_reduce import all_reduce
from schedules.constructions.reversal import backwards
from schedules.cycles import lockstep_cycles
from schedules.parted.build import flits_of_part
from schedules.schedule import Schedule
from schedules.step_model import STANDARD, StepModel, Transfers
from schedules.wiring import network_of
from sim.collectives.run import Run
from sim.collectives.simulate import fitting_machine, simulate_all

__all__ = ["FLITS", "KNOWN_ON", "Known", "doubling", "known_of", "ring"]


KNOWN_ON = ("mesh-4x4", "hypercube-16")
FLITS = (16, 256)  # of an undivided sum


@dataclasses.dataclass(frozen=True, kw_only=True)
class Known:
    """An all-reduce by a known algorithm.

    Members
    -------
    graph, algorithm : :class:`str`
    payload_flits, parts, steps : :class:`int`
        Flits of an undivided sum, of which each processor has one for every processor.
    cycles : :class:`int`
        In lockstep, by formula.
    bound : :class:`int`
        The cycles of the lower bound on adjacent steps, over all numbers of parts.
    counted, dataflow : :class:`int` or ``None``
        Read out of the hardware in lockstep and in dataflow; ``None`` if it was not run.
    failures : tuple of :class:`str`
    """

    graph: str
    algorithm: str
    payload_flits: int
    parts: int
    steps: int
    cycles: int
    bound: int
    counted: int | None = None
    dataflow: int | None = None
    failures: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The row as it stands in a file."""
        return {**dataclasses.asdict(self), "ratio": self.cycles / self.bound}


def ring(topology: Topology, *, rings: int = 1) -> Schedule:
    """The all-reduce around a Hamiltonian cycle, in one sense or with two ``rings`` in both; one processor on each node."""
    cycle = _cycle(topology)
    count = len(cycle)
    moves = [
        Move(step, node, cycle[(place + turn) % count], Message(cycle[(place + turn * (1 - step)) % count], None, part))
        for part, turn in enumerate((1, -1)[:rings])
        for step in range(1, count)
        for place, node in enumerate(cycle)
    ]
    return _both(Schedule.from_moves(topology, PORTS, Collective.AAB, None, moves, parts=rings))


def doubling(topology: Topology) -> Schedule:
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
    return _both(Schedule.from_moves(topology, PORTS, Collective.AAB, None, moves, model=model))


def _both(spread: Schedule) -> Schedule:
    """The all-reduce of an all-gather and its reversal."""
    return all_reduce(backwards(spread, PORTS, Collective.AAR), spread)


def _cycle(topology: Topology) -> Sequence[int]:
    """A cycle through all nodes, found depth first: the next node is the one with the fewest ways on."""
    ends: dict[int, list[int]] = {
        node: sorted({other for _, other in _links(topology, node)}) for node in range(topology.nodes)
    }

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


def _links(topology: Topology, node: int) -> Iterator[tuple[int, int]]:
    """The channels of a node, each with the node that it leads to."""
    for channel in range(topology.degree):
        end = topology.neighbour(node, channel)
        if end is not None:
            yield channel, end[0]


def _line(topology: Topology, here: int, there: int) -> tuple[int, ...]:
    """The nodes on a shortest way, without the first; on a mesh or a cube there is one along a dimension."""
    graph = networkx.Graph((node, other) for node in range(topology.nodes) for _, other in _links(topology, node))
    return tuple(networkx.shortest_path(graph, here, there))[1:]


def known_of(name: str, topology: Topology, *, rtl: bool = True) -> list[Known]:
    """The known algorithms on a graph for all :data:`FLITS`; with ``rtl`` they are run in both modes."""
    rows: list[Known] = []
    made = {"ring": ring(topology), "two rings": ring(topology, rings=2), "halving and doubling": doubling(topology)}
    for algorithm, schedule in made.items():
        check(schedule)
        network = network_of(schedule, RouterOptions(ports=PORTS))
        mine = [
            Known(
                graph=name,
                algorithm=algorithm,
                payload_flits=flits,
                parts=schedule.parts,
                steps=schedule.steps,
                cycles=lockstep_cycles(schedule, network, flits_of_part(flits, schedule.parts)),
                bound=cycles_bound(topology, Collective.ALL_REDUCE, flits),
            )
            for flits in FLITS
        ]
        rows += _run(mine, schedule) if rtl else mine
    return rows


def _run(rows: Sequence[Known], schedule: Schedule) -> list[Known]:
    """The rows of a schedule with what was counted in lockstep and in dataflow, and everything that differed."""
    lengths = [flits_of_part(row.payload_flits, row.parts) for row in rows]
    machine = fitting_machine(
        network_of(schedule, RouterOptions(ports=PORTS)).for_packets(max(lengths) + 1),
        payload_flits=max(lengths),
        steps=schedule.steps,
        messages=len(schedule.messages),
        reductions=True,
    )
    runs = [Run(schedule=schedule, payload_flits=flits, lockstep=mode) for mode in (True, False) for flits in lengths]
    with doing(f"running all-reduce by {rows[0].algorithm} on {rows[0].graph}"):
        results = simulate_all(machine, runs)
    found = []
    for row, lockstep, dataflow in zip(rows, results[: len(rows)], results[len(rows) :], strict=True):
        failures = [*lockstep.failures, *dataflow.failures]
        if lockstep.cycles != row.cycles:
            failures.append(f"{lockstep.cycles} cycles were counted, not {row.cycles} as predicted")
        found.append(
            dataclasses.replace(row, counted=lockstep.cycles, dataflow=dataflow.cycles, failures=tuple(failures))
        )
    return found
