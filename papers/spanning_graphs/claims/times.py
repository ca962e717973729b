"""T of Tables 4, 5, 7, 11, 13, 15 and 17, and Tables 2 and 3: printed, and executed."""

from collections.abc import Iterator
from fractions import Fraction
import functools
from typing import Any

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.spanning_graphs import printed
from fatcube.papers.spanning_graphs.claims.common import (
    DATA,
    EXECUTED,
    PIECES,
    SHARE,
    against,
    at_least,
    at_most,
    equal,
    join,
)
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.spanning_graphs.prices import GRID, SHARED, Grid, Key, cost, is_split, name_of, price
from fatcube.papers.verdict import ABOUT, about

claim = functools.partial(PAPER.claim, evidence=EXECUTED)


_PIPELINED = {(4, "BRG"), (4, "TCBT"), (4, "nESBT"), (5, "SBT"), (5, "TCBT"), (5, "nESBT")}
"""Broadcasts whose elements are printed as those of packets of B, and not of what is left of the data."""
_WORDS = {"startups": "start-ups", "elements": "transferred elements"}
_SLOW = (
    "2 log n / n is below 1 / 10 only from n = 144 on, where no execution is possible; the printed value is tried as an "
    "approximation, not as an upper bound"
)
_MISPRINTS = {(15, "nESBT", "elements"): "(n N/2 + N - 2) M, as in Table 16 and section 7.1"}


def splits(table: int | str, name: str) -> bool:
    """Whether n trees carry 1 / n of the data each: all packets of a one-port broadcast along nESBT are dealt out."""
    return is_split(name) and (table, name) != (4, "nESBT")


def grid(table: int, name: str, quantity: str) -> Grid:
    """The cases of a printed time that are within the paper's assumptions."""
    cases = SHARED if splits(table, name) else GRID
    if quantity == "elements" and (table, name) in _PIPELINED:
        share = "n" if (table, name) == (5, "nESBT") else ""
        cases = [given for given in cases if given["B"] * given.get(share, 1) <= given["M"]]
    return cases


def _cell(table: int, name: str, quantity: str) -> dict[str, Any]:
    time = printed.T[table][name]
    return {
        "table": table,
        "name": name,
        "quantity": quantity,
        "words": _WORDS[quantity],
        "text": getattr(time, quantity),
        "about": "about " if time.about else "",
        "of": name_of(table),
        "reading": join(
            SHARE if splits(table, name) else "",
            PIECES if quantity == "elements" and (table, name) in _PIPELINED else "",
            ABOUT if time.about else "",
            _SLOW if (table, name) == (7, "SBnT, one-port") else "",
        ),
        "misprint": _MISPRINTS.get((table, name, quantity), ""),
    }


_CELLS = [_cell(table, name, quantity) for table, names in printed.T.items() for name in names for quantity in _WORDS]


# Packets of which more are rounded up: conditions that hold of few sizes have failed there.
_MORE: dict[Key, Grid] = {
    (7, "TCBT, one-port"): [
        {"n": n, "M": M, "B": B} for n in (3, 4, 5) for M in (1, 4, 7) for B in range(1, 4 * M + 2)
    ],
    (11, "SBnT"): [{"n": 3, "M": 30, "B": B} for B in range(1, 11)],
    (15, "SBnT"): [{"n": 3, "M": 30, "B": B} for B in range(1, 11)],
}


@claim("Table {table}", "{about}{text}", name="{quantity}_{table}_{name}", parameters=_CELLS, conditions=DATA)
def time_of_table(**cell: Any) -> Cases:
    """{name}: the {words} of {of} are {about}{text}."""
    table, name, quantity = cell["table"], cell["name"], cell["quantity"]
    cases = grid(table, name, quantity)
    if cell["about"]:  # the error beyond the sizes in which all claims are tried
        cases = cases + [{"n": 7, "M": 7, "B": B} for B in (1, 7, 21, 7 << 7)] + _MORE.get((table, name), [])
    return against(cost((table, name), quantity), cell["text"], cases, about if cell["about"] else equal)


@claim(
    "Table {table}",
    "{about}{text}",
    name="{quantity}_{table}_{name}_at_most",
    parameters=[
        cell
        for cell in _CELLS
        if (cell["table"], cell["name"]) in {(7, "SBnT, one-port"), (7, "BRG, one-port")}
        and (cell["quantity"] == "startups" or cell["about"])
    ],
)
@said(conditions=DATA, reading="read as a bound from above: an execution that costs less does not go against it")
def time_of_table_as_a_bound(**cell: Any) -> Cases:
    """{name}: the {words} of {of} are at most {text}."""
    run = cell["table"], cell["name"]
    cases = grid(*run, cell["quantity"]) + [{"n": n, "M": n, "B": B} for n in (3, 4, 5) for B in range(2, n << n, 3)]
    return against(cost(run, cell["quantity"]), cell["text"], cases, at_most)


@claim("Table 15", "(n N/2 + N - 2) M", reading="as in Table 16 and section 7.1")
def elements_15_nESBT_meant() -> Cases:
    """nESBT: the transferred elements of one-port all-to-all personalized communication, with n N/2 for N/(2n)."""
    return against(cost((15, "nESBT"), "elements"), "(n*N/2 + N - 2)*M", SHARED)


@claim(
    "Table 2",
    "{text}",
    name="propagation_{graph}_{ports}",
    parameters=columns("graph ports text", [(*of, text) for of, text in printed.PROPAGATION.items()]),
    evidence="executed: M = B = 1",
)
def propagation(graph: str, ports: str, text: str) -> Cases:
    """{graph}, {ports}: the first packet is everywhere after {text} cycles."""
    found = functools.partial(cost((4 if ports == "one-port" else 5, graph), "startups"), M=1, B=1)
    return against(found, text, each(n=range(2, 9)))


