"""Section 3, VLSI implementation, and Table 2's rows of area: layouts are made, and their cells counted."""

from collections.abc import Iterable
from functools import cache
from math import log2

from fatcube.papers.ccc.graphs import DOUBLE_LINK, ccc, cube, width
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.claim import columns, each, said
from fatcube.papers.verdict import Case, judged

claim = PAPER.claim


_FACTOR = 16  # the constant that O( ) may hide here
_SIZES = range(2, 17)
_MEANT = (
    "O(1 / N) must be meant, as in section 3: O(1 / n) is right only as a bound from above, and would make the hypercube "
    "better than the CCC"
)
_NETWORKS = columns("network text graph", [("hypercube", "O(N^2)", ""), ("CCC", "O(N^2 / log^2 N)", DOUBLE_LINK)])


@claim("section 3, VLSI", "{text}", parameters=_NETWORKS, over=each(n=_SIZES))
@said(
    evidence=f"a layout on a grid, its rows, columns and tracks counted: within {_FACTOR} times the order",
    graph="{graph}",
)
def area(network: str, text: str, n: int) -> Case:
    """The {network} can be laid out in {text} area."""
    cells, order = _cells(network, n), _order(network, n)
    return judged(f"{cells} cells, {cells / order:.2f} times", text, cells <= _FACTOR * order)


@claim("section 3, VLSI", "{text}", parameters=_NETWORKS, over=each(n=range(2, 7)))
@said(
    evidence="the square of the bisection width, counted on the graph, to which the area is at least "
    f"proportional (Thompson): at least 1 / {_FACTOR} of the order",
    graph="{graph}",
)
def area_needed(network: str, text: str, n: int) -> Case:
    """The {network} requires {text} area."""
    least = width(cube(n) if network == "hypercube" else ccc(n))
    order = _order(network, n)
    needed = least**2 if isinstance(least, int) else None
    found = "unknown" if needed is None else f"{needed} cells, {needed / order:.2f} times"
    return judged(found, text, None if needed is None else needed * _FACTOR >= order)


@claim(
    "section 3, VLSI",
    "{text}",
    parameters=columns("network text graph", [("hypercube", "O(1 / N)", ""), ("CCC", "O(log^2 N / N)", DOUBLE_LINK)]),
    over=each(n=_SIZES),
    evidence=f"N cells for processors over the cells of the layout: within a factor of {_FACTOR}, above or below",
    graph="{graph}",
)
def area_efficiency(network: str, text: str, n: int) -> Case:
    """The area efficiency of the {network}, processors over area, is {text}."""
    return _efficiency(network, text, n)


@claim(
    "Table 2",
    "{text}",
    name="table_2_{measure}_efficiency_{network}",
    parameters=columns(
        "measure network text meant graph",
        [
            (measure, *of_network)
            for measure in ("area", "power")
            for of_network in (("hypercube", "O(1 / n)", _MEANT, ""), ("CCC", "O(log^2 N / N)", "", DOUBLE_LINK))
        ],
    ),
    over=each(n=_SIZES),
    evidence=f"N cells for processors over the cells of the layout: within a factor of {_FACTOR}, above or below; power efficiency is "
    "the same quotient by definition",
    misprint="{meant}",
    graph="{graph}",
)
def table_2_efficiency(network: str, text: str, n: int) -> Case:
    """The {measure} efficiency of the {network} is {text}."""
    return _efficiency(network, text, n)


def _efficiency(network: str, text: str, n: int) -> Case:
    nodes = _nodes(network, n)
    order = {"O(1 / N)": 1 / nodes, "O(1 / n)": 1 / n, "O(log^2 N / N)": log2(nodes) ** 2 / nodes}[text]
    ratio = nodes / _cells(network, n) / order
    return judged(f"{ratio:.3g} times", text, 1 / _FACTOR <= ratio <= _FACTOR)


def _nodes(network: str, n: int) -> int:
    return 1 << n if network == "hypercube" else n << n


def _order(network: str, n: int) -> float:
    nodes = _nodes(network, n)
    return nodes**2 if network == "hypercube" else (nodes / log2(nodes)) ** 2


@cache
def _cells(network: str, n: int) -> int:
    """Cells of a layout in two layers, one for horizontal wires and one for vertical ones.

    The nodes of a hypercube stand in rows and columns, squares with a cell's side for each link; the links of half of
    the dimensions run in tracks beside their row, the others beside their column. The cycles of a CCC are placed beside each
    other, in three columns: a position in a row, the links of its dimension in tracks below that, the way back up, and a
    column down to the tracks.
    """
    if network == "hypercube":
        rows = n // 2
        columns = n - rows
        return (n + _tracks(range(columns), columns) << rows) * (n + _tracks(range(rows), rows) << columns)
    return (3 << n) * sum(1 + _tracks([dimension], n) for dimension in range(n))


def _tracks(dimensions: Iterable[int], size: int) -> int:
    """The most links of these dimensions beside each other, the nodes of the cube standing in one line."""
    change = [0] * ((1 << size) + 1)
    for dimension in dimensions:
        for node in range(1 << size):
            if not node >> dimension & 1:
                change[node] += 1
                change[node ^ 1 << dimension] -= 1
    most = now = 0
    for step in change:
        now += step
        most = max(most, now)
    return most
