"""Sections 7 and 9: all-to-all personalized communication beside its tables."""

from fractions import Fraction
import functools
from math import sqrt
from typing import Any

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.expression import Number
from fatcube.papers.spanning_graphs.bounds import bound_of
from fatcube.papers.spanning_graphs.claims.all_broadcasting import by_loads
from fatcube.papers.spanning_graphs.claims.common import (
    COUNTED,
    EXECUTED,
    SHARE,
    against,
    approximation,
    in_words,
    join,
    optimal,
    priced,
    proven,
)
from fatcube.papers.spanning_graphs.claims.times import splits
from fatcube.papers.spanning_graphs.counts import loads_of
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.spanning_graphs.prices import GRID, SHARED, SIZES, UNLIMITED, Key, cost, cycle_sizes, price
from fatcube.papers.spanning_graphs.printed import T
from fatcube.papers.verdict import ABOUT, Case, about, case, judged
from fatcube.schedules.spanning.packets import ONE_PORT

_FREE = "executed: M = n, no limit of B"

claim = functools.partial(PAPER.claim, evidence=_FREE, over=each(n=SIZES))

_BELOW = "sum(C(n, i) for i in span(l + 1, n))"
_GREEDY = ("SBT", "nRSBT", "SBnT")
_ALL = ("nRBRG", "SBT", "nESBT", "SBnT", "TCBT", "BRG", "nRSBT")


@claim(
    "{where}",
    "sum of ceil(M/B max {load}_ld) tau + M t_c max {load}_ld, l = 0 to h - 1",
    name="personalized_time_by_loads_{order}_{graph}",
    parameters=columns(
        "where order load graph reading",
        [
            (*of_order, graph, SHARE if splits(17, graph) else "")
            for of_order in (("theorem 7.3", "postorder", "sw"), ("theorem 7.4", "reverse", "rw"))
            for graph in _ALL
        ],
    ),
    evidence="executed; {load}_ld counted on the graph",
)
def personalized_time_by_loads(order: str, graph: str, load: str) -> Cases:
    """{graph}: n-port all-to-all personalized communication takes the largest {load}_ld of every level."""
    table = "17, reverse-breadth-first" if order == "reverse" else "17, postorder" if graph == "nRSBT" else 17
    return by_loads((table, graph), load)


@claim(
    "theorem 7.6",
    "{text}",
    name="property_{number}",
    parameters=columns(
        "number quantity text misprint",
        [
            (1, "ew", "C(n, l)", "C(n, l + 1)/n, as in Table 1"),
            (2, "sw", _BELOW, "1/n of it, as in Table 1 and in the next equation of the proof"),
            (3, "rw", _BELOW, "1/n of it, as in Table 1"),
        ],
    ),
    over=columns("n l", [(n, l) for n in range(3, 9) for l in range(n)]),
    evidence=COUNTED,
)
def property_of_greedy_trees(quantity: str, text: str, n: int, l: int) -> Case:
    """In the proof: {quantity}_ld of n rotated greedy trees, nRSBT, is {text}."""
    return case(getattr(loads_of("nrsbt", n), quantity)[l, 0], value(text, n=n, l=l))


@claim(
    "{where}",
    "N M/2 t_c + n tau",
    name="{graph}_attains_the_bound_{order}",
    parameters=columns(
        "where order discipline graph",
        [
            (*of_order, graph)
            for of_order in (
                ("corollary 7.1", "postorder", "postorder"),
                ("theorem 7.6", "reverse", "reverse-breadth-first"),
            )
            for graph in ("nRSBT", "SBnT")
        ],
    ),
)
@said(evidence="executed: M = n, B = (N - 1) M/n", reading=SHARE)
def attains_the_bound(graph: str, order: str, n: int) -> Case:
    """{graph}, n-port, {discipline}: the lower bound is attained with B = (N - 1) M/n."""
    return optimal(_run(order, graph), (n, n << n - 1), n, n, (1 << n) - 1)


def _run(order: str, graph: str) -> Key:
    if order == "reverse":
        return "17, reverse-breadth-first", graph
    return (17, "SBnT") if graph == "SBnT" else ("17, postorder", graph)


