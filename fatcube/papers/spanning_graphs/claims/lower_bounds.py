"""Lower bounds of sections 4 to 7, proven for any routing, and what is printed to attain them."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.spanning_graphs import printed
from fatcube.papers.spanning_graphs.bounds import bound_of, least_packet
from fatcube.papers.spanning_graphs.claims.common import SHARE, in_words, join, optimal
from fatcube.papers.spanning_graphs.claims.times import identifier, splits
from fatcube.papers.spanning_graphs.counts import kind_of, loads_of
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.spanning_graphs.prices import SIZES, UNLIMITED, least, price
from fatcube.papers.verdict import Case
from schedules.spanning.packets import N_PORT, ONE_PORT

claim = PAPER.claim


_OF = {table: tuple(routings) for table, routings in printed.T.items()}
_ONE_PORT = tuple(name for name in _OF[7] if "one-port" in name)
_N_PORT = tuple(name for name in _OF[7] if "n-port" in name)
_PERSONALIZED = "one-to-all personalized"
_ALL_BROADCASTING = "all-to-all broadcasting"
_ALL_PERSONALIZED = "all-to-all personalized"


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


@claim("{where}", "{shown}", name="lower_bound_{id}", parameters=_LOWER_BOUNDS)
@said(evidence="proven for any routing, from the distances and the ports of the generated network")
def lower_bound(**bound: Any) -> Cases:
    """{problem}, {ports}: no routing takes less than the lower bound, {shown}."""
    for n in range(2, 9):
        for M in sorted({1, n - 1, n, n + 1, 2 * n, 3 * n + 1}):
            yield _bounded(bound, n, M)


def _bounded(bound: dict[str, Any], n: int, M: int) -> Case:
    """The case that a printed bound is proven, or refuted by an execution that costs less; or it is not decided."""
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
    return Case({"n": n, "M": M}, " and ".join(words), text, holds, least.reason)


_TABLES = {"one-to-all personalized": (7, 7), "all-to-all broadcasting": (11, 13), "all-to-all personalized": (15, 17)}
"""The tables of times, one-port and n-port."""


def _summary() -> Iterator[dict[str, Any]]:
    for (problem, ports, name), optimum in printed.SUMMARY.items():
        table = _TABLES[problem][ports == N_PORT]
        misprint = "nRSBT for nESBT, of which both cells are those of Table 18" if name == "nESBT" else ""
        yield {
            "problem": problem,
            "ports": ports,
            "name": name,
            "id": identifier(f"{problem} {ports} {name}"),
            "run": (table, f"{name}, {ports}" if table == 7 else name),
            "startups": optimum.startups,
            "elements": optimum.elements,
            "reading": SHARE if splits(table, name) else "",
            "misprint": misprint,
        }


@claim(
    "Table 19",
    "lower bound algorithm: {elements} t_c + {startups} tau",
    name="lowest_{id}",
    parameters=list(_summary()),
    over=each(n=SIZES),
)
@said(evidence="executed: M = n, no limit of B", reading="{reading}", misprint="{misprint}")
def lower_bound_algorithm(n: int, **cell: Any) -> Case:
    """{name}, {ports}: T_min of {problem} communication is the least of any routing."""
    expected = value(cell["startups"], n=n, M=n), value(cell["elements"], n=n, M=n)
    found = price(cell["run"], n, n, UNLIMITED)
    return optimal(found, expected, bound_of(cell["problem"], cell["ports"], n, n))


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
    for n in SIZES:
        for M in (2, n, 2 * n, 4 * n):
            for tau in map(Fraction, ("1/4", "1", "4", "16")):
                if M > (1 if more == "1" else n):
                    bound = bound_of("one-to-all broadcasting", ports, n, M)
                    proven = bound.price.startups * tau + bound.price.elements
                    found = least((table, "nESBT"), n, M, tau)
                    fastest = min((least((table, name), n, M, tau), name) for name in others)
                    holds = True if found == proven else False if fastest[0] < found else None
                    text = f"at most {in_words(float(fastest[0]))} of {fastest[1]}, at least {in_words(float(proven))}"
                    shown = f"proven: {bound.reason}"
                    time = in_words(float(found))
                    yield Case({"n": n, "M": M, "tau": tau}, text, time, holds, shown, achieved=holds is None)


@claim(
    "{where}",
    "at least {packet}",
    name="least_packet_{ports}",
    parameters=columns(
        "where ports packet", [("theorem 7.1", "one_port", "N*M/2"), ("theorem 7.2", "n_port", "N*M/(2*n)")]
    ),
    evidence="proven for any routing: all hops of all elements by shortest ways, over n cycles of the links that may be used "
    "at once",
)
def smallest_packet(ports: str, packet: str) -> Cases:
    """The maximum packet size must be at least {packet} to attain the lower bound."""
    for n in range(2, 9):
        for M in (1, n, 2 * n):
            found = least_packet(ONE_PORT if ports == "one_port" else N_PORT, n, M)
            yield Case(
                {"n": n, "M": M},
                in_words(value(packet, n=n, M=M)),
                f"at least {found}",
                found >= value(packet, n=n, M=M) or None,
            )


@claim("theorem 7.5", "not attained")
@said(
    evidence="all hops of the graph, counted, over the links that may be used at once, whatever the schedule; the bound is that of "
    "shortest ways"
)
def not_greedy_is_not_optimal() -> Cases:
    """Graphs that are not greedy, BRG, nRBRG, nESBT and TCBT, do not attain the lower bound of the transfers."""
    for n in SIZES:
        for ports in (ONE_PORT, N_PORT):
            least = bound_of("all-to-all personalized", ports, n, n).price.elements
            for graph in ("BRG", "nRBRG", "nESBT", "TCBT"):
                counted = loads_of(kind_of(graph), n)
                hops = sum((l + 1) * counted.ew[l, d] for l in range(counted.height) for d in range(n))
                found = hops * n / (1 if ports == ONE_PORT else n)
                shown = f"at least {in_words(found)}"
                yield Case({"n": n, "graph": graph, "ports": ports}, f"> {least}", shown, found > least)


@claim("theorem 7.5", "not attained")
@said(evidence="the height of the graph, counted, which no schedule is below; the bound is the depth of the cube")
def higher_needs_more_startups() -> Cases:
    """Graphs of more than the minimum height, BRG, nRBRG and nESBT, do not attain the lower bound of the start-ups."""
    for n in SIZES:
        least = bound_of("all-to-all personalized", N_PORT, n, n).price.startups
        for graph in ("BRG", "nRBRG", "nESBT"):
            found = loads_of(kind_of(graph), n).height
            yield Case({"n": n, "graph": graph}, f"> {least}", f"at least {found}", found > least)
