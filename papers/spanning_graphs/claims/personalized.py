"""Section 5: one-to-all personalized communication beside its tables."""

from collections import Counter
from fractions import Fraction
import functools
import itertools

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.spanning_graphs.bounds import bound_of
from fatcube.papers.spanning_graphs.claims.common import (
    COUNTED,
    DATA,
    EXECUTED,
    MEANT_ROOT,
    SHARE,
    against,
    approximation,
    at_most,
    in_words,
    join,
    priced,
)
from fatcube.papers.spanning_graphs.claims.cube import largest_subtree
from fatcube.papers.spanning_graphs.claims.optima import MIDDLE_EVIDENCE, middle
from fatcube.papers.spanning_graphs.counts import below_of, graph_of, level_of, loads_of, top_of
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.spanning_graphs.prices import SHARED, SIZES, UNLIMITED, Key, cost, cycle_sizes, price
from fatcube.papers.spanning_graphs.printed import T
from fatcube.papers.verdict import ABOUT, Case, about, case, judged
from fatcube.schedules.spanning.packets import N_PORT, ONE_PORT
from fatcube.schedules.spanning.pipelines import deliver

claim = functools.partial(PAPER.claim, evidence="executed: M = n, no limit of B")


_APART = "sqrt(2/pi)*N*M/n**(3/2)"
_EARLY, _LATE = "N*M/n*(1 - 1/2**(i + 1))", "N*M/n*(1/2**(n + 1 - n) - 1/N)"
_EXPONENT = "read with i + 1 - n in the exponent"


