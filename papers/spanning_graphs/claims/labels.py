"""Theorem 4.1 and section 6: the labels that say in which cycle an edge is used."""

from collections.abc import Iterator
import functools
import itertools
from typing import Any

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.spanning_graphs import printed
from fatcube.papers.spanning_graphs.claims.common import COUNTED, against, at_least, equal, fact_case, in_words
from fatcube.papers.spanning_graphs.counts import edges_of, graph_of, kind_of, loads_of, top_of, trees_of
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.verdict import Case, case, judged
from fatcube.schedules.spanning.loads import dimension, fewest_dimensions

claim = functools.partial(PAPER.claim, evidence=COUNTED, over=each(n=range(2, 9)))


def _label(n: int, node: int, tree: int) -> int:
    """f(node, tree) of theorem 4.1, as it is printed."""
    k = _next_one(n, node, tree)
    if not node >> tree & 1:
        return tree + n
    return k if k >= tree else k + n


def _next_one(n: int, node: int, tree: int) -> int:
    """The first 1 cyclically to the right of bit j; j itself if there is no other."""
    return next(bit for bit in ((tree - step) % n for step in range(1, n + 1)) if node >> bit & 1)


def _outputs(n: int, node: int, tree: int) -> list[int]:
    return [_label(n, child, tree) for child in graph_of("nesbt", n).children(node, tree)]


@claim("theorem 4.1", "greater")
def labels_grow(n: int) -> Case:
    """Property 1: the labels of a node's output edges in a tree are greater than the label of its input edge."""
    inner = [(node, tree) for node in range(1, 2**n) for tree in range(n) if _outputs(n, node, tree)]
    holds = all(min(_outputs(n, node, tree)) > _label(n, node, tree) for node, tree in inner)
    return fact_case(holds, "the labels grow at every node of every tree")


@claim("theorem 4.1", "distinct modulo n")
def input_labels_are_distinct(n: int) -> Case:
    """Property 2: the labels of a node's input edges are distinct modulo n."""
    holds = all(len({_label(n, node, tree) % n for tree in range(n)}) == n for node in range(1, 2**n))
    return fact_case(holds, "n labels modulo n at every node")


@claim("theorem 4.1", "distinct modulo n")
def output_labels_are_distinct(n: int) -> Case:
    """Property 3: the labels of a node's output edges are distinct modulo n."""
    return fact_case(_outputs_differ(n), "no two are the same modulo n at any node")


def _outputs_differ(n: int) -> bool:
    for node in range(2**n):
        labels = [label for tree in range(n) for label in _outputs(n, node, tree)]
        if len(labels) != len({label % n for label in labels}):
            return False
    return True


@claim("theorem 4.1", "between the same pair")
def labels_are_dimensions(n: int) -> Case:
    """Property 4: identical labels modulo n are on edges between the same two nodes, as edges in dimension j have j."""
    holds = all(
        _label(n, child, tree) % n == dimension(parent, child)
        for tree in range(n)
        for parent, child in edges_of("nesbt", n, tree)
    )
    return fact_case(holds, "every label is the dimension modulo n")


@claim("theorem 4.1", "2n - 1")
def largest_input_label(n: int) -> Case:
    """In the proof: the largest label of all input edges is 2n - 1."""
    return case(max(_label(n, node, tree) for node in range(1, 2**n) for tree in range(n)), 2 * n - 1)


@claim(
    "theorem 4.1",
    "{text}",
    parameters=[
        {"name": "k_from_j", "condition": "k >= j", "text": "k + 1, ..., n + j, without n + j if k = j"},
        {"name": "k_below_j", "condition": "k < j", "text": "k + 1 + n, ..., j - 1 + n"},
    ],
)
def output_labels(name: str) -> Cases:
    """In the proof: a node with c_j = 1 and {condition} has output edges in tree j with the labels {text}."""
    for n, node, j, k in _ones():
        if (k >= j) == (name == "k_from_j"):
            expected = range(k + 1, n + j + (k != j)) if k >= j else range(k + 1 + n, j + n)
            found = in_words(sorted(_outputs(n, node, j))) or "none"
            yield case(found, in_words(list(expected)) or "none", n=n, node=f"{node:0{n}b}", j=j, k=k)


def _ones() -> Iterator[tuple[int, int, int, int]]:
    """Every n, node and j with c_j = 1, and the k that belongs to them."""
    for n in range(2, 7):
        for node, j in itertools.product(range(1, 2**n), range(n)):
            if node >> j & 1:
                yield n, node, j, _next_one(n, node, j)


