"""Section 4.2: variations of a path, rounds of n packets, and the gain from n ports with the best packets."""

from collections import Counter
from fractions import Fraction
import functools

from fatcube.noc.topologies.cubes import Hypercube
from fatcube.papers.claim import columns, each, said
from fatcube.papers.expression import Number
from fatcube.papers.spanning_graphs.algorithms import ALGORITHMS
from fatcube.papers.spanning_graphs.claims.times import growth
from fatcube.papers.spanning_graphs.counts import graph_of
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.spanning_graphs.prices import Key, price, time_of
from fatcube.papers.verdict import ABOUT, Case, judged
from fatcube.schedules.checker import ScheduleError
from fatcube.schedules.problem import Problem
from fatcube.schedules.spanning.graphs import SpanningGraph
from fatcube.schedules.spanning.packets import N_PORT, ONE_PORT, Execution, Packet, Piece, Price, check_execution
from fatcube.schedules.spanning.phases import by_level, by_size, paths
from fatcube.schedules.spanning.pipelines import broadcast_oldest_first
from fatcube.schedules.step_model import PortUse, StepModel

claim = functools.partial(PAPER.claim, "section 4.2")


class _OnACycle(SpanningGraph):
    """Nodes on the cycle of the Gray code: up to place ``ahead`` reached forwards, from ``back`` on backwards."""

    def _ends(self, tree: int) -> tuple[int, int]:
        raise NotImplementedError

    def _parent(self, c: int, tree: int) -> int:
        place = _place(c)
        return _at(place - 1 if place <= self._ends(tree)[0] else (place + 1) % self.nodes)

    def _children(self, c: int, tree: int) -> list[int]:
        place, (ahead, back) = _place(c), self._ends(tree)
        backwards = back < self.nodes if place == 0 else place > back
        return [_at(place + 1)] * (place < ahead) + [_at((place - 1) % self.nodes)] * backwards


class _OppositePaths(_OnACycle):
    """Two paths with opposite directions, each with half of the data."""

    @property
    def trees(self) -> int:
        return 2

    def _ends(self, tree: int) -> tuple[int, int]:
        return (0, 1) if tree else (self.nodes - 1, self.nodes)


class _CentralPath(_OnACycle):
    """One path with the source at its center."""

    def _ends(self, tree: int) -> tuple[int, int]:
        return self.nodes // 2, self.nodes // 2 + 1


def _at(place: int) -> int:
    return place ^ place >> 1


def _place(address: int) -> int:
    return 0 if address == 0 else address ^ _place(address >> 1)


_VARIATIONS = {"opposite-paths": _OppositePaths, "central-path": _CentralPath}
_BY = {algorithm.name: algorithm for algorithm in ALGORITHMS}
_ONE_PARTNER = StepModel(port_use=PortUse.ONE_PARTNER)
_PATHS = columns(
    "variation words",
    [
        ("opposite-paths", "two Hamiltonian paths with opposite directions and distinct data"),
        ("central-path", "one Hamiltonian path with the source at its center"),
    ],
)
_FACTOR = "at most a factor of two"


def _by_a_factor(found: Number, of_path: Number) -> Case:
    factor = Fraction(found) / Fraction(of_path)
    return judged(f"{found} against {of_path} cycles", _FACTOR, Fraction(1, 2) <= factor <= 2)


@claim(_FACTOR, parameters=_PATHS, over=each(n=range(2, 7), ports=(ONE_PORT, N_PORT)))
@said(evidence="steps of the schedule that fatcube schedule --by makes and checks, and the N - 1 of the path")
def delay_of(variation: str, n: int, ports: str) -> Case:
    """With {words} the delay differs by at most a factor of two, up or down."""
    model = _ONE_PARTNER if ports == ONE_PORT else StepModel()
    problem = Problem(Hypercube(n), "1" if ports == ONE_PORT else "d", "OAB", model=model)
    return _by_a_factor(_BY[variation].schedule(problem).steps, value("N - 1", n=n))


@claim(_FACTOR, parameters=_PATHS, over=each(n=range(2, 7), ports=(ONE_PORT, N_PORT)))
@said(evidence="executed: (cycles of 10n packets - cycles of 6n packets) / 4n, of both")
def cycles_apart_of(variation: str, n: int, ports: str) -> Case:
    """With {words} the cycles per distinct packet differ by at most a factor of two, up or down."""
    graph = _VARIATIONS[variation](n)
    few, many = (
        check_execution(broadcast_oldest_first(graph, ports, packets, 1)).startups for packets in (6 * n, 10 * n)
    )
    return _by_a_factor(Fraction(many - few, 4 * n), growth((4 if ports == ONE_PORT else 5, "BRG"), n))


@functools.cache
def _rounds(kind: str, n: int, apart: int, rounds: int) -> Execution:
    """Rounds of n packets of an element, one along each tree and ``apart`` cycles after the round before."""
    graph = graph_of(kind, n)
    when = by_level(graph) if kind == "nrbrg" else by_size(graph)
    cycles: dict[int, list[Packet]] = {}
    for number in range(rounds):
        for tree in range(n):
            piece = Piece(0, None, number * n + tree, number * n + tree + 1)
            for *_, parent, node in paths(graph, tree):
                cycles.setdefault(number * apart + when(node, tree, node), []).append(Packet(parent, node, (piece,)))
    return Execution(n, n * rounds, 1, N_PORT, False, 0, tuple(tuple(cycles[cycle]) for cycle in sorted(cycles)))


