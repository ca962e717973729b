"""Results 8 to 10 and corollary 4: rings."""

from functools import cache, partial
import itertools

from fatcube.papers.ccc.graphs import DOUBLE_LINK, EITHER_LINK, ccc, gray
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.ccc.rings import crossings, partitions, ring, walk
from fatcube.papers.claim import Cases, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.verdict import Case, case, judged
from fatcube.schedules.constructions.ccc import rings

claim = PAPER.claim


_WALK = "the schedule is a broadcast along such a ring without its last link; the ring was found by search"


@claim("result 8", "1", over=each(n=(4, 5, 6)))
@said(
    evidence=_WALK,
    reading="Read of the cycles that follow each other on the ring. Read of its nodes, no ring has the property: "
    "the cube addresses of two nodes of one cycle are the same.",
)
def ring_crosses_links_of_the_cube(evidence: Evidence, n: int) -> Case:
    """On a single ring through all nodes the Hamming distance of consecutive cube addresses is 1."""
    nodes = _ring(n, n)
    cycles = [cycle for cycle, _, _ in crossings(n, nodes)]
    apart = {(one ^ other).bit_count() for one, other in zip(cycles, cycles[1:] + cycles[:1])}
    shown = partial(evidence.keep, f"ring-ccc-n{n}-whole", walk(n, nodes)) if n < 6 else ""
    return case(", ".join(map(str, sorted(apart))), "1", evidence=shown)


@claim("result 8", "1")
@said(
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


@claim("result 8", "all the nodes of the cycle", over=each(n=range(4, 8)), evidence=_WALK)
def ring_crosses_cycles_at_once(evidence: Evidence, n: int) -> Case:
    """On a single ring through all nodes, n > 3, all nodes of a cycle are traversed between two cube connections."""
    nodes = _ring(n, n - 2, 2)
    times = sum(cycle == 0 for cycle, _, _ in crossings(n, nodes))
    name = f"ring-ccc-n{n}{'-twice' if n == 4 else ''}"
    shown = partial(evidence.keep, name, walk(n, nodes)) if n < 6 else ""
    return judged(f"a ring comes to cycle 0 {times} times", "crosses once", times == 1, evidence=shown)


@cache
def _ring(n: int, *pieces: int) -> list[int]:
    found = ring(n, pieces)
    assert found is not None and sorted(found) == list(range(n << n)), "the search finds these rings in seconds"
    return found


@claim("result 8", "any combination", over=each(n=(1, 2, 3)))
@said(
    evidence="any two positions are neighbours, and the longer way from one to the other has all nodes",
    graph=EITHER_LINK,
)
def small_cycles_are_crossed_at_once(n: int) -> Case:
    """In a CCC of size 3 or less all nodes of a cycle can be included in any combination of entry and exit."""
    pairs = list(itertools.permutations(range(n), 2))
    good = sum((a - b) % n in (1, n - 1) for a, b in pairs)
    return case(f"{good} of {len(pairs)} pairs", f"{len(pairs)} of {len(pairs)} pairs")


@claim("corollary 4", "does not satisfy the condition (2)", over=each(n=range(4, 11)))
@said(
    evidence="the changes of the code in their order; a ring that passes each cycle once includes all its nodes "
    "only if it enters and leaves at neighbouring positions",
    words="dimensions %s and %s",
    reading="Tried for n > 3, to which result 8 is limited; for n = 3 all positions are neighbours.",
)
def gray_code_is_not_adequate(n: int) -> Case:
    """The reflected Gray code changes dimensions 0 and 2, no neighbours, one after the other."""
    words = [gray(number) for number in range(1 << n)]
    changes = [(one ^ other).bit_length() - 1 for one, other in itertools.pairwise(words)]
    apart = [pair for pair in itertools.pairwise(changes) if abs(pair[0] - pair[1]) not in (1, n - 1)]
    return case(apart[0], (0, 2))


@claim("corollary 4", "0011 --- 0010 --- 0110, in dimensions 0 and 2")
@said(evidence="word by word", words="%s, changing dimensions %s")
def gray_code_example() -> Cases:
    """The sequence 0011, 0010, 0110 occurs in the reflected Gray code of a 4-cube, and changes dimensions 0 and 2."""
    words = [f"{gray(number):04b}" for number in range(16)]
    start = words.index("0011")
    changes = [
        (int(one, 2) ^ int(other, 2)).bit_length() - 1 for one, other in itertools.pairwise(words[start : start + 3])
    ]
    yield case((words[start : start + 3], changes), (["0011", "0010", "0110"], [0, 2]), n=4)


@claim("result 9", "at least two", over=each(n=range(2, 10)))
@said(evidence="the ring of A4, node by node and link by link", graph=DOUBLE_LINK)
def ring_with_two_nodes_of_each_cycle(n: int) -> Case:
    """A ring can be embedded such that at least two nodes of each cycle are part of it."""
    nodes = rings(ccc(n))[0]
    linked = all(ccc(n).channels_between(u, v) for u, v in zip(nodes, nodes[1:] + nodes[:1]))
    counts = [0] * (1 << n)
    for node in set(nodes):
        counts[node // n] += 1
    once = len(set(nodes)) == len(nodes)
    return judged(min(counts) if linked and once else "no ring", "2 or more", linked and once and min(counts) > 1)


@claim("result 10", "all the processors", over=each(n=range(2, 10)), evidence="the two rings of A4", graph=DOUBLE_LINK)
def rings_with_all_processors(n: int) -> Case:
    """Several partial rings together include all the processors."""
    first, second = rings(ccc(n))
    return case(len({*first, *second}), n << n)