@claim("theorem 4.1", "(k + 1) mod n, (k + 2) mod n, ..., (j - 1) mod n, j (excluding j if k = j)")
@said(reading="modulo n; this list has the edge in dimension j, which that of k < j above leaves out")
def output_labels_modulo_n() -> Cases:
    """In the proof: for subtree j the outgoing edges of a node with c_j = 1 have, modulo n, the labels of the
    dimensions from k + 1 to j, without j if k = j."""
    for n, node, j, k in _ones():
        steps = range(1, (j - k) % n + 1) if k != j else range(1, n)
        found = sorted(label % n for label in _outputs(n, node, j))
        expected = sorted((k + step) % n for step in steps)
        yield case(in_words(found), in_words(expected), n=n, node=f"{node:0{n}b}", j=j, k=k)


def _label_6(kind: str, n: int, node: int, tree: int, leaves: bool) -> int:
    """Section 6: dimension i of tree 0 (the others are its rotations), j added in tree or subtree j."""
    graph = graph_of(kind, n)
    j = top_of(kind, n, node, tree).bit_length() - 1 if kind == "sbntc" else tree
    leaf = leaves and not graph.children(node, tree)
    return (dimension(graph.above(node, tree), node) - j) % n + (n if leaf else 0) + j


@functools.cache
def _largest_label(kind: str, n: int, leaves: bool) -> int:
    return max(_label_6(kind, n, node, tree, leaves) for tree in trees_of(kind, n) for node in range(1, 2**n))


def _valid(kind: str, n: int, leaves: bool) -> bool:
    """Whether labels grow along all paths, and edges with the same label are in the same dimension."""
    graph, dimensions = graph_of(kind, n), {}
    for tree in range(graph.trees):
        for parent, node in edges_of(kind, n, tree):
            label = _label_6(kind, n, node, tree, leaves)
            if dimensions.setdefault(label, dimension(parent, node)) != dimension(parent, node):
                return False
            if parent and _label_6(kind, n, parent, tree, leaves) >= label:
                return False
    return True


@claim(
    "section 6",
    "{text}",
    parameters=columns("graph text", [("nESBT", "2*n - 1"), ("nRSBT", "2*n - 2"), ("SBnT", "2*n - 2")]),
    over=each(n=range(3, 9)),
    reading='"edges in dimension i are labeled i, except the edges to the leaf nodes which are labeled i + n" is read '
    "for all three graphs, and j added in tree j; for equal labels of all edges see largest_label_nRSBT_leaves_too",
)
def largest_label(graph: str, text: str, n: int) -> Case:
    """{graph}: with the edges to leaves labelled i + n, the largest label of the entire graph is {text}."""
    return case(_largest_label(kind_of(graph), n, leaves=True), int(value(text, n=n)))


@claim(
    "section 6",
    "2*n - 2",
    name="largest_label_{graph}_leaves_too",
    parameters=each(graph=("nRSBT", "SBnT")),
    over=each(n=range(3, 8)),
    reading="i + n for the edges to leaves is read for nESBT alone, of which the section says that its labels are those "
    "of theorem 4.1",
)
def largest_label_leaves_too(graph: str, n: int) -> Case:
    """{graph}: with the edges to leaves labelled as the others, the largest label is 2n - 2, and the labels are valid."""
    kind = kind_of(graph)
    valid = "valid labels" if _valid(kind, n, leaves=False) else "labels that are not valid"
    return case(f"{_largest_label(kind, n, leaves=False)}, {valid}", f"{2 * n - 2}, valid labels")


@claim("section 6", "the same", evidence="counted: every edge of every tree")
def labels_of_disjoint_trees(n: int) -> Case:
    """nESBT: the labels of section 6 are those of one-port one-to-all broadcasting, theorem 4.1."""
    nodes = [(node, tree) for tree in range(n) for node in range(1, 2**n)]
    differ = sum(_label_6("nesbt", n, node, tree, True) != _label(n, node, tree) for node, tree in nodes)
    return case(f"{differ} of {len(nodes)} labels differ", f"0 of {len(nodes)} labels differ")


_LARGEST_LABELS = {"BRG": "N - 2", "SBT": "n - 1", "nESBT": "2*n - 1", "nRSBT": "2*n - 2", "SBnT": "2*n - 2"}


