"""Table 3 and the beginning of section 4: the hypercube, store-and-forward and wormhole.

A wormhole step has messages on paths that share no link in one direction, from end to end. A step of a
store-and-forward schedule is one whose paths have a single link, so that each such schedule is a wormhole schedule too.
"""

from collections import Counter
from functools import partial
import itertools

from fatcube.noc.topologies.cubes import Hypercube
from fatcube.papers.arithmetic import ceil_div
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.fat_case import FAT, FatCase, cases, compared, equal, shown_together
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.verdict import Case, judged

__all__ = ["TABLE_3", "WORMHOLE", "cells", "value"]

claim = partial(PAPER.claim, evidence="")


TABLE_3 = {
    "1": {"OAB": "log P", "AAB": "P - 1", "OAS": "P - 1", "AAS": "d P/2"},
    "d": {"OAB": "D = d", "AAB": "ceil((P - 1)/d)", "OAS": "ceil((P - 1)/d)", "AAS": "P/2"},
}
"""Table 3, store-and-forward, by router model: the all-port hypercube is one with d ports per processor."""

WORMHOLE = {
    "1": {"OAB": "log P", "AAB": "P - 1", "OAS": "P - 1", "AAS": "P - 1"},
    "d": {"OAB": "ceil(log P to the base d + 1)", **{name: TABLE_3["d"][name] for name in ("AAB", "OAS", "AAS")}},
}
"""Table 3, wormhole."""

_CELLS = {
    "log P": "log P (= d)",
    "D = d": "D (= d)",
    "ceil(log P to the base d + 1)": "ceil(log P to the base d + 1) = ceil(d/log(d + 1))",
}
"""Cells that print a second form beside the one that is computed."""

_WORDS = {"1": "1-port", "d": "all-port"}


def value(text: str, d: int) -> int:
    """The value of a cell of Table 3 on the hypercube of d dimensions."""
    P = 1 << d
    base = next(exponent for exponent in itertools.count() if (d + 1) ** exponent >= P)
    return {
        "log P": d,
        "D = d": d,
        "P - 1": P - 1,
        "d P/2": d * P // 2,
        "P/2": P // 2,
        "ceil((P - 1)/d)": ceil_div(P - 1, d),
        "ceil(log P to the base d + 1)": base,
    }[text]


def cells(table: dict[str, dict[str, str]]) -> list[dict[str, str]]:
    """The parameters of a claim for each cell of a part of Table 3."""
    return [
        {
            "model": model,
            "ports": _WORDS[model],
            "collective": collective,
            "text": text,
            "cell": _CELLS.get(text, text),
        }
        for model, row in table.items()
        for collective, text in row.items()
    ]


@claim(
    "Table 3",
    "{cell}",
    name="store_and_forward_{collective}_{ports}",
    parameters=cells(TABLE_3),
    over=each(d=range(1, 6)),
    show="d == 3",
)
def store_and_forward(evidence: Evidence, model: str, collective: str, text: str, d: int) -> Case:
    """On the store-and-forward hypercube with model {model}, {text} is a lower bound of {collective} that is reached."""
    return evidence.fewest(FatCase.of(d, 1, 1, model, collective), value(text, d), P=1 << d)


@claim("Table 3", "{cell}", name="wormhole_{collective}_{ports}", parameters=cells(WORMHOLE))
@said(
    evidence="counted on the graph: holders, which multiply by the ports and one; messages at the ports of a processor; "
    "and messages and links between two halves. On 4 processors, and of OAB and AAB with one port on 8, a search that "
    "knows no bound finds none of fewer steps, even where all processors are joined to one another",
    show="d == 3",
)
def wormhole(evidence: Evidence, model: str, collective: str, text: str) -> Cases:
    """On the wormhole hypercube with model {model}, {collective} takes at least {text} steps."""
    found: list[Case] = []
    for d in range(1, 8):
        printed, proved = value(text, d), _wormhole_bound(d, model, collective)
        searched, proof = _all_joined(d, model, collective), ""
        if d == 2 or d == 3 and model == "1" and collective in ("OAB", "AAB"):
            assert evidence.impossible(searched, proved - 1), f"{searched}: bound and search disagree"
            proof = evidence.proof(searched, proved - 1)
        found.append(Case({"d": d, "P": 1 << d}, printed, f"at least {proved}", printed <= proved, proof))
    yield from shown_together(found)


