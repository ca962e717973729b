"""The cube-connected cycles paper (Kambhatla): every place of it that claims something."""

from fatcube.papers.claim import Paper, Place

__all__ = ["PAPER"]

_NOT_HERE = "the cited work is not at hand"
_NO_MEASURE = "it names no quantity that could be measured"

PAPER = Paper(
    "ccc",
    "The cube-connected cycles paper, claim by claim",
    "Kambhatla, Hypercube Vs Cube-Connected Cycles: A Topological Evaluation (CS/E 91-006). Its single I/O is "
    "router model 1, its multiple I/O is model d: on CCC three ports, one for each link. Model 1 sends one and "
    'receives one message per step, which is the most generous reading of "can send or receive at most one" '
    "(taken literally, a multinode broadcast would take 2 (N - 1) steps and not N - 1): what is impossible there is so "
    "in stricter ones too. A CCC has n = d = k, as the paper assumes, and N nodes. For n = 2 there "
    "are two graphs. In the single-link CCC(2), which section 2 defines, one link joins the two nodes of a cycle. In the "
    "double-link CCC(2), which is generated, two links join them, as the two directions around the cycle, so that every "
    'node has three. The column "tried in" says which of the two a row is of: the first where links, hops and distances '
    "are counted, the second where schedules, algorithms, rings, cuts or layouts are tried. Written by `fatcube audit ccc`; "
    "every schedule named as evidence passes `fatcube check`.",
    [
        Place("abstract", "fewer links per node might not degrade performance drastically", _NO_MEASURE),
        Place("section 1", "what the hypercube has: patterns, diameter, alternate paths, links"),
        Place("section 2", "definition of CCC: processors, links"),
        Place("figure 1", "a drawing of CCC(3,3)", "the transcription has the caption and not the drawing"),
        Place("algorithm A1", "routing from any source to any destination"),
        Place("section 3", "numbers of links"),
        Place("section 3, bisection width", "bisection widths of hypercube and CCC"),
        Place("section 3, average distance", "average distances and diameters"),
        Place("result 1", "the maximum number of hops is 2 n"),
        Place("result 1, proof", "by induction over two smaller CCCs"),
        Place("figure 2", "nodes at increasing distances", "the transcription has the caption and not the drawing"),
        Place("corollary 1", "the most distant node"),
        Place(
            "corollary 2",
            "diameter and depth of a spanning tree; a better estimate than in [7, 8]",
            f"that it is better than those of [7, 8]: {_NOT_HERE}; that it is 2 n is tried",
        ),
        Place("section 3, scalability", "two n-cubes make an (n + 1)-cube, with more links per node"),
        Place(
            "result 2",
            "CCCs are constructed from smaller ones",
            f"that they are inductive architectures as [9] defines them: {_NOT_HERE}; the rest is tried",
        ),
        Place("section 3, embeddings", "a hypercube is logically present in a CCC"),
        Place(
            "section 3, VLSI",
            "areas, area and power efficiency",
            "that power efficiency grows as area efficiency does: it is defined as the same quotient, so that "
            "nothing remains to be tried; that wires are longer than a mesh's: no lengths are given; the rest is tried",
        ),
        Place("section 4", "n disjoint paths in an n-cube"),
        Place("result 3", "three disjoint paths in a CCC"),
        Place("result 3, proof", "the paths, and why they are disjoint"),
        Place("corollary 3", "the paths are not of the same length"),
        Place("section 4, node failures", "schemes of [13] to [23] with more links and nodes", _NOT_HERE),
        Place(
            "section 5",
            "what [25] has for the hypercube, and what is compared with it",
            "it says what will be compared; the bounds are tried at Tables 1 and 2",
        ),
        Place("Table 1", "lower bounds of collectives in CCC"),
        Place("result 4", "single-node broadcast: 2 n, for single and multiple I/O"),
        Place("result 5", "algorithm A2 reaches all nodes in 2 n steps"),
        Place("algorithm A2", "single-node broadcast with single I/O"),
        Place("result 6", "algorithm A3 reaches all nodes in 2 n steps"),
        Place("algorithm A3", "single-node broadcast with multiple I/O"),
        Place("result 7", "multinode broadcast: N - 1, or (N - 1) / 3"),
        Place("result 8", "requirements for a single ring"),
        Place("corollary 4", "the reflected Gray code does not make one"),
        Place("result 9", "a ring with at least two nodes of each cycle"),
        Place("result 10", "partial rings with all processors"),
        Place("result 11", "algorithm A4 is correct and takes O(n^2 N)"),
        Place("algorithm A4", "multinode broadcast"),
        Place("result 11, proof", "what its steps take"),
        Place("result 12", "scatter: n - 1, or (n - 1) / 3"),
        Place("algorithm A5", "scatter with single I/O"),
        Place("algorithm A6", "scatter with multiple I/O"),
        Place("result 13", "total exchange: N n / 2"),
        Place("algorithm A7", "total exchange, by recursion"),
        Place("section 6", "what other evaluations look at", _NOT_HERE),
        Place(
            "section 7",
            "how the bounds compare",
            "that differences are significant only when n is large, and that more hops contribute little to the delay: "
            "no figures are given; the factors are tried",
        ),
        Place(
            "Table 2",
            "the comparison in numbers",
            'that most topologies can be embedded in both: which are "most" is not said; the other cells are tried',
        ),
    ],
    words={
        "1": "single",
        "d": "multiple",
        "OAB": "oab",
        "AAB": "aab",
        "OAS": "oas",
        "AAS": "aas",
        "CCC": "ccc",
        "3-cube": "3_cube",
        "4-cube": "4_cube",
        "CCC(3,3)": "ccc_3",
        "ring": "rings",
        "mesh": "meshes",
        "tree": "trees",
        "X-tree": "x_trees",
    },
)
