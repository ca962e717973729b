"""Section 3.2, lemmas 2 and 3, theorem 2 and their proofs: the sparse BGHC."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
import itertools
from math import comb

from fatcube.papers.claim import Cases
from fatcube.papers.evidence import Evidence
from fatcube.papers.ghc import printed
from fatcube.papers.ghc.claims.optima import at_least, least
from fatcube.papers.ghc.networks import SIZES, address, distances, levels
from fatcube.papers.ghc.paper import PAPER
from fatcube.papers.verdict import Case, case

LENGTHS = range(1, 9)
"""The n of lemma 3, whose sequences have n + 1 numbers; the paper's n is (w - 1) d."""


@cache
def recursion(w: int, d: int, i: int) -> int:
    """Lemma 2 at its word."""
    if not 0 <= i <= (w - 1) * d:
        return 0
    return 1 if d == 1 else sum(recursion(w, d - 1, i - k) for k in range(w))


@PAPER.claim(
    "section 3.2.2",
    printed="the well-known Pascal triangle",
    evidence="lemma 2's recursion",
    words="row of the triangle: %s",
)
def pascal(evidence: Evidence) -> Cases:
    """Lemma 2's recursion generates Pascal's triangle for w = 2."""
    for d in range(1, 17):
        yield case([recursion(2, d, i) for i in range(d + 1)], [comb(d, i) for i in range(d + 1)], d=d)


@PAPER.claim(
    "section 3.2.2",
    printed="c_i = c_(n-i)",
    evidence="counted on the graph",
    reading="printed for w = 3 and used for all w: all are tried, and all i",
)
def levels_symmetric(evidence: Evidence) -> Cases:
    """The sequence of the numbers of nodes by distance in the sparse BGHC is symmetric."""
    for w, d in SIZES:
        found = levels("sparse", w, d)
        text = f"the sequence is {'' if found == found[::-1] else 'not '}symmetric"
        yield case(text, "the sequence is symmetric", w=w, d=d)


@PAPER.claim("section 3.2.2", printed="w^d", evidence="lemma 2's recursion")
def lemma_2_adds_up(evidence: Evidence) -> Cases:
    """Lemma 2's numbers of nodes add up to w^d over all distances."""
    for w, d in SIZES:
        yield case(sum(recursion(w, d, i) for i in range((w - 1) * d + 1)), w**d, w=w, d=d)


@PAPER.claim(
    "lemma 2",
    printed="sum over k = 0 to w - 1 of |D^(i-k)| with d - 1 coordinates",
    evidence="counted on the graph",
    words="nodes by distance: %s",
)
def levels_sparse(evidence: Evidence) -> Cases:
    """In the sparse BGHC the number of nodes at distance i follows from the recursion."""
    for w, d in SIZES:
        yield case(levels("sparse", w, d), [recursion(w, d, i) for i in range((w - 1) * d + 1)], w=w, d=d)


@PAPER.claim(
    "figure 3",
    printed=str(printed.EXAMPLE_FIGURE_3[2]),
    evidence="counted on the graph",
    misprint="Z_3^5 must be meant, where 30 nodes are at distance 7; there is one transcription, so whether it or the "
    "print is wrong is open",
)
def example_of_figure_3(evidence: Evidence) -> Cases:
    """In the sparse BGHC with w = 3 and d = 7 there are 30 nodes at distance 7."""
    d, i, number = printed.EXAMPLE_FIGURE_3
    yield case(levels("sparse", 3, d)[i], number, w=3, d=d, i=i)


def _symmetric(n: int, pairs: int) -> Iterator[tuple[int, ...]]:
    """All sequences a_0 to a_n of 0, 1 and 2 with a_i = a_{n-i} for i < ``pairs``."""
    for numbers in itertools.product(range(3), repeat=n + 1):
        if all(numbers[i] == numbers[n - i] for i in range(pairs)):
            yield numbers


def _weighted(numbers: Sequence[int]) -> int:
    return sum(i * a for i, a in enumerate(numbers))


