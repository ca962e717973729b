"""What the generalized hypercubes paper (Antonio, Lin and Metzger) prints, to be held against what is computed.

A formula is printed text and a function of w, d and N, the w^d nodes. Logarithms are left exact: log N / log w is d.
"""

__all__ = ["EXAMPLE_FIGURE_3", "TABLE_1", "TABLE_2", "TABLE_3", "THEOREM_1", "THEOREM_2"]


def _up(amount, rate):
    return -(-amount // rate)


TABLE_1 = {
    "AAB": {"time": ("ceil((N - 1) log w / ((w - 1) log N))", lambda w, d, N: _up(N - 1, (w - 1) * d)),
            "transmissions": ("N (N - 1)", lambda w, d, N: N * (N - 1))},
    "OAS": {"time": ("ceil((N - 1) log w / ((w - 1) log N))", lambda w, d, N: _up(N - 1, (w - 1) * d)),
            "transmissions": ("N log N / (w log w)", lambda w, d, N: N * d / w)},
    "AAS": {"time": ("ceil(N / (w (w - 1)))", lambda w, d, N: _up(N, w * (w - 1))),
            "transmissions": ("N^2 log N / (w log w)", lambda w, d, N: N * N * d / w)},
}
"""Table 1: dense, time and transmission complexity of complete broadcast, single-node scatter and total exchange."""


TABLE_2 = {
    "AAB": {"time": ("ceil((N - 1) log w / log N)", lambda w, d, N: _up(N - 1, d)),
            "transmissions": ("N (N - 1)", lambda w, d, N: N * (N - 1))},
    "OAS": {"time": ("ceil((N - 1) log w / log N)", lambda w, d, N: _up(N - 1, d)),
            "transmissions": ("(w - 1) N log N / (2 log w)", lambda w, d, N: (w - 1) * N * d / 2)},
    "AAS": {"time": ("ceil((w - 1) N / 2)", lambda w, d, N: _up((w - 1) * N, 2)),
            "transmissions": ("(w - 1) N^2 log N / (2 log w)", lambda w, d, N: (w - 1) * N * N * d / 2)},
}
"""Table 2: sparse, w > 2."""


TABLE_3 = {
    "AAB": {"time": ("ceil((N - 1) / log N)", lambda w, d, N: _up(N - 1, d)),
            "transmissions": ("N (N - 1)", lambda w, d, N: N * (N - 1))},
    "OAS": {"time": ("ceil((N - 1) / log N)", lambda w, d, N: _up(N - 1, d)),
            "transmissions": ("N log N / 2", lambda w, d, N: N * d / 2)},
    "AAS": {"time": ("ceil(N / 2)", lambda w, d, N: _up(N, 2)),
            "transmissions": ("N^2 log N / 2", lambda w, d, N: N * N * d / 2)},
}
"""Table 3: the binary hypercube."""


THEOREM_1 = ("d w^(d-1)", lambda w, d: d * w ** (d - 1))
THEOREM_2 = ("(w - 1) d w^d / 2", lambda w, d: (w - 1) * d * w ** d // 2)
"""Transmissions of a single-node scatter, dense and sparse."""

EXAMPLE_FIGURE_3 = (7, 7, 30)
"""Figure 3's example: the nodes at distance i of the sparse one with w = 3 and d dimensions, as (d, i, nodes)."""
