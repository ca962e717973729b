"""B_opt and T_min: Tables 4, 5, 8, 9, 12, 14, 16, 18 and 19, and those of sections 4 and 5."""

import dataclasses
from fractions import Fraction
import functools
from math import isclose
from typing import Any

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.expression import Number, evaluate
from fatcube.papers.spanning_graphs import printed
from fatcube.papers.spanning_graphs.claims.common import (
    MEANT_ROOT,
    ROUND,
    SHARE,
    against,
    at_most,
    equal,
    join,
    optimal,
    proven,
)
from fatcube.papers.spanning_graphs.claims.times import splits
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.spanning_graphs.prices import (
    SIZES,
    WHOLE,
    Grid,
    Key,
    cost,
    least,
    name_of,
    price,
    run_of,
    time_of,
    unlimited,
)
from fatcube.papers.verdict import ABOUT, Case, about, judged

claim = functools.partial(PAPER.claim, evidence="executed with every whole B up to M")


_RUNS = {
    "section 4.1.1": "4, send and receive",
    "section 4.1.3": "4, send and receive",
    "section 4.1.5": "4, send or receive",
}
_WITHOUT = "executed without a limit of B"


def shared(name: str, table: int = 0) -> Grid:
    """n and M, where n divides M for graphs of n trees."""
    return [given for given in WHOLE if not splits(table, name) or given["M"] % given["n"] == 0]


_WHOLE = "B_opt >= 1 and B_opt == floor(B_opt) and M % B_opt == 0"
_WHOLE_OF_TREES = "B_opt >= 1 and B_opt == floor(B_opt) and M % (n*B_opt) == 0"


def _root(where: str, name: str, root: printed.Root) -> dict[str, Any]:
    return {
        "where": where,
        "name": name,
        "run": (_RUNS.get(where) or int(where.split()[1]), name),
        "text": root.packet,
        "t_min": root.least,
        "condition": _WHOLE_OF_TREES if (where, name) == ("Table 5", "nESBT") else _WHOLE,
        "id": f"{name}_{'one' if 'Table 4' in where else 'n' if 'Table 5' in where else 'send'}",
    }


_ROOTS = [_root(where, name, root) for (where, name), root in printed.ROOTS.items()]