@claim(
    "Table 3",
    "{text}",
    name="packets_apart_{graph}_{ports}",
    parameters=columns("graph ports text", [(*of, text) for of, text in printed.PACKETS_APART.items()]),
    evidence="executed: (cycles of 5n packets - cycles of 3n packets) / 2n",
)
def packets_apart(graph: str, ports: str, text: str) -> Cases:
    """{graph}, {ports}: {text} cycles per distinct packet."""
    return against(functools.partial(growth, (4 if ports == "one-port" else 5, graph)), text, each(n=range(3, 7)))


def growth(run: Key, n: int) -> Fraction:
    """Cycles per packet, in whole rounds of the n trees."""
    few, many = 3 * n, 5 * n
    return Fraction(price(run, n, many, 1).startups - price(run, n, few, 1).startups, many - few)


@claim(
    "section 4.2",
    "a factor of {about}{text}",
    parameters=columns(
        "graph one text about",
        [("nRBRG", "4, not pipelined", "n", "approximately ")]
        + [(graph, 4, "n", "approximately ") for graph in ("SBT", "nRSBT", "nESBT")]
        + [("TCBT", 4, "3", "")],
    ),
    evidence="executed: cycles per packet one-port and n-port, from 3n to 5n packets of one element; nRBRG, which is not "
    "pipelined, is compared with one path that is not either",
)
def ports_worth(graph: str, one: Any, text: str) -> Cases:
    """{graph}: n-port communication reduces start-ups and elements by a factor of {text} for many packets."""
    path = "BRG" if graph == "nRBRG" else graph
    return against(functools.partial(_speed_up, (one, path), (5, graph)), text, each(n=range(3, 7)))


def _speed_up(one: Key, many: Key, n: int) -> Fraction:
    return growth(one, n) / growth(many, n)


@claim("section 4.2", "may be faster", evidence="executed: M = 64, B = 1")
def path_may_be_faster() -> Cases:
    """For some M broadcasting along a Hamiltonian path is faster than along SBT, and than along TCBT."""
    path = functools.partial(_startups_of_64, "BRG")
    for graph in ("SBT", "TCBT"):
        yield from against(functools.partial(_startups_of_64, graph), path, each(n=range(3, 7)), at_least)


def _startups_of_64(graph: str, n: int) -> int:
    # A path that is as fast as the tree would not be faster.
    return price((4, graph), n, 64, 1).startups + (graph == "BRG")


_TEXTS = (
    ("section 1", "path", "pipelined along a path of length N, one send and one receive at a time",
     ("4, send and receive", "BRG"), ("ceil(M/B) + N - 1", "M + (N - 1)*B")),
    ("section 4.1.1", "path_not_pipelined", "BRG without pipelining",
     ("4, not pipelined", "BRG"), ("ceil(M/B)*(N - 1)", "M*(N - 1)")),
    ("section 4.1.3", "TCBT_send_and_receive", "TCBT with one send and one receive at a time",
     ("4, send and receive", "TCBT"), ("2*ceil(M/B) + 2*n - 4", "2*M + (2*n - 4)*B")),
    ("theorem 4.3", "nESBT_send_or_receive", "nESBT with one send or one receive at a time",
     ("4, send or receive", "nESBT"), ("2*ceil(M/B) + n - 1", "2*M + (n - 1)*B")),
    ("section 5.1.1", "BRG_send_and_receive", "BRG, personalized, with one send and one receive at a time",
     ("7, send and receive", "BRG"), ("max(ceil((N - 1)*M/B), N - 1)", "(N - 1)*M")),
    ("section 5.1.5", "SBnT_levels_merged", "SBnT, personalized, n-port, levels merged into packets",
     ("7, levels merged", "SBnT"), ("ceil((N - 1)*M/(n*B))", "(N - 1)*M/n")),
)  # fmt: skip


def _texts() -> Iterator[dict[str, Any]]:
    for where, name, what, run, texts in _TEXTS:
        for quantity, text in zip(("startups", "elements"), texts):
            pieces = quantity == "elements" and run[0] in ("4, send and receive", "4, send or receive")
            yield {
                "where": "section 4.1.5" if (where, quantity) == ("theorem 4.3", "elements") else where,
                "name": name,
                "what": what,
                "run": run,
                "quantity": quantity,
                "words": _WORDS[quantity],
                "text": text,
                "pieces": pieces,
                "reading": join(
                    SHARE if name == "SBnT_levels_merged" else "",
                    PIECES if pieces else "",
                    "the length N is the number of edges: 2^n - 1 here" if name == "path" else "",
                ),
            }


@claim("{where}", "{text}", name="{quantity}_{name}", parameters=list(_texts()), conditions=DATA)
def time_of_text(**cell: Any) -> Cases:
    """{what}: the {words} are {text}."""
    cases = SHARED if cell["name"] == "SBnT_levels_merged" else GRID
    if cell["pieces"]:
        cases = [given for given in cases if given["B"] <= given["M"]]
    text = cell["text"].replace("N", "(N - 1)") if cell["name"] == "path" else cell["text"]
    return against(cost(cell["run"], cell["quantity"]), text, cases)


@claim(
    "theorem 4.2",
    "at most {text}",
    name="nESBT_{quantity}_at_most",
    parameters=columns(
        "quantity words text",
        [("startups", "start-ups", "ceil(M/B) + n"), ("elements", "transferred elements", "M + n*B")],
    ),
)
def nESBT_at_most(quantity: str, text: str) -> Cases:
    """nESBT, one-port: the {words} are at most {text}."""
    return against(cost((4, "nESBT"), quantity), text, GRID, at_most)