@functools.cache
def _apart(kind: str, n: int) -> int:
    """The fewest cycles between rounds without a conflict among as many rounds as overlap, and one more."""
    height = max(len(path) - 1 for path in paths(graph_of(kind, n), 0))
    for apart in range(1, height + 1):
        try:
            check_execution(_rounds(kind, n, apart, height // apart + 2))
        except ScheduleError:
            continue
        return apart
    raise AssertionError("rounds that do not overlap have no conflict")


def _first_sent(execution: Execution) -> dict[int, int]:
    """How many packets leave the source for the first time in each cycle."""
    sent: set[int] = set()
    found: Counter[int] = Counter()
    for number, cycle in enumerate(execution.cycles):
        new = {packet.pieces[0].first for packet in cycle if packet.src == execution.source} - sent
        sent |= new
        found[number] += len(new)
    return {number: packets for number, packets in found.items() if packets}


_EXECUTED = (
    "executed with every number of cycles between rounds, from 1 on, until no link is asked for twice in a cycle"
)


@claim("n distinct packets per cycle, but pipelining is limited", over=each(n=range(2, 7)))
@said(
    conditions=["n > 2"],
    evidence=_EXECUTED,
    reading="Limited is read as: the source cannot send n packets in the next cycle too, as along edge-disjoint trees. The "
    "rotated paths are edge-disjoint for n = 2",
)
def rounds_of_nRBRG(n: int) -> Case:
    """nRBRG: the source can send out n distinct packets in a cycle, but n others only after more than one cycle."""
    apart = _apart("nrbrg", n)
    first = _first_sent(_rounds("nrbrg", n, apart, 3))
    shown = f"{first[0]} packets, and others after {apart} cycle{'s' if apart > 1 else ''}"
    return judged(shown, f"{n} packets, and others later than after 1 cycle", first[0] == n and apart > 1)


@claim("n packets during cycle 0, n, 2n, ..., etc.", over=each(n=range(2, 7)))
@said(evidence=f"{_EXECUTED}; packets that the source sends for the first time")
def rounds_of_nRSBT(n: int) -> Case:
    """nRSBT: n packets can be sent out during cycles 0, n and 2n, and no sooner."""
    found = _first_sent(_rounds("nrsbt", n, _apart("nrsbt", n), 3))
    shown = ", ".join(f"{packets} in cycle {cycle}" for cycle, packets in found.items())
    return judged(shown, f"{n} in each of cycles 0, {n} and {2 * n}", found == {0: n, n: n, 2 * n: n})


_ONE, _MANY = 4, 5
_STARTUPS = [(_ONE, "BRG"), *((table, name) for table in (_ONE, _MANY) for name in ("SBT", "nRSBT", "TCBT", "nESBT"))]
_WEIGHED = [
    {"n": n, "M": M, "tau": Fraction(M, n) / part}
    for n in (3, 4, 5)
    for M in (n, 4 * n, 16 * n)
    for part in (Fraction(1, 100), Fraction(1, 2), 1, 4, 100)
]
_EVERY_PACKET = "executed with every whole B up to M, the one that takes the least time; tau in units of t_c"


@functools.cache
def _best(run: Key, n: int, M: int, tau: Fraction) -> Price:
    """The price of the packet size that takes the least time."""
    sizes = range(1, M + 1)
    return price(run, n, M, min(sizes, key=functools.partial(time_of, run, n, M, tau=tau)))


@claim(
    "O({length})",
    name="startups_with_best_packets_{graph}_{ports}",
    parameters=[
        {
            "graph": graph,
            "ports": "one-port" if table == _ONE else "n-port",
            "table": table,
            "length": "N" if "BRG" in graph else "n",
        }
        for table, graph in [*_STARTUPS, (_MANY, "nRBRG")]
    ],
    over=_WEIGHED,
    conditions=("M <= n*tau",),
    evidence=_EVERY_PACKET,
    reading="O({length}) is read as at most 5 {length} whatever M, tau and t_c are",
)
def startups_with_best_packets(graph: str, table: int, length: str, n: int, M: int, tau: Fraction) -> Case:
    """{graph}, {ports}: optimizing the packet size brings the number of start-ups to O({length})."""
    found, most = _best((table, graph), n, M, tau).startups, 5 * value(length, n=n)
    return judged(f"{found} start-ups", f"at most {most}", found <= most)


@claim(
    "a factor of {text}",
    name="bandwidth_with_best_packets_{graph}",
    parameters=columns(
        "graph one text",
        [("nRBRG", ("4, not pipelined", "BRG"), "n")]
        + [(graph, (_ONE, graph), "n") for graph in ("SBT", "nRSBT", "nESBT")]
        + [("TCBT", (_ONE, "TCBT"), "3")],
    ),
    over=[{"n": n, "M": 10 * n * n, "tau": Fraction(10, part)} for n in (3, 4, 5) for part in (1, 10, 20, 100, 1000)],
    conditions=("100*n**2*tau <= M",),
    evidence=f"{_EVERY_PACKET}; transferred elements, one-port over n-port",
    reading=f"{ABOUT}; nRBRG, which is not pipelined, is compared with one path that is not either",
)
def bandwidth_with_best_packets(graph: str, one: Key, text: str, n: int, M: int, tau: Fraction) -> Case:
    """{graph}: n-port communication reduces the transferred elements by a factor of {text} also with the best packets."""
    few, many = _best(one, n, M, tau).elements, _best((_MANY, graph), n, M, tau).elements
    expected = value(text, n=n) * many
    return judged(
        f"{few} against {many} elements", f"a factor of {value(text, n=n)}", 10 * abs(few - expected) <= expected
    )
