"""Section 6: all-to-all broadcasting beside its tables, and its pseudo-codes."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from math import comb
from typing import Any

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.spanning_graphs import printed
from fatcube.papers.spanning_graphs.claims.common import (
    COUNTED,
    EXECUTED,
    SHARE,
    against,
    approximation,
    fact_case,
    in_words,
    join,
    optimal,
    priced,
    proven,
)
from fatcube.papers.spanning_graphs.claims.optima import MIDDLE_EVIDENCE, middle
from fatcube.papers.spanning_graphs.claims.times import splits
from fatcube.papers.spanning_graphs.counts import graph_of, kind_of, loads_of
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.spanning_graphs.prices import GRID, SHARED, SIZES, UNLIMITED, Key, cost, cycle_sizes, name_of, price
from fatcube.papers.verdict import Case, case, judged

claim = partial(PAPER.claim, evidence="executed: M = n, no limit of B", over=each(n=SIZES))


_ALL = ("nRBRG", "SBT", "nRSBT", "nESBT", "SBnT", "TCBT", "BRG")


def by_loads(run: Key, quantity: str) -> Cases:
    """The cases that T is the sum of the largest loads of every level (theorems 6.2, 7.3 and 7.4)."""
    name = run[1]
    for given in [given for given in (SHARED if splits(run[0], name) else GRID) if given["n"] < 6]:
        n, M, B = given["n"], given["M"], given["B"]
        counted: Any = loads_of(kind_of(name), n)
        widest = [max(getattr(counted, quantity)[l, d] for d in range(n)) for l in range(counted.height)]
        yield priced(price(run, n, M, B), (sum(-(-M * wide // B) for wide in widest), M * sum(widest)), **given)


@claim(
    "theorem 6.2",
    "sum of ceil(M/B max ew_ld) tau + M t_c max ew_ld, l = 0 to h - 1",
    parameters=[{"graph": name, "reading": SHARE if splits(13, name) else ""} for name in _ALL],
    evidence="executed; ew_ld counted on the graph",
)
def broadcasting_time_by_loads(graph: str) -> Cases:
    """{graph}: n-port all-to-all broadcasting takes the largest ew_ld of every level, one level after the other."""
    return by_loads((13, graph), "ew")


@claim("corollary 6.1", "(N - 1) M/n t_c + h tau", over=each(n=SIZES, graph=("nRBRG", "nRSBT", "nESBT", "SBnT")))
@said(reading=SHARE)
def time_of_balanced_loads(n: int, graph: str) -> Case:
    """nRBRG, nRSBT, nESBT and SBnT, whose ew_ld is the same in all dimensions, take (N - 1) M/n t_c + h tau with n ports."""
    return priced(price((13, graph), n, n, UNLIMITED), (loads_of(kind_of(graph), n).height, (1 << n) - 1))


@claim("corollary 6.2", "(N - 1) M/n t_c + n tau", over=each(n=SIZES, graph=("nRSBT", "SBnT")), reading=SHARE)
def rotated_greedy_trees_attain_the_bound(n: int, graph: str) -> Case:
    """N translated graphs of n rotated greedy trees, nRSBT and SBnT, attain the lower bound of all-to-all broadcasting."""
    return optimal((13, graph), (n, (1 << n) - 1), n, n)


@claim("corollary 6.2", "approximately sqrt(2/pi)*N*M/n**(3/2)")
@said(evidence=MIDDLE_EVIDENCE, reading=join(SHARE, '"approximately" is within 10 %, and as a limit it holds'))
def packet_of_rotated_greedy_trees() -> Cases:
    """The lower bound is attained if B is at least approximately sqrt(2/pi) N M/n^(3/2)."""
    return middle((13, "nRSBT"), "sqrt(2/pi)*N*M/n**(3/2)")


@claim("lemma 6.1", "minimized", over=[{**given, "graph": graph} for given in SHARED for graph in printed.T[11]])
@said(
    evidence="executed: all of Table 11 use one dimension in a cycle; proven for any routing: every node has to receive "
    "(N - 1) M elements on one port",
    reading=SHARE,
)
def one_dimension_per_cycle(graph: str, **given: int) -> Case:
    """The one-port transfer time of all-to-all broadcasting is minimized if one dimension is routed per cycle."""
    return case(price((11, graph), **given).elements, proven((11, graph), given["n"], given["M"]).price.elements)


_CYCLES = (
    ("section 6.1", 11, "nESBT", "2**i*M/n if i < n else (N - 1 - 2**(i - n))*M/n"),
    ("section 6.1", 11, "nRSBT", "(2**(i + 1) - 1)*M/n if i < n else (N - 2**(i - n + 1))*M/n"),
    ("section 7.1", 15, "nRSBT", "N*M*(i + 1)/(2*n) if i < n else N*M*(2*n - i - 1)/(2*n)"),
)


@claim(
    "{where}",
    "{text}",
    name="elements_by_cycle_{table}_{graph}",
    parameters=columns("where table graph text of", [(*row, name_of(row[1])) for row in _CYCLES]),
    reading=SHARE,
)
def elements_by_cycle(table: int, graph: str, text: str) -> Cases:
    """{graph}, {of}: the elements transferred in cycle i are {text}."""
    for n in SIZES:
        for i, found in enumerate(cycle_sizes((table, graph), n, n)):
            yield case(found, value(text, n=n, M=n, i=i), n=n, i=i)


@claim("section 6.1", "grow, shrink, (N - 1) M/n together", reading=SHARE)
def packets_of_balanced_tree(n: int) -> Case:
    """SBnT, one-port: packets grow up to cycle n - 1 and then shrink, and those of cycles i and i + n, i <= n - 2, have
    (N - 1) M/n elements together."""
    found = list(cycle_sizes((11, "SBnT"), n, n))
    grow = found[:n] == sorted(found[:n]) and found[n - 1 :] == sorted(found[n - 1 :], reverse=True)
    together = {found[i] + found[i + n] for i in range(n - 1)}
    holds = (len(found), grow, together) == (2 * n - 1, True, {(1 << n) - 1})
    text = f"{2 * n - 1} packets that grow and shrink, {(1 << n) - 1} elements together"
    shown = f"packets of {in_words(found)} elements; together {in_words(together)}"
    return judged(shown, text, holds)


@claim("section 6.1", "the same")
@said(
    conditions=("M % B == 0", "B == 1"),
    evidence=EXECUTED,
    reading='"if the maximum packet size is smaller than the data set" is read as B <= M; the condition is the rounding '
    "that the paper leaves out",
)
def binomial_tree_as_slow_as_path() -> Cases:
    """One-port, B <= M: SBT routing is of the same complexity as BRG routing."""
    cases = [given for given in GRID if given["B"] <= given["M"]]
    return against(cost((11, "SBT"), "startups"), cost((11, "BRG"), "startups"), cases)


@claim("section 6.1", "(N - 1)/n", reading='"reduced by a factor of (N - 1)/n" is read as divided by it')
def startups_saved_by_binomial_tree(n: int) -> Case:
    """One-port, B >= N M/2: the start-ups of SBT are those of BRG reduced by a factor of (N - 1)/n."""
    found = [price((11, graph), n, n, UNLIMITED).startups for graph in ("BRG", "SBT")]
    return case(found[0] * n, found[1] * ((1 << n) - 1))


@claim("section 6.1", "2")
def transfers_saved_by_ports(n: int) -> Case:
    """SBT: with n ports the transfer time of all-to-all broadcasting is at most reduced by a factor of 2."""
    one, many = (price((table, "SBT"), n, n, UNLIMITED).elements for table in (11, 13))
    return judged(f"{one / many:.6g}", "at most 2", one <= 2 * many)


@claim("section 6.1", "Table 11", over=({},), evidence="the rows of the tables", misprint="Table 13")
def table_of_rotated_paths() -> Case:
    """nRBRG: the complexity of n-port all-to-all broadcasting is in Table 11."""
    return case(", ".join(f"Table {table}" for table in (11, 13) if "nRBRG" in printed.T[table]), "Table 11")


@claim("pseudo-code of N SBT routing", "C(j, i)", over=each(n=range(2, 8)))
@said(
    evidence="executed as it is written",
    reading='"the data accumulated in buffers" is what was received in the last step; the length of everything received '
    "is more (binomial_code_at_its_word)",
)
def binomial_code(n: int) -> Case:
    """Port j sends C(j, i) M elements in step i, and after n steps every node has the data of all nodes once."""
    right, received = _code(n, only_last=True)
    return _of_code(right, received == {2**n - 1})


@claim("pseudo-code of N SBT routing", "C(j, i)", over=each(n=range(2, 8)))
@said(
    evidence="executed as it is written",
    conditions=("n == 2",),
    reading='"accumulated" and "append" are read literally: everything that the buffers received is sent',
)
def binomial_code_at_its_word(n: int) -> Case:
    """Port j sends C(j, i) M elements in step i, its buffers being appended to and never emptied."""
    right, _ = _code(n, only_last=False)
    return _of_code(right, True)


def _of_code(right: bool, once: bool) -> Case:
    shown = "all lengths are C(j, i)" if right else "not all lengths are C(j, i)"
    return judged(shown + ("" if once else "; data does not arrive once"), "all lengths are C(j, i)", right and once)


def _code(n: int, *, only_last: bool) -> tuple[bool, set[int]]:
    """Whether all lengths are as printed, and how much every node has received of every other one's data.

    All nodes do the same, so the data of a step is known by its relative source: buffers of node 0 are enough.
    """
    buffers: dict[int, list[int]] = {port: [1 << port] for port in range(n)}  # relative addresses of sources
    last = dict(buffers)
    right = True
    for i in range(1, n):
        sent: dict[int, list[int]] = {}
        for j in range(i, n):
            held = last if only_last else buffers
            sent[j] = [source for port in range(i - 1, j) for source in held.get(port, [])]
            right = right and len(sent[j]) == comb(j, i)
        last = {j: [source ^ 1 << j for source in sources] for j, sources in sent.items()}
        buffers = {port: [*buffers[port], *last.get(port, [])] for port in range(n)}
    received = Counter(source for sources in buffers.values() for source in sources)
    once = len(received) if set(received.values()) == {1} else received.total()
    return right, {once}


@claim(
    "pseudo-code of {of}",
    "as many enddo as loops",
    name="loops_of_{code}_code",
    parameters=columns("code of", [("SBT", "N SBT routing"), ("children", "routing by children")]),
    over=({},),
)
@said(evidence="counted in the text", misprint="one enddo too many")
def loops_of_code(code: str) -> Case:
    """Every loop is closed by one enddo."""
    loops, ends = printed.CODES[code]
    return case(f"{ends} enddo for {loops} loops", f"{loops} enddo for {loops} loops")


@claim(
    "pseudo-code of routing by children",
    "n steps",
    name="children_code{id}",
    parameters=columns(
        "id emptied reading",
        [
            ("", True, "a buffer is emptied when it has been sent"),
            ("_at_its_word", False, "a buffer is appended to and, as nothing else is written, never emptied"),
        ],
    ),
    over=each(n=range(2, 6)),
    evidence="executed as it is written, with the children's function of SBnT, one path to a node",
)
def children_code(emptied: bool, n: int) -> Case:
    """After n steps every node has the message of every other node, once."""
    received = _routed(n, emptied)
    text = "{} messages, at most {} time(s) each"
    return case(text.format(len(received), max(received.values())), text.format(2**n - 1, 1))


def _routed(n: int, emptied: bool) -> Counter[int]:
    """How often node 0 receives what each other node, by its relative address, has sent."""
    graph = graph_of("sbnt", n)
    received: Counter[int] = Counter()
    out: Sequence[list[int]] = [[0] for _ in range(n)]  # where each message is, relative to its source
    for _ in range(n):
        arrived = [[position ^ 1 << port for position in out[port]] for port in range(n)]
        out = [[] if emptied else list(held) for held in out]
        for messages in arrived:
            for position in messages:
                received[position] += 1
                if position:
                    for child in graph.children(position):
                        out[(child ^ position).bit_length() - 1].append(position)
    return received


_STARTUPS, _PACKET = "number of start-ups", "maximum packet size"


@claim(
    "section 6.2",
    "{text}",
    name="summary_{quantity}_{graph}",
    parameters=columns(
        "graph quantity words text reading",
        [
            ("BRG", "startups", _STARTUPS, "N - 1", ""),
            ("nESBT", "startups", _STARTUPS, "2*n", SHARE),
            ("nESBT", "packet", _PACKET, "M*(N - 2)/n", SHARE),
            ("nRSBT", "startups", _STARTUPS, "2*n - 1", SHARE),
            ("nRSBT", "packet", _PACKET, "M*(N - 1)/n", SHARE),
            ("SBnT", "startups", _STARTUPS, "2*n - 1", SHARE),
            ("SBnT", "packet", _PACKET, "M*(N - 1)/n", SHARE),
        ],
    ),
)
def summary(graph: str, quantity: str, text: str, n: int) -> Case:
    """{graph}, one-port: the {words} of all-to-all broadcasting is {text}."""
    return case(cost((11, graph), quantity)(n), value(text, n=n, M=n))


@claim("section 6.2", "sqrt(2/n)*N*M/n**(3/2)")
@said(evidence=MIDDLE_EVIDENCE, reading=SHARE, misprint="sqrt(2/pi) for sqrt(2/n), as in corollary 6.2")
def packet_of_lower_bound() -> Cases:
    """nRSBT and SBnT attain the lower bound with the same maximum packet size, sqrt(2/n) N M/n^(3/2)."""
    return middle((13, "nRSBT"), "sqrt(2/n)*N*M/n**(3/2)")


_UNEVEN = columns("n M", [(n, M) for n in SIZES for M in range(1, 3 * n + 1) if M % n])


@claim("section 6.2", "does not attain", over=_UNEVEN, evidence=EXECUTED)
def rotated_trees_miss_the_bound(n: int, M: int) -> Case:
    """If n does not divide M, nRSBT does not attain the lower bound complexity, n-port."""
    found, least = cost((13, "nRSBT"), "elements")(n, M), proven((13, "nRSBT"), n, M).price.elements  # whole elements
    return judged(str(found), f"> {least}", found > least)


@claim("section 6.2", "one additional start-up", reading=SHARE)
def one_more_startup(n: int) -> Case:
    """nESBT, n-port: it attains the lower bound of all-to-all broadcasting but for one additional start-up."""
    least = proven((13, "nESBT"), n, n).price
    return priced(price((13, "nESBT"), n, n, UNLIMITED), (least.startups + 1, least.elements))


@claim("section 6.2", "about n/2", over=each(n=range(3, 9)))
@said(
    evidence="executed: M = n, no limit of B; for n = 7 and 8 the loads that theorem 6.2 adds up",
    reading='"approximately" is within 10 %, and as a limit it holds',
)
def slow_down_of_binomial_tree(n: int) -> Case:
    """SBT, n-port: the slow-down of the transfers to the lower bound is approximately n/2."""
    counted = loads_of("sbt", n)
    widest = sum(max(counted.ew[l, d] for d in range(n)) for l in range(n))
    found = price((13, "SBT"), n, n, UNLIMITED).elements / n if n in SIZES else float(widest)
    slow = found * n / proven((13, "SBT"), n, n).price.elements
    return approximation({"n": n}, slow, n / 2)


@claim("section 6.1", "C(j, i)", over=each(n=range(2, 9)), evidence=COUNTED)
def data_for_a_port(n: int) -> Case:
    """SBT, n-port: the edges of dimension j that leave level i are C(j, i), the length that port j sends in step i."""
    found = loads_of("sbt", n)
    holds = all(found.ew[i, j] == comb(j, i) for i in range(n) for j in range(n))
    return fact_case(holds, "C(j, i) edges for every i and j")