@claim(
    "section 5",
    "N M/2",
    parameters=columns("graph kind", [("SBT", "sbt"), ("TCBT", "tcbt")]),
    over=each(n=range(2, 9)),
    evidence=f"{COUNTED}, M = 1",
)
def edge_load(kind: str, n: int) -> Case:
    """{graph}: the maximum edge load is N M/2."""
    return case(largest_subtree(kind, n), 2**n // 2)


@claim("section 5", "(N - 1) M/n", over=each(n=range(2, 9)))
@said(
    evidence="counted on nRSBT, nESBT and SBnT, M = n; proven for any routing: (N - 1) M elements leave the source by n ports"
)
def least_edge_load(n: int) -> Case:
    """The maximum edge load is minimized, to (N - 1) M/n, by nRSBT, nESBT and SBnT."""
    found = {n * loads_of(kind, n).sw[0, d] for kind in ("nrsbt", "nesbt", "sbntc") for d in range(n)}
    proven = bound_of("one-to-all personalized", N_PORT, n, n).price.elements
    shown = f"{in_words(found)} elements on every edge; of any routing at least {proven} on one"
    return judged(shown, in_words(2**n - 1), found == {2**n - 1} == {proven})


_LEVELS = each(n=range(2, 10), graph=("BRG", "SBT", "TCBT", "SBnT"))


@claim("section 5.1", "at least of order O(n^2)", over=_LEVELS)
@said(
    conditions=("graph != 'TCBT' or n <= 3",),
    evidence="counted on the graph: n + (n - 1) for TCBT",
    reading='"at least of order n^2" is read as n^2/2 or more; for TCBT it is not of that order at all',
)
def levels_of_subtrees(n: int, graph: str) -> Case:
    """One-port, reverse-breadth-first: the levels of all subtrees of the source, which are its start-ups, are at least
    of order n^2."""
    levels, heights = level_of(graph.lower(), n), Counter[int]()  # of SBnT, one path to a node
    for node in range(1, 2**n):
        top = top_of(graph.lower(), n, node)
        heights[top] = max(heights[top], levels[node])
    found = heights.total()
    return judged(str(found), f">= {n * n / 2:g}", 2 * found >= n * n)


@claim("section 5.1", "binary-reflected Gray code", over=each(n=range(2, 8)), evidence=EXECUTED)
def order_of_gray_code(n: int) -> Case:
    """One-port SBT with B = M: the source uses its ports in the order of the binary-reflected Gray code."""
    cycles = deliver(graph_of("sbt", n), ONE_PORT, 2, 2).cycles
    found = [packet.dst for cycle in cycles for packet in cycle if packet.src == 0]
    orders = [[node.bit_length() - 1 for node in nodes] for nodes in (found, [i & -i for i in range(1, 1 << n)])]
    return case(*(f"ports {in_words(ports)}" for ports in orders))


@claim(
    "section 5.1",
    "as low as n, not higher than 2n",
    parameters=each(graph=("SBT", "TCBT", "nRSBT", "SBnT")),
    over=each(n=SIZES),
)
def postorder_startups(graph: str, n: int) -> Case:
    """{graph}, one-port: in postorder the start-ups may be as low as n, but are not higher than 2n."""
    found = cost((7, f"{graph}, one-port"), "startups")(n)
    return judged(str(found), f"{n} to {2 * n}", n <= found <= 2 * n)


@claim(
    "section 5.1.1",
    "greater",
    parameters=[
        {
            "id": "send_and_receive",
            "than": "with one send and one receive at a time",
            "run": ("7, send and receive", "BRG"),
        },
        {"id": "one_port", "than": "one-port", "run": (7, "BRG, one-port")},
    ],
    over=each(n=range(3, 8)),
    conditions=("n >= 4",),
    evidence="executed: M = n; elements",
    reading='"one BRG path" is read with one send and one receive at a time, and one-port, as a claim each',
)
def rotated_paths_transfer_more(run: Key, n: int) -> Case:
    """nRBRG, n-port: without pipelining it transfers more elements than one BRG path, {than}."""
    found, other = cost((7, "nRBRG, n-port"), "elements")(n), cost(run, "elements")(n, B=n)
    return judged(str(found), f"> {other}", found > other)


@claim("section 5.1.2", "about N M/B + log2(floor(B/M)) - 1")
@said(
    conditions=("B % M == 0 and log2(B/M) == floor(log2(B/M))",),
    evidence=EXECUTED,
    reading=join(ABOUT, "the paper leaves out the rounding of M 2^i / B: the condition is where none is needed"),
)
def startups_of_packets_above_M() -> Cases:
    """One-port SBT with M <= B <= N M/2: the start-ups are about N M/B + log floor(B/M) - 1."""
    cases = [
        {"n": n, "M": M, "B": B}
        for n in (*SIZES, 7)
        for M in (1, 2, 5)
        for B in sorted({M, M + 1, 2 * M, 3 * M, 4 * M, M << n - 1})
        if B <= M << n - 1
    ]
    return against(cost((7, "SBT, one-port"), "startups"), "N*M/B + log2(floor(B/M)) - 1", cases, about)


@claim("section 5.1.2", "about ceil((N - 1) M/B)", conditions=DATA, evidence=EXECUTED, reading=ABOUT)
def startups_of_packets_below_M() -> Cases:
    """One-port SBT with B <= M: the start-ups are about ceil((N - 1) M/B)."""
    cases = [{"n": n, "M": M, "B": B} for n in (3, 4, 5) for M in range(1, 13) for B in range(1, M + 1)]
    return against(cost((7, "SBT, one-port"), "startups"), "ceil((N - 1)*M/B)", cases, about)


@claim("lemma 5.1", "about N M/sqrt(2 pi (n - 1))", evidence=MIDDLE_EVIDENCE, reading=ABOUT)
def packet_of_binomial_tree() -> Cases:
    """SBT, n-port: the largest packet, the maximum of C(n - 1, i) M, is about N M/sqrt(2 pi (n - 1))."""
    return middle((7, "SBT, n-port"), "N*M/sqrt(2*pi*(n - 1))")


@claim("section 5.1.2", "at most 2", over=each(n=SIZES))
def ports_are_worth_two(n: int) -> Case:
    """SBT: n-port communication reduces the transfer time of personalized communication by a factor of at most 2."""
    one = price((7, "SBT, one-port"), n, n, UNLIMITED).elements
    many = price((7, "SBT, n-port"), n, n, UNLIMITED).elements
    return judged(f"{one / many:.6g}", "at most 2", one <= 2 * many)


@claim("section 5.1.3", "about 2", over=each(n=(*SIZES, 7, 8)))
@said(
    evidence="executed: M = 1, no limit of B",
    reading=join(ABOUT, "the slow-down is that of the transfers with one port"),
)
def slow_down_of_two_rooted_tree(n: int) -> Case:
    """TCBT: the slow-down in comparison with SBT is approximately 2."""
    found = Fraction(price((7, "TCBT, one-port"), n, 1, UNLIMITED).elements, (1 << n) - 1)
    return approximation({"n": n}, found, 2)


@claim(
    "section 5.1.4",
    "{shown}",
    parameters=columns(
        "id cycles text misprint shown",
        [
            ("before_n", "i < n", _EARLY, "", _EARLY),
            ("from_n", "i >= n", _LATE, "i + 1 - n for n + 1 - n in the exponent", _LATE),
            ("from_n_meant", f"i >= n, {_EXPONENT}", "N*M/n*(1/2**(i + 1 - n) - 1/N)", "", _LATE),
        ],
    ),
    reading=SHARE,
)
def elements_of_cycle(id: str, text: str) -> Cases:
    """nRSBT, one-port: the packet size of cycle i, {cycles}, is {text}."""
    for n in SIZES:
        found = cycle_sizes((7, "nRSBT, one-port"), n, n)
        for i in range(n) if id == "before_n" else range(n, 2 * n - 1):
            yield case(found[i], value(text, n=n, M=n, i=i), n=n, i=i)


_MULTIPLES = columns("n M", [(n, times * n) for n in SIZES for times in (1, 2, 3)])


@claim("section 5.1.4", "(M/n t_c + tau) (N - 1)", over=_MULTIPLES, evidence="executed: B = M/n", reading=SHARE)
def rotated_trees_with_small_packets(n: int, M: int) -> Case:
    """nRSBT, n-port: with B = M/n it is T = (M/n t_c + tau) (N - 1)."""
    return priced(price((7, "nRSBT, n-port"), n, M, M // n), ((1 << n) - 1, M // n * ((1 << n) - 1)))


@claim(
    "{where}",
    "{shown}",
    name="packet_of_text_{id}_{reading_of}",
    parameters=columns(
        "where id reading_of text misprint shown",
        [
            (where, where[8:].replace(".", "_"), kind, text, misprint, shown)
            for where, kind, text, misprint, shown in (
                ("section 5.1.4", "printed", "sqrt(2/pi*N*M/n**(3/2))", MEANT_ROOT, "about sqrt(2/pi*N*M/n**(3/2))"),
                ("section 5.1.4", "meant", _APART, "", "about sqrt(2/pi*N*M/n**(3/2))"),
                ("section 5.1.5", "apart", _APART, "", _APART),
                ("section 5.2", "printed", "sqrt(2/pi*N*M/n**(3/2))", MEANT_ROOT, "sqrt(2/pi*N*M/n**(3/2))"),
                ("section 5.2", "meant", _APART, "", "sqrt(2/pi*N*M/n**(3/2))"),
                ("section 6.1", "apart", _APART, "", _APART),
            )
        ],
    ),
)
@said(evidence=MIDDLE_EVIDENCE, reading=join(SHARE, ABOUT))
def packet_of_text(where: str, text: str) -> Cases:
    """nRSBT and SBnT, n-port: the largest packet is about {text}."""
    return middle((13, "nRSBT") if where == "section 6.1" else (7, "nRSBT, n-port"), text)


_OF_ROTATED = "(N - 1)*2**(k/2 - 1)/2**(k/2 - 1)"
_OF_ROTATED_MEANT = "(N - 1)*2**(n/k - 1)/(2**(n/k) - 1)"
_OF_REFLECTED = "(N - 1)*(2**(2*n/k - 1) + 1)/(2**(2*n/k) - 1)"
_MEANT = "2^(n/k - 1) over 2^(n/k) - 1"


@claim(
    "section 5.1.4",
    "{shown}",
    name="edge_load_{id}",
    parameters=columns(
        "id what shown text misprint",
        [
            ("rotated", "optimally rotated", _OF_ROTATED, _OF_ROTATED, _MEANT),
            ("rotated_meant", f"optimally rotated, read with {_MEANT}", _OF_ROTATED, _OF_ROTATED_MEANT, ""),
            ("reflected", "optimally reflected and rotated", _OF_REFLECTED, _OF_REFLECTED, ""),
        ],
    ),
    evidence="counted: the least of all choices of rotations, a reflection beside each if they are reflected",
    reading="k divides n, or k/2 does for reflected trees: with other k the rotations are not evenly apart; an element "
    "is carried by each tree",
)
def edge_load_of_k_trees(id: str, text: str) -> Cases:
    """For k = M mod n even, and {what} SBTs, the maximum edge load is {text}."""
    reflected = id == "reflected"
    for n in range(2, 9):
        for k in range(2, n + 1, 2):
            if n % (k // 2 if reflected else k) == 0:
                yield case(_least_load(n, k, reflected), value(text, n=n, k=k), n=n, k=k)


def _least_load(n: int, k: int, reflected: bool) -> int:
    """The least maximum load on an edge of the source of k SBTs, over all choices of different rotations."""
    below = below_of("sbt", n)
    sizes_of = [below[1 << d].total() for d in range(n)]
    loads = []
    for chosen in itertools.combinations(range(n), k // 2 if reflected else k):
        ports = Counter[int]()
        for turn in chosen:
            for d, size in enumerate(sizes_of):
                ports[(d + turn) % n] += size
                if reflected:
                    ports[(n - 1 - d + turn) % n] += size
        loads.append(max(ports.values()))
    return min(loads)


@claim("section 5.1.5", "2n - 1", reading=SHARE)
def startups_of_balanced_tree() -> Cases:
    """SBnT, one-port: the start-ups are 2n - 1 with unbounded packets, the data of cyclic nodes being split."""
    return against(cost((7, "SBnT, one-port"), "startups"), "2*n - 1", each(n=SIZES))


@claim("Table 8", "2n - 2")
def startups_of_one_balanced_tree() -> Cases:
    """SBnT, one-port: the start-ups are 2n - 2 if the data of each node goes over one path."""
    return against(cost(("7, one tree", "SBnT"), "startups"), "2*n - 2", each(n=SIZES))


@claim("section 5.1.5", "N (1 + 2 log n / n) M")
def elements_of_balanced_tree() -> Cases:
    """SBnT, one-port: N (1 + 2 log n / n) M is an upper bound of the elements transferred with unbounded packets."""
    return against(cost((7, "SBnT, one-port"), "elements"), "N*(1 + 2*log2(n)/n)*n", each(n=SIZES), at_most)


@claim("section 5.1.5", "ceil((N - 1) M/(n B)), and Table 7", over=SHARED)
@said(conditions=("M % (n*B) == 0",), evidence="both as printed: with B >= (N - 1) M/n they are 1 and n", reading=SHARE)
def startups_of_text_and_table(**given: int) -> Case:
    """SBnT, n-port: the text's ceil((N - 1) M/(n B)) start-ups are those of Table 7."""
    return case(value(T[7]["SBnT, n-port"].startups, **given), value("ceil((N - 1)*M/(n*B))", **given))
