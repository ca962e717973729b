"""Table 1 and the lemmas that it is from: the load of every graph by dimension and level."""

from functools import partial
from typing import Any

from fatcube.papers.claim import columns, each, said
from fatcube.papers.spanning_graphs import printed
from fatcube.papers.spanning_graphs.claims.common import COUNTED, fact_case, in_words
from fatcube.papers.spanning_graphs.counts import kind_of, loads_of
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.verdict import Case, case, judged

claim = partial(PAPER.claim, evidence=COUNTED, over=each(n=range(2, 9)))


_LEMMAS = {"BRG": (10, 11), "nRBRG": (14, 15), "SBT": (17, 18), "nRSBT": (20, 21), "nESBT": (24, 25), "SBnT": (28, 28)}
"""Of section 3: those of the edges, Ew_d and ew_ld, and of the subtrees, sw_ld and rw_ld."""
_SHOWN = {"Ew": "Ew_d", "ew": "ew_ld", "sw": "sw_ld", "rw": "rw_ld"}
_LEVELS = {("nESBT", "ew"): '"l in {2, n}" is read as 2 <= l <= n, as in Table 1'}


@claim(
    "lemma 3.{lemma}",
    "{text}",
    name="{quantity}_{graph}",
    parameters=columns(
        "lemma graph quantity shown text reading",
        [
            (lemmas[quantity in ("sw", "rw")], graph, quantity, shown, printed.TABLE_1[graph][quantity], reading)
            for graph, lemmas in _LEMMAS.items()
            for quantity, shown in _SHOWN.items()
            for reading in [_LEVELS.get((graph, quantity), "")]
        ],
    ),
)
def load(graph: str, quantity: str, n: int) -> Case:
    """{graph}: {shown} is {text}, for all dimensions and all levels l below the height."""
    return _agrees(graph, quantity, n)


def _agrees(graph: str, quantity: str, n: int, lowest: int = 0) -> Case:
    """The case that a cell is what is counted in all dimensions and at all levels; it shows the first that differs."""
    text = printed.TABLE_1[graph][quantity]
    found = loads_of(kind_of(graph), n)
    counted: Any = getattr(found, quantity)
    for l in range(lowest, found.height):
        t = (~l & l + 1).bit_length() - 1
        for d in range(n):
            expected = value(text, n=n, l=l, d=d, t=t)
            number = counted[d if quantity == "Ew" else (l, d)]
            if number != expected:
                return judged(in_words(number), f"{in_words(expected)} at l = {l}, d = {d}", False)
    cells = n if quantity == "Ew" else (found.height - lowest) * n
    return judged(f"{cells} numbers as printed", text, True)


@claim(
    "Table 1",
    "{text}",
    parameters=columns(
        "graph lowest text",
        [(graph, 2 if graph == "nESBT" else 0, printed.ROWS_OF_TABLE_1[graph]) for graph in printed.TABLE_1],
    ),
)
def table_1(graph: str, lowest: int, n: int) -> Case:
    """{graph}: all four cells of its row of Table 1 are right, for levels l >= {lowest}."""
    cells = [_agrees(graph, quantity, n, 0 if quantity == "Ew" else lowest) for quantity in _SHOWN]
    wrong = next((cell for cell in cells if not cell.holds), None)
    return wrong or judged("; ".join(f"{cell.found}" for cell in cells), "as printed", True)


@claim("lemma 3.10", "the dimension of transition from l to l + 1", evidence="the Gray code itself")
def transition_of_gray_code(n: int) -> Case:
    """The rightmost 0 of l is the dimension in which the binary-reflected Gray code goes from l to l + 1."""
    codes = [i ^ i >> 1 for i in range(2**n)]
    changed = [(one ^ other).bit_length() - 1 for one, other in zip(codes, codes[1:])]
    expected = [(~l & l + 1).bit_length() - 1 for l in range(2**n - 1)]
    return case(f"dimensions {in_words(changed)}", f"dimensions {in_words(expected)}")


@claim("lemma 3.14", "1 for l in [0, N - 1]")
@said(
    evidence="counted on the graph: the last edge leaves level N - 2",
    misprint="l in [0, N - 2]: a path of N nodes has N - 1 edges; as in lemma 3.13",
)
def edges_of_rotated_paths_by_level(n: int) -> Case:
    """nRBRG: e_ld = 1 for all levels l in [0, N - 1]."""
    found = loads_of("nrbrg", n)
    without = [l for l in range(2**n) if any(found.ew[l, d] * n != 1 for d in range(n))]
    shown = "other than 1 at l = " + in_words(without) if without else "1 at every l"
    return case(shown, "1 at every l")


@claim(
    "{where}",
    "{text}",
    name="links_{graph}",
    parameters=columns(
        "where graph text",
        [("lemma 3.14", "nRBRG", "3*N/4"), ("lemma 3.20", "nRSBT", "N/2"), ("lemma 3.24", "nESBT", "N - 1")],
    ),
)
def links_by_dimension(graph: str, text: str, n: int) -> Case:
    """{graph}: E_d, the links of dimension d that it uses, are {text}."""
    found = loads_of(kind_of(graph), n)
    return case(in_words({found.E[d] for d in range(n)}), in_words(value(text, n=n)))


@claim("lemma 3.18", "d = min(2l, n - 1)")
def dimension_of_largest_subtrees(n: int) -> Case:
    """SBT: the largest s_ld of a level is attained at d = min(2l, n - 1)."""
    sw = loads_of("sbt", n).sw
    holds = all(sw[l, min(2 * l, n - 1)] == max(sw[l, d] for d in range(n)) for l in range(n))
    return fact_case(holds, "the largest of every level is there")


@claim("lemma 3.18", "C(2l, l) 2^(n-2l-1) for l <= floor((n - 1)/2), else C(n - 1, l)")
def largest_subtrees(n: int) -> Case:
    """SBT: the largest s_ld of a level is C(2l, l) 2^(n-2l-1) up to l = floor((n - 1)/2), and then C(n - 1, l)."""
    text = "C(2*l, l)*2**(n - 2*l - 1) if l <= floor((n - 1)/2) else C(n - 1, l)"
    sw = loads_of("sbt", n).sw
    found = [max(sw[l, d] for d in range(n)) for l in range(n)]
    return case(in_words(found), in_words([value(text, n=n, l=l) for l in range(n)]))


@claim("lemma 3.18", "r_ld = s_l(n-d-1)")
def subtrees_both_ways(n: int) -> Case:
    """SBT: r_ld = s_l(n-d-1)."""
    found = loads_of("sbt", n)
    holds = all(found.rw[l, d] == found.sw[l, n - d - 1] for l in range(n) for d in range(n))
    return fact_case(holds, "they are the same for every l and d")
