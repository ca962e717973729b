"""Result 11 and algorithm A4."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.papers.ccc.graphs import DOUBLE_LINK, ccc
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.ccc.steps import executed, instances
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.verdict import Case, case, judged
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.constructions.ccc import multinode_broadcast, rings

claim = partial(PAPER.claim, graph=DOUBLE_LINK, over=each(n=range(2, 10)))


_EXECUTED = range(2, 7)
_HALVES = range(4, 33, 2)
_RECEIVED = (
    "counted: no execution in the three phases takes fewer than 2 N - 2 steps: a ring of R nodes exchanges in R - 1; a "
    "node that is on the second ring only receives N - 1 messages in that phase; N - R are left for the third"
)


@claim("algorithm A4", "increasing dimension (mod n), decreasing dimension (mod n)")
@said(evidence="link by link, each node once")
def a4_rings_close(n: int) -> Case:
    """Along the Gray code, with the cycles traversed in increasing or in decreasing dimension (mod n), the path closes."""
    closed = 0
    for nodes in rings(ccc(n)):
        steps = zip(nodes, nodes[1:] + nodes[:1])
        closed += len(set(nodes)) == len(nodes) and all(ccc(n).channels_between(u, v) for u, v in steps)
    return case(f"{closed} rings", "2 rings")


@claim("result 11", "correct", evidence="", show="n == 3")
def a4_is_a_multinode_broadcast(evidence: Evidence) -> Cases:
    """A4 implements a multinode broadcast."""
    return executed(evidence, "A4", instances("AAB", "1", range(2, 6)), _moves)


def _moves(topology: CubeConnectedCycles, ports: str) -> Sequence[Move]:
    return _a4(topology.n)[0]


@cache
def _a4(n: int) -> tuple[list[Move], list[int]]:
    return multinode_broadcast(ccc(n))


@claim("result 11", "O(n^2 N)", over=each(n=_EXECUTED))
@said(
    evidence="executed: no more steps than n^2 N",
    reading="O( ) is read as an upper bound. As the exact order it is too high: the proof derives O(n N), and "
    "the executed steps stay below 3 N.",
)
def a4_order(n: int) -> Case:
    """A4 takes O(n^2 N) time steps."""
    return _at_most(2, n)


@claim("result 11, proof", "O(n N)", over=each(n=_EXECUTED))
@said(evidence="executed: no more steps than n N", reading="O( ) is read as an upper bound.")
def a4_proof_order(n: int) -> Case:
    """A4 takes O(n N) time steps."""
    return _at_most(1, n)


def _at_most(power: int, n: int) -> Case:
    steps, order = _a4(n)[1][-1], n**power * (n << n)
    return judged(f"{steps} steps", f"O({order})", steps <= order)


@claim("result 11, proof", "2", evidence="the rings, node by node")
def a4_common_nodes(n: int) -> Case:
    """The partial rings of steps (1) and (2) have 2 nodes in common in every cycle, those of entry and exit."""
    common = [0] * (1 << n)
    first, second = rings(ccc(n))
    for node in {*first} & {*second}:
        common[node // n] += 1
    return case(", ".join(map(str, sorted(set(common)))), "2")


@claim("result 11, proof", "n - r1 + 2", evidence="the rings, node by node, on average over the cycles")
def a4_nodes_on_second_ring(n: int) -> Case:
    """If r1 nodes of each cycle are on the ring of step (1), n - r1 + 2 are on that of step (2)."""
    first, second = (Fraction(len(nodes), 1 << n) for nodes in rings(ccc(n)))
    return case(str(second), str(n - first + 2))


@claim("result 11, proof", "all other nodes in the CCC", over=each(n=range(2, 6)))
@said(evidence="executed; the messages that each node has at the end of step (2) are counted")
def a4_second_step(n: int) -> Case:
    """At the end of step (2) its nodes have the information from all other nodes in the CCC."""
    moves, ends = _a4(n)
    held = [{Message(node, None)} for node in range(n << n)]
    for move in moves:
        if move.step <= ends[1]:
            held[move.dst].add(move.message)
    return case(min(len(held[node]) for node in rings(ccc(n))[1]), n << n)


_RINGS = columns("n r", [(n, r) for n in range(2, 33) for r in range(2, n + 1)])


@claim("result 11, proof", "[r1 / 2 + (n - r1 + 1)(r1 - 1) + 1 / 2] 2^n", over=_RINGS)
@said(conditions=["r == 3"], evidence="added up: it is (r - 1)(n - r + 2) 2^n", graph="")
def a4_sum(n: int, r: int) -> Case:
    """The three steps add up to [r / 2 + (n - r + 1)(r - 1) + 1 / 2] 2^n, r being r1."""
    printed = Fraction(r, 2) + (n - r + 1) * (r - 1) + Fraction(1, 2)
    return case(f"{_parts(n, Fraction(r))} 2^n", f"{printed} 2^n")


@claim("result 11, proof", "[n^2 / 4 + n / 2 + 1] 2^n", over=each(n=_HALVES))
@said(
    evidence="computed: it is n^2 / 4 + n / 4 - 1 / 2",
    reading="n / 2 is inserted into the printed sum; for the three steps themselves see a4_true_sum_for_half.",
    graph="",
)
def a4_printed_sum_for_half(n: int) -> Case:
    """With r1 = n / 2 the printed sum becomes [n^2 / 4 + n / 2 + 1] 2^n."""
    found = Fraction(n, 4) + Fraction(n + 2, 2) * Fraction(n - 2, 2) + Fraction(1, 2)
    return case(f"{found} 2^n", f"{_half(n)} 2^n")


@claim("result 11, proof", "[n^2 / 4 + n / 2 + 1] 2^n", over=each(n=_HALVES))
@said(evidence="computed: it is n^2 / 4 + n / 2 - 2", graph="")
def a4_true_sum_for_half(n: int) -> Case:
    """With r1 = n / 2 the three steps add up to [n^2 / 4 + n / 2 + 1] 2^n."""
    return case(f"{_parts(n, Fraction(n, 2))} 2^n", f"{_half(n)} 2^n")


def _half(n: int) -> Fraction:
    return Fraction(n * n, 4) + Fraction(n, 2) + 1


def _parts(n: int, r: Fraction) -> Fraction:
    """The steps of the three steps of A4 as its proof counts them, over 2^n."""
    return r + (r - 2) / 2 * (n - r + 2) + (n - r) / 2 * r


@claim(
    "result 11, proof",
    "r1 2^n + ((r1 - 2) / 2)(n - r1 + 2) 2^n + ((n - r1 + 2 - 2) / 2) r1 2^n",
    over=each(n=_EXECUTED),
    evidence=_RECEIVED,
    reading="r1 is the average number of nodes of a cycle that are on the ring, not n / 2. Where the sum is less "
    "than 2 N - 2, no order of messages takes so few steps; elsewhere the claim holds if the executed order "
    "takes no more steps than the sum.",
)
def a4_steps(n: int) -> Case:
    """A4 can be done in the sum of what its proof counts for the three steps."""
    steps = _a4(n)[1][-1]
    total = _parts(n, Fraction(len(rings(ccc(n))[0]), 1 << n)) * (1 << n)
    holds = True if total >= steps else False if total < 2 * (n << n) - 2 else None
    return judged(f"{steps} executed, at least {2 * (n << n) - 2}", f"{float(total):g}", holds)
