"""The claims of the generalized hypercubes paper (Antonio, Lin and Metzger), one row each, held against proofs.

Nodes, links and distances are counted on graphs; a lower bound in time is held against proven bounds and schedules.
Its complete broadcast, single-node scatter and total exchange are AAB, OAS and AAS here, in router model d: a port for
each link that leaves. Its transmissions are crossings of links: the transfers of a schedule with one processor a node.
"""

from fractions import Fraction
from functools import cache
import itertools
from math import comb, isclose, log2

import networkx

from fatcube.papers.audit import Case, Row, arithmetic, ceil_div, formula, judge, optimal
from fatcube.papers.ghc import printed as printed
from noc import measures
from noc.topologies.cubes import Hypercube
from noc.topologies.generalized import DenseGHC, SparseGHC
from schedules.checker import check
from schedules.schedule_file import read_schedule

__all__ = ["rows"]


SIZES = [(2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (4, 3), (5, 1), (5, 2), (6, 1),
         (6, 2), (7, 1),
         (8, 1), (8, 2)]
"""(w, d) of up to 64 nodes that are counted, and given schedules."""

COLLECTIVES = {"AAB": "complete broadcast", "OAS": "single-node scatter", "AAS": "total exchange"}
BINARY = ("w = 2", lambda size: size[0] == 2)
RING = ("w = 2 or d = 1", lambda size: size[0] == 2 or size[1] == 1)

_dense = cache(DenseGHC)
_sparse = cache(SparseGHC)


def rows(evidence):
    """All rows of the audit, in the order of the paper; ``evidence`` is an :class:`Evidence`."""
    return [*_definitions(), *_distances(), *_tables(evidence), *_dense_proofs(), *_sparse_proofs(), *_costs()]


def _counted(where, claim, text, found, expected, conditions=(), evidence="counted on the graph", sizes=None):
    """A number held against a formula for all sizes; the first few and all that differ are shown."""
    sizes = sizes or SIZES
    results = {size: found(*size) for size in sizes}
    verdict, _ = judge(sizes, lambda size: results[size] == expected(*size), conditions)
    wrong = [size for size in sizes if results[size] != expected(*size)]
    shown = "; ".join(f"w = {w}, d = {d}: {results[w, d]}, not {expected(w, d)}" for w, d in wrong[:3]) if wrong else \
        "; ".join(f"w = {w}, d = {d}: {results[w, d]}" for w, d in
                  ([size for size in sizes if size in ((3, 2), (4, 2))] or sizes[:2]))
    return Row(where, claim, text, f"{shown}; {len(sizes)} sizes", verdict, evidence)


def _definitions():
    """Sections 1 and 2: nodes, links, definitions 1 to 4."""
    for name, make, degree, links in (
            ("dense", _dense, ("(w - 1) d", lambda w, d: (w - 1) * d),
             ("(w - 1) d w^d", lambda w, d: (w - 1) * d * w ** d)),
            ("sparse", _sparse, ("d", lambda w, d: d), ("d w^d", lambda w, d: d * w ** d))):
        yield _counted("section 1", f"a {name} one has input/output ports per node", degree[0],
                       lambda w, d, make=make: max(map(len, _arcs(make(w, d)).values())), degree[1])
        yield _counted("section 1", f"a {name} one has directed links", links[0],
                       lambda w, d, make=make: sum(map(len, _arcs(make(w, d)).values())), links[1])
        yield _counted("section 1", f"a {name} one is a symmetric graph: additions of a node keep the links",
                       "symmetric",
                       lambda w, d, make=make: _keeps(make(w, d)), lambda w, d: True)
    yield _counted("section 1, footnote", "with w = 2 dense and sparse are the binary hypercube", "the same",
                   lambda w, d: _arcs(_dense(w, d)) == _arcs(_sparse(w, d)) == _arcs(Hypercube(d)), lambda w, d: True,
                   sizes=[size for size in SIZES if size[0] == 2])
    yield arithmetic("section 2",
                     "6 (+) 2 = 1, 6 (+)7 3 = 2, 6 (-)7 3 = 3, 3 (-)7 6 = 4, and node 9 is (21) for w = 4", "so",
                     [(1, int(6 != 2)), (2, (6 + 3) % 7), (3, (6 - 3) % 7), (4, (3 - 6) % 7), ((2, 1), divmod(9, 4))],
                     lambda pair: pair[0] == pair[1])
    yield _counted("definition 4 (a)",
                   "as printed, exactly one coordinate i with x_i (+) y_i = 1, it has the links of a dense "
                   "one", "the dense links", lambda w, d: _defined(w, d, lambda x, y: x != y),
                   lambda w, d: (w - 1) * d, evidence="arcs that leave a node by the definition at its word")
    yield _counted("definition 4 (b)",
                   "as printed, exactly one coordinate i with y_i = x_i (+)w 1, it has the links of a "
                   "sparse one", "d a node", lambda w, d: _defined(w, d, lambda x, y: y == (x + 1) % w), lambda w,
                   d: d, [RING],
                   "arcs that leave a node by the definition at its word: it does not say that the others are equal")
    yield Row("Figure 2", "the sparse one with w = 2 and d = 2 has a node (12)", "w = 2",
              "digits for w = 2 are 0 and 1; the text "
              "has w = 4", judge([2], lambda w: max(1, 2) < w)[0], "section 2 calls it the tree of Z_4^2")


def _arcs(topology):
    """The nodes that a link of each node leads to."""
    return {node: {topology.neighbour(node, channel)[0] for channel in range(topology.degree)}
            for node in range(topology.nodes)}


def _keeps(topology):
    arcs = _arcs(topology)
    return all({image[other] for other in arcs[node]} == arcs[image[node]] for image in topology.translations
               for node in arcs)


def _defined(w, d, joined):
    """Arcs that leave node 0 if exactly one coordinate has to be ``joined``, and nothing is said of the others."""
    return sum(sum(joined(0, digit) for digit in node) == 1 for node in itertools.product(range(w), repeat=d))


def _levels(topology):
    """How many nodes are how far from node 0, by distance."""
    hops = topology.distances[0]
    return [hops.count(distance) for distance in range(max(hops) + 1)]


def _digits(w, d, node):
    return [node // w ** i % w for i in range(d)]


def _distances():
    """Section 2: propositions 1 and 2."""
    for part, make, text, distance, diameter in (
            ("(a)", _dense, "sum of y_i (+) x_i", lambda w, x: int(x != 0), ("d", lambda w, d: d)),
            ("(b)", _sparse, "sum of y_i (-)w x_i", lambda w, x: x, ("(w - 1) d", lambda w, d: (w - 1) * d))):
        name = make.__wrapped__.__name__
        yield _counted(f"proposition 1 {part}", f"the distance in {name}", text, lambda w, d, make=make,
                       distance=distance: all(
            hops == sum(distance(w, digit) for digit in _digits(w, d, node))
            for node, hops in enumerate(make(w, d).distances[0])), lambda w, d: True)
        yield _counted(f"proposition 2 {part}", f"the diameter of {name}, with nodes at every distance up to it",
                       diameter[0],
                       lambda w, d, make=make: measures.diameter(make(w, d)) if all(_levels(make(w, d))) else "a gap",
                       diameter[1])


def _value(function):
    return lambda case: function(case.topology.w, case.topology.d, case.P)


def _tables(evidence):
    """Section 3, Tables 1 to 3: optimal times, held against bounds and schedules; optimal transmissions, counted."""
    for number, table, make, sizes in (
            (1, printed.TABLE_1, _dense, SIZES), (2, printed.TABLE_2, _sparse, [size for size in SIZES if size[0] > 2]),
            (3, printed.TABLE_3, _dense, [size for size in SIZES if size[0] == 2])):
        kind = ("dense", "sparse", "binary hypercube")[number - 1]
        sizes = sorted(sizes, key=lambda size: (size[0] ** size[1], size))
        for collective, name in COLLECTIVES.items():
            text, function = table[collective]["time"]
            value = _value(function)
            cases = [Case(make(*size), "d", collective) for size in sizes]
            yield formula(evidence, f"Table {number}", f"{kind}: the optimal time of {name} is", text, cases, value,
                          optimal(evidence, value), [("w = 2", lambda case: case.topology.w == 2),
                                                     ("w = 2 or d = 1",
                                                      lambda case: case.topology.w == 2 or case.topology.d == 1)],
                          sizes="with N <= 64", show=lambda case, number=number: (case.topology.w, case.topology.d) == (
                              (2, 3) if number == 3 else (3, 2)))
            text, function = table[collective]["transmissions"]
            yield _counted(f"Table {number}", f"{kind}: the optimal transmissions of {name} are", text,
                           lambda w, d, make=make, collective=collective: _transmissions(make(w, d), collective),
                           lambda w, d, function=function: function(w, d, w ** d), [BINARY, RING],
                           evidence="distances counted on the graph, added up: no fewer; " + _transferred(
                               evidence, make(*((2, 3) if number == 3 else (3, 2))), collective), sizes=sizes)
    for number, table in ((1, printed.TABLE_1), (2, printed.TABLE_2)):
        yield arithmetic("section 3", f"Table {number} reduces to Table 3 for w = 2", "w = 2", list(itertools.product(
            COLLECTIVES, ("time", "transmissions"), range(1, 13))), lambda cell,
            table=table: table[cell[0]][cell[1]][1](
                2, cell[2], 2 ** cell[2]) == printed.TABLE_3[cell[0]][cell[1]][1](2, cell[2], 2 ** cell[2]))
    for number, table, word, grows in ((1, printed.TABLE_1, "decrease", -1), (2, printed.TABLE_2, "increase", 1)):
        for key in ("time", "transmissions"):
            yield arithmetic("section 3",
                             f"the complexities of Table {number} ({key}) {word} as w is increased, N being 2^12 and "
                             f"d >= 2", word, list(COLLECTIVES), lambda collective, table=table, key=key,
                             grows=grows: all(
                                 grows * (table[collective][key][1](2 ** (12 // e), e, 4096)
                                          - table[collective][key][1](2 ** (12 // d), d, 4096)) > 0
                                 for d, e in itertools.pairwise((12, 6, 4, 3, 2))),
                             [("the pattern is not the complete broadcast", lambda collective: collective != "AAB")],
                             "printed formulas, d = 12, 6, 4, 3, 2")


def _transmissions(topology, collective):
    """A message for everybody enters every other node once; one for one node crosses as many links as it is far."""
    if collective == "AAB":
        return topology.nodes * (topology.nodes - 1)
    far = sum(topology.distances[0])
    return far if collective == "OAS" else far * topology.nodes


def _transferred(evidence, topology, collective):
    """The best schedule of a case, and the transfers in it."""
    name = evidence.schedule(Case(topology, "d", collective))
    return f"{name} has {check(read_schedule(evidence.folder / name)).transfers}"


def _dense_proofs():
    """Section 3.1 with lemma 1 and theorem 1."""
    yield _counted("lemma 1", "nodes at distance i in the dense one", "C(d, i) (w - 1)^i", lambda w,
                   d: _levels(_dense(w, d)),
                   lambda w, d: [comb(d, i) * (w - 1) ** i for i in range(d + 1)])
    text, function = printed.THEOREM_1
    yield _counted("theorem 1", "the sum of the distances in the dense one, sum of i C(d, i) (w - 1)^i, is", text,
                   lambda w, d: sum(_dense(w, d).distances[0]), function, [BINARY],
                   "counted on the graph: it is (w - 1) d w^(d-1), the proof loses a factor of w - 1")
    yield _counted("theorem 1", "and so a lower bound on the transmissions of a scatter is", text,
                   lambda w, d: function(w, d) <= sum(_dense(w, d).distances[0]), lambda w, d: True,
                   evidence="counted on the graph; the best one is w - 1 times as much")
    yield _counted("section 3.1.3",
                   "d w^(2d-1) transmissions over (w - 1) d w^d links take w^(d-1) / (w - 1) steps, rounded up",
                   "ceil(w^(d-1) / (w - 1))", lambda w, d: ceil_div(w ** d * sum(_dense(w, d).distances[0]),
                                                                  _links(_dense(w, d))),
                   lambda w, d: ceil_div(w ** (d - 1), w - 1), [BINARY, RING],
                   "transmissions and links counted on the graph: w^(d-1) steps")


def _links(topology):
    """Directed links, one for each channel of each node."""
    return topology.nodes * topology.degree


def _sparse_proofs():
    """Section 3.2 with lemmas 2 and 3 and theorem 2."""
    yield _counted("lemma 2", "the recursion counts the nodes at distance i in the sparse one", "recursion",
                   lambda w, d: _levels(_sparse(w, d)), _recursion)
    d, i, count = printed.EXAMPLE_FIGURE_3
    found = _recursion(3, d)[i]
    smaller = [other for other in range(1, 10) if i < len(_recursion(3, other)) and _recursion(3, other)[i] == count]
    yield Row("Figure 3", f"with w = 3 and d = {d}, so many nodes are at distance {i}", str(count), str(found),
              judge([d], lambda d: found == count)[0], f"lemma 2's recursion; it is {count} for d = {smaller}")
    yield _counted("section 3.2.2", "the numbers of nodes by distance are symmetric", "c_i = c_(n-i)",
                   lambda w, d: _levels(_sparse(w, d)) == _levels(_sparse(w, d))[::-1], lambda w, d: True)
    lengths = list(range(1, 7))
    for claim, middle, conditions in (
            ("two symmetric sequences of the same sum have the same sum of i a_i, symmetric as defined: c_i = c_(n-i) for i up "
             "to floor(n / 2) - 1", lambda n: n // 2, [("n is even", lambda n: n % 2 == 0)]),
            ("the same, with c_i = c_(n-i) for all i", lambda n: (n + 1) // 2, [])):
        yield arithmetic("lemma 3", claim, "the same", lengths, lambda n, middle=middle: _lemma_3(n, middle(n)),
                         conditions,
                         "all sequences of 0, 1 and 2 of n + 1 numbers",
                         show=lambda n: f"n = {n}, e.g. 0 1 0 0 and 0 0 1 0"
                         if n == 3 else f"n = {n}, e.g. {'1 0 and 0 1' if n == 1 else 'in the middle'}")
    even = [(n, a) for n in (2, 4, 6) for a in (0, 1, 2)]
    yield arithmetic("lemma 3, proof", "for even n the middle number a adds a, and all others n S / 2 - a",
                     "a + n S / 2 - a", even,
                     lambda case: case[1] == case[0] // 2 * case[1],
                     [("n = 2 or a = 0", lambda case: case[0] == 2 or case[1] == 0)],
                     "it adds n a / 2, and all others n S / 2 - n a / 2: the sum is n S / 2 all the same",
                     show=lambda case: f"n = {case[0]}, a = {case[1]}")
    text, function = printed.THEOREM_2
    yield _counted("theorem 2", "the sum of the distances in the sparse one, and so the transmissions of a scatter",
                   text,
                   lambda w, d: sum(_sparse(w, d).distances[0]), function)
    yield _counted("section 3.2.3", "(w - 1) d w^(2d) / 2 transmissions over d w^d links take (w - 1) w^d / 2 steps",
                   "(w - 1) w^d / 2", lambda w, d: Fraction(w ** d * sum(_sparse(w, d).distances[0]),
                                                            _links(_sparse(w, d))),
                   lambda w, d: Fraction((w - 1) * w ** d, 2))


def _recursion(w, d):
    levels = [1] * w
    for dimension in range(2, d + 1):
        levels = [sum(levels[i - k] for k in range(w) if 0 <= i - k < len(levels))
                  for i in range((w - 1) * dimension + 1)]
    return levels


def _lemma_3(n, middle):
    """Whether sequences that are symmetric for i < ``middle`` have sums of i a_i that follow from their sums."""
    sums = {}
    for numbers in itertools.product(range(3), repeat=n + 1):
        if all(numbers[i] == numbers[n - i] for i in range(middle)):
            sums.setdefault(sum(numbers), set()).add(sum(i * a for i, a in enumerate(numbers)))
    return all(len(found) == 1 for found in sums.values())


def _costs():
    """Section 4, and the abstract: cost against time, where N is a power of two, as equation 1 has it."""
    sizes = [(1 << e, d) for e in range(1, 7) for d in range(1, 9)]
    powers = [size for size in SIZES if size[0] in (2, 4, 8)]
    for number, name, text, make, cost in (
            (1, "binary hypercube", "N log N", lambda w, d: Hypercube(int(log2(w)) * d), lambda w, d: d * log2(w)),
            (2, "dense one", "(w - 1) / log w N log N", _dense, lambda w, d: (w - 1) / log2(w) * log2(w ** d)),
            (3, "sparse one", "1 / log w N log N", _sparse, lambda w, d: log2(w ** d) / log2(w))):
        yield _counted(f"equation {number}", f"the cost of a {name} of N nodes, its directed links", text,
                       lambda w, d, make=make: _links(make(w, d)),
                       lambda w, d, cost=cost: round(w ** d * cost(w, d)), sizes=powers)
    rule = {"AAS": "w^(d-1) steps dense, (w - 1) w^d / 2 sparse, N / 2 binary: reached for all w and d by "
                   "schedules/constructions/generalized.py, and no fewer by counting",
            "AAB": "Tables 1 to 3 without rounding, which hold for N <= 64 (above)"}

    def factor(name, w):  # K and L of section 4
        return (w - 1) / log2(w) if name == "dense" else log2(w)

    def times(name, collective, w, d):
        """Without rounding: how often as fast as the binary hypercube (dense), or as slow (sparse)."""
        N, n = w ** d, d * log2(w)
        binary = {"AAS": N / 2}.get(collective, (N - 1) / n)
        mine = {"dense": {"AAS": N / w}.get(collective, (N - 1) / ((w - 1) * d)),
                "sparse": {"AAS": (w - 1) * N / 2}.get(collective, (N - 1) / d)}[name]
        return binary / mine if name == "dense" else mine / binary

    for name, collective, where, claim, text, printed_factor, least in (
            ("dense", "AAB", "section 4", "complete broadcast and scatter are faster by the factor of the cost",
             "(w - 1) / log w",
             lambda w: (w - 1) / log2(w), 0),
            ("sparse", "AAB", "section 4", "complete broadcast and scatter are slower by the factor of the cost",
             "log w", log2, 0),
            ("dense", "AAS", "section 4", "the total exchange is faster by", "w (w - 1)", lambda w: w * (w - 1), 0),
            ("dense", "AAS", "abstract",
             "certain patterns are faster by K (K - 1), K >= 2 being the factor of the cost", "K (K - 1)",
             lambda w: factor("dense", w) * (factor("dense", w) - 1), 2),
            ("sparse", "AAS", "section 4", "the total exchange is slower by", "w - 1", lambda w: w - 1, 0),
            ("sparse", "AAS", "abstract, section 4",
             "certain patterns are slower by 2^L, L >= 2 being the factor of the cost", "2^L",
             lambda w: 2 ** factor("sparse", w), 2)):
        mine = [size for size in sizes if factor(name, size[0]) >= least]
        yield arithmetic(where, f"{name}: {claim}", text, mine, lambda size, name=name, collective=collective,
                         printed_factor=printed_factor: isclose(times(name, collective, *size),
                                                                printed_factor(size[0])),
                         [BINARY], rule[collective], show=lambda size, name=name, collective=collective,
                         printed_factor=printed_factor: f"w = {size[0]}, d = {size[1]}: "
                         f"{times(name, collective, *size):.4g}, not {printed_factor(size[0]):.4g}")
    yield arithmetic("section 4", "dense: by Tables 1 and 3 as printed, the total exchange is faster by w (w - 1)",
                     "w (w - 1)", sizes,
                     lambda size: isclose((size[0] ** size[1] / 2) / (size[0] ** size[1] / (size[0] * (size[0] - 1))),
                                          size[0] * (size[0] - 1)), [], "the tables divided: w (w - 1) / 2",
                     show=lambda size: f"w = {size[0]}, d = {size[1]}")
    yield arithmetic("section 4",
                     "dense: the total exchange is improved by more than K (K - 1), K being the factor of the cost",
                     "more than K (K - 1)", sizes,
                     lambda size: times("dense", "AAS", *size) > factor("dense", size[0]) * (
                         factor("dense", size[0]) - 1), [("w <= 8", lambda size: size[0] <= 8)], rule["AAS"],
                     show=lambda size: f"w = {size[0]}, d = {size[1]}: {times('dense', 'AAS', *size):.4g}, K (K - 1) = "
                     f"{factor('dense', size[0]) * (factor('dense', size[0]) - 1):.4g}")
    yield arithmetic("section 5", "dense: the gain in the total exchange is more than the cost", "more",
                     [s for s in sizes if s[0] > 2],
                     lambda size: times("dense", "AAS", *size) > factor("dense", size[0]), evidence=rule["AAS"])
    yield arithmetic("section 5", "sparse: the loss in the total exchange is more than the saving", "more",
                     [s for s in sizes if s[0] > 2],
                     lambda size: times("sparse", "AAS", *size) > factor("sparse", size[0]),
                     evidence=rule["AAS"])
    yield _counted("section 4", "with w = N the dense one is a complete graph and the sparse one a one-way ring", "so",
                   lambda w, d: (networkx.density(networkx.DiGraph([(u, v) for u,
                                                                    vs in _arcs(_dense(w, d)).items() for v in vs])),
                                 len(max(networkx.simple_cycles(networkx.DiGraph(
                                     [(u, v) for u, vs in _arcs(_sparse(w, d)).items() for v in vs])), key=len))),
                   lambda w, d: (1, w), sizes=[size for size in SIZES if size[1] == 1])
