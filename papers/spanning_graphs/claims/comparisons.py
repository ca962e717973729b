"""Sections 5 to 9: the routings compared."""

from collections import Counter
from fractions import Fraction
from math import comb, sqrt
from typing import Any

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.spanning_graphs.claims.common import (
    EXECUTED,
    SHARE,
    approximation,
    at_least,
    in_words,
    join,
    priced,
    proven,
)
from fatcube.papers.spanning_graphs.claims.optima import MIDDLE_EVIDENCE, middle
from fatcube.papers.spanning_graphs.counts import loads_of, top_of
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.spanning_graphs.prices import GRID, SHARED, SIZES, Key, cost, cycle_sizes, price
from fatcube.papers.spanning_graphs.printed import T
from fatcube.papers.verdict import ABOUT, Case, about, case, deviation, judged
from fatcube.schedules.spanning.packets import Price

claim = PAPER.claim


ROUTINGS: dict[str, Key] = {
    "BRG": (7, "BRG, one-port"),
    "SBT": ("7, pipelined", "SBT"),
    "TCBT": ("7, pipelined", "TCBT"),
    "nRSBT": (7, "nRSBT, one-port"),
    "SBnT": ("7, one tree", "SBnT"),
}
"""One-port personalized communication, pipelined; each message over one tree of the SBnT, nRSBT in phases."""


@claim(
    "section 5.1.4", "only if n divides M", over=columns("n M", [(n, M) for n in SIZES for M in range(1, 3 * n + 1)])
)
@said(evidence=EXECUTED, reading="strictly: if and only if")
def only_if_n_divides_M(n: int, M: int) -> Case:
    """The results for nRSBT are strictly only true where n divides M: n-port, (N - 1) M/n elements are transferred."""
    found = cost((7, "nRSBT, n-port"), "elements")(n, M)
    exact = found * n == (2**n - 1) * M
    return judged(str(found), "true" if M % n == 0 else "not true", exact == (M % n == 0))


@claim(
    "section 5.2",
    "{text}",
    name="SBnT_is_{id}",
    parameters=columns(
        "id text all",
        [
            ("never_worse", "never of a lower complexity", "any M"),
            ("better_if_n_does_not_divide_M", "of a higher complexity", "all M that n does not divide"),
        ],
    ),
    evidence="executed, n-port personalized communication: a complexity is not lower if neither start-ups nor elements are "
    "fewer, and higher if one of them is also more",
    conditions=("M % n != 1", "M >= n", "B < M", "B >= M", "M > 1", "M < n"),
)
def rotated_and_balanced(id: str) -> Cases:
    """n-port nRSBT is {text} than SBnT, for {all}."""
    never_worse = id == "never_worse"
    small = [given for given in (*GRID, *SHARED) if given["n"] < 6 and (never_worse or given["M"] % given["n"])]
    for given in small:
        rotated, balanced = price((7, "nRSBT, n-port"), **given), price((7, "SBnT, n-port"), **given)
        holds = all(map(at_least, rotated, balanced)) and (never_worse or rotated != balanced)
        yield Case(given, f"at least {in_words(tuple(balanced))}", in_words(tuple(rotated)), holds)