@claim(
    "theorem 7.6",
    "the {cycle} cycle",
    name="largest_packet_cycle_{order}_{graph}",
    parameters=[
        {"order": order, "graph": graph, "cycle": "last" if order == "reverse" else "first"}
        for order in ("postorder", "reverse")
        for graph in ("nRSBT", "SBnT")
    ],
    reading=SHARE,
)
def largest_packet_cycle(order: str, graph: str, n: int) -> Case:
    """{graph}, {order}: the largest packet, (N - 1) M/n, occurs during the {cycle} routing cycle."""
    found = cycle_sizes(_run(order, graph), n, n)
    text = "{} elements, the largest packet has {}"
    shown = text.format(found[-1 if order == "reverse" else 0], max(found))
    return case(shown, text.format((1 << n) - 1, (1 << n) - 1))


@claim("lemma 7.1", "n N M/(2 B) (B t_c + tau)", over=GRID)
@said(
    conditions=("M*2**(n - 1) % B == 0",),
    evidence=EXECUTED,
    reading="the lemma leaves out the rounding that Table 15 has: the condition is where none is needed",
)
def binomial_tree_attains_the_bound(**given: int) -> Case:
    """SBT, one-port: T is n N M/(2 B) (B t_c + tau)."""
    expected = value("n*N*M/(2*B)", **given), value("n*N*M/2", **given)
    return optimal((15, "SBT"), expected, **given, least=bound_of("all-to-all personalized", ONE_PORT, **given))


@claim("Table 18", "O(sqrt(n)) N M", over=each(n=range(2, 201)))
@said(
    evidence="the largest s_ld of every level counted on the graph for n up to 9, and beyond the sum of Table 17: never "
    "more than sqrt(n) N M up to n = 200"
)
def order_of_binomial_tree(n: int) -> Case:
    """SBT: the elements of T_min of n-port all-to-all personalized communication are O(sqrt(n)) N M."""
    found = _largest_subtrees(n) if n < 10 else value(T[17]["SBT"].elements, n=n, M=1)
    return judged(f"{float(found / 2**n):.6g} N", f"at most {sqrt(n):.6g} N", found <= sqrt(n) * 2**n)


def _largest_subtrees(n: int) -> Number:
    sw = loads_of("sbt", n).sw
    return sum(max(sw[l, d] for d in range(n)) for l in range(n))


@claim("Table 18", "n", evidence="executed: M = 1, no limit of B")
def startups_of_binomial_tree(n: int) -> Case:
    """SBT: the start-ups of T_min of n-port all-to-all personalized communication are n."""
    return case(price((17, "SBT"), n, 1, UNLIMITED).startups, n)


@claim(
    "section 7.1",
    "the same",
    parameters=columns("graph reading", [("SBT", ""), ("nRBRG", SHARE)]),
    evidence=EXECUTED,
)
def disciplines_cost_the_same(graph: str, reading: str) -> Cases:
    """{graph}, n-port: postorder and reverse-breadth-first scheduling cost the same."""
    for given in SHARED if reading else GRID:
        found = tuple(price((17, graph), **given))
        yield priced(found, price(("17, reverse-breadth-first", graph), **given), **given)


@claim("section 7.1", "the same")
@said(
    conditions=("M*2**n % (2*n*B) == 0",),
    evidence=EXECUTED,
    reading=join(SHARE, "the condition is the rounding, which Table 15 has"),
)
def startups_of_small_packets() -> Cases:
    """nRSBT, one-port: for B <= N M/(2n) the number of start-ups is the same as that of SBT."""
    cases = [given for given in SHARED if given["B"] * 2 * given["n"] <= given["M"] << given["n"]]
    return against(cost((15, "nRSBT"), "startups"), cost((15, "SBT"), "startups"), cases)


