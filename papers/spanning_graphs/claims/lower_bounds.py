"""Lower bounds of sections 4 to 7, proven for any routing, and what is printed to attain them."""

from fractions import Fraction
import itertools
from typing import Any

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.spanning_graphs import printed
from fatcube.papers.spanning_graphs.bounds import bound_of, least_packet
from fatcube.papers.spanning_graphs.claims.common import SHARE, in_words, join, optimal
from fatcube.papers.spanning_graphs.counts import kind_of, loads_of
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.spanning_graphs.prices import SIZES, UNLIMITED, is_split, least, price, run_of
from fatcube.papers.verdict import Case, judged
from fatcube.schedules.spanning.packets import N_PORT, ONE_PORT

claim = PAPER.claim


_OF = {table: tuple(routings) for table, routings in printed.T.items()}
_ONE_PORT = tuple(name for name in _OF[7] if "one-port" in name)
_N_PORT = tuple(name for name in _OF[7] if "n-port" in name)
_PERSONALIZED = "one-to-all personalized"
_ALL_BROADCASTING = "all-to-all broadcasting"
_ALL_PERSONALIZED = "all-to-all personalized"


_PAIRS = columns("n M", [(n, M) for n in range(2, 9) for M in sorted({1, n - 1, n, n + 1, 2 * n, 3 * n + 1})])
_LOWER_BOUNDS = [
    {**bound, "shown": f"{bound['elements']} elements" + (" and n start-ups" if bound["startups"] else "")}
    for bound in columns(
        "where id table names problem ports startups elements",
        [
            ("section 4", "one_port_broadcasting", 4, _OF[4], "one-to-all broadcasting", ONE_PORT, "n", "M + n - 1"),
            ("section 4", "n_port_broadcasting", 5, _OF[5], "one-to-all broadcasting", N_PORT, "", "ceil(M/n) + n - 1"),
            ("section 5", "one_port_personalized", 7, _ONE_PORT, _PERSONALIZED, ONE_PORT, "n", "(N - 1)*M"),
            ("section 5", "n_port_personalized", 7, _N_PORT, _PERSONALIZED, N_PORT, "n", "(N - 1)*M/n"),
            ("theorem 6.1", "one_port_all_broadcasting", 11, _OF[11], _ALL_BROADCASTING, ONE_PORT, "n", "(N - 1)*M"),
            ("theorem 6.1", "n_port_all_broadcasting", 13, _OF[13], _ALL_BROADCASTING, N_PORT, "n", "(N - 1)*M/n"),
            ("theorem 7.1", "one_port_all_personalized", 15, _OF[15], _ALL_PERSONALIZED, ONE_PORT, "n", "n*N*M/2"),
            ("theorem 7.2", "n_port_all_personalized", 17, _OF[17], _ALL_PERSONALIZED, N_PORT, "n", "N*M/2"),
        ],
    )
]


@claim("{where}", "{shown}", name="lower_bound_{id}", parameters=_LOWER_BOUNDS, over=_PAIRS)
@said(evidence="proven for any routing, from the distances and the ports of the generated network")
def lower_bound(n: int, M: int, **bound: Any) -> Case:
    """{problem}, {ports}: no routing takes less than the lower bound, {shown}."""
    # It is proven, or refuted by an execution that costs less; or it is not decided.
    least = bound_of(bound["problem"], bound["ports"], n, M)
    printed_price = value(bound["startups"] or "0", n=n, M=M), value(bound["elements"], n=n, M=M)
    holds: bool | None = True
    if printed_price[0] > least.price.startups or printed_price[1] > least.price.elements:
        runs = [(bound["table"], name) for name in bound["names"]] if n in SIZES else []
        found = [price(run, n, M, B) for run in runs for B in (1, M, UNLIMITED)]
        holds = False if any(one < two for cost in found for one, two in zip(cost, printed_price)) else None
    shown = [printed_price[1], printed_price[0]] if bound["startups"] else [printed_price[1]]
    words = [f"{in_words(number)} {unit}" for number, unit in zip(shown, ("elements", "start-ups"))]
    text = f"at least {least.price.elements} elements and {least.price.startups} start-ups"
    return judged(text, " and ".join(words), holds, evidence=least.reason)


_MISPRINT = "nRSBT for nESBT, of which both cells are those of Table 18"


