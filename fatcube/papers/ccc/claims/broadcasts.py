"""Results 5 and 6: algorithms A2 and A3, under each reading."""

from functools import cache

from fatcube.papers.ccc.graphs import DOUBLE_LINK, SINGLE_LINK, ccc, hops
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.ccc.steps import executed, instances
from fatcube.papers.claim import Cases
from fatcube.papers.evidence import Evidence
from fatcube.papers.verdict import Case
from noc.topologies.ccc import CubeConnectedCycles
from schedules.collective import Move
from schedules.constructions.ccc import broadcast

_EFFORT = 6_000  # orders of left and right in A2 that are tried, times N
_SIZES = range(2, 8)
_TRIED = f"the best of {_EFFORT} / N orders of left and right"
_EVERY = (
    "A node that has the message acts again when it receives it from another direction. If it acts on the first "
    "receipt only, see the rows *_on_first_receipts."
)
_FIRST = (
    "A node acts on the first receipt only, which the paper does not say. If it acts on a receipt from another "
    "direction too, all nodes are reached (a2_reaches_all, a3_reaches_all)."
)


@PAPER.claim(
    "algorithm A2",
    printed="all the nodes receive the message",
    conditions=["n == 2"],
    evidence="executed: nodes that ever receive",
    reading='"Left (or right)" is read as one of the two, left at every node. If a node sends both ways, see the rows of result 5.',
    graph=DOUBLE_LINK,
)
def a2_left(evidence: Evidence) -> Cases:
    """All nodes receive the message of A2 when it is sent left."""
    for n in _SIZES:
        reached = {move.dst for move in broadcast(ccc(n), "1", both=False)} | {0}
        yield Case({"n": n}, f"all {n << n}", f"{len(reached)} nodes", len(reached) == n << n)


@PAPER.claim(
    "algorithm A2",
    printed="the lower bound as defined in result 4",
    conditions=["n == 2"],
    evidence="counted: each receipt causes one send, and the source starts two, so that a step has two receipts "
    "at most",
    reading='"Left (or right)" is read as one of the two, which every node chooses for itself. If a node sends both ways, see the rows of result 5.',
    graph=DOUBLE_LINK,
)
def a2_either_steps(evidence: Evidence) -> Cases:
    """A2 reaches all nodes in 2 n steps when each node sends either left or right."""
    for n in _SIZES:
        least = -(-((n << n) - 1) // 2)
        moves = broadcast(ccc(n), "1", both=False)
        reached = len({move.dst for move in moves} | {0}) == n << n and moves[-1].step <= 2 * n
        found = f"{moves[-1].step} steps" if reached else f"at least {least} steps"
        yield Case({"n": n}, f"{2 * n} steps", found, True if reached else False if least > 2 * n else None)


@PAPER.claim(
    "result 5",
    printed="all the nodes receive the message",
    evidence=_TRIED,
    reading=f"Left and right, as the proof says. {_EVERY}",
    show="n == 3",
    graph=DOUBLE_LINK,
)
def a2_reaches_all(evidence: Evidence) -> Cases:
    """All the nodes receive the message of A2."""
    return executed(evidence, "A2", instances("OAB", "1", _SIZES), _one_port)


@PAPER.claim(
    "result 5",
    printed="2 n",
    conditions=["n <= 3"],
    evidence=_TRIED,
    reading=f"Left and right, as the proof says. {_EVERY} From n = 4 on no algorithm takes 2 n steps, in any reading.",
    graph=DOUBLE_LINK,
)
def a2_steps(evidence: Evidence) -> Cases:
    """A2 achieves the lower bound of 2 n steps."""
    return executed(evidence, "A2", instances("OAB", "1", _SIZES), _one_port, _bound, choices=True)


@PAPER.claim(
    "result 5",
    printed="all nodes",
    evidence=f"{_TRIED}; where none of these reaches all nodes, another order may",
    show="n == 3",
    reading=f"Left and right, as the proof says. {_FIRST}",
    graph=DOUBLE_LINK,
)
def a2_reaches_all_on_first_receipts(evidence: Evidence) -> Cases:
    """All the nodes receive the message of A2 if each acts on its first receipt only."""
    return executed(evidence, "A2-first", instances("OAB", "1", _SIZES), _one_port_first, choices=True)


@PAPER.claim(
    "result 5",
    printed="but not both",
    conditions=["n <= 3"],
    evidence="the distance graph, level by level: nodes that are a hop farther from (0, 0)",
    reading="Tried from the second level on. It is not required that both neighbours in the cycle are without "
    "the message: for n = 3 four nodes have one such neighbour.",
    graph=SINGLE_LINK,
)
def one_kind_of_neighbour_waits(evidence: Evidence) -> Cases:
    """At any level a node has a lateral neighbour without the message or neighbours in its cycle, but not both."""
    for n in range(2, 9):
        level, others = hops(n), 0
        for i, j in level:
            lateral = level[i ^ 1 << j, j] > level[i, j]
            around = any(level[i, (j + turn) % n] > level[i, j] for turn in (1, -1))
            others += level[i, j] > 0 and lateral and around
        yield Case({"n": n}, "both for none", f"both for {others} nodes", others == 0)


@PAPER.claim(
    "result 6", printed="achieves the broadcast", evidence="", reading=_EVERY, show="n == 3", graph=DOUBLE_LINK
)
def a3_reaches_all(evidence: Evidence) -> Cases:
    """A3 achieves the broadcast."""
    return executed(evidence, "A3", instances("OAB", "d", range(2, 10)), _all_ports)


@PAPER.claim(
    "result 6",
    printed="the lower bound",
    conditions=["n <= 3"],
    evidence="A3 leaves no choice: everything that can be sent is sent at once",
    reading=_EVERY,
    graph=DOUBLE_LINK,
)
def a3_steps(evidence: Evidence) -> Cases:
    """A3 achieves the lower bound of 2 n steps."""
    return executed(evidence, "A3", instances("OAB", "d", range(2, 10)), _all_ports, _bound)


@PAPER.claim(
    "algorithm A3",
    printed="all nodes",
    conditions=["n <= 3"],
    evidence="all links used at once, and every receipt checked",
    reading=_FIRST,
    graph=DOUBLE_LINK,
)
def a3_reaches_all_on_first_receipts(evidence: Evidence) -> Cases:
    """All the nodes receive the message of A3 if each acts on its first receipt only."""
    return executed(evidence, "A3-first", instances("OAB", "d", range(2, 10)), _all_ports_first)


def _bound(n: int) -> int:
    return 2 * n


def _one_port(topology: CubeConnectedCycles) -> list[Move]:
    return _best(topology, "1", True)


def _one_port_first(topology: CubeConnectedCycles) -> list[Move]:
    return _best(topology, "1", False)


def _all_ports(topology: CubeConnectedCycles) -> list[Move]:
    return broadcast(topology, "d")


def _all_ports_first(topology: CubeConnectedCycles) -> list[Move]:
    return broadcast(topology, "d", every=False)


@cache
def _best(topology: CubeConnectedCycles, ports: str, every: bool) -> list[Move]:
    """The moves of A2 that bring the message to most, soonest: it leaves open whether left or right is first."""
    orders = range(_EFFORT // topology.nodes)
    ways = [broadcast(topology, ports, every=False, seed=seed) for seed in orders]
    if every:  # what a second receipt asks for may also come when all have the message
        ways += [broadcast(topology, ports, seed=seed) for seed in orders]
    return min(ways, key=_missed_and_steps)


def _missed_and_steps(moves: list[Move]) -> tuple[int, int]:
    return -len({move.dst for move in moves}), moves[-1].step