_TEXTS: tuple[tuple[str, str, str, Key, str, str, str], ...] = (
    ("section 7.1", "packet_with_one_dimension_a_tree", "nRSBT, n-port broadcast with one dimension a tree in a cycle: "
     "the largest packet is", ("13, one dimension a tree", "nRSBT"), "packet", "N*M/(2*n)", ""),
    ("section 7.1", "packet_of_alternative", "nRSBT, n-port, alternative discipline: each link transmits in every cycle",
     (17, "nRSBT"), "packet", "N*M/(2*n)", ""),
    ("section 7.1", "beyond_the_bound", "nESBT, one-port: the elements transferred exceed the lower bound by",
     (15, "nESBT"), "elements", "M*(N - 2)", ""),
    ("section 7.1", "packet_of_nESBT", "nESBT, one-port: the largest packet is", (15, "nESBT"), "packet",
     "M/n*(N*(n + 1)/2 - 1)", ""),
    ("section 7.1", "packet_of_nESBT_n_port", "nESBT, n-port: the largest packet is", (17, "nESBT"), "packet",
     "(N - 1)*M/n", ""),
    ("section 7.1", "startups_of_nESBT", "nESBT, one-port: the start-ups are", (15, "nESBT"), "startups", "2*n", ""),
    ("section 7.1", "startups_of_nRSBT", "nRSBT, one-port: the start-ups are", (15, "nRSBT"), "startups", "2*n - 1", ""),
    ("section 7.1", "elements_of_SBnT", "SBnT, one-port: the elements transferred are", (15, "SBnT"), "elements",
     "N*M/2", "n N M/2, as in theorem 7.1 and Table 16"),
    ("section 7.1", "startups_of_SBnT", "SBnT, one-port: the start-ups are", (15, "SBnT"), "startups", "2*n - 1", ""),
    ("section 7.1", "packet_of_SBnT", "SBnT, n-port: the largest packet is", (17, "SBnT"), "packet", "(N - 1)*M/n", ""),
    ("section 7.2", "startups_of_path", "BRG, one-port: the start-ups are", (15, "BRG"), "startups", "N",
     "N - 1, as in Table 16"),
)  # fmt: skip


@claim(
    "{where}",
    "{text}",
    name="all_personalized_{id}",
    parameters=columns("where id what run quantity text misprint", _TEXTS),
    reading=SHARE,
)
def all_personalized(**cell: Any) -> Cases:
    """{what} {text}."""
    cases = [{"n": n, "M": n} for n in SIZES]
    found = _beyond if cell["id"] == "beyond_the_bound" else cost(cell["run"], cell["quantity"])
    return against(found, cell["text"], cases)


def _beyond(n: int, M: int) -> Number:
    return cost((15, "nESBT"), "elements")(n, M) - proven((15, "nESBT"), n, M).price.elements


@claim("section 7.1", "((2n - 3) N/2 + 2) M", over=each(n=range(2, 10)), evidence=COUNTED)
def transfers_of_two_rooted_tree(n: int) -> Case:
    """TCBT: the amount of data transfer, a node's share of all hops, is ((2n - 3) N/2 + 2) M."""
    counted = loads_of("tcbt", n).ew
    found = sum(l * sum(counted[l - 1, d] for d in range(n)) for l in range(1, n + 1))
    return case(found, (2 * n - 3 << n - 1) + 2)


@claim(
    "{where}",
    "{text}",
    name="two_rooted_tree_to_greedy_{id}",
    parameters=columns(
        "where id text",
        [("section 7.1", "at_least", "at least twice, approximately"), ("section 7.2", "about", "about a factor of 2")],
    ),
    over=each(n=range(3, 65)),
    evidence="counted on the graph for n up to 9, where it is ((2n - 3) N/2 + 2) M, and beyond with that",
    reading=join(ABOUT, '"at least twice, approximately" is read in the same way'),
)
def two_rooted_tree_to_greedy(n: int) -> Case:
    """TCBT: the transfers are about twice those of a greedy graph, n N M/2."""
    found = Fraction((2 * n - 3 << n - 1) + 2, n << n - 1)
    return approximation({"n": n}, found, 2)


@claim("section 7.1", "the factor of 2 even larger", evidence="executed: M = 1, no limit of B")
def two_rooted_tree_with_n_ports(n: int) -> Case:
    """TCBT, n-port: the uneven use of dimensions makes the transfers more than twice the lower bound."""
    found = price((17, "TCBT"), n, 1, UNLIMITED).elements
    return judged(str(found), f"> {2 << n - 1}", found > 2 << n - 1)


