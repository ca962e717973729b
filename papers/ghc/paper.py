"""The generalized hypercubes paper (Antonio, Lin and Metzger): every place of it that claims something."""

from fatcube.papers.claim import Paper, Place

__all__ = ["PAPER"]


_DEFINED = "a definition of words: what the paper claims with them is tried at "

PAPER = Paper(
    "ghc",
    "The generalized hypercubes paper, claim by claim",
    "Antonio, Lin and Metzger, Complexity of Intensive Communications on Balanced Generalized Hypercubes. All "
    "links of a node can be used at once: router model d, a port for each link that leaves. Written by "
    "`fatcube audit ghc`; every schedule named as evidence passes `fatcube check`.",
    [
        Place("abstract", "number of nodes; gain K (K - 1) and loss 2^L of patterns"),
        Place(
            "section 1", "the binary hypercube; GHCs of any size; ports, links and symmetry of dense and sparse ones"
        ),
        Place(
            "section 1, features",
            "a relatively low number of links at each node, a large number of alternate paths",
            "the paper gives no numbers for low or large",
        ),
        Place(
            "section 1, assumptions",
            "all links of a node at once, packet switching, infinite buffers, one time unit for each link",
            "assumptions, not claims: router model d has them",
        ),
        Place("footnote 1", "with w = 2 dense and sparse are the binary hypercube"),
        Place("section 2", "examples of arithmetic and of a number; trees and distances moved to another root"),
        Place("definition 1", "the exclusive-or of two coordinates", _DEFINED + "definition 4 and proposition 1"),
        Place("definition 2", "the sum modulo w"),
        Place("definition 3", "the difference modulo w"),
        Place("definition 4 (a)", "links of the dense BGHC"),
        Place("definition 4 (b)", "links of the sparse BGHC"),
        Place("figure 1", "both for w = 4 and d = 2, drawn", "the transcription has no drawings"),
        Place("proposition 1 (a)", "distance in the dense BGHC"),
        Place("proposition 1 (b)", "distance in the sparse BGHC"),
        Place("figure 2", "a tree and its translation to node (12), for w = 2 by the caption"),
        Place("definition 5", "the nodes at a distance", _DEFINED + "proposition 2 and lemmas 1 and 2"),
        Place("proposition 2 (a)", "distances that occur in the dense BGHC, its diameter"),
        Place("proposition 2 (b)", "distances that occur in the sparse BGHC, its diameter"),
        Place("section 3", "how the tables follow from the section, from each other, and change with w"),
        Place("table 1", "optimal time and transmissions, dense"),
        Place("table 2", "optimal time and transmissions, sparse, w > 2"),
        Place("table 3", "optimal time and transmissions, binary hypercube"),
        Place("section 3.1.1", "bounds of the complete broadcast, dense"),
        Place("section 3.1.2", "bound in time of the scatter, dense; numbers of nodes by distance add up"),
        Place("lemma 1", "number of nodes at each distance, dense"),
        Place("theorem 1", "transmissions of the scatter, dense"),
        Place("section 3.1.3", "transmissions and time of the total exchange, dense"),
        Place("section 3.2.1", "bounds of the complete broadcast, sparse"),
        Place("section 3.2.2", "bound in time of the scatter, sparse; Pascal's triangle; symmetric sequences"),
        Place("lemma 2", "number of nodes at each distance, sparse: a recursion"),
        Place("figure 3", "an example of the recursion, for w = 3"),
        Place("lemma 3", "symmetric sequences of one sum have one sum of i a_i"),
        Place("theorem 2", "transmissions of the scatter, sparse"),
        Place("section 3.2.3", "transmissions and time of the total exchange, sparse"),
        Place("equation 1", "cost of the binary hypercube"),
        Place("equation 2", "cost of the dense BGHC"),
        Place("equation 3", "cost of the sparse BGHC"),
        Place("section 4", "cost against time, where N is a power of two"),
        Place("section 5", "gain and loss against cost; the bounds are achieved"),
        Place("lemma 1, proof", "a count of coordinates", "its result is lemma 1, counted on the graph there"),
        Place("theorem 1, proof", "a sum of binomial coefficients"),
        Place("lemma 2, proof", "nodes at distance i are those whose coordinates add up to i"),
        Place("lemma 3, proof", "sums of i a_i for odd n and for even n"),
        Place("theorem 2, proof", "a binomial sequence that has the same sum"),
    ],
    words={"CB": "cb", "SNS": "sns", "TE": "te"},
)
