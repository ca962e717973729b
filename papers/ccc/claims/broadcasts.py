"""Results 5 and 6: algorithms A2 and A3, under each reading."""

from functools import partial

from fatcube.papers.ccc.best_broadcast import EFFORT, best_broadcast
from fatcube.papers.ccc.graphs import DOUBLE_LINK, SINGLE_LINK, ccc, hops
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.ccc.steps import executed, instances
from fatcube.papers.claim import Cases, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.verdict import Case, judged
from fatcube.schedules.constructions.ccc import broadcast

claim = partial(PAPER.claim, graph=DOUBLE_LINK)


_SIZES = range(2, 8)
_TRIED = f"the best of {EFFORT} / N orders of left and right"
_EVERY = (
    "A node that has the message acts again when it receives it from another direction. If it acts on the first "
    "receipt only, see the rows *_on_first_receipts."
)
_FIRST = (
    "A node acts on the first receipt only, which the paper does not say. If it acts on a receipt from another "
    "direction too, all nodes are reached (a2_reaches_all, a3_reaches_all)."
)


@claim("algorithm A2", "all the nodes receive the message", over=each(n=_SIZES))
@said(
    conditions=["n == 2"],
    evidence="executed: nodes that ever receive",
    reading='"Left (or right)" is read as one of the two, left at every node. If a node sends both ways, see the rows of result 5.',
)
def a2_left(n: int) -> Case:
    """All nodes receive the message of A2 when it is sent left."""
    reached = {move.dst for move in broadcast(ccc(n), "1", both=False)} | {0}
    return judged(f"{len(reached)} nodes", f"all {n << n}", len(reached) == n << n)


@claim("algorithm A2", "the lower bound as defined in result 4", over=each(n=_SIZES))
@said(
    conditions=["n == 2"],
    evidence="counted: each receipt causes one send, and the source starts two, so that a step has two receipts "
    "at most",
    reading='"Left (or right)" is read as one of the two, which every node chooses for itself. If a node sends both ways, see the rows of result 5.',
)
def a2_either_steps(n: int) -> Case:
    """A2 reaches all nodes in 2 n steps when each node sends either left or right."""
    least = -(-((n << n) - 1) // 2)
    moves = broadcast(ccc(n), "1", both=False)
    reached = len({move.dst for move in moves} | {0}) == n << n and moves[-1].step <= 2 * n
    found = f"{moves[-1].step} steps" if reached else f"at least {least} steps"
    return judged(found, f"{2 * n} steps", True if reached else False if least > 2 * n else None)


@claim("result 5", "all the nodes receive the message")
@said(evidence=_TRIED, reading=f"Left and right, as the proof says. {_EVERY}", show="n == 3")
def a2_reaches_all(evidence: Evidence) -> Cases:
    """All the nodes receive the message of A2."""
    return executed(evidence, "A2", instances("OAB", "1", _SIZES), best_broadcast)


@claim("result 5", "2 n")
@said(
    conditions=["n <= 3"],
    evidence=_TRIED,
    reading=f"Left and right, as the proof says. {_EVERY} From n = 4 on no algorithm takes 2 n steps, in any reading.",
)
def a2_steps(evidence: Evidence) -> Cases:
    """A2 achieves the lower bound of 2 n steps."""
    return executed(evidence, "A2", instances("OAB", "1", _SIZES), best_broadcast, _bound, choices=True)


@claim("result 5", "all nodes")
@said(
    evidence=f"{_TRIED}; where none of these reaches all nodes, another order may",
    show="n == 3",
    reading=f"Left and right, as the proof says. {_FIRST}",
)
def a2_reaches_all_on_first_receipts(evidence: Evidence) -> Cases:
    """All the nodes receive the message of A2 if each acts on its first receipt only."""
    return executed(
        evidence, "A2-first", instances("OAB", "1", _SIZES), partial(best_broadcast, every=False), choices=True
    )


@claim("result 5", "but not both", over=each(n=range(2, 9)))
@said(
    conditions=["n <= 3"],
    evidence="the distance graph, level by level: nodes that are a hop farther from (0, 0)",
    reading="Tried from the second level on. It is not required that both neighbours in the cycle are without "
    "the message: for n = 3 four nodes have one such neighbour.",
    graph=SINGLE_LINK,
)
def one_kind_of_neighbour_waits(n: int) -> Case:
    """At any level a node has a lateral neighbour without the message or neighbours in its cycle, but not both."""
    level, others = hops(n), 0
    for i, j in level:
        lateral = level[i ^ 1 << j, j] > level[i, j]
        around = any(level[i, (j + turn) % n] > level[i, j] for turn in (1, -1))
        others += level[i, j] > 0 and lateral and around
    return judged(f"both for {others} nodes", "both for none", others == 0)


@claim("result 6", "achieves the broadcast", evidence="", reading=_EVERY, show="n == 3")
def a3_reaches_all(evidence: Evidence) -> Cases:
    """A3 achieves the broadcast."""
    return executed(evidence, "A3", instances("OAB", "d", range(2, 10)), broadcast)


@claim("result 6", "the lower bound")
@said(
    conditions=["n <= 3"], evidence="A3 leaves no choice: everything that can be sent is sent at once", reading=_EVERY
)
def a3_steps(evidence: Evidence) -> Cases:
    """A3 achieves the lower bound of 2 n steps."""
    return executed(evidence, "A3", instances("OAB", "d", range(2, 10)), broadcast, _bound)


@claim("algorithm A3", "all nodes")
@said(conditions=["n <= 3"], evidence="all links used at once, and every receipt checked", reading=_FIRST)
def a3_reaches_all_on_first_receipts(evidence: Evidence) -> Cases:
    """All the nodes receive the message of A3 if each acts on its first receipt only."""
    return executed(evidence, "A3-first", instances("OAB", "d", range(2, 10)), partial(broadcast, every=False))


def _bound(n: int) -> int:
    return 2 * n
