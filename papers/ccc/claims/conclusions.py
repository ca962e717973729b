"""Section 7 and Table 2."""

from fractions import Fraction

from fatcube.noc import measures
from fatcube.papers.ccc import printed
from fatcube.papers.ccc.graphs import DOUBLE_LINK, SINGLE_LINK, ccc, connectivity, cube, defined, hops, width
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.ccc.steps import NAMES, bounded, scheduled
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.evidence import Evidence, Instance
from fatcube.papers.verdict import Case, case, judged

claim = PAPER.claim


_COLLECTIVES = ("OAB", "AAB", "OAS", "AAS")
_FACTORS = (
    "Table 2's formulas, divided: multinode broadcast and scatter n / 3; broadcast 2 n / (n - 1), total exchange n"
)


@claim("section 7", "a factor of n / 3, in most cases", over=each(n=range(3, 13)))
@said(
    conditions=["n == 7"],
    evidence=_FACTORS,
    reading='Exactly n / 3, and "most" is more than half of the four. For at least n / 3 see '
    "bounds_differ_by_n_over_3_or_more. n is the same number in both columns of the table.",
)
def bounds_differ_by_n_over_3(n: int) -> Case:
    """In most cases the lower bounds for the hypercube are lower by a factor of n / 3."""
    found = sum(factor == Fraction(n, 3) for factor in _factors(n))
    return judged(f"{found} of 4", "3 or 4 of 4", found > 2)


@claim("section 7", "a factor of n / 3, in most cases", over=each(n=range(3, 13)))
@said(
    evidence=_FACTORS,
    reading='At least n / 3, and "most" is more than half of the four. For exactly n / 3 see bounds_differ_by_n_over_3.',
)
def bounds_differ_by_n_over_3_or_more(n: int) -> Case:
    """In most cases the lower bounds for the hypercube are lower by a factor of n / 3 or more."""
    found = sum(factor >= Fraction(n, 3) for factor in _factors(n))
    return judged(f"{found} of 4", "3 or 4 of 4", found > 2)


def _factors(n: int) -> list[Fraction]:
    rows = (printed.TABLE_2[collective] for collective in _COLLECTIVES)
    return [of_ccc.value(n, n << n) / of_cube.value(n, n << n) for of_cube, of_ccc in rows]


@claim("section 7", "two models", conditions=["task != 'Total exchange'"], evidence="the cells of Table 1")
def both_models() -> Cases:
    """In each communication primitive two models of I/O are assumed."""
    for collective, cells in printed.TABLE_1.items():
        yield case(len(cells), 2, task=NAMES[collective])


@claim("section 7", "constant", over=each(n=range(1, 11)))
@said(conditions=["n >= 3"], evidence="counted on the definition", graph=SINGLE_LINK)
def links_are_constant(n: int) -> Case:
    """A CCC has a constant number of links per node, whatever its size."""
    return case(max(degree for _, degree in defined(n).degree()), 3)


@claim("section 7", "n", over=each(n=(2, 4)))
@said(evidence="both widths counted, where both networks have so many nodes", graph=DOUBLE_LINK)
def bisection_is_a_factor_of_n_less(n: int) -> Case:
    """The bisection width of a CCC is a factor of n less than that of the hypercube with as many nodes."""
    nodes = n << n
    one, other = width(cube(nodes.bit_length() - 1)), width(ccc(n))
    return judged(f"{one} and {other}", n, isinstance(other, int) and one == n * other, N=nodes)


@claim("section 7", "increases", over=each(n=range(4, 7)))
@said(
    evidence="counted on graphs (Menger): links that may fail without disconnecting two nodes",
    reading="Compared for the same dimension, from n = 4 on, where the hypercube has more links per node.",
)
def more_links_tolerate_more_failures(n: int) -> Case:
    """The hypercube's higher number of links per node increases the tolerance to link failures."""
    one, other = connectivity(cube(n)) - 1, connectivity(ccc(n)) - 1
    return judged(f"{one} and {other}", "more", one > other)


@claim("Table 2", "3 and 1", over=each(n=range(3, 9)))
@said(evidence="both counted on graphs", misprint="1 : 3 must be meant, as in section 3: the columns are exchanged")
def table_2_links(n: int) -> Case:
    """The links of the hypercube are to those of the CCC of the same dimension as 3 to 1."""
    found = Fraction(measures.links(cube(n)), defined(n).number_of_edges())
    return case(str(found), str(printed.RELATIVE_LINKS))


@claim("Table 2", "1 and n", over=each(n=range(1, 9)), evidence="both counted on graphs", graph=SINGLE_LINK)
def table_2_nodes(n: int) -> Case:
    """The nodes of the hypercube are to those of the CCC of the same dimension as 1 to n."""
    return case(str(Fraction(cube(n).nodes, len(defined(n)))), str(Fraction(1, n)))