_FACTORS = (
    ("section 7.1", "BRG_startups", "BRG, one-port: the start-ups", (15, "BRG"), "startups", "N/n", ""),
    (
        "section 7.2",
        "nESBT_one_port",
        "nESBT, one-port: the transfers",
        (15, "nESBT"),
        "elements",
        "(n + 2)/n",
        "about ",
    ),
    ("section 7.2", "nESBT_n_port", "nESBT, n-port: the transfers", (17, "nESBT"), "elements", "(n + 2)/n", ""),
    ("section 7.2", "BRG_one_port", "BRG, one-port: the transfers", (15, "BRG"), "elements", "N/n", "about "),
    ("section 7.2", "nRBRG_n_port", "nRBRG, n-port: the transfers", (17, "nRBRG"), "elements", "N/n", ""),
    ("section 7.2", "SBT_n_port", "SBT, n-port: the transfers", (17, "SBT"), "elements", "sqrt(n)", ""),
)
_EXACT = {
    "BRG_startups": "(N - 1)/n",
    "nESBT_one_port": "(n*N/2 + N - 2)/(n*N/2)",
    "nESBT_n_port": "(n*N/2 + N - 2)/(n*N/2)",
    "BRG_one_port": "(N - 1)*N/2/(n*N/2)",
    "nRBRG_n_port": "(N - 1)*N/2/(n*N/2)",
    "SBT_n_port": f"({T[17]['SBT'].elements.removesuffix('*M')})/(N/2)",
}


@claim(
    "{where}",
    "{about}a factor of {text}",
    name="factor_of_{id}",
    parameters=columns("where id what run quantity text about", _FACTORS),
    evidence="executed for n = 3 to 6, M = n; beyond, the formulas that these executions confirm; the bound is proven for any "
    "routing",
    reading=join("a factor is read as about that, as the other factors of section 7.2 are printed", ABOUT),
)
def factor_to_the_bound(**cell: Any) -> Cases:
    """{what} are about {text} times the lower bound."""
    found = functools.partial(_factor, cell["run"], cell["quantity"], _EXACT[cell["id"]])
    return against(found, cell["text"], each(n=range(3, 41)), about)


def _factor(run: Key, quantity: str, exact: str, n: int) -> Number:
    if n not in SIZES:
        return value(exact, n=n)
    return cost(run, quantity)(n) / Fraction(getattr(proven(run, n, n).price, quantity))


@claim("section 7.2", "n to 2n", reading=SHARE)
def startups_are_few(n: int) -> Case:
    """One-port: the start-ups of SBT, nESBT, nRSBT and SBnT are in the range n to 2n."""
    found = [price((15, graph), n, n, UNLIMITED).startups for graph in ("SBT", "nESBT", "nRSBT", "SBnT")]
    return judged(in_words(found), f"{n} to {2 * n}", n <= min(found) and max(found) <= 2 * n)


@claim("section 7", "always optimal", over=[{**given, "graph": graph} for given in SHARED for graph in _GREEDY])
@said(evidence=f"{EXECUTED}; proven for any routing: all hops by shortest ways over N links at a time", reading=SHARE)
def greedy_graphs_are_optimal(graph: str, **given: int) -> Case:
    """One-port: the transfers are always optimal, n N M/2, for N translated greedy graphs, SBT, nRSBT and SBnT."""
    return case(price((15, graph), **given).elements, proven((15, graph), given["n"], given["M"]).price.elements)


@claim("section 9", "at most a factor of 2 higher", over=SHARED)
@said(
    evidence="executed, start-ups and elements each; SBnT pipelined, with whole packets of any size",
    conditions=("n >= 4", "B >= M", "B <= M", "B < M*2**(n - 1)"),
    reading=SHARE,
)
def balanced_tree_at_most_twice(**given: int) -> Case:
    """One-port personalized communication along SBnT costs at most twice what it costs along SBT."""
    mine, other = price((7, "SBnT, one-port"), **given), price((7, "SBT, one-port"), **given)
    holds = mine.startups <= 2 * other.startups and mine.elements <= 2 * other.elements
    return judged(in_words(tuple(mine)), f"at most twice {in_words(tuple(other))}", holds)
