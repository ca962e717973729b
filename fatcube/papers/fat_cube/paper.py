"""The fat-cube paper: every place that claims something, in its order."""

from fatcube.papers.claim import Paper, Place

__all__ = ["PAPER"]


_DRAWING = "a drawing, which neither transcription has"
_THESIS = (
    "the paper refers to a thesis for it, and combining several messages in a packet is outside the step model here"
)
_JUDGEMENT = "a judgement, without a measure by which it could fail"

PAPER = Paper(
    "fat-cube",
    "The fat-cube paper, claim by claim",
    "Kutálek and Dvořák, On Complexity of Collective Communications on a Fat Cube Topology. Written by "
    "`fatcube audit fat-cube`; every schedule named as evidence passes `fatcube check`.",
    [
        Place("abstract", "a large variety of fat cubes trades cost for performance", _JUDGEMENT),
        Place("section 1", "hypercubes, cube-connected cycles, butterflies and fat cubes: sizes, degrees, bisections"),
        Place(
            "section 1, simulation",
            "the hypercube simulates almost any other topology, and has optimal algorithms in almost all models",
            _JUDGEMENT,
        ),
        Place("section 2", "dimensions, links, and what the router models have in common"),
        Place("Figure 1", "two fat cubes of 16 processors"),
        Place("Figure 2", "the fat cube of 8 processors for which the router models are drawn"),
        Place("equation 1", "dimensions of the hypercube with as many processors"),
        Place("equation 2", "the links of a fat cube cost no more than those of the hypercube"),
        Place("Table 1", "crossbar sizes and router costs of fat cube and hypercube"),
        Place("equation 3", "when the routers of model 1 cost no more"),
        Place("equation 4", "when the routers of model d cost no more"),
        Place("equation 5", "when the routers of model * cost no more"),
        Place("Table 2", "for which d the fat cube is cheaper"),
        Place("section 3", "both fat cubes of Figure 1 are cheaper than the hypercube"),
        Place("Table 3", "lower bounds on the hypercube, store-and-forward and wormhole"),
        Place("section 4", "bounds that are reached on the hypercube, and pairs of collectives that take the same"),
        Place(
            "section 4, wormhole",
            "OAB on the all-port wormhole hypercube is optimal for d <= 6 only",
            "a statement of what was known in 2005; schedules here are store-and-forward",
        ),
        Place("section 4.1", "OAB: link types, the general bound, when the diameter dominates"),
        Place("Theorem 1", "OAB with one port takes log P"),
        Place("equation 6", "when the diameter dominates in models b and d"),
        Place("Table 4", "lower bounds of OAB, and which of them are reached"),
        Place("Theorem 2", "OAB in models d, * and b"),
        Place("Lemma 1", "links between two levels of the broadcast tree"),
        Place("Figure 3", "nodes and links of a broadcast tree", _DRAWING),
        Place("Theorem 2, proof", "processors informed at each level, and model b"),
        Place("section 4.2", "AAB: half-duplex links, wormhole switching, copies within nodes"),
        Place("equation 7", "lower bounds of AAB"),
        Place("Theorem 3", "AAB, first between nodes and then within"),
        Place("equation 8", "steps of AAB in model d, summed in two ways"),
        Place("equation 9", "steps of AAB in model *, summed in two ways"),
        Place("equation 10", "AAB with overlap reaches the bound in model d"),
        Place("equation 11", "AAB with overlap reaches the bound in model *"),
        Place("section 4.2, combining", "combining AAB can be faster on the fat cube than on the hypercube", _THESIS),
        Place("section 4.3", "OAS: half-duplex links, and the hypercube as a special case"),
        Place("equation 12", "lower bounds of OAS, and what they follow from"),
        Place("Theorem 4", "OAS, first between nodes and then within"),
        Place("Theorem 4, proof", "what the bounds come to for simple links"),
        Place("section 4.4", "AAS: every link busy, half-duplex links, and what overlap gives"),
        Place("Theorem 5", "AAS, first between nodes and then within"),
        Place("equation 13", "the super-messages on all levels"),
        Place("equation 14", "AAS in model 1 for m <= f d"),
        Place("equation 15", "AAS in model 1 for m > f d"),
        Place("equation 16", "the same with full overlap"),
        Place("equation 17", "AAS in model d, with and without overlap"),
        Place("section 4.4, combining", "combining AAS can be faster on the fat cube than on the hypercube", _THESIS),
        Place("section 5.1", "OAB on the fat cube of 8 processors"),
        Place("Figure 4", "schedules of OAB", _DRAWING),
        Place("section 5.2", "AAB on the fat cube of 8 processors"),
        Place("Figure 5", "a schedule of AAB in model d", f"{_DRAWING}; Table 5 has its deliveries"),
        Place("Table 5", "the deliveries of AAB in model d, step by step"),
        Place("section 5.3", "OAS on the fat cube of 8 processors"),
        Place("Figure 6", "the pipelining of messages in OAS", _DRAWING),
        Place("section 5.4", "AAS on the fat cube of 8 processors"),
        Place("Figure 7", "the scheduling table of AAS on the 2-dimensional hypercube"),
        Place("Table 6", "steps of all collectives on both networks of 8 processors"),
        Place("section 6", "what Table 6 shows"),
        Place("conclusion 1", "OAB with one port takes as long as on the hypercube"),
        Place("conclusion 2", "OAB is faster in models b, d and *"),
        Place("conclusion 3", "OAS and AAB run faster with multiple links"),
        Place(
            "conclusion 3, similarity",
            "OAS and AAB perform as on the hypercube",
            "how far apart is still similar is not said; Table 6 has the one example",
        ),
        Place("conclusion 4", "more ports are no advantage in AAS"),
        Place("conclusion 5", "AAS follows the bisection width, and multiple links make up for it"),
        Place("conclusion 6", "less traffic within nodes than between them, and overlap in AAB and OAS"),
        Place(
            "conclusion 6, advantage",
            "model * has almost no advantage over model d",
            "how much almost none is, is not said; the equations of 4.1 to 4.4 are tried in both models",
        ),
        Place("conclusion 7", "a cheaper fat cube without much loss can be found"),
        Place("conclusion 8", "the number of processors is not limited to powers of 2"),
        Place("conclusion 8, scaling", "this may be more straightforward than a partial hypercube", _JUDGEMENT),
    ],
    words={"1": "one", "b": "broadcast", "d": "d_port", "*": "all_port", "CCC": "ccc"},
)
"""The audit of the paper; :mod:`fatcube.papers.fat_cube.claims` has its claims."""
