"""Section 5: one-to-all personalized communication beside its tables."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
import functools
import itertools

from fatcube.papers.claim import Cases
from fatcube.papers.evidence import Evidence
from fatcube.papers.expression import Number
from fatcube.papers.spanning_graphs.bounds import bound_of
from fatcube.papers.spanning_graphs.claims.common import (
    ABOUT,
    COUNTED,
    DATA,
    EXECUTED,
    MEANT_ROOT,
    SHARE,
    about,
    against,
    approximation,
    at_most,
    in_words,
    join,
    priced,
    same,
    sizes,
)
from fatcube.papers.spanning_graphs.claims.cube import largest_subtree
from fatcube.papers.spanning_graphs.claims.optima import MIDDLE_EVIDENCE, free, middle
from fatcube.papers.spanning_graphs.claims.times import cost
from fatcube.papers.spanning_graphs.counts import below_of, graph_of, level_of, loads_of, top_of
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.spanning_graphs.prices import SHARED, SIZES, UNLIMITED, Key, cycle_sizes, price
from fatcube.papers.spanning_graphs.printed import T
from fatcube.papers.verdict import Case, case
from schedules.spanning.packets import N_PORT, ONE_PORT
from schedules.spanning.pipelines import deliver

_APART = "sqrt(2/pi)*N*M/n**(3/2)"


@PAPER.each(
    "section 5",
    name="edge_load_{graph}",
    parameters=[{"graph": "SBT", "kind": "sbt"}, {"graph": "TCBT", "kind": "tcbt"}],
    printed="N M/2",
    evidence=f"{COUNTED}, M = 1",
)
def edge_load(evidence: Evidence, kind: str) -> Cases:
    """{graph}: the maximum edge load is N M/2."""
    for n in range(2, 9):
        yield case(largest_subtree(kind, n), 2**n // 2, n=n)


@PAPER.claim(
    "section 5",
    printed="(N - 1) M/n",
    evidence="counted on nRSBT, nESBT and SBnT, M = n; proven for any routing: (N - 1) M elements leave the source by n ports",
)
def least_edge_load(evidence: Evidence) -> Cases:
    """The maximum edge load is minimized, to (N - 1) M/n, by nRSBT, nESBT and SBnT."""
    for n in range(2, 9):
        found = {n * loads_of(kind, n).sw[0, d] for kind in ("nrsbt", "nesbt", "sbntc") for d in range(n)}
        proven = bound_of("one-to-all personalized", N_PORT, n, n).price.elements
        shown = f"{in_words(found)} elements on every edge; of any routing at least {proven} on one"
        yield Case({"n": n}, in_words(2**n - 1), shown, found == {2**n - 1} == {proven})


@PAPER.claim(
    "section 5.1",
    printed="at least of order O(n^2)",
    conditions=("graph != 'TCBT' or n <= 3",),
    evidence="counted on the graph: n + (n - 1) for TCBT",
    reading='"at least of order n^2" is read as n^2/2 or more; for TCBT it is not of that order at all',
)
def levels_of_subtrees(evidence: Evidence) -> Cases:
    """One-port, reverse-breadth-first: the levels of all subtrees of the source, which are its start-ups, are at least
    of order n^2."""
    graphs = {"BRG": "brg", "SBT": "sbt", "TCBT": "tcbt", "SBnT": "sbnt"}
    for n in range(2, 10):
        for graph, kind in graphs.items():
            levels, heights = level_of(kind, n), Counter[int]()
            for node in range(1, 2**n):
                top = top_of(kind, n, node)
                heights[top] = max(heights[top], levels[node])
            found = heights.total()
            yield Case({"n": n, "graph": graph}, f">= {n * n / 2:g}", str(found), 2 * found >= n * n)


@PAPER.claim("section 5.1", printed="binary-reflected Gray code", evidence=EXECUTED)
def order_of_gray_code(evidence: Evidence) -> Cases:
    """One-port SBT with B = M: the source uses its ports in the order of the binary-reflected Gray code."""
    for n in range(2, 8):
        cycles = deliver(graph_of("sbt", n), ONE_PORT, 2, 2).cycles
        found = [packet.dst for cycle in cycles for packet in cycle if packet.src == 0]
        ports = [
            in_words([node.bit_length() - 1 for node in nodes]) for nodes in (found, [i & -i for i in range(1, 1 << n)])
        ]
        yield case(f"ports {ports[0]}", f"ports {ports[1]}", n=n)


@PAPER.each(
    "section 5.1",
    name="postorder_startups_{graph}",
    parameters=[{"graph": graph} for graph in ("SBT", "TCBT", "nRSBT", "SBnT")],
    printed="as low as n, not higher than 2n",
    evidence="executed: M = n, no limit of B",
)
def postorder_startups(evidence: Evidence, graph: str) -> Cases:
    """{graph}, one-port: in postorder the start-ups may be as low as n, but are not higher than 2n."""
    for n in SIZES:
        found = price((7, f"{graph}, one-port"), n, n, UNLIMITED).startups
        yield Case({"n": n}, f"{n} to {2 * n}", str(found), n <= found <= 2 * n)


@PAPER.each(
    "section 5.1.1",
    name="rotated_paths_transfer_more_{id}",
    parameters=[
        {"id": "send_and_receive", "than": "with one send and one receive at a time", "run": "7, send and receive"},
        {"id": "one_port", "than": "one-port", "run": 7},
    ],
    printed="greater",
    conditions=("n >= 4",),
    evidence="executed: M = n; elements",
    reading='"one BRG path" is read with one send and one receive at a time, and one-port, as a claim each',
)
def rotated_paths_transfer_more(evidence: Evidence, run: int | str) -> Cases:
    """nRBRG, n-port: without pipelining it transfers more elements than one BRG path, {than}."""
    name = "BRG, one-port" if run == 7 else "BRG"
    for n in (3, 4, 5, 6, 7):
        found = price((7, "nRBRG, n-port"), n, n, UNLIMITED).elements
        other = price((run, name), n, n, n).elements
        yield Case({"n": n}, f"> {other}", str(found), found > other)


@PAPER.claim(
    "section 5.1.2",
    printed="about N M/B + log2(floor(B/M)) - 1",
    conditions=("B % M == 0 and log2(B/M) == floor(log2(B/M))",),
    evidence=EXECUTED,
    reading=join(ABOUT, "the paper leaves out the rounding of M 2^i / B: the condition is where none is needed"),
)
def startups_of_packets_above_M(evidence: Evidence) -> Cases:
    """One-port SBT with M <= B <= N M/2: the start-ups are about N M/B + log floor(B/M) - 1."""
    cases = [
        {"n": n, "M": M, "B": B}
        for n in (*SIZES, 7)
        for M in (1, 2, 5)
        for B in sorted({M, M + 1, 2 * M, 3 * M, 4 * M, M << n - 1})
        if B <= M << n - 1
    ]
    return against(cost((7, "SBT, one-port"), "startups"), "N*M/B + log2(floor(B/M)) - 1", cases, about)


@PAPER.claim("section 5.1.2", printed="about ceil((N - 1) M/B)", conditions=DATA, evidence=EXECUTED, reading=ABOUT)
def startups_of_packets_below_M(evidence: Evidence) -> Cases:
    """One-port SBT with B <= M: the start-ups are about ceil((N - 1) M/B)."""
    cases = [{"n": n, "M": M, "B": B} for n in (3, 4, 5) for M in range(1, 13) for B in range(1, M + 1)]
    return against(cost((7, "SBT, one-port"), "startups"), "ceil((N - 1)*M/B)", cases, about)


@PAPER.claim(
    "lemma 5.1",
    printed="about N M/sqrt(2 pi (n - 1))",
    evidence=MIDDLE_EVIDENCE,
    reading=ABOUT,
)
def packet_of_binomial_tree(evidence: Evidence) -> Cases:
    """SBT, n-port: the largest packet, the maximum of C(n - 1, i) M, is about N M/sqrt(2 pi (n - 1))."""
    found, cases = middle((7, "SBT, n-port"))
    return against(found, "N*M/sqrt(2*pi*(n - 1))", cases, about)


@PAPER.claim("section 5.1.2", printed="at most 2", evidence="executed: M = n, no limit of B")
def ports_are_worth_two(evidence: Evidence) -> Cases:
    """SBT: n-port communication reduces the transfer time of personalized communication by a factor of at most 2."""
    for n in SIZES:
        one = price((7, "SBT, one-port"), n, n, UNLIMITED).elements
        many = price((7, "SBT, n-port"), n, n, UNLIMITED).elements
        yield Case({"n": n}, "at most 2", f"{one / many:.6g}", one <= 2 * many)


@PAPER.claim(
    "section 5.1.3",
    printed="about 2",
    evidence="executed: M = 1, no limit of B",
    reading=join(ABOUT, "the slow-down is that of the transfers with one port"),
)
def slow_down_of_two_rooted_tree(evidence: Evidence) -> Cases:
    """TCBT: the slow-down in comparison with SBT is approximately 2."""
    for n in (*SIZES, 7, 8):
        found = Fraction(price((7, "TCBT, one-port"), n, 1, UNLIMITED).elements, (1 << n) - 1)
        yield approximation({"n": n}, found, 2)


@PAPER.each(
    "section 5.1.4",
    name="elements_of_cycle_{id}",
    parameters=[
        {"id": "before_n", "cycles": "i < n", "text": "N*M/n*(1 - 1/2**(i + 1))", "misprint": "",
         "shown": "N*M/n*(1 - 1/2**(i + 1))"},
        {"id": "from_n", "cycles": "i >= n", "text": "N*M/n*(1/2**(n + 1 - n) - 1/N)",
         "misprint": "i + 1 - n for n + 1 - n in the exponent", "shown": "N*M/n*(1/2**(n + 1 - n) - 1/N)"},
        {"id": "from_n_meant", "cycles": "i >= n, read with i + 1 - n in the exponent",
         "text": "N*M/n*(1/2**(i + 1 - n) - 1/N)", "misprint": "", "shown": "N*M/n*(1/2**(n + 1 - n) - 1/N)"},
    ],
    printed="{shown}",
    evidence="executed: M = n, no limit of B",
    reading=SHARE,
    misprint="{misprint}",
)  # fmt: skip
def elements_of_cycle(evidence: Evidence, id: str, text: str) -> Cases:
    """nRSBT, one-port: the packet size of cycle i, {cycles}, is {text}."""
    for n in SIZES:
        found = cycle_sizes((7, "nRSBT, one-port"), n, n)
        for i in range(n) if id == "before_n" else range(n, 2 * n - 1):
            yield case(found[i], value(text, n=n, M=n, i=i), n=n, i=i)


@PAPER.claim("section 5.1.4", printed="(M/n t_c + tau) (N - 1)", evidence="executed: B = M/n", reading=SHARE)
def rotated_trees_with_small_packets(evidence: Evidence) -> Cases:
    """nRSBT, n-port: with B = M/n it is T = (M/n t_c + tau) (N - 1)."""
    for n in SIZES:
        for M in (n, 2 * n, 3 * n):
            found = tuple(price((7, "nRSBT, n-port"), n, M, M // n))
            yield priced(found, ((1 << n) - 1, M // n * ((1 << n) - 1)), n=n, M=M)


@PAPER.each(
    "{where}",
    name="packet_of_text_{id}_{reading_of}",
    parameters=[
        {"where": where, "id": where[8:].replace(".", "_"), "reading_of": kind, "text": text, "misprint": misprint,
         "shown": shown}
        for where, kind, text, misprint, shown in (
            ("section 5.1.4", "printed", "sqrt(2/pi*N*M/n**(3/2))", MEANT_ROOT, "about sqrt(2/pi*N*M/n**(3/2))"),
            ("section 5.1.4", "meant", _APART, "", "about sqrt(2/pi*N*M/n**(3/2))"),
            ("section 5.1.5", "apart", _APART, "", _APART),
            ("section 5.2", "printed", "sqrt(2/pi*N*M/n**(3/2))", MEANT_ROOT, "sqrt(2/pi*N*M/n**(3/2))"),
            ("section 5.2", "meant", _APART, "", "sqrt(2/pi*N*M/n**(3/2))"),
            ("section 6.1", "apart", _APART, "", _APART),
        )
    ],
    printed="{shown}",
    evidence=MIDDLE_EVIDENCE,
    reading=join(SHARE, ABOUT),
    misprint="{misprint}",
)  # fmt: skip
def packet_of_text(evidence: Evidence, where: str, text: str) -> Cases:
    """nRSBT and SBnT, n-port: the largest packet is about {text}."""
    found, cases = middle((13, "nRSBT") if where == "section 6.1" else (7, "nRSBT, n-port"))
    return against(found, text, cases, about)


@PAPER.each(
    "section 5.1.4",
    name="edge_load_{id}",
    parameters=[
        {"id": "rotated", "what": "optimally rotated", "text": "(N - 1)*2**(k/2 - 1)/2**(k/2 - 1)",
         "misprint": "2^(n/k - 1) over 2^(n/k) - 1", "shown": "(N - 1)*2**(k/2 - 1)/2**(k/2 - 1)"},
        {"id": "rotated_meant", "what": "optimally rotated, read with 2^(n/k - 1) over 2^(n/k) - 1",
         "text": "(N - 1)*2**(n/k - 1)/(2**(n/k) - 1)", "misprint": "", "shown": "(N - 1)*2**(k/2 - 1)/2**(k/2 - 1)"},
        {"id": "reflected", "what": "optimally reflected and rotated",
         "text": "(N - 1)*(2**(2*n/k - 1) + 1)/(2**(2*n/k) - 1)", "misprint": "",
         "shown": "(N - 1)*(2**(2*n/k - 1) + 1)/(2**(2*n/k) - 1)"},
    ],
    printed="{shown}",
    evidence="counted: the least of all choices of rotations, a reflection beside each if they are reflected",
    reading="k divides n, or k/2 does for reflected trees: with other k the rotations are not evenly apart; an element "
    "is carried by each tree",
    misprint="{misprint}",
)  # fmt: skip
def edge_load_of_k_trees(evidence: Evidence, id: str, text: str) -> Cases:
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


@PAPER.claim("section 5.1.5", printed="2n - 1", evidence="executed: M = n, no limit of B", reading=SHARE)
def startups_of_balanced_tree(evidence: Evidence) -> Cases:
    """SBnT, one-port: the start-ups are 2n - 1 with unbounded packets, the data of cyclic nodes being split."""
    return against(_without_limit((7, "SBnT, one-port"), "startups"), "2*n - 1", sizes(3, 6))


@PAPER.claim("Table 8", printed="2n - 2", evidence="executed: M = n, no limit of B")
def startups_of_one_balanced_tree(evidence: Evidence) -> Cases:
    """SBnT, one-port: the start-ups are 2n - 2 if the data of each node goes over one path."""
    return against(_without_limit(("7, one tree", "SBnT"), "startups"), "2*n - 2", sizes(3, 6))


@PAPER.claim("section 5.1.5", printed="N (1 + 2 log n / n) M", evidence="executed: M = n, no limit of B")
def elements_of_balanced_tree(evidence: Evidence) -> Cases:
    """SBnT, one-port: N (1 + 2 log n / n) M is an upper bound of the elements transferred with unbounded packets."""
    found = _without_limit((7, "SBnT, one-port"), "elements")
    return against(found, "N*(1 + 2*log2(n)/n)*n", sizes(3, 6), at_most)


def _without_limit(run: Key, quantity: str) -> Callable[..., Number]:
    return functools.partial(_of_n, run, quantity)


def _of_n(run: Key, quantity: str, n: int) -> Number:
    return free(run, quantity)(n=n, M=n)


@PAPER.claim(
    "section 5.1.5",
    printed="ceil((N - 1) M/(n B)), and Table 7",
    conditions=("M % (n*B) == 0",),
    evidence="both as printed: with B >= (N - 1) M/n they are 1 and n",
    reading=SHARE,
)
def startups_of_text_and_table(evidence: Evidence) -> Cases:
    """SBnT, n-port: the text's ceil((N - 1) M/(n B)) start-ups are those of Table 7."""
    for given in SHARED:
        table, text = value(T[7]["SBnT, n-port"].startups, **given), value("ceil((N - 1)*M/(n*B))", **given)
        yield same(table, text, given)