@claim(
    "Table 19",
    "lower bound algorithm: {elements} t_c + {startups} tau",
    name="lowest_{problem}_{ports}_{name}",
    parameters=columns(
        "problem ports name startups elements reading misprint",
        [
            (*of, cell.startups, cell.elements, SHARE if is_split(of[2]) else "", _MISPRINT * (of[2] == "nESBT"))
            for of, cell in printed.SUMMARY.items()
        ],
    ),
    over=each(n=SIZES),
    evidence="executed: M = n, no limit of B",
)
def lower_bound_algorithm(problem: str, ports: str, name: str, startups: str, elements: str, n: int) -> Case:
    """{name}, {ports}: T_min of {problem} communication is the least of any routing."""
    return optimal(run_of(problem, ports, name), (value(startups, n=n, M=n), value(elements, n=n, M=n)), n, n)


@claim(
    "Table 19",
    "lower bound algorithm",
    name="lowest_one_to_all_broadcasting_{id}",
    parameters=[
        {"id": "one_port", "ports": ONE_PORT, "table": 4, "others": ("BRG", "SBT", "nRSBT", "TCBT"), "more": "1"},
        {"id": "n_port", "ports": N_PORT, "table": 5, "others": ("nRBRG", "SBT", "nRSBT", "TCBT"), "more": "n"},
    ],
    evidence="executed with every whole B up to M, as all other routings of Table {table}; tau in units of t_c",
    reading=join(
        "T_min is the least of all whole B",
        "it fails where another routing takes less; where none of them does, the bound that is proven for any routing is "
        "still below it",
    ),
)
def broadcast_along_disjoint_trees(ports: str, table: int, others: tuple[str, ...], more: str) -> Cases:
    """nESBT, {ports}, M > {more}: T_min of one-to-all broadcasting is the least of any routing."""
    sizes = [(n, M) for n in SIZES for M in (2, n, 2 * n, 4 * n) if M > (1 if more == "1" else n)]
    for (n, M), tau in itertools.product(sizes, map(Fraction, ("1/4", "1", "4", "16"))):
        bound = bound_of("one-to-all broadcasting", ports, n, M)
        proven = bound.price.startups * tau + bound.price.elements
        found = least((table, "nESBT"), n, M, tau)
        fastest, name = min((least((table, name), n, M, tau), name) for name in others)
        holds = True if found == proven else False if fastest < found else None
        text = f"at most {in_words(float(fastest))} of {name}, at least {in_words(float(proven))}"
        time, shown = in_words(float(found)), f"proven: {bound.reason}"
        yield Case({"n": n, "M": M, "tau": tau}, text, time, holds, shown, achieved=holds is None)


@claim(
    "{where}",
    "at least {packet}",
    name="least_packet_{ports}",
    parameters=columns(
        "where ports packet", [("theorem 7.1", ONE_PORT, "N*M/2"), ("theorem 7.2", N_PORT, "N*M/(2*n)")]
    ),
    over=columns("n M", [(n, M) for n in range(2, 9) for M in (1, n, 2 * n)]),
    evidence="proven for any routing: all hops of all elements by shortest ways, over n cycles of the links that may be used "
    "at once",
)
def smallest_packet(ports: str, packet: str, n: int, M: int) -> Case:
    """The maximum packet size must be at least {packet} to attain the lower bound."""
    found, printed = least_packet(ports, n, M), value(packet, n=n, M=M)
    return judged(f"at least {found}", in_words(printed), found >= printed or None)


_NOT_GREEDY = [
    {"n": n, "graph": graph, "ports": ports}
    for n, ports in itertools.product(SIZES, (ONE_PORT, N_PORT))
    for graph in ("BRG", "nRBRG", "nESBT", "TCBT")
]


@claim("theorem 7.5", "not attained", over=_NOT_GREEDY)
@said(
    evidence="all hops of the graph, counted, over the links that may be used at once, whatever the schedule; the bound is that of "
    "shortest ways"
)
def not_greedy_is_not_optimal(n: int, graph: str, ports: str) -> Case:
    """Graphs that are not greedy, BRG, nRBRG, nESBT and TCBT, do not attain the lower bound of the transfers."""
    least = bound_of("all-to-all personalized", ports, n, n).price.elements
    counted = loads_of(kind_of(graph), n)
    hops = sum((l + 1) * counted.ew[l, d] for l in range(counted.height) for d in range(n))
    found = hops * n / (1 if ports == ONE_PORT else n)
    return judged(f"at least {in_words(found)}", f"> {least}", found > least)


@claim("theorem 7.5", "not attained", over=each(n=SIZES, graph=("BRG", "nRBRG", "nESBT")))
@said(evidence="the height of the graph, counted, which no schedule is below; the bound is the depth of the cube")
def higher_needs_more_startups(n: int, graph: str) -> Case:
    """Graphs of more than the minimum height, BRG, nRBRG and nESBT, do not attain the lower bound of the start-ups."""
    found, least = loads_of(kind_of(graph), n).height, bound_of("all-to-all personalized", N_PORT, n, n).price.startups
    return judged(f"at least {found}", f"> {least}", found > least)
