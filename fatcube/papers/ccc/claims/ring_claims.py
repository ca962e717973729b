"""Results 8 to 10 and corollary 4: rings."""

from functools import cache, partial
import itertools

from fatcube.papers.ccc.graphs import DOUBLE_LINK, EITHER_LINK, ccc, gray
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.ccc.rings import crossings, partitions, ring, walk
from fatcube.papers.claim import Cases
from fatcube.papers.evidence import Evidence
from fatcube.papers.verdict import Case, case
from schedules.constructions.ccc import rings

_WALK = "the schedule is a broadcast along such a ring without its last link; the ring was found by search"


@PAPER.claim(
    "result 8",
    printed="1",
    evidence=_WALK,
    reading="Read of the cycles that follow each other on the ring. Read of its nodes, no ring has the property: "
    "the cube addresses of two nodes of one cycle are the same.",
)
def ring_crosses_links_of_the_cube(evidence: Evidence) -> Cases:
    """On a single ring through all nodes the Hamming distance of consecutive cube addresses is 1."""
    for n in (4, 5, 6):
        nodes = _ring(n, n)
        cycles = [cycle for cycle, _, _ in crossings(n, nodes)]
        apart = {(one ^ other).bit_count() for one, other in zip(cycles, cycles[1:] + cycles[:1])}
        shown = partial(evidence.keep, f"ring-ccc-n{n}-whole", walk(n, nodes)) if n < 6 else ""
        yield case(", ".join(map(str, sorted(apart))), "1", n=n, evidence=shown)


@PAPER.claim(
    "result 8",
    printed="1",
    conditions=["n <= 4"],
    evidence="each pass of the ring through a cycle has two nodes or more, since the ring needs two links of "
    "each node; the ends of a pass of two or of n nodes are neighbours",
    reading="The dimensions that are changed one after the other are neighbours modulo n.",
)
def ring_changes_neighbouring_dimensions(evidence: Evidence) -> Cases:
    """On a single ring through all nodes, n > 3, the dimensions that change one after the other are neighbours."""
    for n in range(4, 8):
        apart = [pieces for pieces in partitions(n) if not all(length in (2, n) for length in pieces)]
        if not apart:
            yield Case({"n": n}, "neighbours", f"neighbours in {' and '.join(map(str, partitions(n)))}", True)
            continue
        nodes = _ring(n, *apart[0])
        others = [one for one in crossings(n, nodes) if (one[1] - one[2]) % n not in (1, n - 1)]
        shown = evidence.keep(f"ring-ccc-n{n}", walk(n, nodes)) if n < 6 else ""
        found = f"a ring that crosses cycle {others[0][0]} from {others[0][1]} to {others[0][2]}"
        yield Case({"n": n}, "neighbours", found, False, f"{shown}: {_WALK}" if shown else _WALK)


@PAPER.claim("result 8", printed="all the nodes of the cycle", evidence=_WALK)
def ring_crosses_cycles_at_once(evidence: Evidence) -> Cases:
    """On a single ring through all nodes, n > 3, all nodes of a cycle are traversed between two cube connections."""
    for n in range(4, 8):
        nodes = _ring(n, n - 2, 2)
        times = sum(cycle == 0 for cycle, _, _ in crossings(n, nodes))
        name = f"ring-ccc-n{n}{'-twice' if n == 4 else ''}"
        shown = partial(evidence.keep, name, walk(n, nodes)) if n < 6 else ""
        yield Case({"n": n}, "crosses once", f"a ring comes to cycle 0 {times} times", times == 1, shown)


@cache
def _ring(n: int, *pieces: int) -> list[int]:
    found = ring(n, pieces)
    assert found is not None and sorted(found) == list(range(n << n)), "the search finds these rings in seconds"
    return found


@PAPER.claim(
    "result 8",
    printed="any combination",
    evidence="any two positions are neighbours, and the longer way from one to the other has all nodes",
    graph=EITHER_LINK,
)
def small_cycles_are_crossed_at_once(evidence: Evidence) -> Cases:
    """In a CCC of size 3 or less all nodes of a cycle can be included in any combination of entry and exit."""
    for n in (1, 2, 3):
        pairs = list(itertools.permutations(range(n), 2))
        good = sum((a - b) % n in (1, n - 1) for a, b in pairs)
        yield case(f"{good} of {len(pairs)} pairs", f"{len(pairs)} of {len(pairs)} pairs", n=n)


@PAPER.claim(
    "corollary 4",
    printed="does not satisfy the condition (2)",
    evidence="the changes of the code in their order; a ring that passes each cycle once includes all its nodes "
    "only if it enters and leaves at neighbouring positions",
    words="dimensions %s and %s",
    reading="Tried for n > 3, to which result 8 is limited; for n = 3 all positions are neighbours.",
)
def gray_code_is_not_adequate(evidence: Evidence) -> Cases:
    """The reflected Gray code changes dimensions 0 and 2, no neighbours, one after the other."""
    for n in range(4, 11):
        words = [gray(number) for number in range(1 << n)]
        changes = [(one ^ other).bit_length() - 1 for one, other in itertools.pairwise(words)]
        apart = [pair for pair in itertools.pairwise(changes) if abs(pair[0] - pair[1]) not in (1, n - 1)]
        yield case(apart[0], (0, 2), n=n)


@PAPER.claim(
    "corollary 4",
    printed="0011 --- 0010 --- 0110, in dimensions 0 and 2",
    evidence="word by word",
    words="%s, changing dimensions %s",
)
def gray_code_example(evidence: Evidence) -> Cases:
    """The sequence 0011, 0010, 0110 occurs in the reflected Gray code of a 4-cube, and changes dimensions 0 and 2."""
    words = [f"{gray(number):04b}" for number in range(16)]
    start = words.index("0011")
    changes = [
        (int(one, 2) ^ int(other, 2)).bit_length() - 1 for one, other in itertools.pairwise(words[start : start + 3])
    ]
    yield case((words[start : start + 3], changes), (["0011", "0010", "0110"], [0, 2]), n=4)


@PAPER.claim(
    "result 9", printed="at least two", evidence="the ring of A4, node by node and link by link", graph=DOUBLE_LINK
)
def ring_with_two_nodes_of_each_cycle(evidence: Evidence) -> Cases:
    """A ring can be embedded such that at least two nodes of each cycle are part of it."""
    for n in range(2, 10):
        nodes = rings(ccc(n))[0]
        linked = all(ccc(n).channels_between(u, v) for u, v in zip(nodes, nodes[1:] + nodes[:1]))
        counts = [0] * (1 << n)
        for node in set(nodes):
            counts[node // n] += 1
        once = len(set(nodes)) == len(nodes)
        yield Case(
            {"n": n}, "2 or more", min(counts) if linked and once else "no ring", linked and once and min(counts) > 1
        )


@PAPER.claim("result 10", printed="all the processors", evidence="the two rings of A4", graph=DOUBLE_LINK)
def rings_with_all_processors(evidence: Evidence) -> Cases:
    """Several partial rings together include all the processors."""
    for n in range(2, 10):
        first, second = rings(ccc(n))
        yield case(len({*first, *second}), n << n, n=n)