@claim("section 6", "the largest label plus 1", over=each(n=(2, 3, 4), graph=_LARGEST_LABELS))
@said(evidence="the shortest sequence of dimensions, by exhaustive search")
def startups_by_labels(n: int, graph: str) -> Case:
    """The number of start-ups of one-port all-to-all communication is the largest label plus 1, counting from 0:
    tried with the labels whose largest is printed as the least."""
    return case(_fewest(graph, n), int(value(_LARGEST_LABELS[graph], n=n)) + 1)


@functools.cache
def _fewest(graph: str, n: int) -> int:
    return fewest_dimensions(graph_of(kind_of(graph), n))


@claim(
    "Table 10",
    "{text}",
    parameters=[
        {"graph": graph, "text": f"{'>= ' * (graph == 'TCBT')}{text}"} for graph, text in printed.STARTUPS_6.items()
    ],
    evidence="the shortest sequence of dimensions that serves every tree, by exhaustive search",
)
def fewest_startups(graph: str) -> Cases:
    """{graph}: the minimum number of start-ups of one-port all-to-all broadcasting is {text}."""
    agrees = at_least if graph == "TCBT" else equal
    return against(functools.partial(_fewest, graph), printed.STARTUPS_6[graph], each(n=range(2, 5)), agrees)


_KINDS = {"SBT": "sbt", "nRSBT": "nrsbt", "SBnT, one path to a node": "sbnt", "SBnT": "sbntc"}


@claim("section 7", "only the SBT", over=each(n=(3, 4), graph=_KINDS))
@said(
    conditions=("graph != 'SBnT, one path to a node'",),
    evidence="the shortest sequence of dimensions, by exhaustive search",
)
def only_binomial_tree_needs_n_startups(n: int, graph: str) -> Case:
    """Of the greedy graphs only SBT allows n start-ups with one port."""
    found, few = fewest_dimensions(graph_of(_KINDS[graph], n)), graph == "SBT"
    return judged(f"{found} start-ups", "n" if few else "more than n", (found == n) == few)


@claim("section 7.1", "> 2n - 2", over=each(n=range(2, 6)))
@said(
    conditions=("n >= 3",),
    evidence="the shortest sequence of dimensions for the tree that schedules/spanning/graphs.py embeds",
    reading="of one embedding of the tree; there may be one that needs fewer",
)
def startups_of_two_rooted_tree(n: int) -> Case:
    """TCBT: one-port all-to-all personalized communication needs more than 2n - 2 start-ups."""
    found = fewest_dimensions(graph_of("tcbt", n))
    return judged(str(found), f"> {2 * n - 2}", found > 2 * n - 2)


@claim("section 7.2", "equal", over=each(n=range(2, 6)))
@said(
    evidence="the shortest sequence of dimensions, by exhaustive search; section 6 has the largest label plus 1",
    reading="labels count from 0, as in section 6; if they count from 1 it holds",
)
def startups_equal_the_largest_label(n: int) -> Case:
    """The number of start-ups is equal to the maximum edge label (SBT, of which it is n - 1)."""
    return case(_fewest("SBT", n), n - 1)


def levels_and_sums(kind: str, n: int, levels: int) -> Iterator[Any]:
    """The sums of all sw_ld and all rw_ld up to a level, and of l times the nodes at level l (theorem 7.5)."""
    found = loads_of(kind, n)
    yield sum(found.sw[l, d] for l in range(levels) for d in range(n))
    yield sum(found.rw[l, d] for l in range(levels) for d in range(n))
    yield sum((l + 1) * found.ew[l, d] for l in range(found.height) for d in range(n))


@claim(
    "theorem 7.5",
    "the same",
    parameters=columns(
        "bound text misprint",
        [("to_n", "n - 1", "h - 1 for n - 1, as in theorems 7.3 and 7.4"), ("to_the_height", "h - 1", "")],
    ),
    over=each(n=range(3, 8), graph=("brg", "nrbrg", "sbt", "tcbt", "nrsbt", "nesbt", "sbntc")),
)
def bandwidth(bound: str, n: int, graph: str) -> Case:
    """In the proof: the sums of sw_ld and of rw_ld, l = 0 to {text}, and of l times the nodes at level l are the same."""
    levels = n if bound == "to_n" else loads_of(graph, n).height
    subtrees, behind, nodes = levels_and_sums(graph, n, levels)
    return judged(f"{subtrees}, {behind}, {nodes}", "the same", subtrees == behind == nodes)