@claim("section 5.2", "the same")
@said(
    conditions=("graph != 'BRG'", "graph not in ('BRG', 'TCBT')", "graph in ('SBT', 'SBnT')", "graph == 'SBT'"),
    evidence="executed, pipelined (nRSBT in phases), each message over one tree of the SBnT",
    reading=join(
        SHARE,
        "the same is (N - 1) M t_c + (N - 1) M/B tau, as in section 5.1.2; B divides M: the paper leaves out the rounding",
    ),
)
def same_for_small_packets() -> Cases:
    """With one port and B <= M routing along SBT, TCBT, nRSBT, SBnT and a Hamiltonian path costs the same."""
    for given in SHARED:
        n, M, B = given["n"], given["M"], given["B"]
        if n < 6 and M % B == 0:
            expected = ((1 << n) - 1) * (M // B), ((1 << n) - 1) * M
            for graph, run in ROUTINGS.items():
                yield priced(price(run, **given), expected, **given, graph=graph)


@claim("section 5.2", "lower")
@said(
    conditions=("graph != 'SBnT'", "graph in ('BRG', 'TCBT')", "graph == 'BRG'"),
    evidence="executed: neither start-ups nor elements more, and one of them fewer; SBnT pipelined, the others as in "
    "Table 7",
    reading=SHARE,
)
def binomial_tree_is_best_for_large_packets() -> Cases:
    """With one port and B > M SBT has a lower complexity than the Hamiltonian path, nRSBT, SBnT and TCBT."""
    balanced = [{"n": n, "M": M, "B": ((1 << n) - 1) * M // n} for n in (3, 4, 5) for M in (n, 2 * n)]
    for given in SHARED + balanced:
        if given["n"] < 6 and given["B"] > given["M"]:
            mine = price((7, "SBT, one-port"), **given)
            for graph in ("BRG", "nRSBT", "SBnT", "TCBT"):
                other = price((7, f"{graph}, one-port"), **given)
                yield _less(mine, other, **given, graph=graph)


def _less(one: Price, other: Price, **given: Any) -> Case:
    """The case that neither start-ups nor elements are more, and one of them is fewer."""
    holds = all(map(at_least, other, one)) and one != other
    return Case(given, f"less than {in_words(tuple(other))}", in_words(tuple(one)), holds)


@claim(
    "section 5.2",
    "{text}",
    name="{quantity}_to_SBnT_{graph}",
    parameters=[
        {"graph": graph, "quantity": quantity, "words": words, "text": text}
        for graph, text in (("SBT", "n/2"), ("TCBT", "3*n/4"))
        for quantity, words in (("elements", "transferred elements"), ("startups", "start-ups"))
    ],
    over=each(n=range(3, 41)),
)
@said(evidence="Table 7, which executions confirm for n = 3 to 6; M = B = n", reading=ABOUT)
def compared_with_balanced_tree(graph: str, quantity: str, text: str, n: int) -> Case:
    """n-port, B = M: the {words} of {graph} are {text} times those of SBnT."""
    texts = (getattr(T[7][f"{name}, n-port"], quantity) for name in (graph, "SBnT"))
    one, other = (Fraction(value(formula, n=n, M=n, B=n)) for formula in texts)
    return approximation({"n": n}, one / other, value(text, n=n))


@claim("section 5.2", "n; 2n - 1; 2n - 1; 2n - 2", over=each(n=SIZES))
@said(evidence="executed: M = n, no limit of B", reading=SHARE)
def startups_of_largest_packets(n: int) -> Case:
    """With one port and sufficiently large packets SBT has n start-ups, nRSBT and SBnT 2n - 1, and TCBT 2n - 2."""
    found = [cost((7, f"{graph}, one-port"), "startups")(n) for graph in ("SBT", "nRSBT", "SBnT", "TCBT")]
    return case(in_words(found), in_words([n, 2 * n - 1, 2 * n - 1, 2 * n - 2]))


@claim("section 5.1.5", "always lower", over=SHARED, evidence=EXECUTED, reading=join(SHARE, "neither is more"))
def balanced_tree_is_lower_than_binomial(**given: int) -> Case:
    """With n ports SBnT is always of a lower complexity than SBT."""
    return _less(price((7, "SBnT, n-port"), **given), price((7, "SBT, n-port"), **given))


@claim("section 5.1.5", "about 2n", over=each(n=range(3, 65)))
@said(
    evidence="executed for n = 3 to 6; beyond, Table 7's start-ups of SBT, which these executions confirm; M = n",
    reading=ABOUT,
)
def binomial_startups_with_balanced_packets(n: int) -> Case:
    """One-port SBT: with a maximum packet size of (N - 1) M/n the number of start-ups is approximately 2n."""
    given = {"n": n, "M": n, "B": (1 << n) - 1}
    table = value(T[7]["SBT, one-port"].startups, **given)
    return approximation({"n": n}, price((7, "SBT, one-port"), **given).startups if n in SIZES else table, 2 * n)


@claim("section 6.1", "about sqrt(n)", over=each(n=range(3, 41)))
@said(
    evidence="executed for n = 3 to 6, no limit of B; beyond, the largest levels of the tree",
    reading=f"{ABOUT}; as n grows the factor is sqrt(pi/2) sqrt(n), so it is right as an order",
)
def contention_saved_by_ports(n: int) -> Case:
    """SBT: with n ports the maximum number of elements that contend for a link is reduced by a factor of sqrt(n)."""
    found = Fraction(1 << n - 1, comb(n - 1, (n - 1) // 2))
    if n in SIZES:
        one, many = (max(cycle_sizes((table, "SBT"), n, n)) for table in (11, 13))
        found = Fraction(one, many)
    return approximation({"n": n}, found, sqrt(n))


@claim("section 6.1", "not optimal", over=each(n=SIZES))
@said(
    evidence="counted: the most edges of one dimension, each of which carries M elements over every link of it, whatever the "
    "schedule; M = n"
)
def two_rooted_tree_is_not_optimal(n: int) -> Case:
    """TCBT, n-port: the transfer time of all-to-all broadcasting is not optimal."""
    found = n * max(loads_of("tcbt", n).Ew[d] for d in range(n))
    bound = proven((13, "TCBT"), n, n).price.elements
    return judged(f"at least {found}", f"> {bound}", found > bound)


@claim("section 7.1", "2", over=each(n=range(3, 21)))
@said(
    evidence="executed for n = 3 to 6: M = n, no limit of B; beyond, (N - 1) M/n, which these executions confirm",
    reading=join(SHARE, ABOUT),
)
def packet_to_the_least_packet(n: int) -> Case:
    """SBnT, n-port: the maximum packet size is a factor of 2 larger than the minimum, N M/(2n)."""
    largest = max(cycle_sizes((17, "SBnT"), n, n)) if n in SIZES else (1 << n) - 1
    found = Fraction(largest, 1 << n - 1)
    return approximation({"n": n}, found, 2)


@claim("section 7.1", "sqrt(2/n)*N*M/n**(3/2)")
@said(evidence=MIDDLE_EVIDENCE, reading=SHARE, misprint="sqrt(2/pi) for sqrt(2/n), as in corollary 6.2")
def packet_before_the_alternative() -> Cases:
    """nRSBT, n-port all-to-all broadcasting: the packet that the alternative increases is sqrt(2/n) N M/n^(3/2)."""
    return middle((13, "nRSBT"), "sqrt(2/n)*N*M/n**(3/2)")


@claim("section 9", "approximately N/n", over=each(n=range(2, 14)))
@said(
    evidence="counted on the graph: the smallest and the largest subtree",
    reading=f"{ABOUT}; of the SBnT with one path to a node, the other is balanced exactly",
)
def nodes_of_balanced_subtrees(n: int) -> Case:
    """Each subtree of the source of the spanning balanced n-tree has approximately N/n nodes."""
    found = Counter(top_of("sbnt", n, node) for node in range(1, 2**n)).values()
    expected = 2**n / n
    holds = all(about(nodes, expected) for nodes in found)
    off = max(deviation(nodes, expected) for nodes in found)
    return Case({}, in_words(expected), f"{min(found)} to {max(found)}", holds, off=off)