def _written(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _same_sums(n: int, pairs: int) -> Case:
    """Whether equal sums make equal sums of i a_i; two sequences that show the contrary."""
    seen: dict[int, tuple[int, ...]] = {}
    for numbers in _symmetric(n, pairs):
        other = seen.setdefault(sum(numbers), numbers)
        if _weighted(other) != _weighted(numbers):
            found = f"{_written(other)} and {_written(numbers)} have {_weighted(other)} and {_weighted(numbers)}"
            return case(found, "one sum of i a_i", n=n)
    return case("one sum of i a_i", "one sum of i a_i", n=n)


@PAPER.claim(
    "lemma 3",
    printed="sum of i a_i = sum of i b_i",
    conditions=["n % 2 == 0"],
    evidence="all sequences of 0, 1 and 2 of n + 1 numbers",
    reading="symmetric as section 3.2.2 defines it: c_i = c_(n-i) for i up to floor(n / 2) - 1, which leaves the middle "
    "pair of an odd n free. With all i the lemma holds (lemma_3_all_pairs), and so it is used in theorem 2",
)
def lemma_3(evidence: Evidence) -> Cases:
    """Two symmetric sequences that have the same sum have the same sum of i a_i."""
    for n in LENGTHS:
        yield _same_sums(n, n // 2)


@PAPER.claim("lemma 3", printed="sum of i a_i = sum of i b_i", evidence="all sequences of 0, 1 and 2 of n + 1 numbers")
def lemma_3_all_pairs(evidence: Evidence) -> Cases:
    """Two sequences with c_i = c_(n-i) for all i that have the same sum have the same sum of i a_i."""
    for n in LENGTHS:
        yield _same_sums(n, (n + 1) // 2)


@PAPER.claim("theorem 2", printed=printed.THEOREM_2.text, evidence="distances counted on the graph, added up")
def theorem_2(evidence: Evidence) -> Cases:
    """The transmissions of a single-node scatter on the sparse BGHC are bounded below by (w - 1) d w^d / 2."""
    for w, d in SIZES:
        yield at_least(least("sparse", w, d, "SNS"), printed.THEOREM_2.value(w, d), w=w, d=d)


@PAPER.claim("section 3.2.3", printed="(w - 1) d w^(2d) / 2", evidence="distances counted on the graph, added up")
def te_bound_transmissions_sparse(evidence: Evidence) -> Cases:
    """The total exchange on the sparse BGHC requires (w - 1) d w^(2d) / 2 transmissions."""
    for w, d in SIZES:
        yield case(least("sparse", w, d, "TE"), Fraction((w - 1) * d * w ** (2 * d), 2), w=w, d=d)


@PAPER.claim("lemma 2, proof", printed="sum of x_k = i", evidence="breadth-first search from node 0")
def distance_is_sum(evidence: Evidence) -> Cases:
    """In the sparse BGHC the nodes at distance i from O are those whose coordinates add up to i."""
    for w, d in SIZES:
        good = sum(far == sum(address(node, w, d)) for node, far in distances("sparse", w, d)[0].items())
        yield case(f"{good} nodes", f"{w**d} nodes", w=w, d=d)


def _halves(numbers: Sequence[int], pairs: int) -> int:
    """The sum over i < ``pairs`` of i a_i + (n - i) a_{n-i}."""
    n = len(numbers) - 1
    return sum(i * numbers[i] + (n - i) * numbers[n - i] for i in range(pairs))


@PAPER.claim(
    "lemma 3, proof",
    printed="the sum over i = 0 to floor(n / 2) - 1 of i a_i + (n - i) a_(n-i)",
    evidence="all sequences of 0, 1 and 2 of n + 1 numbers that are the same backwards",
    reading="the middle pair is left out, as in the definition of symmetric; with floor(n / 2) as the last i it holds, and "
    "so does the result",
)
def lemma_3_odd(evidence: Evidence) -> Cases:
    """For odd n the sum of i a_i is that of i a_i + (n - i) a_(n-i) over i from 0 to floor(n / 2) - 1."""
    for n in LENGTHS:
        if n % 2:
            wrong = (a for a in _symmetric(n, (n + 1) // 2) if _weighted(a) != _halves(a, n // 2))
            first = next(wrong, None)
            found = "equal" if first is None else f"{_written(first)}: {_weighted(first)} and {_halves(first, n // 2)}"
            yield case(found, "equal", n=n)


@PAPER.claim(
    "lemma 3, proof",
    printed="a_(n/2) + (n S / 2 - a_(n/2))",
    conditions=["n == 2"],
    evidence="all sequences of 0, 1 and 2 of n + 1 numbers that are the same backwards; the middle adds n a_(n/2) / 2, "
    "all others n S / 2 - n a_(n/2) / 2: the result, n S / 2, still holds",
)
def lemma_3_even(evidence: Evidence) -> Cases:
    """For even n the middle number adds a_(n/2) to the sum of i a_i, and all others n S / 2 - a_(n/2)."""
    for n in LENGTHS:
        if n % 2 == 0:
            found = "equal"
            for a in _symmetric(n, n // 2):
                middle, others = n // 2 * a[n // 2], _halves(a, n // 2)
                if (middle, others) != (a[n // 2], Fraction(n * sum(a), 2) - a[n // 2]):
                    found = f"{_written(a)}: {middle} and {others}, not {a[n // 2]} and {others + middle - a[n // 2]}"
                    break
            yield case(found, "equal", n=n)


@PAPER.claim(
    "theorem 2, proof",
    printed=printed.THEOREM_2.text,
    evidence="nodes by distance counted on the graph; the binomial sequence added up exactly",
    words="sums of nodes: %s and %s; of nodes times distance: %s and %s",
)
def theorem_2_sums(evidence: Evidence) -> Cases:
    """Numbers of nodes by distance and scaled binomial coefficients have the same sum, and the same sum of i a_i."""
    for w, d in SIZES:
        n = (w - 1) * d
        a = levels("sparse", w, d)
        b = [Fraction(comb(n, i) * w**d, 2**n) for i in range(n + 1)]
        value = printed.THEOREM_2.value(w, d)
        sums = [sum(a), sum(b), sum(i * x for i, x in enumerate(a)), sum(i * x for i, x in enumerate(b))]
        yield case(tuple(map(str, sums)), tuple(map(str, (w**d, w**d, value, value))), w=w, d=d)