_MEASURES = [
    {
        "row": row,
        "what": what,
        "network": network,
        "text": printed.TABLE_2[row][column][0],
        "graph": {("bisection", "CCC"): DOUBLE_LINK, ("diameter", "CCC"): SINGLE_LINK}.get((row, network), ""),
    }
    for row, what in (
        ("bisection", "bisection width"),
        ("diameter", "diameter"),
        ("paths", "number of redundant paths"),
    )
    for column, network in enumerate(("hypercube", "CCC"))
]


_MEASURE = {"bisection": width, "diameter": measures.diameter, "paths": connectivity}


def _measured(row: str, network: str) -> list[dict[str, int]]:
    """Where it is counted; three paths are for n > 2 (result 3)."""
    sizes = {"bisection": range(2, 7), "diameter": range(1, 11), "paths": range(3, 7)}
    return each(n=range(1, 8) if network == "hypercube" else sizes[row])


@claim("Table 2", "{text}", name="table_2_{row}_{network}", parameters=_MEASURES, over=_measured)
@said(conditions=["2 <= n <= 5", "n <= 5"], evidence="counted on the graph", graph="{graph}")
def table_2_measure(row: str, network: str, n: int) -> Case:
    """The {what} of the {network} is {text}."""
    cell = printed.TABLE_2[row][network == "CCC"]
    if network == "hypercube":
        return case(_MEASURE[row](cube(n)), cell.value(n, 1 << n))
    return case(max(hops(n).values()) if row == "diameter" else _MEASURE[row](ccc(n)), cell.value(n, n << n))


@claim(
    "Table 2",
    "{text}",
    parameters=[
        {"key": key, "network": network, "text": printed.AVERAGE_DISTANCE[key]}
        for key, network in (("3-cube", "the hypercube of size 3"), ("CCC(3,3)", "the CCC of size 3"))
    ],
    over=each(n=(3,)),
    evidence="counted on the graph",
    reading="The value is right if all its digits are, with the node itself counted at distance 0 or without it.",
)
def table_2_average_distance(key: str, text: str, n: int) -> Case:
    """The average distance in {network} is {text}."""
    topology = cube(n) if key == "3-cube" else ccc(n)
    total = sum(topology.distances[0])
    averages = [Fraction(total, topology.nodes - 1), Fraction(total, topology.nodes)]
    digits = len(text.partition(".")[2])
    found = " or ".join(f"{float(value):.3f}" for value in averages)
    return judged(found, text, any(f"{float(value):.{digits}f}" == text for value in averages))


@claim(
    "Table 2",
    "{text}",
    parameters=columns("network text graph", [("hypercube", "not inductive", ""), ("CCC", "inductive", SINGLE_LINK)]),
    over=each(n=range(1, 9)),
    conditions=["n >= 3"],
    evidence="links of a node before and after, counted on graphs",
    reading="Inductive as section 3 explains it: nodes need no more links when the network grows. If it only means that "
    "the larger is made of smaller ones, the hypercube is inductive too, and a CCC only if its cycles are opened. The "
    "definition itself is in [9].",
    graph="{graph}",
)
def table_2_scalability(network: str, text: str, n: int) -> Case:
    """The {network} is {text}."""
    before, after = (
        len(cube(size).graph[0]) if network == "hypercube" else len(defined(size)[0, 0]) for size in (n, n + 1)
    )
    found = "inductive" if after == before else "not inductive"
    return judged(f"{found}: {before} links, then {after}", text, found == text)


_CELLS = [
    {
        "collective": collective,
        "network": network,
        "task": NAMES[collective],
        "text": printed.TABLE_2[collective][column][0],
        "graph": DOUBLE_LINK if network == "CCC" else "",
    }
    for column, network in enumerate(("hypercube", "CCC"))
    for collective in _COLLECTIVES
]


@claim("Table 2", "{text}", name="table_2_{collective}_bound_{network}", parameters=_CELLS, over=scheduled)
@said(
    evidence="",
    show="n == 3",
    reading="A lower bound, as section 7 says. Whether it is reached: see the rows on the fewest steps, for the CCC those "
    "of results 4, 7, 12 and 13.",
    graph="{graph}",
)
def table_2_bound(evidence: Evidence, collective: str, network: str, n: int) -> Case:
    """{task} on the {network} takes at least {text} steps."""
    topology = ccc(n) if network == "CCC" else cube(n)
    printed_bound = printed.TABLE_2[collective][network == "CCC"].value(n, topology.nodes)
    return bounded(evidence, Instance(topology, "d", collective), printed_bound)


@claim(
    "Table 2",
    "{text}",
    name="table_2_{collective}_fewest_hypercube",
    parameters=[cell for cell in _CELLS if cell["network"] == "hypercube"],
    over=each(n=range(2, 6)),
    evidence="",
    show="n == 3",
    reading="Read as the fewest steps, rounded up, which [25] achieves according to section 5; section 7 calls "
    "it a lower bound, which is tried in the rows table_2_*_bound_hypercube.",
)
def table_2_fewest(evidence: Evidence, collective: str, n: int) -> Case:
    """{task} on the {network} takes {text} steps."""
    value = printed.TABLE_2[collective][0].value(n, 1 << n)
    return evidence.fewest(Instance(cube(n), "d", collective), -int(-value // 1))