def _weighed(text: str) -> list[dict[str, Any]]:
    """n, M, B_opt, and the tau / t_c for which that is B_opt."""
    found = []
    sizes = [(n, M) for n in SIZES for M in (2 * n, 3 * n + 1, 4 * n)]
    for n, M in sizes:
        one = value(text or "sqrt(2*M*tau/((n - 1)*t_c))", n=n, M=M, tau=1, t_c=1)  # or what its T leads to
        square = Fraction(one * one).limit_denominator(10_000)
        for B_opt in (Fraction(1, 2), 1, Fraction(3, 2), 2, 3, M // 2, M, 2 * M):
            found.append({"n": n, "M": M, "B_opt": B_opt, "tau": Fraction(B_opt * B_opt) / square})
    return found


def _without_rounding(text: str, condition: str) -> list[dict[str, Any]]:
    return [given for given in _weighed(text) if evaluate(condition, given)]


@claim("{where}", "{t_min}", name="least_time_{id}", parameters=_ROOTS, over=_without_rounding, reading=ROUND)
def least_time(run: Key, t_min: str, n: int, M: int, tau: Fraction) -> Case:
    """{name}: T_min = {t_min} is the least time of all B."""
    found, expected = float(least(run, n, M, tau)), float(value(t_min, n=n, M=M, tau=tau, t_c=1))
    return judged(f"{found:.6g}", f"{expected:.6g}", isclose(found, expected))


@claim("{where}", "{t_min}", name="least_time_{id}_bound", parameters=_ROOTS, over=_weighed)
@said(evidence="executed with every whole B up to M, B_opt whole or not")
def least_time_is_a_bound(run: Key, t_min: str, n: int, M: int, tau: Fraction) -> Case:
    """{name}: no B takes less than T_min = {t_min}."""
    found, expected = float(least(run, n, M, tau)), float(value(t_min, n=n, M=M, tau=tau, t_c=1))
    return judged(f"{found:.6g}", f">= {expected:.6g}", found >= expected * (1 - 1e-9))


@claim(
    "{where}", "{text}", name="best_packet_{id}", parameters=[cell for cell in _ROOTS if cell["text"]], over=_weighed
)
@said(
    conditions=(_WHOLE, _WHOLE_OF_TREES),
    reading="a whole number next to B_opt; the paper leaves out the rounding, which is what a condition is about here",
)
def best_packet(run: Key, n: int, M: int, B_opt: Fraction, tau: Fraction) -> Case:
    """{name}: B = B_opt = {text} takes the least time."""
    below, best = max(1, int(B_opt)), float(least(run, n, M, tau))
    found = min(float(time_of(run, n, M, B, tau)) for B in (below, below + 1))
    return judged(f"{found:.6g}", f"{best:.6g}", isclose(found, best))


def _cell(where: int, name: str, of: str, run: Key, cases: Grid, optimum: printed.Optimum) -> dict[str, Any]:
    return {
        "where": f"Table {where}",
        "name": name,
        "id": f"{where}_{run[0]}_{name}" if where == 19 else f"{where}_{name}",
        "of": of,
        "run": run,
        "cases": cases,
        "reading": SHARE if splits(run[0] if where == 19 else where, run[1]) else "",
        **optimum._asdict(),
    }


_CELLS = [
    _cell(table, name, name_of(table), unlimited(table, name), shared(name, table), optimum)
    for table, routings in printed.OPTIMA.items()
    for name, optimum in routings.items()
] + [
    _cell(19, f"{name}, {ports}", problem, run_of(problem, ports, name), shared(name), optimum)
    for (problem, ports, name), optimum in printed.SUMMARY.items()
]
_BOUND = '"<=" is read literally: an execution that takes less does not contradict it'
_SPLIT = (
    "SBnT is the one with split cyclic nodes, for which sections 5.1.5 and 5.2 print 2n - 1; the printed value is "
    "that of the SBnT with one path to a node"
)
_MISPRINTS = {
    "16_nESBT": "n + 1 for n - 1, as in section 7.1",
    "19_17_nESBT, n-port": "nRSBT for nESBT, of which both cells are those of Table 18",
}


@claim(
    "{where}",
    "{sign}{text}",
    name="{quantity}_{id}_least",
    parameters=[
        {
            **cell,
            "quantity": quantity,
            "words": words,
            "text": cell[quantity],
            "sign": "<= " * (cell["at_most"] and quantity == "elements"),
            "reading": join(
                cell["reading"],
                _BOUND if cell["at_most"] and quantity == "elements" else "",
                _SPLIT if (cell["id"], quantity) == ("8_SBnT, one-port", "startups") else "",
            ),
            "misprint": _MISPRINTS.get(cell["id"], "") if cell["where"] == "Table 19" else "",
        }
        for cell in _CELLS
        for quantity, words in (("startups", "start-ups"), ("elements", "transferred elements"))
        if cell[quantity]
    ],
    evidence=_WITHOUT,
)
def optimum_time(**cell: Any) -> Cases:
    """{name}: the {words} of T_min of {of} are {sign}{text}."""
    agrees = at_most if cell["sign"] else equal
    for one in against(cost(cell["run"], cell["quantity"]), cell["text"], cell["cases"], agrees):
        yield _least_of_any(cell, one)


def _least_of_any(cell: dict[str, Any], one: Case) -> Case:
    """The case of an optimum: proven, where the value found is the least of any routing, or only achieved.

    A value that is printed as "at most" is no optimum, and the claim holds if it is achieved.
    """
    bound = proven(cell["run"], one.given["n"], one.given["M"])
    least = getattr(bound.price, cell["quantity"])
    if cost(cell["run"], cell["quantity"])(**one.given) == least:
        return dataclasses.replace(one, evidence=f"the least of any routing: {bound.reason}")
    achieved = one.holds is True and not cell["sign"]
    shown = f"any routing takes at least {least} {cell['words']}: {bound.reason}"
    return dataclasses.replace(one, holds=None if achieved else one.holds, achieved=achieved, evidence=shown)


@claim(
    "{where}",
    "{packet}",
    name="packet_{id}",
    parameters=[{**cell, "misprint": _MISPRINTS.get(cell["id"], "")} for cell in _CELLS if not cell["about"]],
    evidence=f"{_WITHOUT}: the largest packet",
)
def optimum_packet(**cell: Any) -> Cases:
    """{name}: B_opt of {of}, the largest packet that is of use, is {packet}."""
    return against(cost(cell["run"], "packet"), cell["packet"], cell["cases"])


def _middle(run: Key, binomial: str, n: int, M: int) -> Number:
    """The largest packet: executed, and beyond the sizes of executions the largest level of the tree."""
    return cost(run, "packet")(n, M) if n in SIZES else value(binomial, n=n, M=M)


def middle(run: Key, text: str) -> Cases:
    """The cases that the largest packet of an n-port run is about what is printed, up to n = 40."""
    binomial = "C(n - 1, floor((n - 1)/2))*M" if "SBT" == run[1].partition(",")[0] else "C(n, floor(n/2))*M/n"
    cases = [given for given in WHOLE if given["M"] % given["n"] == 0] + [{"n": n, "M": n} for n in range(7, 41)]
    return against(functools.partial(_middle, run, binomial), text, cases, about)


MIDDLE_EVIDENCE = f"{_WITHOUT} for n = 3 to 6: the largest packet; beyond, the largest level of the tree, M = n"
_APART = join("the root over 2 / pi alone", ABOUT)


# The radical sign reaches over the whole fraction, in Tables 9, 14 and 19 alike.
_RADICALS = [cell for cell in _CELLS if cell["about"] and "pi*(n" not in cell["packet"]]
_PRINTED_SO = "as it is printed, and so in Tables 9, 14 and 19 and in the texts alike"


@claim(
    "{where}",
    "{packet}",
    name="packet_{id}{suffix}",
    parameters=[
        {**cell, "reading": join(cell["reading"], "the cell is an approximation, as in lemma 5.1", ABOUT)}
        | {"suffix": "", "misprint": ""}
        for cell in _CELLS
        if "pi*(n" in cell["packet"]
    ]
    + [{**cell, "suffix": "_printed", "misprint": MEANT_ROOT, "reading": _PRINTED_SO} for cell in _RADICALS],
    evidence=MIDDLE_EVIDENCE,
)
def middle_packet(**cell: Any) -> Cases:
    """{name}: B_opt of {of}, the largest packet that is of use, is about {packet}."""
    return middle(cell["run"], cell["packet"])


@claim(
    "{where}",
    "{packet}",
    name="packet_{id}_meant",
    parameters=[{**cell, "reading": join(SHARE, _APART)} for cell in _RADICALS],
    evidence=MIDDLE_EVIDENCE,
)
def middle_packet_as_meant(**cell: Any) -> Cases:
    """{name}: B_opt of {of} is about sqrt(2/pi) N M / n^(3/2), as in corollary 6.2."""
    return middle(cell["run"], "sqrt(2/pi)*N*M/n**(3/2)")


@claim("Table 19", "1, n (t_c + tau)", over=each(n=SIZES), evidence="executed: M = B = 1")
def broadcast_of_one_element(n: int) -> Case:
    """One-port one-to-all broadcasting of M = 1 along SBT takes n (t_c + tau), with B_opt = 1."""
    return optimal((4, "SBT"), (n, n), n, 1, 1)


@claim("Table 19", "1, n (t_c + tau)", over=columns("n M", [(n, M) for n in SIZES for M in range(1, n + 1)]))
def broadcast_of_few_elements(n: int, M: int) -> Case:
    """n-port one-to-all broadcasting of M <= n along nRSBT takes n (t_c + tau), with B_opt = 1."""
    worst = next((B for B in range(1, M + 1) if price((5, "nRSBT"), n, M, B) != (n, n)), 1)
    return optimal((5, "nRSBT"), (n, n), n, M, worst)
