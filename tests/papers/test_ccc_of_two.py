"""The two graphs CCC(2): a row whose cases have n = 2 says which it is of, and computes with no other."""

import importlib
import itertools
import pkgutil
import re
import shutil

import pytest

from fatcube.papers.ccc import claims, graphs, rings, steps
from fatcube.papers.ccc.claims import PAPER
from fatcube.papers.ccc.graphs import DOUBLE_LINK, EITHER_LINK, SINGLE_LINK, ccc, defined
from fatcube.papers.evidence import Evidence
from tests.support.audits import REPORTS, stored
from tests.support.children import HANG

MODULES = [
    steps,
    rings,
    *(importlib.import_module(f"{claims.__name__}.{found.name}") for found in pkgutil.iter_modules(claims.__path__)),
]
MADE_BY = {"defined": SINGLE_LINK, "hops": SINGLE_LINK, "ccc": DOUBLE_LINK}
# With n = 2 and on no CCC(2): sums of printed terms, and the bits of a number.
NO_GRAPH = {"a4_sum", "source_address"}
DIFFERENT_NAMES = [("single-link", 1, 2), ("double-link", 2, 3)]


def test_the_two_graphs_are_what_their_names_say():
    (_, one, few), (_, two, many) = DIFFERENT_NAMES
    assert defined(2).number_of_edges((0, 0), (0, 1)) == one and {degree for _, degree in defined(2).degree()} == {few}
    assert len(ccc(2).channels_between(0, 1)) == two and {degree for _, degree in ccc(2).graph.degree()} == {many}
    assert all(
        f"In the {name} CCC(2)" in PAPER.note or f"the {name} CCC(2)" in PAPER.note for name, *_ in DIFFERENT_NAMES
    )


@pytest.fixture(scope="module")
def evidence(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit") / "ccc"
    shutil.copytree(REPORTS / "ccc", folder)
    return Evidence(folder, time_limit=HANG, searched=claims.searched)


def of_two(claim, evidence):
    """Whether the claim has a case n = 2; no later one is tried."""
    first = itertools.takewhile(lambda one: one.given.get("n", 3) <= 2, claim.cases(evidence))
    return any(one.given["n"] == 2 for one in first)


def test_a_claim_computes_with_the_graph_that_it_names(evidence, monkeypatch):
    used = set()

    def watched(make, graph):
        def made(n):
            if n == 2:
                used.add(graph)
            return make(n)

        return made

    for module in MODULES:
        for name, graph in MADE_BY.items():
            if hasattr(module, name):
                monkeypatch.setattr(module, name, watched(getattr(graphs, name), graph))
    wrong, named = {}, 0
    for claim in PAPER.claims:
        for module in MODULES:
            for function in vars(module).values():
                if hasattr(function, "cache_clear") and function.__module__ == module.__name__:
                    function.cache_clear()
        used.clear()
        if of_two(claim, evidence):
            expected = used or ({claim.graph} & {DOUBLE_LINK, EITHER_LINK})  # layouts and nodes are counted without one
            named += bool(claim.graph)
            if expected != ({claim.graph} - {""}):
                wrong[claim.name] = claim.graph, set(used)
    assert wrong == {} and named > 70


def test_a_row_with_two_names_its_graph():
    """Every row of a CCC, as it is stored; those of the hypercube alone, named for it, have no such graph."""
    missing = []
    for row in stored("ccc"):
        sizes = re.search(r"n = (?:([12]) to|(1, )?2\b)", row.cases)
        cube_only = "CCC" not in row.claim and ("cube" in row.claim or row.name.startswith("cube_"))
        if sizes and not cube_only and row.name not in NO_GRAPH and "CCC(2)" not in row.cases:
            missing.append(row.name)
    assert missing == []
