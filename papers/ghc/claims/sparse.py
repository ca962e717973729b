"""Section 3.2, lemmas 2 and 3, theorem 2 and their proofs: the sparse BGHC."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
import itertools
from math import comb

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.ghc import printed
from fatcube.papers.ghc.claims.optima import at_least, least
from fatcube.papers.ghc.networks import SIZES, address, distances, levels
from fatcube.papers.ghc.paper import PAPER
from fatcube.papers.verdict import Case, case

claim = partial(PAPER.claim, evidence="counted on the graph", over=columns("w d", SIZES))


LENGTHS = range(1, 9)
"""The n of lemma 3, whose sequences have n + 1 numbers; the paper's n is (w - 1) d."""


@cache
def recursion(w: int, d: int, i: int) -> int:
    """Lemma 2 at its word."""
    if not 0 <= i <= (w - 1) * d:
        return 0
    return 1 if d == 1 else sum(recursion(w, d - 1, i - k) for k in range(w))


@claim("section 3.2.2", "the well-known Pascal triangle", over=each(d=range(1, 17)))
@said(evidence="lemma 2's recursion", words="row of the triangle: %s")
def pascal(d: int) -> Case:
    """Lemma 2's recursion generates Pascal's triangle for w = 2."""
    return case([recursion(2, d, i) for i in range(d + 1)], [comb(d, i) for i in range(d + 1)])


@claim("section 3.2.2", "c_i = c_(n-i)", reading="printed for w = 3 and used for all w: all are tried, and all i")
def levels_symmetric(w: int, d: int) -> Case:
    """The sequence of the numbers of nodes by distance in the sparse BGHC is symmetric."""
    found = levels("sparse", w, d)
    text = f"the sequence is {'' if found == found[::-1] else 'not '}symmetric"
    return case(text, "the sequence is symmetric")


@claim("section 3.2.2", "w^d", evidence="lemma 2's recursion")
def lemma_2_adds_up(w: int, d: int) -> Case:
    """Lemma 2's numbers of nodes add up to w^d over all distances."""
    return case(sum(recursion(w, d, i) for i in range((w - 1) * d + 1)), w**d)


@claim("lemma 2", "sum over k = 0 to w - 1 of |D^(i-k)| with d - 1 coordinates", words="nodes by distance: %s")
def levels_sparse(w: int, d: int) -> Case:
    """In the sparse BGHC the number of nodes at distance i follows from the recursion."""
    return case(levels("sparse", w, d), [recursion(w, d, i) for i in range((w - 1) * d + 1)])


@claim("figure 3", str(printed.EXAMPLE_FIGURE_3[2]))
@said(
    misprint="Z_3^5 must be meant, where 30 nodes are at distance 7; there is one transcription, so whether it or the "
    "print is wrong is open"
)
def example_of_figure_3() -> Cases:
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


@claim("lemma 3", "sum of i a_i = sum of i b_i", over=each(n=LENGTHS))
@said(
    conditions=["n % 2 == 0"],
    evidence="all sequences of 0, 1 and 2 of n + 1 numbers",
    reading="symmetric as section 3.2.2 defines it: c_i = c_(n-i) for i up to floor(n / 2) - 1, which leaves the middle "
    "pair of an odd n free. With all i the lemma holds (lemma_3_all_pairs), and so it is used in theorem 2",
)
def lemma_3(n: int) -> Case:
    """Two symmetric sequences that have the same sum have the same sum of i a_i."""
    return _same_sums(n, n // 2)


@claim("lemma 3", "sum of i a_i = sum of i b_i", over=each(n=LENGTHS))
@said(evidence="all sequences of 0, 1 and 2 of n + 1 numbers")
def lemma_3_all_pairs(n: int) -> Case:
    """Two sequences with c_i = c_(n-i) for all i that have the same sum have the same sum of i a_i."""
    return _same_sums(n, (n + 1) // 2)


@claim("theorem 2", printed.THEOREM_2.text, evidence="distances counted on the graph, added up")
def theorem_2(w: int, d: int) -> Case:
    """The transmissions of a single-node scatter on the sparse BGHC are bounded below by (w - 1) d w^d / 2."""
    return at_least(least("sparse", w, d, "SNS"), printed.THEOREM_2.value(w, d))


@claim("section 3.2.3", "(w - 1) d w^(2d) / 2", evidence="distances counted on the graph, added up")
def te_bound_transmissions_sparse(w: int, d: int) -> Case:
    """The total exchange on the sparse BGHC requires (w - 1) d w^(2d) / 2 transmissions."""
    return case(least("sparse", w, d, "TE"), Fraction((w - 1) * d * w ** (2 * d), 2))


@claim("lemma 2, proof", "sum of x_k = i", evidence="breadth-first search from node 0")
def distance_is_sum(w: int, d: int) -> Case:
    """In the sparse BGHC the nodes at distance i from O are those whose coordinates add up to i."""
    good = sum(far == sum(address(node, w, d)) for node, far in distances("sparse", w, d)[0].items())
    return case(f"{good} nodes", f"{w**d} nodes")


def _halves(numbers: Sequence[int], pairs: int) -> int:
    """The sum over i < ``pairs`` of i a_i + (n - i) a_{n-i}."""
    n = len(numbers) - 1
    return sum(i * numbers[i] + (n - i) * numbers[n - i] for i in range(pairs))


@claim("lemma 3, proof", "the sum over i = 0 to floor(n / 2) - 1 of i a_i + (n - i) a_(n-i)")
@said(
    evidence="all sequences of 0, 1 and 2 of n + 1 numbers that are the same backwards",
    reading="the middle pair is left out, as in the definition of symmetric; with floor(n / 2) as the last i it holds, and "
    "so does the result",
)
def lemma_3_odd() -> Cases:
    """For odd n the sum of i a_i is that of i a_i + (n - i) a_(n-i) over i from 0 to floor(n / 2) - 1."""
    for n in LENGTHS:
        if n % 2:
            wrong = (a for a in _symmetric(n, (n + 1) // 2) if _weighted(a) != _halves(a, n // 2))
            first = next(wrong, None)
            found = "equal" if first is None else f"{_written(first)}: {_weighted(first)} and {_halves(first, n // 2)}"
            yield case(found, "equal", n=n)


@claim("lemma 3, proof", "a_(n/2) + (n S / 2 - a_(n/2))")
@said(
    conditions=["n == 2"],
    evidence="all sequences of 0, 1 and 2 of n + 1 numbers that are the same backwards; the middle adds n a_(n/2) / 2, "
    "all others n S / 2 - n a_(n/2) / 2: the result, n S / 2, still holds",
)
def lemma_3_even() -> Cases:
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


@claim("theorem 2, proof", printed.THEOREM_2.text)
@said(
    evidence="nodes by distance counted on the graph; the binomial sequence added up exactly",
    words="sums of nodes: %s and %s; of nodes times distance: %s and %s",
)
def theorem_2_sums(w: int, d: int) -> Case:
    """Numbers of nodes by distance and scaled binomial coefficients have the same sum, and the same sum of i a_i."""
    n = (w - 1) * d
    a = levels("sparse", w, d)
    b = [Fraction(comb(n, i) * w**d, 2**n) for i in range(n + 1)]
    value = printed.THEOREM_2.value(w, d)
    sums = [sum(a), sum(b), sum(i * x for i, x in enumerate(a)), sum(i * x for i, x in enumerate(b))]
    return case(tuple(map(str, sums)), tuple(map(str, (w**d, w**d, value, value))))