def _all_joined(d: int, model: str, collective: str) -> FatCase:
    """As many processors with as many ports, all joined: two fat nodes with lanes enough for every transfer.

    A collective that takes more steps here takes more with wormhole switching too, where paths must not share a link either. Model
    * has a port for each processor of a node, which are d on 4 processors.
    """
    m = 1 << d - 1
    return FatCase.of(1, m, m * m, "1" if model == "1" else "*", collective)


def _wormhole_bound(d: int, model: str, collective: str) -> int:
    """Steps that are needed whatever the paths are, counted and not by a formula."""
    cube, ports = Hypercube(d), 1 if model == "1" else d
    everybody, steps = range(cube.processors), 0
    if collective == "OAB":
        holders = 1
        while holders < len(everybody):
            holders, steps = holders + ports * holders, steps + 1
        return steps
    left = [other for other in everybody if other != 0]
    while left:
        left, steps = left[ports:], steps + 1
    if collective == "AAS":
        half = {node for node in everybody if node < len(everybody) // 2}
        crossing = sum(
            origin in half and target not in half for origin, target in itertools.product(everybody, repeat=2)
        )
        links = sum((u in half) != (v in half) for u, v in cube.graph.edges())
        steps = max(steps, ceil_div(crossing, links))
    return steps


@claim("Table 3", "ceil(log P to the base d + 1) = ceil(d/log(d + 1))", over=each(d=range(1, 21)))
@said(evidence="powers of d + 1 and of 2, compared as whole numbers")
def wormhole_logarithms(d: int) -> Case:
    """ceil(log P to the base d + 1) is ceil(d/log(d + 1))."""
    steps = value("ceil(log P to the base d + 1)", d)
    # x >= d / log(d + 1) says (d + 1)^x >= 2^d; the smallest such x is the ceiling.
    smallest = (d + 1) ** steps >= 2**d > (d + 1) ** (steps - 1)
    return judged(steps if smallest else "another", steps, smallest)


@claim("Table 3", "P - 1", over=each(d=range(1, 9)))
@said(
    evidence="in step i every processor sends to the one whose number differs by the XOR with i, along the dimensions "
    "in their order: links counted step by step"
)
def wormhole_exchange(d: int) -> Case:
    """The bound P - 1 of AAS on the 1-port wormhole hypercube is reached: no two messages of a step share a link."""
    used = max(max(Counter(_links_of_step(d, offset)).values()) for offset in range(1, 1 << d))
    return judged(f"{(1 << d) - 1} steps, {used} message per link", (1 << d) - 1, used == 1, P=1 << d)


def _links_of_step(d: int, offset: int) -> list[tuple[int, int]]:
    links = []
    for node in range(1 << d):
        for bit in range(d):
            if offset >> bit & 1:
                links.append((node, bit))
                node ^= 1 << bit
    return links


@claim(
    "section 4",
    "reachable by known optimal algorithms",
    name="reached_{collective}_{ports}",
    parameters=[
        cell for cell in cells(WORMHOLE) if (cell["collective"], cell["model"]) not in (("AAS", "1"), ("OAB", "d"))
    ],
    over=each(d=range(1, 6)),
    reading="The paper says so of store-and-forward networks; each of their schedules is a wormhole schedule too",
    show="d == 3",
)
def wormhole_reached(evidence: Evidence, model: str, collective: str, text: str, d: int) -> Case:
    """Known algorithms reach the bound {text} of {collective} on the hypercube with model {model}."""
    return evidence.reached(FatCase.of(d, 1, 1, model, collective), value(text, d), P=1 << d)


@claim(
    "section 4",
    "similar ({one} ~ {other})",
    name="similar_{one}_{other}",
    parameters=columns("one other", [("AOG", "OAS"), ("AOR", "OAB"), ("AAR", "AAB")]),
    reading="Similar is read as: in as many steps, in models 1, d and *. Routers of model b copy and do not add up",
    show="(d, m, f, model) == (2, 2, 1, 'd')",
)
def similar(evidence: Evidence, one: str, other: str) -> Cases:
    """{one} has the complexity of {other}."""
    small = [size for size in FAT if size[1] << size[0] <= 16]
    for fat in cases(small, "1", one):
        for model in ("1", "d", "*"):
            instance = fat.changed(ports=model)
            changed = instance.changed(collective=other)
            yield compared(evidence, instance, changed, equal, "equal", model=model, **fat.given)
